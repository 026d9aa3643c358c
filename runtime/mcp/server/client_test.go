package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// way is one way for a client to reach a server.
type way struct {
	name string
	dial func(t *testing.T) (transport.Interface, *toolbox)
}

// ways are all transports; the toolbox is nil where the server is a process of its own.
var ways = []way{
	{"stdio", func(t *testing.T) (transport.Interface, *toolbox) {
		return transport.NewStdio(os.Args[0], append(os.Environ(), serveEnv+"=1")), nil
	}},
	{"http", func(t *testing.T) (transport.Interface, *toolbox) {
		s, b := newServer(t)
		addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0", Token: testToken})
		return httpTransport(t, "http://"+addr.String()+server.Path, "tcp", addr.String()), b
	}},
	{"http on a unix socket", func(t *testing.T) (transport.Interface, *toolbox) {
		s, b := newServer(t)
		addr := serve(t, s, server.Transport{Kind: server.Unix, Listen: socketPath(t)})
		return httpTransport(t, "http://localhost"+server.Path, "unix", addr.String()), b
	}},
	{"lines on a unix socket", func(t *testing.T) (transport.Interface, *toolbox) {
		s, b := newServer(t)
		addr := serve(t, s, server.Transport{Kind: server.Unix, Listen: socketPath(t)})
		conn, err := net.Dial("unix", addr.String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		return transport.NewIO(conn, conn, nil), b
	}},
}

const testToken = "0123456789abcdef0123456789abcdef"

// serve runs a transport until the test ends and gives the address it listens on.
func serve(t testing.TB, s *server.Server, tr server.Transport) net.Addr {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	ready, done := make(chan net.Addr, 1), make(chan error, 1)
	tr.Ready = func(a net.Addr) { ready <- a }
	go func() { done <- s.Serve(ctx, tr) }()
	t.Cleanup(func() {
		stop()
		if err := receive(t, "end of Serve", done); err != nil {
			t.Error(err)
		}
	})
	select {
	case err := <-done:
		t.Fatal(err)
		return nil
	case a := <-ready:
		return a
	}
}

// socketPath is short: a unix socket's path has little room.
func socketPath(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mcp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "private", "s")
}

// httpClient is a client whose connections all go to one address.
func httpClient(t testing.TB, network, addr string) *http.Client {
	tr := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, addr)
		},
		MaxIdleConnsPerHost: 50,
	}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

func httpTransport(t testing.TB, url, network, addr string) transport.Interface {
	t.Helper()
	c := httpClient(t, network, addr)
	// When a call ends, mcp-go cancels the response that it may still be sending to a question of that call, and net/http
	// then closes the connection even if another request has it by now, whose message is lost. See persistConn.roundTrip.
	c.Transport.(*http.Transport).DisableKeepAlives = true
	tr, err := transport.NewStreamableHTTP(url, transport.WithHTTPBasicClient(c),
		transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + testToken}))
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// connect starts mcp-go's client over tr in one era and checks that it met the toolbox.
func connect(t testing.TB, tr transport.Interface, modern bool, opts ...client.ClientOption) *client.Client {
	t.Helper()
	c, res := initializeClient(t, tr, modern, opts...)
	if res.ServerInfo.Name != "toolbox" || res.Instructions != "Use echo first." {
		t.Errorf("initialized as %+v", res)
	}
	return c
}

func initializeClient(t testing.TB, tr transport.Interface, modern bool, opts ...client.ClientOption) (*client.Client, *mcp.InitializeResult) {
	t.Helper()
	if !modern {
		opts = append(opts, client.WithProtocolVersion(mcp.LATEST_LEGACY_PROTOCOL_VERSION))
	}
	c := client.NewClient(tr, opts...)
	ctx := t.Context()
	if err := c.Start(ctx); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	var req mcp.InitializeRequest
	req.Params.ClientInfo = mcp.Implementation{Name: "mcp-go", Version: "1"}
	if !modern {
		req.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	}
	res, err := c.Initialize(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	want := mcp.LATEST_LEGACY_PROTOCOL_VERSION
	if modern {
		want = mcp.LATEST_PROTOCOL_VERSION
	}
	if res.ProtocolVersion != want {
		t.Errorf("initialized as %+v", res)
	}
	return c, res
}

func call(tool string, args any, token ...any) mcp.CallToolRequest {
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = tool, args
	if len(token) > 0 {
		req.Params.Meta = &mcp.Meta{ProgressToken: token[0]}
	}
	return req
}

func text(t testing.TB, res *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Content) == 0 {
		t.Fatal("no content")
	}
	return res.Content[0].(mcp.TextContent).Text
}

// A real client over every transport in both eras.
func TestClients(t *testing.T) {
	for _, way := range ways {
		for _, era := range eras {
			t.Run(way.name+"/"+era.name, func(t *testing.T) {
				tr, _ := way.dial(t)
				c := connect(t, tr, era.modern)
				tryTools(t, c)
				tryNotes(t, c)
				tryChange(t, c, era.modern)
			})
		}
	}
}

func tryTools(t *testing.T, c *client.Client) {
	ctx := t.Context()
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		if tool.Annotations.DestructiveHint == nil || tool.Annotations.OpenWorldHint == nil {
			t.Errorf("%s: hints missing", tool.Name)
		}
	}
	if !contains(names, "echo") || contains(names, "secret") {
		t.Errorf("tools: %v", names)
	}
	res, err := c.CallTool(ctx, call("echo", map[string]any{"text": "ä<b>\n", "times": "2"}))
	if got := text(t, res, err); got != "ä<b>\nä<b>\n" {
		t.Errorf("echo: %q", got)
	}
	res, err = c.CallTool(ctx, call("add", map[string]any{"a": 1, "b": 2}))
	if got := text(t, res, err); got != `{"sum":3}` {
		t.Errorf("add: %q", got)
	}
	if sum, _ := json.Marshal(res.StructuredContent); string(sum) != `{"sum":3}` {
		t.Errorf("structured: %s", sum)
	}
	res, err = c.CallTool(ctx, call("fail", map[string]any{"how": "coded"}))
	if got := text(t, res, err); !res.IsError || got != "ROOT_UNKNOWN: step two: no such root\nname one of: code, docs" {
		t.Errorf("fail: %q", got)
	}
	if _, err = c.CallTool(ctx, call("ecco", nil)); err == nil || !strings.Contains(err.Error(), "did you mean echo?") {
		t.Errorf("unknown tool: %v", err)
	}
}

// 200 calls through the library's client: it must hear all notes, each before its call returns.
func tryNotes(t *testing.T, c *client.Client) {
	var mu sync.Mutex
	heard := map[string]int{}
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/progress" {
			mu.Lock()
			defer mu.Unlock()
			heard[fmt.Sprint(n.Params.AdditionalFields["progressToken"])]++
		}
	})
	var calls sync.WaitGroup
	for worker := range 4 {
		calls.Go(func() {
			for i := range 50 {
				token := fmt.Sprintf("t%d-%d", worker, i)
				res, err := c.CallTool(t.Context(), call("notes", map[string]any{"n": 3}, token))
				mu.Lock()
				n := heard[token]
				mu.Unlock()
				if err != nil || res.IsError || n != 3 {
					t.Errorf("call %s returned after %d notes, %v", token, n, err)
				}
			}
		})
	}
	calls.Wait()
}

func tryChange(t *testing.T, c *client.Client, modern bool) {
	changed := make(chan struct{}, 10)
	ready := make(chan struct{}, 10)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case mcp.MethodNotificationToolsListChanged:
			changed <- struct{}{}
		case mcp.MethodNotificationSubscriptionsAcknowledged:
			ready <- struct{}{}
		}
	})
	if modern {
		stop, err := c.ListenAsync(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer stop()
		receive(t, "acknowledgement", ready)
	} else if _, isHTTP := c.GetTransport().(*transport.StreamableHTTP); isHTTP {
		return // hears of it only on the stream of a GET, see TestClientListens
	}
	res, err := c.CallTool(t.Context(), call("grow", map[string]any{"name": "extra"}))
	if text(t, res, err) != "grown" {
		t.Error("grow")
	}
	receive(t, "note of the change", changed)
	list, err := c.ListTools(t.Context(), mcp.ListToolsRequest{})
	if err != nil || list.Tools[len(list.Tools)-1].Name != "extra" {
		t.Errorf("the new tool is not listed: %v", err)
	}
}

// In the handshake era over HTTP a client hears of changes on the stream of a GET.
func TestClientListens(t *testing.T) {
	s, _ := newServer(t)
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
	//lint:ignore SA1019 what today's clients do is tested as long as they do it
	listening := transport.WithContinuousListening()
	tr, err := transport.NewStreamableHTTP("http://"+addr+server.Path, transport.WithHTTPBasicClient(httpClient(t, "tcp", addr)), listening)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, tr, false)
	changed := make(chan struct{}, 10)
	c.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == mcp.MethodNotificationToolsListChanged {
			changed <- struct{}{}
		}
	})
	res, err := c.CallTool(t.Context(), call("grow", map[string]any{"name": "extra"}))
	if text(t, res, err) != "grown" {
		t.Error("grow")
	}
	receive(t, "note of the change", changed)
}

// A client that gives up frees what it started, over every transport in both eras.
func TestClientCancels(t *testing.T) {
	for _, way := range ways[1:] { // the first one's toolbox is in another process
		for _, era := range eras {
			t.Run(way.name+"/"+era.name, func(t *testing.T) {
				tr, b := way.dial(t)
				c := connect(t, tr, era.modern)
				ctx, cancel := context.WithCancel(t.Context())
				returned := make(chan error, 1)
				go func() {
					_, err := c.CallTool(ctx, call("wait", map[string]any{"id": "x"}))
					returned <- err
				}()
				receive(t, "start", b.started)
				cancel()
				if err := receive(t, "end of the tool", b.ended); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
				if err := receive(t, "end of the call", returned); err == nil {
					t.Error("a cancelled call succeeded")
				}
				res, err := c.CallTool(t.Context(), call("echo", map[string]any{"text": "on"}))
				if text(t, res, err) != "on" {
					t.Error("the connection is of no more use")
				}
			})
		}
	}
}

// The process ends by itself, without an error and with a silent stderr, when its input ends: also after a panic in a
// tool, on which it answered.
func TestProcessEndsWithItsInput(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), serveEnv+"=1")
	cmd.Stdin = strings.NewReader(eras[1].message("1", "tools/call", callParams("fail", `{"how":"panic"}`), ""))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Error(err)
	}
	if w := decode(t, stdout.String()); string(w.ID) != "1" || strings.Count(stdout.String(), "\n") != 1 {
		t.Errorf("stdout: %s", stdout.String())
	}
	if stderr.Len() > 0 {
		t.Errorf("stderr: %s", stderr.String())
	}
}
