package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// pipe is a raw client on a pair of pipes: it sees each line as it was written.
type pipe struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string
	done  chan error
	stop  context.CancelFunc
	once  sync.Once
}

// dial serves one connection of s.
func dial(t testing.TB, s *server.Server) *pipe {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	p := &pipe{t: t, in: inW, lines: make(chan string, 10000), done: make(chan error, 1), stop: stop}
	go func() {
		err := s.ServeLines(ctx, inR, outW)
		outW.Close()
		p.done <- err
	}()
	go func() {
		defer close(p.lines)
		r := bufio.NewReader(outR)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(p.close)
	return p
}

func (p *pipe) close() {
	p.once.Do(func() {
		p.in.Close()
		p.stop()
		receive(p.t, "end of Serve", p.done)
		for range p.lines {
		}
	})
}

func (p *pipe) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pipe) line() string {
	p.t.Helper()
	return receive(p.t, "a line", p.lines)
}

// wire is any message from the server.
type wire struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

func decode(t testing.TB, line string) wire {
	t.Helper()
	var w wire
	if err := json.Unmarshal([]byte(line), &w); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return w
}

func (p *pipe) next() wire {
	p.t.Helper()
	return decode(p.t, p.line())
}

// Messages in both eras.
const (
	initialize  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	modernMeta  = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"}`
)

// era is one way of calling.
type era struct {
	name   string
	modern bool
	meta   string // members of _meta of each request
}

var eras = []era{{"handshake", false, ""}, {"stateless", true, modernMeta}}

// message builds a request of the era; meta adds members to _meta.
func (e era) message(id, method, params, meta string) string {
	inside := strings.Trim(e.meta+","+meta, ",")
	if params != "" {
		params += ","
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{` + params + `"_meta":{` + inside + `}}}`
}

// open gets a fresh connection to where the era's requests may be sent.
func (e era) open(t testing.TB, s *server.Server) *pipe {
	t.Helper()
	p := dial(t, s)
	if !e.modern {
		p.send(initialize)
		p.next()
		p.send(initialized)
	}
	return p
}

func textOf(t testing.TB, result json.RawMessage) string {
	t.Helper()
	var r struct {
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(result, &r); err != nil || len(r.Content) == 0 {
		t.Fatalf("no text in %s", result)
	}
	return r.Content[0].Text
}
