package service_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// upstreamEnv makes the test binary an upstream server whose tools echo their
// arguments, give a secret, and never answer.
const upstreamEnv = "SERVICE_TEST_UPSTREAM"

func serveUpstream() {
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"lake","version":"1"}}`
		case "tools/list":
			result = `{"tools":[{"name":"echo","description":"Say it again","inputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}},` +
				`{"name":"keys","description":"Show the keys","inputSchema":{"type":"object"}},` +
				`{"name":"wait","description":"Never answers","inputSchema":{"type":"object"}}]}`
		case "tools/call":
			if m.Params.Name == "wait" {
				continue
			}
			text := string(m.Params.Arguments)
			if m.Params.Name == "keys" {
				text = "token ghp_" + strings.Repeat("A1b2C3d4", 4) + "E5f6 of the lake"
			}
			quoted, _ := json.Marshal(text)
			result = `{"content":[{"type":"text","text":` + string(quoted) + `}]}`
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
	}
}

// lakeText is a configuration with one server.
func lakeText(more string) string {
	return fmt.Sprintf(`package compactor
servers: lake: {command: %q, env: %s: "1"}
%s`, os.Args[0], upstreamEnv, more)
}

func lakeOptions(t *testing.T, more string) service.Options {
	t.Helper()
	return options(t, map[string]string{"compactor.cue": lakeText(more)})
}

func withLake(t *testing.T, more string) service.Backend {
	t.Helper()
	svc := start(t, lakeOptions(t, more))
	svc.Gateway().DiscoverAll(t.Context())
	return service.Backend{Service: svc}
}

func listedNames(b service.Backend) []string {
	var out []string
	for _, t := range b.Tools(context.Background()) {
		if !t.Hidden {
			out = append(out, t.Name)
		}
	}
	return out
}

func ask(t *testing.T, b service.Backend, tool, args string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := b.Call(ctx, server.Call{Tool: tool, Args: json.RawMessage(args), Progress: func(server.Progress) {}})
	var res struct{ Content []struct{ Text string } }
	if json.Unmarshal(r.Raw, &res) == nil && len(res.Content) > 0 {
		return res.Content[0].Text, err
	}
	return r.Text, err
}

var metaTools = []string{"execute_tool", "get_tool_details", "list_servers", "list_tools", "search_tools"}

func TestSurfaces(t *testing.T) {
	for surface, want := range map[string][2]bool{"discovery": {true, false}, "proxy": {false, true}, "both": {true, true}, "none": {false, false}} {
		names := listedNames(withLake(t, `gateway: surface: "`+surface+`"`))
		for _, m := range metaTools {
			if slices.Contains(names, m) != want[0] {
				t.Errorf("%s: %s listed: %v", surface, m, !want[0])
			}
		}
		if slices.Contains(names, "lake__echo") != want[1] {
			t.Errorf("%s: the server's tools listed: %v", surface, !want[1])
		}
	}
	if names := listedNames(service.Backend{Service: start(t, options(t, nil))}); slices.Contains(names, "search_tools") {
		t.Error("without servers there is nothing to search, and yet it is listed")
	}
}

func TestTheDescriptionSaysWhatIsBehind(t *testing.T) {
	for _, tool := range withLake(t, "").Tools(t.Context()) {
		if strings.Contains(tool.Description, "{servers}") {
			t.Errorf("%s: %s", tool.Name, tool.Description)
		}
		if tool.Name == "search_tools" && !strings.Contains(tool.Description, "lake (3): ") {
			t.Errorf("no digest: %s", tool.Description)
		}
	}
}

// A call is understood in any form that small models write, and numbers that no
// float can tell apart arrive as they were.
func TestExecuteUnderstands(t *testing.T) {
	b := withLake(t, "")
	for _, args := range []string{
		`{"tool":"lake__echo","arguments":{"n":9007199254740993}}`,
		`{"tool":"echo","arguments":{"n":9007199254740993}}`,
		`{"tool":"echo","server":"lake","arguments":"{\"n\":9007199254740993}"}`,
		`{"tool_name":"lake.echo","args":{"n":9007199254740993}}`,
		`{"tool":"lake__echo","n":9007199254740993}`,
		`{"tool":{"name":"lake__echo","arguments":{"n":9007199254740993}}}`,
		`{"arguments":{"tool_name":"lake__echo","arguments":{"n":9007199254740993}}}`,
		`{"name":"lake__echo","input":{"arguments":{"n":9007199254740993}}}`,
	} {
		if got, err := ask(t, b, "execute_tool", args); err != nil || got != `{"n":9007199254740993}` {
			t.Errorf("%s arrived as %s, %v", args, got, err)
		}
	}
	_, err := ask(t, b, "execute_tool", `{"tool":"lake__echo","arguments":{"n":"x"}}`)
	var about interface{ Members() map[string]any }
	if !errors.As(err, &about) || about.Members()["server"] != "lake" || about.Members()["tool"] != "echo" || about.Members()["details"] == nil {
		t.Errorf("an error says nothing to programs: %v", err)
	}
	var h interface{ Hint() string }
	if err == nil || strings.Contains(err.Error(), "stage") || !asHint(err, &h) || !strings.Contains(h.Hint(), `"properties":{"n"`) {
		t.Errorf("a wrong argument: %v", err)
	}
	if _, err = ask(t, b, "execute_tool", `{"tool":"lake__ecko"}`); err == nil || !strings.Contains(err.Error(), "did you mean lake__echo?") {
		t.Errorf("a wrong name: %v", err)
	}
	if _, err = ask(t, b, "execute_tool", `{}`); err == nil || !strings.Contains(err.Error(), "which one?") {
		t.Errorf("no name: %v", err)
	}
}

func asHint(err error, h *interface{ Hint() string }) bool {
	for e := err; e != nil; {
		if x, ok := e.(interface{ Hint() string }); ok && x.Hint() != "" {
			*h = x
			return true
		}
		u, ok := e.(interface{ Unwrap() error })
		if !ok {
			return false
		}
		e = u.Unwrap()
	}
	return false
}

func TestResultsAreMaskedOnBothWays(t *testing.T) {
	b := withLake(t, `gateway: surface: "both"`)
	for _, c := range [][2]string{{"lake__keys", `{}`}, {"execute_tool", `{"tool":"lake__keys"}`}} {
		if got, err := ask(t, b, c[0], c[1]); err != nil || strings.Contains(got, "ghp_") || !strings.Contains(got, "of the lake") {
			t.Errorf("%s: %q, %v", c[0], got, err)
		}
	}
}

const pingStage = `stages: s: {builtin: "host.ping"}`

func TestTheListHookChoosesAndOrders(t *testing.T) {
	b := withLake(t, `
gateway: surface: "proxy"
hooks: tools_list: pipeline: "pick"
pipelines: pick: {`+pingStage+`, #input: tools: [...{name: string, ...}], output: "filter(input.tools, .name contains 'keys')"}`)
	names := listedNames(b)
	if slices.Contains(names, "lake__echo") || !slices.Contains(names, "lake__keys") {
		t.Errorf("listed %v", names)
	}
	// A tool that is not listed still works.
	if got, err := ask(t, b, "lake__echo", `{"n":1}`); err != nil || got != `{"n":1}` {
		t.Errorf("hidden by the hook: %q, %v", got, err)
	}
}

func TestAHookThatFailsIsSkippedAndCounted(t *testing.T) {
	b := withLake(t, `
gateway: surface: "proxy"
hooks: {tools_list: pipeline: "bad", tool_result: pipeline: "bad"}
pipelines: bad: {`+pingStage+`, #input: {tools?: [...{name: string, ...}], tool?: string}, output: "1"}`)
	if names := listedNames(b); !slices.Contains(names, "lake__echo") {
		t.Errorf("listed %v", names)
	}
	if got, err := ask(t, b, "lake__echo", `{"n":1}`); err != nil || got != `{"n":1}` {
		t.Errorf("the hook broke a call: %q, %v", got, err)
	}
	for _, name := range []string{"tools_list", "tool_result"} {
		if u := b.Hooks()[name]; u.Skipped == 0 || u.Last == "" {
			t.Errorf("%s: %+v", name, u)
		}
	}
}

func TestTheResultHookShortens(t *testing.T) {
	b := withLake(t, `
gateway: surface: "both"
hooks: tool_result: pipeline: "short"
pipelines: short: {`+pingStage+`, #input: {server: string, tool: string}, output: "'short of ' + input.server + '.' + input.tool"}`)
	var got []string
	for _, c := range [][2]string{{"lake__keys", `{}`}, {"execute_tool", `{"tool":"lake__keys"}`}} {
		text, err := ask(t, b, c[0], c[1])
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, text)
	}
	if diff := cmp.Diff([]string{"short of lake.keys", "short of lake.keys"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestMistakesInServersAreDiagnostics(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	for text, want := range map[string]string{
		`servers: a: {}`: "C128",
		`servers: a: {command: "x", url: "http://h/"}`:    "C128",
		`servers: a: {url: "h:9"}`:                        "C128",
		`servers: a: {url: "http://u:p@h/"}`:              "C128",
		`servers: a: {command: "x", kind: "http"}`:        "C128",
		`toolRules: [{pattern: ["/(/"], enabled: false}]`: "C129",
		`toolRules: [{pattern: ["x"]}]`:                   "C129",
		`servers: lake: command: "x"
toolRules: [{pattern: ["x"], server: "laek", enabled: true}]`: "C130",
		`store: url: "mysql://x"`:                          "C131",
		`store: url: "postgres:x"`:                         "C131",
		`store: url: "postgres://me:pa%zz@h/db"`:           "C131",
		`store: url: "postgres://me:written@h/db"`:         "C131",
		`store: url: "postgres://me@h/db?sslmode=require"`: "C131",
		`store: {url: "none", share: true}`:                "C170",
		`hooks: tools_list: pipeline: "research_codebase"`: "C106",
	} {
		opt := options(t, map[string]string{"a.cue": "package compactor\n" + text})
		opt.Unopened = true
		_, diags, err := service.Load(t.Context(), opt)
		if err != nil || len(diags) != 1 || diags[0].Code != want || diags[0].Range.Line == 0 {
			t.Errorf("%s: %v, %v; want %s", text, diags, err, want)
		}
		if strings.Contains(text, "written") && strings.Contains(fmt.Sprint(diags[0].Message, diags[0].Help), "written") {
			t.Errorf("the password is shown: %v", diags)
		}
	}
	for _, text := range []string{"postgres://me:${PG}@h/db", "postgresql:///db", "postgres://me:${PG}@localhost/db?sslmode=disable", "${URL}"} {
		opt := options(t, map[string]string{"a.cue": "package compactor\nstore: url: \"" + text + "\""})
		opt.Unopened = true
		if _, diags, err := service.Load(t.Context(), opt); err != nil || len(diags) != 0 {
			t.Errorf("%s: %v, %v", text, diags, err)
		}
	}
}

// A mistake in one rule, of whatever kind, hides none in another, and a rule is
// not blamed for what is missing because it was wrong.
func TestEachToolRuleIsCheckedForItself(t *testing.T) {
	opt := options(t, map[string]string{"a.cue": `package compactor
servers: lake: command: "x"
toolRules: [
	{pattern: ["/(/", "[z-a"], enabled: false},
	{pattern: ["x"]},
	{pattern: ["/(/"], enabled: "yes"},
	{pattern: 3, enabled: true},
	{patern: ["x"], enabled: true},
	{pattern: ["x", 3], enabled: true},
	{pattern: ["ok"], enabled: false},
	{pattern: ["x"], server: "laek", enabled: true},
	{pattern: ["!x"], enabled: true},
]`})
	opt.Unopened = true
	_, diags, err := service.Load(t.Context(), opt)
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%s line %d", d.Code, d.Range.Line))
	}
	want := []string{"C129 line 4", "C129 line 4", "C129 line 5", "C129 line 6", "C021 line 6", "C021 line 7", "C020 line 8", "C021 line 9", "C130 line 11", "C129 line 12"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
}

// What a rule's server may be is what rules take, and a mistake in it is told
// once.
func TestServersOfRulesAreGlobs(t *testing.T) {
	for field, want := range map[string]int{"{lake,pond}": 0, "[!a]*": 0, "LAKE": 0, "l?ke": 0, "{sea,pond}": 1, "{lake": 1, "/lake/": 1} {
		opt := options(t, map[string]string{"a.cue": "package compactor\nservers: lake: command: \"x\"\n" +
			`toolRules: [{pattern: ["x"], server: "` + field + `", enabled: false}]`})
		opt.Unopened = true
		if _, diags, err := service.Load(t.Context(), opt); err != nil || len(diags) != want {
			t.Errorf("%s: %v, %v; want %d", field, diags, err, want)
		}
	}
}

// A call of an upstream tool may take a minute. It holds no worker: questions
// about code go on meanwhile.
func TestAnUpstreamCallHoldsNoWorker(t *testing.T) {
	b := withLake(t, `pool: workers: 1`)
	waits := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := b.Call(ctx, server.Call{Tool: "execute_tool", Args: json.RawMessage(`{"tool":"lake__wait"}`)})
		waits <- err
	}()
	clocktest.Until(t, "the call runs", func() bool { h, _ := b.Gateway().Health("lake"); return h.InFlight > 0 })
	if _, err := ask(t, b, "research_codebase", `{"question":"where is NewPool?"}`); err != nil {
		t.Errorf("while an upstream call runs: %v", err)
	}
	cancel()
	if err := <-waits; err == nil {
		t.Error("the call that was cancelled has an answer")
	}
}

// A client that shows progress waits for a tool as long as the tool may take;
// any other gives up soon, and is answered before that.
func TestWhoSeesProgressWaitsLonger(t *testing.T) {
	wait := func(deadline, timeout time.Duration, watched bool) string {
		b := withLake(t, fmt.Sprintf("pool: deadline: %q\nservers: lake: timeout: %q", deadline, timeout))
		_, err := b.Call(t.Context(), server.Call{Tool: "execute_tool", Args: json.RawMessage(`{"tool":"lake__wait"}`), Watched: watched, Progress: func(server.Progress) {}})
		return fmt.Sprint(err)
	}
	if said := wait(time.Millisecond, 200*time.Millisecond, true); !strings.Contains(said, "no answer within 200ms") {
		t.Errorf("watched: %s", said)
	}
	// The deadline is raised until it is not over before the server is asked.
	const want = "no answer in the time that was left"
	said := ""
	for deadline := 50 * time.Millisecond; !strings.Contains(said, want) && deadline < time.Minute; deadline *= 4 {
		if said = wait(deadline, time.Hour, false); said == "<nil>" {
			break
		}
	}
	if !strings.Contains(said, want) {
		t.Errorf("not watched: %s, not %q", said, want)
	}
}
