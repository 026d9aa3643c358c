package gateway

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// web is a server over HTTP: the result of each request, "" for a method that it
// does not have.
type web func(method string, params json.RawMessage) string

func (f web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params json.RawMessage
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "server/discover":
		http.Error(w, "bad request", http.StatusBadRequest)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		f(m.Method, m.Params) // which may take its time
		caps := f("capabilities", nil)
		if !strings.Contains(caps, "prompts") { // of a server that says the same to everything
			caps = `{"tools":{},"resources":{"subscribe":true}}`
		}
		reply(w, m.ID, `{"protocolVersion":"2025-11-25","capabilities":`+caps+`,"serverInfo":{"name":"web","version":"1"}}`)
	case m.Method == "tools/list":
		tools := f(m.Method, m.Params)
		if !strings.Contains(tools, `"tools"`) {
			tools = `{"tools":[]}`
		}
		reply(w, m.ID, tools)
	default:
		if result := f(m.Method, m.Params); result != "" {
			reply(w, m.ID, result)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`, m.ID)
	}
}

// newWeb is a gateway over such servers.
func newWeb(t *testing.T, servers map[string]web, opt Options) *Gateway {
	t.Helper()
	cfg := &config.Config{Servers: map[string]config.Server{}, Gateway: config.Gateway{Surface: "discovery", Trust: "first", TTL: time.Hour, Digest: 100, Wait: 5 * time.Second}}
	for name, f := range servers {
		s := httptest.NewServer(f)
		t.Cleanup(s.Close)
		cfg.Servers[name] = config.Server{Name: name, Enabled: true, Prefix: name, URL: s.URL, Kind: "http", Timeout: 20 * time.Second}
	}
	g := New(opt)
	g.Configure(cfg)
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// newNear is newWeb of servers that run in this process and answer each request on
// its own, for a synctest bubble.
func newNear(t *testing.T, servers map[string]web, opt Options) *Gateway {
	t.Helper()
	cfg := &config.Config{Servers: map[string]config.Server{}, Gateway: config.Gateway{Surface: "discovery", Trust: "first", TTL: time.Hour, Digest: 100, Wait: 5 * time.Second}}
	for name := range servers {
		cfg.Servers[name] = config.Server{Name: name, Enabled: true, Prefix: name, Command: name, Era: upstream.Handshake, Timeout: 20 * time.Second}
	}
	opt.Starter = func(_ context.Context, s upstream.Spec) (upstream.Program, error) {
		return startInside(func(_ *inside, in io.Reader, out io.Writer) int {
			var wg sync.WaitGroup
			for lines := bufio.NewScanner(in); lines.Scan(); {
				line := bytes.Clone(lines.Bytes())
				wg.Go(func() {
					r := httptest.NewRequest(http.MethodPost, "/", bytes.NewReader(line))
					w := httptest.NewRecorder()
					if servers[s.Name].ServeHTTP(w, r); w.Body.Len() > 0 {
						fmt.Fprintln(out, w.Body.String())
					}
				})
			}
			wg.Wait()
			return 0
		}), nil
	}
	g := New(opt)
	g.Configure(cfg)
	t.Cleanup(func() { _ = g.Close() })
	return g
}

// newWebWith is newWeb of servers with other capabilities.
func newWebWith(t *testing.T, servers map[string]web, caps string) *Gateway {
	t.Helper()
	for name, f := range servers {
		servers[name] = func(method string, params json.RawMessage) string {
			if method == "capabilities" {
				return caps
			}
			return f(method, params)
		}
	}
	return newWeb(t, servers, Options{})
}

func reply(w http.ResponseWriter, id json.RawMessage, result string) {
	send(w, "application/json", `{"jsonrpc":"2.0","id":`+string(id)+`,"result":`+result+`}`)
}

func send(w http.ResponseWriter, kind, body string) {
	w.Header().Set("Content-Type", kind)
	_, _ = io.WriteString(w, body)
	w.(http.Flusher).Flush()
}
