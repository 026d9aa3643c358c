package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	memory "github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// recorded are sessions of testdata/toolseq, and the tools of their servers.
func recorded(t *testing.T) (sessions [][]string, servers map[string][]string) {
	t.Helper()
	file, err := os.Open("testdata/toolseq/sessions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	servers = map[string][]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var s struct{ Tools []string }
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, name := range s.Tools {
			server, tool, _ := strings.Cut(name, "/")
			if !slices.Contains(servers[server], tool) {
				servers[server] = append(servers[server], tool)
			}
			listed = append(listed, server+"__"+tool)
		}
		sessions = append(sessions, listed)
	}
	return sessions, servers
}

// saw is what a client saw of its lists.
type saw struct {
	sessions, lists, tools    int // tools of upstream servers, on all lists
	changes                   int // lists that are not what the session had
	calls, hidden             int
	again                     int // tokens that a model reads again for lists that changed
	first, firstShown, starts int // tools of sessions: on their first lists, and used first while they were listed
	firstLists                []string
}

// workThrough goes through sessions as a client does that asks for its list before each
// call.
func workThrough(t *testing.T, url string, modern bool, sessions [][]string) (w saw) {
	for _, calls := range sessions {
		wire := &wire{}
		c := clienttest.Connect(t, clienttest.HTTP(t, url, transport.WithHTTPBasicClient(&http.Client{Transport: wire})), "recorded", modern)
		w.sessions++
		var shown []string
		var last []definition
		behind := 0 // tokens that the model has read behind the list
		used := map[string]bool{}
		for i, tool := range calls {
			now := clienttest.Upstream(t, c)
			w.lists, w.tools = w.lists+1, w.tools+len(now)
			if i == 0 {
				w.firstLists = append(w.firstLists, strings.Join(now, " "))
			} else if !slices.Equal(now, shown) {
				w.changes++
			}
			list := wire.list(t)
			if i > 0 && !modern {
				w.again += reread(last, list, behind)
			}
			last = list
			if shown = now; i == 0 {
				for _, later := range distinct(calls) {
					if w.first++; slices.Contains(now, later) {
						w.starts++
					}
				}
			}
			listed := slices.Contains(shown, tool)
			if !used[tool] && listed {
				w.firstShown++
			}
			if w.calls++; !listed {
				w.hidden++
			}
			used[tool] = true
			var req mcp.CallToolRequest
			req.Params.Name, req.Params.Arguments = tool, map[string]any{"words": "some words of a call"}
			res, err := c.CallTool(t.Context(), req)
			if err != nil || res.IsError || len(res.Content) == 0 || !strings.Contains(fmt.Sprint(res.Content[0]), "some words") {
				t.Fatalf("%s, on the list: %v: %+v %v", tool, listed, res, err)
			}
			behind += memory.PerCall + memory.Tokens(wire.result(t))
		}
		_ = c.Close()
	}
	return w
}

// definition is a tool as it came.
type definition struct {
	name string
	size int // in bytes
}

// reread is how many tokens a model reads again that has read a list and what stands behind
// it, and is given another: of the upstream tools from the first that differs on, four bytes
// each, and of all that stands behind.
func reread(last, now []definition, behind int) (tokens int) {
	same := 0
	for same < min(len(last), len(now)) && last[same].name == now[same].name {
		same++
	}
	if same == len(last) && same == len(now) {
		return 0
	}
	for _, d := range now[same:min(len(last), len(now))] {
		if strings.Contains(d.name, "__") {
			tokens += d.size / 4
		}
	}
	return tokens + behind
}

// wire keeps what a server last answered, byte for byte.
type wire struct {
	mu   sync.Mutex
	body []byte
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	alone := &http.Transport{DisableKeepAlives: true}
	res, err := alone.RoundTrip(r)
	if err != nil || r.Method != http.MethodPost {
		return res, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.body = body
	return res, nil
}

// result is that of the last answer, of an event stream too.
func (w *wire) result(t *testing.T) json.RawMessage {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range bytes.Split(w.body, []byte("\n")) {
		var m struct{ Result json.RawMessage }
		if json.Unmarshal(bytes.TrimPrefix(line, []byte("data: ")), &m) == nil && len(m.Result) > 0 {
			return m.Result
		}
	}
	t.Fatalf("no result: %s", w.body)
	return nil
}

func (w *wire) list(t *testing.T) (out []definition) {
	t.Helper()
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(w.result(t), &list); err != nil {
		t.Fatal(err)
	}
	for _, raw := range list.Tools {
		var named struct{ Name string }
		if err := json.Unmarshal(raw, &named); err != nil {
			t.Fatal(err)
		}
		out = append(out, definition{named.Name, len(raw)})
	}
	return out
}

func distinct(list []string) []string { return slices.Compact(slices.Sorted(slices.Values(list))) }

// overHTTP connects a client of an era.
func overHTTP(t *testing.T, url string, modern bool) *client.Client {
	t.Helper()
	return clienttest.Connect(t, clienttest.HTTP(t, url), "recorded", modern)
}

// httpServe is a serve of its own process.
type httpServe struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
}

func serveFor(t *testing.T, binary, dir string) *httpServe {
	t.Helper()
	return serveWith(t, binary, dir)
}

// serveWith is serveFor with further flags.
func serveWith(t *testing.T, binary, dir string, flags ...string) *httpServe {
	t.Helper()
	s := &httpServe{t: t, cmd: exec.Command(binary, append([]string{"serve", "--transport", "http", "--listen", "127.0.0.1:0", "--log", filepath.Join(dir, "log")}, flags...)...)}
	s.cmd.Env = append(os.Environ(), frontEnv(dir)...)
	said, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); _ = s.cmd.Wait() })
	lines := bufio.NewScanner(said)
	for s.base == "" && lines.Scan() {
		if _, at, is := strings.Cut(lines.Text(), "listening on "); is {
			s.base = "http://" + strings.Fields(at)[0]
		}
	}
	if s.base == "" {
		t.Fatal("it does not listen")
	}
	go func() { _, _ = io.Copy(io.Discard, said) }()
	return s
}

// end has it stop as a person does, and waits until all is written.
func (s *httpServe) end() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	_ = s.cmd.Wait()
}

// counts are the metrics of a serve, those with labels by all of their text.
func (s *httpServe) counts() map[string]int {
	s.t.Helper()
	res, err := http.Get(s.base + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	out := map[string]int{}
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		if n, err := strconv.ParseFloat(value, 64); err == nil && strings.HasPrefix(name, "compactor_") {
			out[strings.TrimPrefix(name, "compactor_")] += int(n)
			if bare, _, labelled := strings.Cut(name, "{"); labelled {
				out[strings.TrimPrefix(bare, "compactor_")] += int(n)
			}
		}
	}
	return out
}

// settled are the counts once all that a client saw is counted.
func (s *httpServe) settled(w saw) map[string]int {
	s.t.Helper()
	var c map[string]int
	clocktest.Until(s.t, fmt.Sprintf("%d lists and %d calls are counted", w.lists, w.calls), func() bool {
		c = s.counts()
		used := uses(c, "listed") + uses(c, "hidden") // counted behind the reply
		return c["tool_lists_total"] == w.lists && c["upstream_calls_total"] >= w.calls && used >= w.calls
	}, func() any {
		return fmt.Sprintf("%d lists and %d calls of %+v", c["tool_lists_total"], c["upstream_calls_total"], w)
	})
	return s.counts() // a scrape does not read all at one moment
}

// uses are the calls of tools that were on a list, or were not.
func uses(c map[string]int, list string) (n int) {
	for name, count := range c {
		if strings.HasPrefix(name, "tool_uses_total{") && strings.Contains(name, `list="`+list+`"`) {
			n += count
		}
	}
	return n
}

// A client works through recorded sessions, half of them, and after a restart the other
// half, with a real process for each server. What it was listed and what it called
// though it was hidden is what is counted; what was left out of a list works; the
// second run knows from its first list on what the first one has used.
func TestRecordedSessions(t *testing.T) {
	program, err := exec.LookPath("toolserver")
	if err != nil {
		t.Fatal(err)
	}
	sessions, servers := recorded(t)
	all := 0
	var cue bytes.Buffer
	fmt.Fprint(&cue, "gateway: {surface: \"proxy\", selection: {max_tools: 20}}\n")
	for name, tools := range servers {
		args, _ := json.Marshal(append([]string{"shelf"}, tools...))
		fmt.Fprintf(&cue, "servers: %q: {command: %q, args: %s}\n", name, program, args)
		all += len(tools)
	}
	half, calls := len(sessions)/2, len(slices.Concat(sessions...))
	for _, era := range []struct {
		name   string
		modern bool
	}{{"with a handshake", false}, {"stateless", true}} {
		t.Run(era.name, func(t *testing.T) {
			t.Parallel()
			dir, binary := frontDir(t, cue.String())
			known(t, binary, dir, all)
			run := func(part [][]string, ready, then func(s *httpServe)) (saw, map[string]int) {
				s := serveFor(t, binary, dir)
				ready(s)
				w := workThrough(t, s.base+"/mcp", era.modern, part)
				c := s.settled(w)
				then(s)
				s.end()
				return w, c
			}
			before, counted := run(sessions[:half], func(*httpServe) {}, func(*httpServe) {})
			checkCounts(t, before, counted, all, era.modern)
			read := func(s *httpServe) { // a first list does not wait for long until what was kept is read
				clocktest.Until(t, "what was kept is read", func() bool {
					return !slices.ContainsFunc(sessions[:half], func(calls []string) bool { return len(distinct(calls)) > 1 && len(s.stats(calls[0]).With) == 0 })
				})
			}
			after, counted := run(sessions[half:], read, func(s *httpServe) {
				browser, base := letIn(t, binary, frontEnv(dir))
				if status, text := seenBy(t, browser, base+"lists"); status != http.StatusOK || !strings.Contains(text, "Shown, used and missed") || !strings.Contains(text, "trading_bot/") {
					t.Error(status, text)
				}
				checkTogether(t, s, sessions[:half], era.modern)
				if out := output(t, binary, dir, "data", "purge", "--all"); !strings.Contains(out, fmt.Sprintf("with %d calls; 0 left", calls)) {
					t.Error(out)
				}
				c := overHTTP(t, s.base+"/mcp", era.modern)
				defer c.Close()
				if now := strings.Join(clienttest.Upstream(t, c), " "); now != before.firstLists[0] {
					t.Errorf("what was deleted is known to the serve that runs: its first list was\n%s\nand is\n%s", before.firstLists[0], now)
				}
			})
			checkCounts(t, after, counted, all, era.modern)
			t.Logf("%d tools; first run %+v; second run %+v; %d tokens read again", all, before.figures(), after.figures(), counted["prompt_tokens_reread_total"])
			if before.share() >= after.share() {
				t.Errorf("first lists held %.2f of what sessions used before the restart, and %.2f behind it", before.share(), after.share())
			}
			least := 0.7
			if era.modern {
				least = 0.25 // one list, before anything is called
			}
			if float64(after.firstShown) < least*float64(after.first) {
				t.Errorf("%d of %d tools were listed before their first use", after.firstShown, after.first)
			}
			if after.firstLists[0] == before.firstLists[0] {
				t.Errorf("nothing was learnt: %s", after.firstLists[0])
			}
			if most := 0.5; float64(after.tools) > most*float64(all*after.lists) {
				t.Errorf("lists have %d of %d tools", after.tools/after.lists, all)
			}
		})
	}
}

// checkTogether asks a serve what the sessions of the one before it used together. It has
// learnt from its own sessions too, which can only add to that.
func checkTogether(t *testing.T, s *httpServe, before [][]string, stateless bool) {
	t.Helper()
	type pair struct{ a, b string }
	count, after := map[pair]float64{}, map[pair]float64{}
	var most pair
	for _, calls := range before {
		seen := []string{}
		for _, tool := range calls {
			if slices.Contains(seen, tool) {
				continue
			}
			for _, a := range seen {
				count[pair{a, tool}]++
				count[pair{tool, a}]++
				if after[pair{a, tool}]++; after[pair{a, tool}] > after[most] {
					most = pair{a, tool}
				}
			}
			seen = append(seen, tool)
		}
	}
	st := s.stats(most.a)
	i := slices.IndexFunc(st.With, func(x api.With) bool { return x.Tool == most.b })
	if i < 0 {
		t.Fatalf("%s and %s were used together before the restart: %+v", most.a, most.b, st)
	}
	least, leastAfter := count[most]-0.1, after[most]-0.1 // an hour fades little
	if stateless {                                        // what its client did is cut into chains, and not where a session ended
		least, leastAfter = 1, 0
	}
	if x := st.With[i]; x.Count < least || x.After < leastAfter || x.Distance < 1 || x.Last == nil {
		t.Errorf("%s and %s were used together by %.0f sessions, in this order by %.0f: %+v", most.a, most.b, count[most], after[most], x)
	}
}

// stats asks a serve how a tool is used.
func (s *httpServe) stats(tool string) (out api.Stats) {
	s.t.Helper()
	res, err := http.Get(s.base + "/tools/" + tool + "/stats")
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// share is how much of what sessions used stood on their first list.
func (w saw) share() float64 { return float64(w.starts) / float64(w.first) }

func (w saw) figures() string {
	return fmt.Sprintf("{%d lists, %d changed, %.1f tools on one; %d calls, %d of hidden tools; %d of %d tools on the first list, %d before their first use}",
		w.lists, w.changes, float64(w.tools)/float64(w.lists), w.calls, w.hidden, w.starts, w.first, w.firstShown)
}

// known has the tools of all servers known before anybody serves.
func known(t *testing.T, binary, dir string, all int) {
	t.Helper()
	out := ""
	clocktest.Until(t, fmt.Sprintf("%d tools are known", all), func() bool { // a list does not wait for slow servers
		out = output(t, binary, dir, "tools", "list", "--format", "json")
		return strings.Count(out, `"tool":`) == all
	}, func() any { return out })
}

// output is what a command prints.
func output(t *testing.T, binary, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), frontEnv(dir)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out)
}

// checkCounts holds the metrics against what the client saw.
func checkCounts(t *testing.T, w saw, c map[string]int, all int, stateless bool) {
	t.Helper()
	changed := c[`tool_lists_total{change="appended"}`] + c[`tool_lists_total{change="renewed"}`]
	first, listed, hidden, changes := w.sessions, w.calls-w.hidden, w.hidden, w.changes
	if stateless { // over HTTP each request stands alone: it has no last list, and its client had one
		first, changes = w.lists, 0
	}
	for name, want := range map[string]int{
		`tool_lists_total{change="first"}`: first,
		"tool_lists_total":                 w.lists,
		"tools_listed_total":               w.tools,
		"tools_hidden_total":               w.lists*all - w.tools,
		"upstream_calls_total":             w.calls,
	} {
		if c[name] != want {
			t.Errorf("%s is %d, and the client saw %d", name, c[name], want)
		}
	}
	if changed != changes || uses(c, "listed") != listed || uses(c, "hidden") != hidden {
		t.Errorf("%d lists changed, %d listed and %d hidden tools called; the client saw %d, %d and %d", changed, uses(c, "listed"), uses(c, "hidden"), changes, listed, hidden)
	}
	if again := c["prompt_tokens_reread_total"]; again != w.again || (changed > 0) != (again > 0) {
		t.Errorf("%d lists changed, and %d tokens were read again; by what the client saw %d", changed, again, w.again)
	}
	if w.hidden == 0 {
		t.Error("no tool was called that was hidden: the lists prove nothing")
	}
}
