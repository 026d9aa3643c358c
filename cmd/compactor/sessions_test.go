package main

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

const (
	subject  = "where is the worker pool built?"
	refined  = "and who admits a request?"
	readLike = "read as a follow-up to: " + subject
)

// Two clients of one server: each one's follow-up leans on its own question,
// and a client that comes later knows of neither.
func TestClientsOfOneServerDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	srv := ownServer(t)
	for _, modern := range []bool{false, true} {
		a, b := connect(t, lines(t, srv), modern), connect(t, lines(t, srv), modern)
		question(t, a, subject)
		question(t, b, "how is a configuration loaded?")
		if text := question(t, a, refined); !strings.Contains(text, readLike) {
			t.Errorf("modern %v: the follow-up was not read as one: %s", modern, text)
		}
		if text := question(t, b, refined); strings.Contains(text, subject) || !strings.Contains(text, "follow-up to: how is a configuration") {
			t.Errorf("modern %v: the other client's question was seen: %s", modern, text)
		}
		if text := question(t, connect(t, lines(t, srv), modern), refined); strings.Contains(text, "follow-up") {
			t.Errorf("modern %v: a new client knows of a question: %s", modern, text)
		}
	}
}

// Over HTTP a client of the handshake era has a session, one of the stateless
// era has none.
func TestFollowUpsOverHTTP(t *testing.T) {
	srv := ownServer(t)
	ctx, stop := context.WithCancel(t.Context())
	addr, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- srv.Serve(ctx, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0", Ready: func(a net.Addr) { addr <- a }})
	}()
	t.Cleanup(func() { stop(); <-done })
	url := "http://" + (<-addr).String() + server.Path
	for _, modern := range []bool{false, true} {
		c := connect(t, clienttest.HTTP(t, url), modern)
		question(t, c, subject)
		if text := question(t, c, refined); strings.Contains(text, readLike) == modern {
			t.Errorf("modern %v: %s", modern, text)
		}
	}
}

func ownServer(t *testing.T) *server.Server {
	t.Helper()
	srv, err := server.New(service.Backend{Service: ownTree(t, "runtime/pipeline/engine", "runtime/config"), Deterministic: true}, server.Options{Name: "compactor"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(srv.Close)
	return srv
}

// lines connects to srv as over standard input and output.
func lines(t *testing.T, srv *server.Server) transport.Interface {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- srv.ServeLines(t.Context(), in, out)
		_ = out.Close()
	}()
	t.Cleanup(func() { _ = toServer.Close(); <-done })
	return transport.NewIO(fromServer, toServer, io.NopCloser(strings.NewReader("")))
}

// connect makes a client of the handshake era or of the stateless one.
func connect(t *testing.T, tr transport.Interface, modern bool) *client.Client {
	t.Helper()
	return clienttest.Connect(t, tr, "test", modern)
}

func question(t *testing.T, c *client.Client, text string) string {
	t.Helper()
	var req mcp.CallToolRequest
	req.Params.Name, req.Params.Arguments = "research_codebase", map[string]any{"question": text}
	res, err := c.CallTool(t.Context(), req)
	if err != nil || res.IsError || len(res.Content) == 0 {
		t.Fatalf("%s: %+v, %v", text, res, err)
	}
	content, _ := res.Content[0].(mcp.TextContent)
	return content.Text
}
