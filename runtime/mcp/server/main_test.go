package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"go.uber.org/goleak"
)

// serveEnv makes the test binary a server on stdio, so that clients are tested against a process of its own: of the
// toolbox, or of the fixtures.
const (
	serveEnv      = "SERVER_TEST_STDIO"
	serveFixtured = "fixtures"
)

func TestMain(m *testing.M) {
	if os.Getenv(serveEnv) != "" {
		os.Exit(serveStdio())
	}
	goleak.VerifyTestMain(m)
}

func serveStdio() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var b server.Backend = newToolbox()
	if os.Getenv(serveEnv) == serveFixtured {
		b = &fixtures{}
	}
	s, err := server.New(b, server.Options{Name: "toolbox", Version: "1.2.3", Title: "Toolbox"})
	if err == nil {
		defer s.Close()
		err = s.Serve(ctx, server.Transport{Kind: server.Stdio})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// toolbox is a backend whose tools show what a server has to pass on.
type toolbox struct {
	server.ToolsOnly
	mu       sync.Mutex
	extra    []server.Tool
	changed  map[int]func(string)
	next     int
	sessions map[string]bool

	started chan string   // ids of "wait" calls that began
	ended   chan error    // and why they ended
	release chan struct{} // lets "wait" calls return
	meet    sync.WaitGroup
}

func newToolbox() *toolbox {
	return &toolbox{changed: map[int]func(string){}, sessions: map[string]bool{},
		started: make(chan string, 1000), ended: make(chan error, 1000), release: make(chan struct{})}
}

func schema(s string) json.RawMessage { return json.RawMessage(s) }

func (b *toolbox) Tools(context.Context) []server.Tool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]server.Tool{
		{Name: "echo", Title: "Echo", Description: "Says the text again.", Annotations: server.Annotations{ReadOnly: true, Idempotent: true},
			Input: schema(`{"type":"object","properties":{"text":{"type":"string","description":"what to say"},"times":{"type":"integer","minimum":1,"maximum":9}},"required":["text"],"additionalProperties":false}`)},
		{Name: "add", Description: "Adds two numbers.", Annotations: server.Annotations{ReadOnly: true},
			Input:  schema(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`),
			Output: schema(`{"type":"object","properties":{"sum":{"type":"integer"}},"required":["sum"],"additionalProperties":false}`)},
		{Name: "notes", Description: "Sends n progress notes and returns at once.",
			Input: schema(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)},
		{Name: "wait", Description: "Waits until it is let go.", Input: schema(`{"type":"object","properties":{"id":{"type":"string"}}}`)},
		{Name: "stubborn", Description: "Does not hear of cancellation.", Input: schema(`{"type":"object","properties":{"id":{"type":"string"}}}`)},
		{Name: "meet", Description: "Returns when all who are expected have come."},
		{Name: "fail", Description: "Fails.", Input: schema(`{"type":"object","properties":{"how":{"type":"string"}},"required":["how"]}`)},
		{Name: "grow", Description: "Adds a tool.", Input: schema(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)},
		{Name: "routed", Description: "Takes its region from a header too.",
			Input: schema(`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},"required":["region"]}`)},
		{Name: "secret", Description: "Is not listed.", Hidden: true},
		{Name: "ask", Description: "Asks the client's model.", Hidden: true,
			Input: schema(`{"type":"object","properties":{"text":{"type":"string"},"ms":{"type":"integer"}},"required":["text"]}`)},
	}, b.extra...)
}

func (b *toolbox) Instructions() string { return "Use echo first." }

// SessionEnded forgets that the session made calls.
func (b *toolbox) SessionEnded(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.sessions, session)
}

// known is how many sessions made calls and are not over.
func (b *toolbox) known() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.sessions)
}

func (b *toolbox) OnChange(f func(string)) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := b.next
	b.next++
	b.changed[n] = f
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.changed, n)
	}
}

// grow adds a tool and tells of it.
func (b *toolbox) grow(name string) {
	b.mu.Lock()
	b.extra = append(b.extra, server.Tool{Name: name, Description: "New."})
	tell := []func(string){}
	for _, f := range b.changed {
		tell = append(tell, f)
	}
	b.mu.Unlock()
	for _, f := range tell {
		f("")
	}
}

// errCoded is an error with a code and a hint, as a backend has them.
type errCoded struct{ what, code, hint string }

func (e errCoded) Error() string { return e.what }
func (e errCoded) Code() string  { return e.code }
func (e errCoded) Hint() string  { return e.hint }

// errAbout says for programs what it is about.
type errAbout struct{ errCoded }

func (e errAbout) Members() map[string]any {
	return map[string]any{"server": "lake", "tool": "depth", "details": map[string]int{"n": 1}, "code": "not this one"}
}

func (b *toolbox) Call(ctx context.Context, c server.Call) (server.Reply, error) {
	var in struct {
		Text, ID, How, Name string
		Times, N, MS        int
		A, B                json.Number
	}
	if err := json.Unmarshal(c.Args, &in); err != nil {
		return server.Reply{}, err
	}
	b.mu.Lock()
	b.sessions[c.Session] = true
	b.mu.Unlock()
	switch c.Tool {
	case "echo":
		return server.Reply{Text: strings.Repeat(in.Text, max(in.Times, 1))}, nil
	case "add":
		x, _ := in.A.Int64()
		y, _ := in.B.Int64()
		return server.Reply{Structured: schema(fmt.Sprintf("{\n  \"sum\": %d\n}", x+y))}, nil
	case "notes":
		for i := range in.N {
			c.Progress(server.Progress{Done: float64(i + 1), Total: float64(in.N), Message: "step"})
			c.Log(server.Log{Level: "info", Message: "step"})
		}
		return server.Reply{Text: "noted"}, nil
	case "wait", "stubborn":
		return b.wait(ctx, c.Tool == "stubborn", in.ID)
	case "meet":
		b.meet.Done()
		b.meet.Wait()
		return server.Reply{Text: "met"}, nil
	case "fail":
		return fail(ctx, in.How)
	case "ask":
		return b.ask(ctx, c, in.Text, time.Duration(in.MS)*time.Millisecond)
	case "grow":
		b.grow(in.Name)
		return server.Reply{Text: "grown"}, nil
	}
	return server.Reply{Text: strings.Join(append([]string{c.Tool, c.Client.Name}, c.Client.Capabilities...), " ")}, nil
}

func (b *toolbox) wait(ctx context.Context, stubborn bool, id string) (server.Reply, error) {
	b.started <- id
	done := ctx.Done()
	if stubborn {
		done = nil
	}
	select {
	case <-done:
	case <-b.release:
	}
	if err := ctx.Err(); err != nil && !stubborn { // also where both have come
		b.ended <- err
		return server.Reply{}, err
	}
	b.ended <- nil
	return server.Reply{Text: "released"}, nil
}

// badError is an error whose own methods cannot be trusted.
type badError struct{}

func (badError) Error() string { panic("in Error") }

func fail(ctx context.Context, how string) (server.Reply, error) {
	switch how {
	case "plain":
		return server.Reply{}, errors.New("the disk\nis \x1b[31mfull\x1b[0m\u202e")
	case "coded":
		return server.Reply{}, fmt.Errorf("step two: %w", errCoded{"no such root", "ROOT_UNKNOWN", "name one of: code, docs"})
	case "about":
		return server.Reply{}, errAbout{errCoded{"the lake is dry", "UPSTREAM_DOWN", ""}}
	case "timeout":
		return server.Reply{}, context.DeadlineExceeded
	case "panic":
		panic("password=hunter2 at /home/user/secret.go")
	case "bad error":
		return server.Reply{}, badError{}
	case "bad json":
		return server.Reply{Structured: schema(`{"a":`)}, nil
	case "capability":
		return server.Reply{}, &server.MissingCapability{Name: "sampling"}
	case "is error":
		return server.Reply{Text: "nothing found", IsError: true}, nil
	case "list":
		return server.Reply{Structured: schema(`[1, 2]`)}, nil
	case "content":
		return server.Reply{Content: schema(`[{"type":"image","data":"AA==","mimeType":"image/png"}]`)}, nil
	}
	return server.Reply{}, ctx.Err()
}

// newServer starts a server over a fresh toolbox.
func newServer(t testing.TB, edit ...func(*server.Options)) (*server.Server, *toolbox) {
	t.Helper()
	opt := server.Options{Name: "toolbox", Version: "1.2.3", Grace: 2 * time.Second}
	if testing.Verbose() {
		opt.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	for _, f := range edit {
		f(&opt)
	}
	b := newToolbox()
	s, err := server.New(b, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, b
}

// receive fails the test when nothing comes: no test may hang.
func receive[T any](t testing.TB, what string, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(time.Minute):
		t.Fatalf("nothing came: %s", what)
		panic("unreachable")
	}
}

func contains(list []string, s string) bool { return slices.Contains(list, s) }
