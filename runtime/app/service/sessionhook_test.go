package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// sessionHooks list what a session used before, and say in place of each result
// what is known of the session.
const sessionHooks = `
gateway: surface: "proxy"
hooks: {tools_list: pipeline: "mine", tool_result: pipeline: "told"}
pipelines: {
	mine: {` + pingStage + `, #input: tools: [...{name: string, ...}], output: "filter(input.tools, .name in session.used)"}
	told: {` + pingStage + `, #input: tool: string, output: """
		session.era + ' ' + session.client.name + (session.id == nil ? ' alone' : '') + ' shown ' + string(len(filter(session.shown, # startsWith 'lake'))) +
		': ' + join(map(session.conversation, .server + '/' + .tool + '(' + string(.arguments.n ?? 0) + ')=' + .outcome + (.tokens > 0 ? '' : '?')), ', ')
		"""}
}`

// toServer connects a client of an era to a server, over a pair of pipes or over
// HTTP at an address.
func toServer(t *testing.T, srv *server.Server, url string, modern bool, name string) *client.Client {
	t.Helper()
	var tr transport.Interface
	if url != "" {
		tr = clienttest.HTTP(t, url)
	} else {
		in, to := io.Pipe()
		from, out := io.Pipe()
		done := make(chan error, 1)
		go func() {
			done <- srv.ServeLines(context.Background(), in, out)
			_ = out.Close()
		}()
		t.Cleanup(func() { _ = to.Close(); <-done })
		tr = transport.NewIO(from, to, io.NopCloser(strings.NewReader("")))
	}
	return clienttest.Connect(t, tr, name, modern)
}

func serverOf(t *testing.T, b service.Backend) (srv *server.Server, url string) {
	t.Helper()
	srv, err := server.New(b, server.Options{Name: "compactor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	ctx, stop := context.WithCancel(context.Background())
	addr, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- srv.Serve(ctx, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0", Ready: func(a net.Addr) { addr <- a }})
	}()
	t.Cleanup(func() { stop(); <-done })
	return srv, "http://" + (<-addr).String() + server.Path
}

func echo(t *testing.T, c *client.Client, tool string, args any) string {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	res, err := c.CallTool(t.Context(), req)
	if err != nil || len(res.Content) == 0 {
		t.Fatalf("%s: %+v, %v", tool, res, err)
	}
	text, _ := res.Content[0].(mcp.TextContent)
	return strings.TrimSpace(text.Text)
}

func lakeTools(t *testing.T, c *client.Client) string {
	t.Helper()
	res, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, tool := range res.Tools {
		if strings.HasPrefix(tool.Name, "lake") {
			out = append(out, tool.Name)
		}
	}
	return strings.Join(out, " ")
}

// Hooks see the session of whose list and result they have, in either era and over
// either kind of transport, as far as the protocol has sessions there.
func TestHooksSeeTheSession(t *testing.T) {
	srv, url := serverOf(t, withLake(t, sessionHooks))
	for _, c := range []struct {
		name          string
		url           string
		modern, alone bool
	}{
		{"a line of the handshake era", "", false, false},
		{"a line of the stateless era", "", true, false},
		{"HTTP of the handshake era", url, false, false},
		{"HTTP of the stateless era", url, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			me, other := toServer(t, srv, c.url, c.modern, "me"), toServer(t, srv, c.url, c.modern, "other")
			who := "handshake me"
			if c.modern {
				who = "stateless me"
			}
			if got := lakeTools(t, me); got != "" {
				t.Errorf("nothing was used, and listed was %s", got)
			}
			want := []string{who + " shown 0:", who + " shown 0: lake/lake__echo(7)=ok", who + " shown 0: lake/lake__echo(7)=ok, lake/lake__keys(0)=ok"}
			if c.alone {
				want = slices.Repeat([]string{who + " alone shown 0:"}, 3)
			}
			for i, call := range []string{"lake__echo", "lake__keys", "lake__echo"} {
				if got := echo(t, me, call, map[string]any{"n": 7 * (1 - i%2)}); got != want[i] {
					t.Errorf("call %d: %q, want %q", i, got, want[i])
				}
			}
			if got := echo(t, other, "lake__echo", map[string]any{"n": 1}); !strings.HasSuffix(got, "shown 0:") || !strings.Contains(got, "other") {
				t.Errorf("another session sees %q", got)
			}
			listed := "lake__echo lake__keys"
			if c.alone {
				listed = ""
			}
			if got := lakeTools(t, me); got != listed {
				t.Errorf("listed %q, want %q", got, listed)
			}
			if got := lakeTools(t, other); got == listed && listed != "" {
				t.Errorf("another session is listed %s", got)
			}
			if got := echo(t, me, "lake__echo", map[string]any{}); strings.Contains(got, "shown 2") == c.alone {
				t.Errorf("what it was shown: %q", got)
			}
		})
	}
}

// A client of the handshake era hears of it when a call has changed its list; the
// other does not.
func TestAClientHearsOfItsOwnList(t *testing.T) {
	opt := lakeOptions(t, sessionHooks)
	svc := start(t, opt)
	svc.Gateway().DiscoverAll(t.Context())
	srv, _ := serverOf(t, service.Backend{Service: svc})
	told := make(chan string, 16)
	clients := map[string]*client.Client{}
	for _, name := range []string{"other", "me"} {
		c := toServer(t, srv, "", false, name)
		c.OnNotification(func(n mcp.JSONRPCNotification) { told <- name + " " + n.Method })
		//lint:ignore SA1019 what today's clients do is tested as long as they do it
		if err := c.SetLevel(t.Context(), mcp.SetLevelRequest{Params: mcp.SetLevelParams{Level: mcp.LoggingLevelWarning}}); err != nil {
			t.Fatal(err)
		}
		lakeTools(t, c)
		clients[name] = c
	}
	echo(t, clients["me"], "lake__keys", nil)
	echo(t, clients["me"], "lake__keys", nil)
	const changed = "me " + mcp.MethodNotificationToolsListChanged
	if got := <-told; got != changed {
		t.Errorf("told was %s", got)
	}
	if got := lakeTools(t, clients["me"]); got != "lake__keys" {
		t.Errorf("listed %q", got)
	}
	// Sessions are looked at one after the other and each is told in order, so what
	// follows here comes after whatever else was told.
	echo(t, clients["me"], "lake__echo", nil)
	if got := <-told; got != changed {
		t.Errorf("told was %s", got)
	}
	if err := os.WriteFile(filepath.Join(opt.Dir, "compactor.cue"), []byte("package compactor\nno"), 0o600); err != nil {
		t.Fatal(err)
	}
	if list, _ := svc.Reload(t.Context(), opt); !list.HasErrors() {
		t.Fatal("a broken edit was taken over")
	}
	for range clients { // hears that the edit was refused, and nothing before
		if got := <-told; !strings.HasSuffix(got, " notifications/message") {
			t.Errorf("%s was told once more", got)
		}
	}
}

// An edit of the hook on lists changes the list, without another change.
func TestAnEditedHookChangesTheList(t *testing.T) {
	for _, now := range []string{"filter(input.tools, .name contains 'keys')", "filter(input.tools, .name in session.used)"} {
		hook := func(output string) string {
			return `
gateway: surface: "proxy"
hooks: tools_list: pipeline: "mine"
pipelines: mine: {` + pingStage + `, #input: tools: [...{name: string, ...}], output: "` + output + `"}`
		}
		opt := lakeOptions(t, hook("input.tools"))
		svc := start(t, opt)
		svc.Gateway().DiscoverAll(t.Context())
		srv, _ := serverOf(t, service.Backend{Service: svc})
		c := toServer(t, srv, "", false, "me")
		if got := lakeTools(t, c); got != "lake__echo lake__keys lake__wait" {
			t.Fatalf("listed %q", got)
		}
		if err := os.WriteFile(filepath.Join(opt.Dir, "compactor.cue"), []byte(lakeText(hook(now))), 0o600); err != nil {
			t.Fatal(err)
		}
		if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
			t.Fatal(err, list.Err())
		}
		want := "lake__keys"
		if strings.Contains(now, "session") {
			want = ""
		}
		if got := lakeTools(t, c); got != want {
			t.Errorf("after %s listed %q, want %q", now, got, want)
		}
	}
}

// A question is the input that the tool says is one.
func TestAToolSaysWhichInputIsItsQuestion(t *testing.T) {
	asks := func(question string) string {
		return `
pipelines: asks: {` + pingStage + `, #input: {question: string, topic: string}, output: "{references: [], seen: map(session.questions, .question)}"}
tools: asks: {description: "Asks.", pipeline: "asks"` + question + `}`
	}
	for question, want := range map[string]string{``: "[q]", `, question: "topic"`: "[t]", `, question: ""`: "[]"} {
		svc := start(t, options(t, map[string]string{"a.cue": "package compactor\n" + asks(question)}))
		var r struct{ Seen []string }
		for range 2 {
			reply, err := svc.Invoke(t.Context(), service.Call{Tool: "asks", Args: json.RawMessage(`{"question":"q","topic":"t"}`), Caller: gateway.Caller{Session: svc.Session("a")}})
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(reply.JSON, &r); err != nil {
				t.Fatal(err)
			}
		}
		if got := fmt.Sprint(r.Seen); got != want {
			t.Errorf("%s: remembered %s, want %s", question, got, want)
		}
	}
}

// A request without a session is one for itself: what it called before is known to
// what it calls next, and to nobody after it.
func TestARequestAloneKnowsItsOwnCalls(t *testing.T) {
	srv, url := serverOf(t, withLake(t, `
gateway: surface: "both"
hooks: tool_result: pipeline: "told"
pipelines: {
	told: {`+pingStage+`, #input: tool: string, output: "input.tool + ' after ' + join(map(session.conversation, .tool), ', ')"}
	two: {
		#input: {}
		stages: {
			first: {builtin: "tools.execute", with: call: "{tool: 'lake__echo', arguments: {n: 1}}"}
			then: {builtin: "tools.execute", needs: ["first"], with: call: "{tool: 'lake__keys'}"}
		}
		output: "then"
	}
}
tools: two: {description: "Calls two.", pipeline: "two"}`))
	c := toServer(t, srv, url, true, "me")
	for range 2 {
		if got := echo(t, c, "two", nil); got != "keys after lake__echo" {
			t.Errorf("%q", got)
		}
	}
}

// BenchmarkLists asks for the list of 200 tools, all of them and those that the hook
// chooses for the session, and calls one.
func BenchmarkLists(b *testing.B) {
	lists, _, names := warehouse(200)
	var faces []*face
	for _, text := range []string{`gateway: surface: "proxy"`, sessionHooks} {
		f := newFace(b, newFleet(b, lists).behind(b, text))
		for _, name := range names[:100] {
			f.ask("tools/call", `{"name":"`+name+`","arguments":{"text":"`+strings.Repeat("x", 400)+`"}}`)
		}
		faces = append(faces, f)
	}
	call := `{"name":"` + names[0] + `","arguments":{}}`
	measure(b, []string{"whole", "chosen", "call", "hooked-call"},
		func(int) { faces[0].ask("tools/list", `{}`) },
		func(int) { faces[1].ask("tools/list", `{}`) },
		func(int) { faces[0].ask("tools/call", call) },
		func(int) { faces[1].ask("tools/call", call) })
}
