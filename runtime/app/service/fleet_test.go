package service_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// fleet is any number of upstream servers at one address: each at the path of
// its name.
type fleet struct {
	*httptest.Server
	tools map[string]string // by server: the members of its list
	gives string            // the result of every call; "" for lines as many as asked for
}

func newFleet(t testing.TB, tools map[string]string) *fleet {
	t.Helper()
	f := &fleet{tools: tools}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// ServeHTTP answers as a server of the handshake era without sessions does.
func (f *fleet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments json.RawMessage }
	}
	if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	result := "{}"
	switch m.Method {
	case "initialize":
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"fleet","version":"1"}}`
	case "tools/list":
		result = `{"tools":[` + f.tools[strings.Trim(r.URL.Path, "/")] + `]}`
	case "tools/call":
		text := "done"
		var args struct{ Lines int }
		if json.Unmarshal(m.Params.Arguments, &args) == nil {
			for i := range args.Lines {
				text += fmt.Sprintf("\n%d is a line of a long result", i)
			}
		}
		quoted, _ := json.Marshal(text)
		result = cmp.Or(f.gives, `{"content":[{"type":"text","text":`+string(quoted)+`}]}`)
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// config has all servers, and more CUE.
func (f *fleet) config(more string) map[string]string {
	var b strings.Builder
	b.WriteString("package compactor\nstore: url: \"none\"\n" + more + "\n")
	for name := range f.tools {
		fmt.Fprintf(&b, "servers: %q: {url: %q, era: \"handshake\"}\n", name, f.URL+"/"+name)
	}
	return map[string]string{"compactor.cue": b.String()}
}

// behind is a service over the fleet that knows all its tools.
func (f *fleet) behind(t testing.TB, more string) *service.Service {
	t.Helper()
	svc := start(t, options(t, f.config(more)))
	svc.Gateway().DiscoverAll(t.Context())
	for _, s := range svc.Gateway().Servers() {
		if !s.Known {
			t.Fatalf("server %s is not known: %s", s.Name, s.Problem)
		}
	}
	return svc
}

// face is the MCP face of a service as one client on a pipe sees it.
type face struct {
	t   testing.TB
	in  *io.PipeWriter
	out *json.Decoder
}

func newFace(t testing.TB, svc *service.Service) *face {
	t.Helper()
	srv, err := server.New(service.Backend{Service: svc, Deterministic: true}, server.Options{Name: "compactor", Version: "1", Events: svc.Events()})
	if err != nil {
		t.Fatal(err)
	}
	requests, in := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- srv.Serve(t.Context(), server.Transport{Kind: server.Stdio, In: requests, Out: out}) }()
	t.Cleanup(func() {
		in.Close()
		answers.Close()
		<-done
		srv.Close()
	})
	f := &face{t, in, json.NewDecoder(answers)}
	f.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	return f
}

// ask gives the result of one request; notes that come before it are left out.
func (f *face) ask(method, params string) json.RawMessage {
	f.t.Helper()
	result, refusal := f.answer(method, params)
	if refusal != nil {
		f.t.Fatalf("%s: %s", method, refusal)
	}
	return result
}

// refused gives the error of one request.
func (f *face) refused(method, params string) string {
	f.t.Helper()
	result, refusal := f.answer(method, params)
	if refusal == nil {
		f.t.Fatalf("%s: %s", method, result)
	}
	return string(refusal)
}

func (f *face) answer(method, params string) (result, refusal json.RawMessage) {
	f.t.Helper()
	if _, err := fmt.Fprintf(f.in, `{"jsonrpc":"2.0","id":1,"method":%q,"params":%s}`+"\n", method, params); err != nil {
		f.t.Fatal(err)
	}
	for {
		var m struct{ ID, Result, Error json.RawMessage }
		if err := f.out.Decode(&m); err != nil {
			f.t.Fatal(err)
		}
		if m.ID != nil {
			return m.Result, m.Error
		}
	}
}
