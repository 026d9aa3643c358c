package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/mark3labs/mcp-go/mcp"
)

// profileClient is a client over HTTP that says what its test has it say.
type profileClient struct {
	t       *testing.T
	url     string
	modern  bool
	name    string
	headers []string // sent with each request: names and values
	session string
	offers  map[string]any // capabilities
	over    *http.Client   // nil for one that all share
	id      int
}

// bearer returns the headers of who has a token.
func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }

// ask sends a request and gives the status and the body's message, or its text.
func (c *profileClient) ask(method string, params map[string]any) (status int, result map[string]any, text string) {
	c.t.Helper()
	c.id++
	headers := slices.Clone(c.headers)
	if params == nil {
		params = map[string]any{}
	}
	if c.modern {
		offers := c.offers
		if offers == nil {
			offers = map[string]any{}
		}
		params["_meta"] = map[string]any{mcp.MetaKeyProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, mcp.MetaKeyClientCapabilities: offers,
			mcp.MetaKeyClientInfo: map[string]any{"name": c.name, "version": "1"}}
		headers = append(headers, mcp.HeaderProtocolVersion, mcp.LATEST_PROTOCOL_VERSION, "Mcp-Method", method)
		if name, is := params["name"].(string); is {
			headers = append(headers, "Mcp-Name", name)
		}
	} else if c.session != "" {
		headers = append(headers, mcp.HeaderSessionID, c.session)
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		c.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(c.t.Context(), "POST", c.url+"/mcp", bytes.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := cmp.Or(c.over, http.DefaultClient).Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	if id := res.Header.Get(mcp.HeaderSessionID); id != "" {
		c.session = id
	}
	var m struct {
		Result map[string]any
		Error  *struct{ Message string }
	}
	if json.Unmarshal(raw, &m) != nil {
		return res.StatusCode, nil, string(raw)
	}
	if m.Error != nil {
		return res.StatusCode, nil, m.Error.Message
	}
	return res.StatusCode, m.Result, string(raw)
}

// begin is the handshake, where the era has one.
func (c *profileClient) begin() *profileClient {
	c.t.Helper()
	if c.modern {
		return c
	}
	if status, result, text := c.greet(); result == nil {
		c.t.Fatal(status, text)
	}
	return c
}

func (c *profileClient) greet() (int, map[string]any, string) {
	c.t.Helper()
	return c.ask("initialize", map[string]any{"protocolVersion": mcp.LATEST_LEGACY_PROTOCOL_VERSION, "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": c.name, "version": "1"}})
}

// tools are the names of the upstream tools that it is listed.
func (c *profileClient) tools() (names []string) {
	c.t.Helper()
	status, result, text := c.ask("tools/list", nil)
	if result == nil {
		c.t.Fatal(status, text)
	}
	list, _ := result["tools"].([]any)
	for _, x := range list {
		if name, _ := x.(map[string]any)["name"].(string); strings.Contains(name, "__") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// call is what a call comes to, as text.
func (c *profileClient) call(tool string, args map[string]any) (text string, ok bool) {
	c.t.Helper()
	_, result, text := c.ask("tools/call", map[string]any{"name": tool, "arguments": args})
	failed, _ := result["isError"].(bool)
	return text, result != nil && !failed
}

// waitTools waits until it is listed these.
func (c *profileClient) waitTools(want ...string) {
	c.t.Helper()
	var got []string
	clocktest.Until(c.t, fmt.Sprintf("%q is listed %q", c.name, want), func() bool {
		got = c.tools()
		return slices.Equal(got, want)
	}, func() any { return got })
}

var bothEras = []struct {
	name   string
	modern bool
}{{"handshake", false}, {"stateless", true}}

// profilesCUE has three servers: one of them in both profiles.
func profilesCUE(t *testing.T, pids string) string {
	t.Helper()
	program, err := exec.LookPath("toolserver")
	if err != nil {
		t.Fatal(err)
	}
	server := func(name string, tools ...string) string {
		args, _ := json.Marshal(append([]string{"shelf"}, tools...))
		return fmt.Sprintf("servers: %s: {command: %q, args: %s, env: CYCLE_PIDS: %q}\n", name, program, args, pids)
	}
	return server("notes", "read_note", "write_note") + server("pay", "send_money") + server("news", "headlines") + `
gateway: surface: "both"
profiles: reading: {
	servers: ["notes", "news"]
	toolRules: [{pattern: ["write_*"], enabled: false}]
	tools: notes: read_note: {rename: "look_up", description: "Look up one of my notes"}
}
profiles: banking: servers: ["notes", "pay"]
profiles: secret: {servers: ["pay"], header: false}
clients: "LM Studio*": profile: "reading"
clients: "lm studio bank": profile: "banking"
`
}

// One serve has clients of several profiles at the same time: each sees and runs what its
// own has, and a server that several have runs once.
func TestProfilesAtOnce(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	s := serveAPI(t, profilesCUE(t, pids), "")
	for _, name := range []string{"notes__read_note", "pay__send_money", "news__headlines"} {
		s.awaitTool(name)
	}
	all := []string{"news__headlines", "notes__read_note", "notes__write_note", "pay__send_money"}
	reading, banking := []string{"news__headlines", "notes__look_up"}, []string{"notes__read_note", "notes__write_note", "pay__send_money"}
	for _, era := range bothEras {
		client := func(name string, headers ...string) *profileClient {
			return (&profileClient{t: t, url: s.base, modern: era.modern, name: name, headers: headers}).begin()
		}
		for _, c := range []struct {
			what   string
			client *profileClient
			want   []string
		}{
			{"nothing is said of it", client("other"), all},
			{"by header", client("other", "Compactor-Profile", "reading"), reading},
			{"by header in other letters", client("other", "compactor-profile", "banking"), banking},
			{"by its name", client("LM Studio 0.4"), reading},
			{"by its name, which counts before globs", client("LM Studio Bank"), banking},
			{"the header counts before its name", client("LM Studio", "Compactor-Profile", "banking"), banking},
		} {
			c.client.waitTools(c.want...)
		}

		r := client("LM Studio")
		for _, call := range []struct {
			tool string
			args map[string]any
		}{
			{"pay__send_money", nil}, {"pay.send_money", nil}, {"send_money", nil}, {"notes__write_note", nil},
			{"execute_tool", map[string]any{"tool": "pay__send_money", "arguments": map[string]any{}}},
			{"execute_tool", map[string]any{"tool": "send_money", "server": "pay", "arguments": map[string]any{}}},
			{"execute_tool", map[string]any{"tool": "notes__write_note", "arguments": map[string]any{}}},
			{"get_tool_details", map[string]any{"tool": "pay__send_money"}},
		} {
			if text, ok := r.call(call.tool, call.args); ok || strings.Contains(text, "Tool of a test") {
				t.Errorf("%s: %s %v: %s", era.name, call.tool, call.args, text)
			}
		}
		for tool, args := range map[string]map[string]any{"search_tools": {"query": "send money"}, "list_servers": {}} {
			if text, _ := r.call(tool, args); strings.Contains(text, "pay") || strings.Contains(text, "send_money") {
				t.Errorf("%s: %s tells of another profile's server: %s", era.name, tool, text)
			}
		}
		if _, result, text := r.ask("tools/list", nil); result == nil || strings.Contains(text, "pay") || !strings.Contains(text, "Look up one of my notes") {
			t.Errorf("%s: a description tells of another profile's server, or its own is not shown: %s", era.name, text)
		}
		if text, ok := r.call("notes__look_up", map[string]any{"n": "seven"}); !ok || !strings.Contains(text, "seven") {
			t.Errorf("%s: %s", era.name, text)
		}
		if text, ok := client("other", "Compactor-Profile", "banking").call("pay__send_money", map[string]any{"n": "eight"}); !ok || !strings.Contains(text, "eight") {
			t.Errorf("%s: %s", era.name, text)
		}
	}
	running, err := os.ReadFile(pids)
	if n := bytes.Count(running, []byte("\n")); err != nil || n != 3 {
		t.Errorf("%d programs were started for three servers: %v", n, err)
	}
}

// What is kept of a long result is read by clients of a profile that has its tool, also
// where the protocol has no sessions, and by nobody else.
func TestProfilesFetchApart(t *testing.T) {
	t.Parallel()
	s := serveAPI(t, profilesCUE(t, filepath.Join(t.TempDir(), "pids"))+"gateway: result: 200\n", "")
	for _, name := range []string{"notes__write_note", "pay__send_money"} {
		s.awaitTool(name)
	}
	client := func(profile string) *profileClient {
		return &profileClient{t: t, url: s.base, modern: true, name: "other", headers: []string{"Compactor-Profile", profile}}
	}
	client("banking").waitTools("notes__read_note", "notes__write_note", "pay__send_money")
	id := regexp.MustCompile(`fetch_result[^"]*\\"id\\?": ?\\"([A-Za-z0-9_-]+)|id ([a-z0-9]{6,})`)
	for _, tool := range []string{"pay__send_money", "notes__write_note"} {
		text, ok := client("banking").call(tool, map[string]any{"n": strings.Repeat("a word that is kept, ", 400)})
		found := id.FindStringSubmatch(text)
		if !ok || found == nil {
			t.Fatalf("%s: nothing is kept: %.600s … %.600s", tool, text, text[max(0, len(text)-600):])
		}
		fetch := map[string]any{"id": found[1] + found[2], "page": 2}
		if got, ok := client("banking").call("fetch_result", fetch); !ok || !strings.Contains(got, "a word that is kept") {
			t.Errorf("%s: its own profile cannot read it: %.300s", tool, got)
		}
		if got, ok := client("reading").call("fetch_result", fetch); ok || strings.Contains(got, "a word that is kept") {
			t.Errorf("%s: another profile reads it: %.300s", tool, got)
		}
	}
}

// What a client must not get by the header: what is not there, what is not to be asked
// for, the profile of another beside its own, and errors that repeat what it sent.
func TestProfileHeaderRefused(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	s := serveAPI(t, profilesCUE(t, pids), apiToken)
	bearer := bearer(apiToken)
	const names = "banking, reading"
	for _, era := range bothEras {
		for _, c := range []struct {
			what    string
			headers []string
			status  int
			says    string
		}{
			{"unknown", []string{"Compactor-Profile", "work"}, 0, "there are: " + names},
			{"nearly", []string{"Compactor-Profile", "readin"}, 0, "did you mean reading?"},
			{"not to be asked for", []string{"Compactor-Profile", "secret"}, 0, "there are: " + names},
			{"in capitals", []string{"Compactor-Profile", "Reading"}, 0, "did you mean reading?"},
			{"empty", []string{"Compactor-Profile", ""}, 0, "there are: " + names},
			{"odd bytes", []string{"Compactor-Profile", "r\xff\xfe\t\u202ereading"}, 0, "there are: " + names},
			{"very long", []string{"Compactor-Profile", strings.Repeat("reading", 2000)}, 0, "no profile that can be asked for is called"},
			{"a list", []string{"Compactor-Profile", "reading, banking"}, 0, names},
			{"two", []string{"Compactor-Profile", "reading", "Compactor-Profile", "banking"}, 400, "ask for one profile"},
			{"two alike", []string{"Compactor-Profile", "reading", "compactor-profile", "reading"}, 400, "ask for one profile"},
			{"a secret", []string{"Compactor-Profile", "ghp_" + strings.Repeat("a1B2", 9)}, 0, "there are: " + names},
		} {
			client := &profileClient{t: t, url: s.base, modern: era.modern, name: "LM Studio", headers: slices.Concat(bearer, c.headers)}
			var status int
			var result map[string]any
			var text string
			if era.modern {
				status, result, text = client.ask("tools/list", nil)
			} else {
				status, result, text = client.greet()
			}
			if result != nil || !strings.Contains(text, c.says) || c.status != 0 && status != c.status || client.session != "" {
				t.Errorf("%s, %s: %d %v %q", era.name, c.what, status, result, text)
			}
			if strings.Contains(text, "ghp_") || strings.Contains(text, "\xff") || strings.Contains(text, "\u202e") || len(text) > 1000 {
				t.Errorf("%s, %s: the error repeats it: %q", era.name, c.what, text)
			}
		}
		none := &profileClient{t: t, url: s.base, modern: era.modern, name: "LM Studio", headers: []string{"Compactor-Profile", "reading"}}
		if status, _, text := none.greet(); status != http.StatusUnauthorized || strings.Contains(text, "reading") {
			t.Errorf("%s: without the token: %d %s", era.name, status, text)
		}
	}

	r := (&profileClient{t: t, url: s.base, name: "other", headers: slices.Concat(bearer, []string{"Compactor-Profile", "reading"})}).begin()
	for _, headers := range [][]string{{"Compactor-Profile", "banking"}, {"Compactor-Profile", ""}, {"Compactor-Profile", "reading", "Compactor-Profile", "banking"}} {
		thief := &profileClient{t: t, url: s.base, session: r.session, headers: slices.Concat(bearer, headers)}
		if status, result, text := thief.ask("tools/list", nil); status != 400 || result != nil || !strings.Contains(text, "Compactor-Profile") {
			t.Errorf("a session goes on under %q: %d %v %s", headers, status, result, text)
		}
	}
	bare := &profileClient{t: t, url: s.base, session: r.session, headers: bearer}
	if _, result, text := bare.ask("tools/list", nil); result == nil || strings.Contains(text, "pay") {
		t.Errorf("a session that goes on without the header is not what it was: %s", text)
	}
	plain := (&profileClient{t: t, url: s.base, name: "LM Studio", headers: bearer}).begin()
	plain.headers = slices.Concat(bearer, []string{"Compactor-Profile", "banking"})
	if status, result, text := plain.ask("tools/list", nil); status != 400 || result != nil {
		t.Errorf("a session takes up a header: %d %s", status, text)
	}
}

// With --profile that is all there is, but for what the configuration says.
func TestProfileFlagIsAWall(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	dir, binary := frontDir(t, profilesCUE(t, pids)+"profiles: open: {servers: [\"news\"], header: true}\n")
	s := serveWith(t, binary, dir, "--profile", "banking")
	for _, era := range bothEras {
		client := func(headers ...string) *profileClient {
			return (&profileClient{t: t, url: s.base, modern: era.modern, name: "other", headers: headers}).begin()
		}
		client().waitTools("notes__read_note", "notes__write_note", "pay__send_money")
		client("Compactor-Profile", "banking").waitTools("notes__read_note", "notes__write_note", "pay__send_money")
		client("Compactor-Profile", "open").waitTools("news__headlines")
		shut := &profileClient{t: t, url: s.base, modern: era.modern, name: "other", headers: []string{"Compactor-Profile", "reading"}}
		_, result, text := shut.greet()
		if era.modern {
			_, result, text = shut.ask("tools/list", nil)
		}
		if result != nil || !strings.Contains(text, "there are: banking, open") {
			t.Errorf("%s: %v %s", era.name, result, text)
		}
	}
}

// An edit of profiles and clients acts on sessions that are open; one that is not valid
// changes nothing; a profile that was taken away leaves its sessions nothing.
func TestProfilesReloaded(t *testing.T) {
	t.Parallel()
	pids := filepath.Join(t.TempDir(), "pids")
	cue := profilesCUE(t, pids)
	s := serveAPI(t, cue, "")
	for _, name := range []string{"notes__read_note", "pay__send_money", "news__headlines"} {
		s.awaitTool(name)
	}
	var told chan bool // changes that a session hears of
	edit := func(text string) {
		t.Helper()
		for len(told) > 0 { // of the edit before
			<-told
		}
		if err := os.WriteFile(filepath.Join(s.dir, "compactor.cue"), []byte("package compactor\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	byName := (&profileClient{t: t, url: s.base, name: "LM Studio"}).begin()
	byHeader := (&profileClient{t: t, url: s.base, name: "LM Studio", headers: []string{"Compactor-Profile", "banking"}}).begin()
	alone := &profileClient{t: t, url: s.base, name: "LM Studio", modern: true}
	byName.waitTools("news__headlines", "notes__look_up")
	byHeader.waitTools("notes__read_note", "notes__write_note", "pay__send_money")
	told = listens(t, byName)

	edit(strings.Replace(cue, `servers: ["notes", "news"]`, `servers: ["notes"]`, 1))
	byName.waitTools("notes__look_up")
	alone.waitTools("notes__look_up")
	clocktest.Until(t, "a session hears that its profile was changed", func() bool { return len(told) > 0 })

	edit(strings.Replace(cue, `profile: "reading"`, `profile: "readin"`, 1))
	s.awaitRefusal("C160")
	byName.waitTools("notes__look_up")

	edit(strings.Replace(cue, `clients: "LM Studio*": profile: "reading"`, `clients: "LM Studio*": profile: "secret"`, 1))
	byName.waitTools("pay__send_money")
	alone.waitTools("pay__send_money")
	clocktest.Until(t, "a session hears that it was moved to another profile", func() bool { return len(told) > 0 })
	if text, ok := byName.call("notes__look_up", map[string]any{}); ok {
		t.Errorf("the tools of the profile before: %s", text)
	}

	edit(strings.NewReplacer(`profiles: banking: servers: ["notes", "pay"]`, ``, `clients: "lm studio bank": profile: "banking"`, ``).Replace(cue))
	var text string
	clocktest.Until(t, "a session of a profile that is gone is refused", func() bool {
		var result map[string]any
		_, result, text = byHeader.ask("tools/list", nil)
		return result == nil && strings.Contains(text, "there are: reading")
	}, func() any { return text })
	if _, ok := byHeader.call("pay__send_money", map[string]any{}); ok {
		t.Error("it goes on running its tools")
	}
}

// listens opens the stream of a session, and sends each change of tools that it is told of.
func listens(t *testing.T, c *profileClient) chan bool {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", c.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set(mcp.HeaderSessionID, c.session)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	told := make(chan bool, 64)
	go func() {
		defer res.Body.Close()
		buf := make([]byte, 1<<16)
		for {
			n, err := res.Body.Read(buf)
			if bytes.Contains(buf[:n], []byte(mcp.MethodNotificationToolsListChanged)) {
				told <- true
			}
			if err != nil {
				return
			}
		}
	}()
	return told
}

// awaitRefusal waits until an edit was refused with a code.
func (s *apiServer) awaitRefusal(code string) {
	s.t.Helper()
	var got api.Configuration
	clocktest.Until(s.t, "an edit is refused with "+code, func() bool {
		got = api.Configuration{}
		s.Ask("GET", "/config?path=api", nil).JSON(s.t, &got)
		return slices.ContainsFunc(got.Problems, func(d api.DiagnosticJSON) bool {
			return d.Code == code && got.Refused != "" && d.Line > 0 && d.Suggestion == "reading"
		})
	}, func() any { return fmt.Sprintf("%+v", got) })
}

// Over stdio a client has the profile of its name, and each request of the stateless era
// that of the name in its _meta.
func TestProfilesOverStdio(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, profilesCUE(t, filepath.Join(t.TempDir(), "pids")))
	known(t, binary, dir, 4)
	for _, era := range bothEras {
		t.Run(era.name, func(t *testing.T) {
			lines := []string{}
			ask := func(id int, method, client string) {
				params := map[string]any{}
				switch {
				case era.modern:
					params["_meta"] = map[string]any{mcp.MetaKeyProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, mcp.MetaKeyClientCapabilities: map[string]any{}, mcp.MetaKeyClientInfo: map[string]any{"name": client, "version": "1"}}
				case method == "initialize":
					params = map[string]any{"protocolVersion": mcp.LATEST_LEGACY_PROTOCOL_VERSION, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": client, "version": "1"}}
				}
				line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": method, "params": params})
				lines = append(lines, string(line))
			}
			if !era.modern {
				ask(1, "initialize", "LM Studio")
			}
			ask(2, "tools/list", "LM Studio")
			cmd := exec.Command(binary, "serve", "--log", filepath.Join(dir, "log"))
			cmd.Env = append(os.Environ(), frontEnv(dir)...)
			cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
			out, err := cmd.Output()
			if err != nil || !bytes.Contains(out, []byte(`"notes__look_up"`)) || bytes.Contains(out, []byte("pay")) {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// Where the file that the API replaces is a link, its configuration can be looked at, and
// is not replaced.
func TestAConfigurationThatIsALink(t *testing.T) {
	t.Parallel()
	s := serveAPI(t, "", apiToken)
	tag := s.tag()
	elsewhere := filepath.Join(t.TempDir(), "theirs.cue")
	const text = "package compactor\n"
	if err := os.WriteFile(elsewhere, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(s.dir, "api.cue")); err != nil {
		t.Skip(err)
	}
	got := s.Ask("GET", "/config?path=api", nil)
	var c api.Configuration
	if got.JSON(t, &c); got.Status != http.StatusOK || got.Tag() != "" || c.File != "" || len(c.Settings) == 0 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if code := s.put("package compactor\nroles: locator: budget: files: 9\n", tag).Code(); code != api.ConfigNoPlace {
		t.Errorf("it is replaced: %q", code)
	}
	if now, err := os.ReadFile(elsewhere); err != nil || string(now) != text {
		t.Errorf("what it leads to holds %q: %v", now, err)
	}
}

// What is learnt and marked stays in its profile, unless another says that it learns
// from it; each page and reply names the profile.
func TestProfilesLearnApart(t *testing.T) {
	t.Parallel()
	cue := profilesCUE(t, filepath.Join(t.TempDir(), "pids"))
	s := serveAPI(t, cue+"profiles: family: {servers: [\"notes\", \"pay\", \"news\"], learn_from: [\"banking\"]}\n", apiToken)
	for _, name := range []string{"notes__read_note", "pay__send_money", "news__headlines"} {
		s.awaitTool(name)
	}
	open := func(profile string) *profileClient {
		c := (&profileClient{t: t, url: s.base, name: "other", headers: []string{"Authorization", "Bearer " + apiToken, "Compactor-Profile", profile}}).begin()
		c.tools()
		return c
	}
	for range 3 {
		c := open("banking")
		if _, ok := c.call("notes__write_note", map[string]any{}); !ok {
			t.Fatal("it cannot be called")
		}
	}
	r, f := open("reading"), open("family")
	if _, ok := r.call("news__headlines", map[string]any{}); !ok {
		t.Fatal("it cannot be called")
	}
	if _, ok := f.call("news__headlines", map[string]any{}); !ok {
		t.Fatal("it cannot be called")
	}

	byProfile := map[string]api.Session{}
	clocktest.Until(t, "each profile has a call", func() bool {
		var got api.Sessions
		s.Ask("GET", "/sessions", nil).JSON(t, &got)
		for _, x := range got.Sessions {
			if x.Calls > 0 {
				byProfile[x.Profile] = x
			}
		}
		return byProfile["banking"].Calls+byProfile["reading"].Calls+byProfile["family"].Calls >= 3
	}, func() any { return fmt.Sprintf("%+v", byProfile) })
	predictions := func(profile string) (api.Predictions, map[string]api.Prediction) {
		var got api.Predictions
		s.Ask("GET", "/predictions/"+byProfile[profile].ID, nil).JSON(t, &got)
		by := map[string]api.Prediction{}
		for _, x := range got.Tools {
			by[x.Tool] = x
		}
		return got, by
	}
	got, reading := predictions("reading")
	if got.Profile != "reading" || got.Of != 2 || len(reading) != 2 || reading["notes__look_up"].Tool == "" {
		t.Errorf("predictions of reading: %+v", got)
	}
	_, family := predictions("family")
	if write, read := family["notes__write_note"], family["notes__read_note"]; write.Chance <= read.Chance {
		t.Errorf("nothing was learnt from banking: %+v, %+v", write, read)
	}

	override := func(body string) string {
		return s.Ask("POST", "/override", []byte(body), "Content-Type", "application/json").Code()
	}
	for body, want := range map[string]string{
		`{"tool":"pay__send_money","relevant":true,"profile":"reading"}`:   "TOOL_NOT_FOUND",
		`{"tool":"pay/send_money","relevant":null,"profile":"reading"}`:    "TOOL_NOT_FOUND",
		`{"tool":"a/b","relevant":null}`:                                   "TOOL_NOT_FOUND",
		`{"tool":"notes__write_note","relevant":true,"profile":"reading"}`: "TOOL_NOT_FOUND",
		`{"tool":"notes__look_up","relevant":true,"profile":"readin"}`:     api.ProfileUnknown,
		`{"tool":"notes__look_up","relevant":false,"profile":"reading"}`:   "",
		`{"tool":"notes__write_note","relevant":true,"profile":"banking"}`: "",
	} {
		if code := override(body); code != want {
			t.Errorf("%s: %q, want %q", body, code, want)
		}
	}
	if _, by := predictions("family"); by["notes__write_note"].Tier != "pinned" || by["notes__read_note"].Tier == "unwanted" {
		t.Errorf("marks of banking count in family, those of reading do not: %+v", by)
	}
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.base+"/dashboard/lists", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+apiToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if page, err := io.ReadAll(res.Body); err != nil || !bytes.Contains(page, []byte("<bdi>banking</bdi>")) || !bytes.Contains(page, []byte("<bdi>reading</bdi>")) {
		t.Errorf("the page does not name profiles: %v %d %s", err, res.StatusCode, page)
	}
	if out := output(t, mustFind(t, "compactor"), s.dir, "sessions"); !strings.Contains(out, "banking") {
		t.Errorf("compactor sessions does not name profiles: %s", out)
	}
}

func mustFind(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
