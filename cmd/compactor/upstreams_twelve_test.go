package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// Servers that know nothing of compactor, all behind one: what clients of both
// SDKs are told of their tools, and what calls give, is what they get from each
// server alone, in both eras, over stdio and HTTP, with an empty store and with
// that of an earlier run. COMPACTOR_LONG=1 takes every combination, else each
// value of each is had once.
func TestTwelveServers(t *testing.T) {
	clients := sdkClients(t)
	work := filepath.Join(t.TempDir(), "work")
	all := toldStrangers(t, work, offline(t))
	table := newTwelveTable(all)
	t.Cleanup(func() { t.Log(table) })
	for i, sdk := range slices.Sorted(maps.Keys(clients)) {
		for j, mode := range []string{"auto", "legacy"} {
			direct := map[string]sdkSaw{}
			for k, transport := range []string{"stdio", "http"} {
				if os.Getenv("COMPACTOR_LONG") == "" && (i != j || j != k) {
					continue
				}
				for _, s := range all {
					if direct[s.name].Tools == nil {
						freshWork(t, work)
						direct[s.name] = s.job(mode).saw(t, clients[sdk]())
					}
				}
				dir, binary := frontDir(t, strangersConfig(all))
				for _, start := range []string{"cold", "warm"} {
					t.Run(strings.Join([]string{sdk, mode, transport, start}, " "), func(t *testing.T) {
						freshWork(t, work)
						job := throughJob(t, all, mode, transport, dir, binary)
						saw := job.saw(t, clients[sdk]())
						table.times(t, direct, saw)
						if start == "warm" && saw.First != len(saw.Tools) {
							t.Errorf("the first list has %d tools, not %d", saw.First, len(saw.Tools))
						}
						table.compare(t, all, direct, saw)
					})
				}
			}
		}
	}
}

func strangersConfig(all []stranger) string {
	servers := map[string]any{}
	for _, s := range all {
		servers[s.name] = map[string]any{"command": s.program, "args": append([]string{}, s.args...), "env": s.env, "dir": s.dir}
	}
	raw, _ := json.Marshal(servers)
	return "gateway: {surface: \"both\", result: 0}\nservers: " + string(raw)
}

// throughJob starts serve, or is told how to, and makes the calls of all servers
// by their listed names, then by execute_tool.
func throughJob(t *testing.T, all []stranger, mode, transport, dir, binary string) sdkJob {
	t.Helper()
	j := sdkJob{Mode: mode}
	log := filepath.Join(dir, "log")
	if transport == "stdio" {
		j.Command, j.Args, j.Dir, j.Env = binary, []string{"serve", "--log", log}, dir, map[string]string{"PATH": os.Getenv("PATH")}
		for _, kv := range frontEnv(dir) {
			k, v, _ := strings.Cut(kv, "=")
			j.Env[k] = v
		}
	} else {
		j.URL = serveStrangers(t, dir, binary, log)
	}
	for _, s := range all {
		j.Prefixes = append(j.Prefixes, s.name+"__")
		for _, c := range s.calls {
			j.Calls = append(j.Calls, sdkCall{s.name + "__" + c[0], json.RawMessage(c[1])})
		}
		for _, c := range s.calls {
			arguments := fmt.Sprintf(`{"tool":%q,"arguments":%s}`, s.name+"__"+c[0], c[1])
			j.Calls = append(j.Calls, sdkCall{"execute_tool", json.RawMessage(arguments)})
		}
	}
	return j
}

func serveStrangers(t *testing.T, dir, binary, log string) string {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--transport", "http", "--listen", "127.0.0.1:0", "--log", log)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), frontEnv(dir)...)
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		_ = errors.Join(cmd.Process.Signal(os.Interrupt), cmd.Wait())
	})
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			return "http://" + strings.Fields(address)[0] + "/mcp"
		}
	}
	t.Fatal("serve never listened")
	return ""
}

// twelveTable is how many definitions and results were the same, by server and
// combination.
type twelveTable struct {
	servers []string
	columns []string
	cells   map[string]string
	starts  []string
}

func newTwelveTable(all []stranger) *twelveTable {
	table := &twelveTable{cells: map[string]string{}}
	for _, s := range all {
		table.servers = append(table.servers, s.name)
	}
	return table
}

// compare judges what a session saw by what the servers told alone.
func (w *twelveTable) compare(t *testing.T, all []stranger, direct map[string]sdkSaw, saw sdkSaw) {
	t.Helper()
	_, column, _ := strings.Cut(t.Name(), "/")
	w.columns = append(w.columns, column)
	listed := map[string]json.RawMessage{}
	for _, raw := range saw.Tools {
		listed[toolName(t, raw)] = raw
	}
	at := 0
	for _, s := range all {
		want, same := direct[s.name], 0
		for _, raw := range want.Tools {
			name := s.name + "__" + toolName(t, raw)
			switch got := listed[name]; {
			case got == nil:
				t.Errorf("%s is not listed", name)
			case !reflect.DeepEqual(inEra(t, got, saw), inEra(t, named(t, raw, name), saw)):
				t.Errorf("%s is\n%s\nnot\n%s", name, got, raw)
			default:
				same++
			}
			delete(listed, name)
		}
		right := 0
		for i, result := range want.Results {
			call := saw.Results[at+i]
			if refused(result) && i >= len(s.calls) { // a protocol error has no form there
				result, call = reason(result), reason(call)
			}
			if name := mendedWithoutNeed(t, s.calls[i%len(s.calls)][1], call); name != "" {
				t.Errorf("%s: %s is said to be mended, and was no text", s.name, name)
			}
			if reflect.DeepEqual(steady(t, result), steady(t, call)) {
				right++
			} else {
				c := s.calls[i%len(s.calls)]
				t.Errorf("%s %s %s (%d):\n%s\nnot\n%s", s.name, c[0], c[1], i, short(call), short(result))
			}
		}
		at += len(want.Results)
		w.cells[s.name+column] = fmt.Sprintf("%d/%d %d/%d", same, len(want.Tools), right, len(want.Results))
	}
	for name := range listed {
		if strings.Contains(name, "__") {
			t.Errorf("%s is listed, and no server has it", name)
		}
	}
}

func (w *twelveTable) times(t *testing.T, direct map[string]sdkSaw, saw sdkSaw) {
	slowest, sum := 0, 0
	for _, d := range direct {
		slowest, sum = max(slowest, d.FirstMs), sum+d.FirstMs
	}
	w.starts = append(w.starts, fmt.Sprintf("%s: %s, first list of %d after %d ms, all %d after %d ms; alone the slowest takes %d ms, one after the other %d ms",
		t.Name(), saw.Version, saw.First, saw.FirstMs, len(saw.Tools), saw.WholeMs, slowest, sum))
}

func (w *twelveTable) String() string {
	var b strings.Builder
	b.WriteString("same definitions and results, of so many\n")
	for _, c := range w.columns {
		fmt.Fprintf(&b, "\n%s\n", c)
		for _, s := range w.servers {
			fmt.Fprintf(&b, "  %-20s %s\n", s, w.cells[s+c])
		}
	}
	return b.String() + "\n" + strings.Join(w.starts, "\n")
}

// inEra is a definition without how it runs as a task, which the stateless era
// does not know: a client that speaks it leaves that out.
func inEra(t *testing.T, raw json.RawMessage, saw sdkSaw) any {
	t.Helper()
	v := meaning(t, raw)
	if members, ok := v.(map[string]any); ok && saw.Version >= "2026-07-28" {
		delete(members, "execution")
	}
	return v
}

func toolName(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var tool struct{ Name string }
	if err := json.Unmarshal(raw, &tool); err != nil {
		t.Fatal(err)
	}
	return tool.Name
}

func refused(result json.RawMessage) bool { return strings.HasPrefix(string(result), `{"refused"`) }

// reason is the text of an error in whatever form.
func reason(result json.RawMessage) json.RawMessage {
	var all struct {
		Refused string
		Content []struct{ Text string }
	}
	_ = json.Unmarshal(result, &all)
	if all.Refused == "" && len(all.Content) > 0 {
		all.Refused = all.Content[0].Text
	}
	raw, _ := json.Marshal(all.Refused)
	return raw
}

// changing is what differs from one run of a server to the next, and colours,
// which are taken out of what passes.
var changing = regexp.MustCompile(`\\u001b\[\d*m|\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d([.-]\d+)?(Z|[+-]\d\d:\d\d)?|\d+(\.\d+)?\s?ms\b`)

// mendedWithoutNeed returns an argument that a result calls mended and that was not given as a text, "" for none.
func mendedWithoutNeed(t *testing.T, given string, result json.RawMessage) string {
	t.Helper()
	var r struct {
		Meta struct {
			Mended []string `json:"compactor/mended"`
		} `json:"_meta"`
	}
	var args map[string]any
	if json.Unmarshal(result, &r) != nil || json.Unmarshal([]byte(given), &args) != nil {
		return "" // a protocol error, or arguments that are none
	}
	for _, name := range r.Meta.Mended {
		if _, text := args[name].(string); !text {
			return name
		}
	}
	return ""
}

// steady returns a result without that, without the name of who answered, which is
// compactor's where a server of the handshake gives none, and without the names of
// arguments that were mended.
func steady(t *testing.T, result json.RawMessage) any {
	t.Helper()
	v := meaning(t, json.RawMessage(changing.ReplaceAllString(string(result), "")))
	if members, ok := v.(map[string]any); ok {
		if meta, ok := members["_meta"].(map[string]any); ok {
			delete(meta, "io.modelcontextprotocol/serverInfo")
			delete(meta, "compactor/mended")
			if len(meta) == 0 {
				delete(members, "_meta")
			}
		}
	}
	return v
}
