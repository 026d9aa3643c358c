package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// hearer remembers what it is told.
type hearer struct {
	mu    sync.Mutex
	heard []string
}

func (h *hearer) hear(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.heard = append(h.heard, what)
}

func (h *hearer) has(what string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.heard, what)
}

func TestChangesAreTold(t *testing.T) {
	h := &hearer{}
	everyWay(t, func(_ *Spec, o *Options, _ *peer) { h = &hearer{}; o.Changed = h.hear }, func(t *testing.T, _ way, s *Server, p *peer) {
		if p == nil {
			return
		}
		if _, err := s.About(t.Context()); err != nil {
			t.Fatal(err)
		}
		clocktest.Until(t, "a stream for notes is open", func() bool {
			return p.say(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`) > 0
		})
		clocktest.Until(t, "tools", func() bool { return h.has("tools") })
		_, err := s.Do(t.Context(), Request{Method: "resources/subscribe", Params: json.RawMessage(`{"uri":"file:///a"}`)})
		if err != nil {
			t.Fatal(err)
		}
		clocktest.Until(t, "resource", func() bool {
			p.say(`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///a"}}`)
			return h.has("resource:file:///a")
		})
		if h.has("prompts") {
			t.Error("prompts did not change")
		}
	})
}

func TestAllListsMayHaveChangedAfterAReconnect(t *testing.T) {
	h := &hearer{}
	p := newPeer(Handshake)
	wire, url := newStreamable(t, p)
	s := newServer(t, Spec{URL: url}, Options{Changed: h.hear})
	if _, err := s.Do(t.Context(), Request{Method: "resources/subscribe", Params: json.RawMessage(`{"uri":"file:///a"}`)}); err != nil {
		t.Fatal(err)
	}
	if h.has("tools") {
		t.Error("told before anything could change")
	}
	wire.forget() // as a server that was restarted
	if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); err != nil {
		t.Fatalf("a call that a forgotten session refused is asked again: %v", err)
	}
	clocktest.Until(t, "tools and resources", func() bool { return h.has("tools") && h.has("resources") })
	clocktest.Until(t, "subscribed again", func() bool {
		n := 0
		for _, m := range p.methods() {
			if m == "resources/subscribe" {
				n++
			}
		}
		return n == 2
	})
	if h := s.Health(); h.Restarts != 1 || h.State != StateReady {
		t.Errorf("health %+v", h)
	}
}

func TestListGivesAllPagesAsTheyCame(t *testing.T) {
	everyWay(t, nil, func(t *testing.T, _ way, s *Server, p *peer) {
		if p == nil {
			return
		}
		const schema = `{"name":"s", "inputSchema":{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","oneOf":[{"required":["a"]}],` +
			`"if":{"properties":{"a":{"const":1.50}}},"then":{"minProperties":1},"$defs":{"x":{"$ref":"#/$defs/y"}},"x-own":[9007199254740993]},"_meta":{"k":null}}`
		p.tools = schema
		items, err := s.List(t.Context(), "tools/list", "tools")
		if err != nil || len(items) != 1 || string(items[0]) != schema {
			t.Fatalf("%v %s", err, items)
		}
		p.mu.Lock()
		p.pages = 3
		p.mu.Unlock()
		items, err = s.List(t.Context(), "tools/list", "tools")
		var names []string
		for _, item := range items {
			names = append(names, rawjson.GetText(item, "name"))
		}
		if err != nil || strings.Join(names, " ") != "a0 b0 a1 b1 a2 b2" {
			t.Fatalf("%v %s", err, names)
		}
		if _, err = s.List(t.Context(), "tools/list", "prompts"); codeOf(err) != CodeExecution || !strings.Contains(err.Error(), "tools/list has no list of prompts") {
			t.Errorf("error = %v", err)
		}
	})
}

func TestAListThatDoesNotEndIsAnError(t *testing.T) {
	n := 0
	s := pipedServer(t, func(m incoming) string {
		n++
		return `{"tools":[{}],"nextCursor":"page-` + strings.Repeat("x", n) + `"}`
	})
	_, err := s.List(t.Context(), "tools/list", "tools")
	if codeOf(err) != CodeExecution || n > maxPages {
		t.Errorf("%v after %d pages", err, n)
	}
}

// A cursor that comes again leads to nothing new: what came is kept, each item
// once, and the log says so.
func TestACursorThatStandsStillKeepsWhatCame(t *testing.T) {
	for _, c := range []struct{ name, pages, want string }{
		{"the same page and cursor for ever", "a b>x a b>x", "a b"},
		{"the last page repeats its own cursor", "a b>x c d>x", "a b c d"},
		{"two cursors in turn", "a>x b>y c>x", "a b c"},
		{"in turn, and the first page again", "a>x b>y a>x", "a b"},
		{"two that are alike in one page are two", "a a>x", "a a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			pages := pagesOf(c.pages)
			var n atomic.Int32
			s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}}, Options{Logger: slog.New(slog.NewTextHandler(&log, nil)),
				Start: startPiped(func(p *piped) {
					p.messages(func(m incoming) {
						if !p.hello(m) {
							p.print(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, pages[int(n.Add(1)-1)%len(pages)])
						}
					})
				})})
			items, err := s.List(t.Context(), "tools/list", "tools")
			var names []string
			for _, item := range items {
				names = append(names, rawjson.GetText(item, "name"))
			}
			if got := strings.Join(names, " "); err != nil || got != c.want {
				t.Errorf("%q %v, want %q", got, err, c.want)
			}
			if !strings.Contains(log.String(), "gives a cursor twice") {
				t.Errorf("the log does not say so: %s", &log)
			}
		})
	}
}

// pagesOf reads pages such as "a b>x": items, and the cursor of the next page.
func pagesOf(text string) (pages []string) {
	var items []string
	for word := range strings.FieldsSeq(text) {
		name, cursor, ends := strings.Cut(word, ">")
		items = append(items, `{"name":"`+name+`"}`)
		if ends {
			pages = append(pages, `{"tools":[`+strings.Join(items, ",")+`],"nextCursor":"`+cursor+`"}`)
			items = nil
		}
	}
	return pages
}

func TestElicitationIsRefusedUnlessAllowed(t *testing.T) {
	answer := func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`{"action":"accept"}`), nil
	}
	everyWay(t, nil, func(t *testing.T, w way, s *Server, _ *peer) {
		r := toolCall("ask", `{}`)
		r.Ask = answer
		result, err := s.Do(t.Context(), r)
		if w.era == Stateless {
			if codeOf(err) != CodeExecution || !strings.Contains(err.Error(), "elicitation, which is not allowed to it") {
				t.Errorf("error = %v", err)
			}
			return
		}
		if err != nil || !strings.Contains(string(result), "elicitation is not allowed for this server") {
			t.Errorf("%s %v", result, err)
		}
	})
}

func TestElicitationIsPassedOn(t *testing.T) {
	everyWay(t, func(s *Spec, _ *Options, _ *peer) { s.Allow = []string{Elicitation} }, func(t *testing.T, w way, s *Server, p *peer) {
		r := toolCall("ask", `{"keep":1}`)
		r.Ask = func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
			if method != "elicitation/create" || rawjson.GetText(params, "message") != "name?" {
				t.Errorf("asked %s %s", method, params)
			}
			return json.RawMessage("{\n \"action\":\"accept\",\"content\":{\"n\":9007199254740993}}"), nil
		}
		result, err := s.Do(t.Context(), r)
		if err != nil || !strings.Contains(string(result), `{"action":"accept","content":{"n":9007199254740993}}`) {
			t.Errorf("%s %v", result, err)
		}
		if w.era == Stateless && (!strings.Contains(string(result), `"who":{`) || !strings.Contains(string(result), `"state":"s1"`)) {
			t.Errorf("%s", result)
		}
		r.Ask = nil
		if result, err = s.Do(t.Context(), r); err == nil && !strings.Contains(string(result), "-32600") {
			t.Errorf("nobody could be asked: %s", result)
		}
	})
}

// A caller of the stateless era cannot be asked while a call runs: it is given the question and comes back with the
// answer, if what is asked may be passed on at all.
func TestACallerMayGoTheRoundsItself(t *testing.T) {
	for _, allowed := range []bool{true, false} {
		everyWay(t, func(s *Spec, _ *Options, _ *peer) {
			if allowed {
				s.Allow = []string{Elicitation}
			}
		}, func(t *testing.T, w way, s *Server, _ *peer) {
			if w.era != Stateless {
				return
			}
			r := toolCall("ask", `{}`)
			r.Rounds = true
			result, err := s.Do(t.Context(), r)
			if !allowed {
				if err == nil || !strings.Contains(err.Error(), "not allowed") {
					t.Errorf("%s %v", result, err)
				}
				return
			}
			if err != nil || rawjson.GetText(result, "resultType") != "input_required" || rawjson.GetText(result, "requestState") != "s1" {
				t.Fatalf("%s %v", result, err)
			}
			r.Params = json.RawMessage(`{"name":"ask","arguments":{},"inputResponses":{"who":{"action":"accept"}},"requestState":"s1"}`)
			if result, err = s.Do(t.Context(), r); err != nil || !strings.Contains(string(result), `"got":{"who":{"action":"accept"}}`) {
				t.Errorf("%s %v", result, err)
			}
		})
	}
}

// A server of the stateless era is told with each request what this caller can be asked, no more than is allowed, and
// which log notes it wants.
func TestAServerIsToldWhatTheCallerCan(t *testing.T) {
	everyWay(t, func(s *Spec, _ *Options, _ *peer) { s.Allow = []string{Elicitation, Sampling} }, func(t *testing.T, w way, s *Server, p *peer) {
		if w.era != Stateless || p == nil { // a process of its own says nothing of it
			return
		}
		for want, r := range map[string]Request{
			`/clientCapabilities":{"elicitation":{}}`:                                 {Offers: []string{Elicitation, Roots}},
			`/clientCapabilities":{}`:                                                 {Offers: []string{}},
			`/clientCapabilities":{"sampling":{"tools":{}},"elicitation":{"url":{}}}`: {Offers: []string{Elicitation, "elicitation.url", Sampling, "sampling.tools", "roots.x"}},
			`/clientCapabilities":{"sampling":{}}`:                                    {Offers: []string{Sampling, "elicitation.url"}},
			`/clientCapabilities":{"sampling":{},"elicitation":{}}`:                   {},
			`/clientCapabilities":{},"io.modelcontextprotocol/logLevel":"warning"`:    {Offers: []string{}, LogLevel: "warning"},
		} {
			call := toolCall("echo", `{}`)
			r.Method, r.Params = call.Method, call.Params
			if _, err := s.Do(t.Context(), r); err != nil || !strings.Contains(p.lastParams(), want) {
				t.Errorf("no %s in %s, %v", want, p.lastParams(), err)
			}
		}
	})
}
