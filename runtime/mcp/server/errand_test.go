package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

const offersAll = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},` +
	`"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{},"roots":{}}`

// errandOf builds a request of a client that can be asked.
func errandOf(id, method, params string) string {
	return era{"stateless", true, offersAll}.message(id, method, params, "")
}

// wanted is a result of input_required.
type wanted struct {
	ResultType    string
	InputRequests map[string]struct {
		Method string
		Params json.RawMessage
	}
	RequestState string
}

func want(t testing.TB, w wire) wanted {
	t.Helper()
	var out wanted
	if err := json.Unmarshal(w.Result, &out); err != nil || out.ResultType != "input_required" || out.RequestState == "" || len(out.InputRequests) == 0 {
		t.Fatalf("not asked: %s %+v", w.Result, w.Error)
	}
	return out
}

// again are the members with which a client comes again: the same response to each question.
func (w wanted) again(response string) string {
	var responses []string
	for name := range w.InputRequests {
		responses = append(responses, fmt.Sprintf("%q:%s", name, response))
	}
	return fmt.Sprintf(`"inputResponses":{%s},"requestState":%q`, strings.Join(responses, ","), w.RequestState)
}

// eachWay runs test with a function that sends a request and gives its answer, over lines and over HTTP. It does so in
// bubbles: what is asked within a moment makes one round.
func eachWay(t *testing.T, serve func(t *testing.T) *server.Server, test func(t *testing.T, ask func(method, name, message string) wire)) {
	t.Run("lines", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := eras[1].open(t, serve(t))
			test(t, func(_, _, message string) wire {
				p.send(message)
				return p.next()
			})
		})
	})
	t.Run("HTTP", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w := openWebInMemory(t, serve(t))
			test(t, func(method, name, message string) wire {
				_, body := w.post(message, append(modern(method, name), "Accept", "application/json")...)
				return decode(t, body)
			})
		})
	})
}

// What another server asks while it works becomes a round of the stateless era, with all it holds.
func TestAsksBecomeRounds(t *testing.T) {
	b := &relay{call: asks, tools: []server.Tool{loose("t")}, offers: everything}
	b.forward = func(ctx context.Context, f server.Forward) (json.RawMessage, error) {
		result, err := f.Ask(ctx, "roots/list", nil)
		if f.Method == "prompts/get" {
			return json.RawMessage(`{"messages":[],"got":` + string(result) + `}`), err
		}
		return json.RawMessage(`{"contents":[],"got":` + string(result) + `}`), err
	}
	eachWay(t, func(t *testing.T) *server.Server { return serveRelay(t, b) }, func(t *testing.T, ask func(method, name, message string) wire) {
		for i, c := range []struct{ method, params, response string }{
			{"elicitation/create", `{"requestedSchema":{"properties":{"n":{"maximum":9007199254740993}}}}`, `{"action":"accept","content":{"n":1.0},"_meta":{}}`},
			{"sampling/createMessage", "{\"messages\":[], \"maxTokens\":1}", `{"role":"assistant","content":{"type":"text","text":"é"}}`},
			{"roots/list", `{}`, `{"roots":[]}`},
		} {
			call := callParams("t", `{"m":"`+c.method+`","p":`+c.params+`}`)
			w := want(t, ask("tools/call", "t", errandOf(fmt.Sprint(10*i), "tools/call", call)))
			for _, q := range w.InputRequests {
				if q.Method != c.method || string(q.Params) != c.params || len(w.InputRequests) != 1 {
					t.Errorf("asked %s %s", q.Method, q.Params)
				}
			}
			got := ask("tools/call", "t", errandOf(fmt.Sprint(10*i+1), "tools/call", call+","+w.again(c.response)))
			if textOf(t, got.Result) != c.response || !strings.Contains(string(got.Result), `"resultType":"complete"`) {
				t.Errorf("got %s", got.Result)
			}
		}
		for method, member := range map[string]string{"prompts/get": "name", "resources/read": "uri"} {
			params := `"` + member + `":"a:b"`
			w := want(t, ask(method, "a:b", errandOf("7", method, params)))
			got := ask(method, "a:b", errandOf("8", method, params+","+w.again(`{"roots":[]}`)))
			if !strings.Contains(string(got.Result), `"got":{"roots":[]}`) {
				t.Errorf("%s: %s %+v", method, got.Result, got.Error)
			}
		}
	})
	p := eras[1].open(t, serveRelay(t, b)) // and no more than the client declared
	p.send(strings.Replace(errandOf("1", "tools/call", callParams("t", `{"m":"roots/list","p":{}}`)), `,"roots":{}`, "", 1))
	if w := p.next(); textOf(t, w.Result) != "no -32601 it did not declare roots " {
		t.Errorf("%s", w.Result)
	}
}

// Several questions make one round; what was not answered, or not with an object, is asked again.
func TestQuestionsOfOneRound(t *testing.T) {
	call := func(ctx context.Context, c server.Call) (server.Reply, error) {
		var wg sync.WaitGroup
		said := make([]string, 3)
		for i := range said {
			wg.Go(func() {
				raw, err := c.Ask(ctx, "elicitation/create", json.RawMessage(fmt.Sprintf(`{"message":"%d"}`, i)))
				said[i] = fmt.Sprint(string(raw), err)
			})
		}
		wg.Wait()
		raw, err := c.Ask(ctx, "roots/list", nil)
		return server.Reply{Text: strings.Join(said, " ") + string(raw)}, err
	}
	eachWay(t, func(t *testing.T) *server.Server { return relayCall(t, call) }, func(t *testing.T, ask func(method, name, message string) wire) {
		w := want(t, ask("tools/call", "t", errandOf("1", "tools/call", `"name":"t"`)))
		if len(w.InputRequests) != 3 {
			t.Fatalf("%+v", w)
		}
		first := fmt.Sprintf(`"inputResponses":{"ask-1":{"action":"accept"},"ask-2":[],"none":{}},"requestState":%q`, w.RequestState)
		w = want(t, ask("tools/call", "t", errandOf("2", "tools/call", `"name":"t",`+first)))
		if len(w.InputRequests) != 2 || w.InputRequests["ask-2"].Method == "" || w.InputRequests["ask-3"].Method == "" {
			t.Fatalf("%+v", w)
		}
		w = want(t, ask("tools/call", "t", errandOf("3", "tools/call", fmt.Sprintf(`"name":"t","requestState":%q`, w.RequestState))))
		if len(w.InputRequests) != 2 {
			t.Fatalf("%+v", w)
		}
		w = want(t, ask("tools/call", "t", errandOf("4", "tools/call", `"name":"t",`+w.again(`{"action":"decline"}`))))
		got := ask("tools/call", "t", errandOf("5", "tools/call", `"name":"t",`+w.again(`{"roots":[]}`)))
		if text := textOf(t, got.Result); strings.Count(text, "accept") != 1 || strings.Count(text, "decline") != 2 || !strings.HasSuffix(text, `{"roots":[]}`) {
			t.Errorf("got %s", text)
		}
	})
}

// A state holds once, for the request that it was given to, and for its session; nothing runs because of another.
func TestAStateIsOfOneRequest(t *testing.T) {
	var calls sync.Map
	b := &relay{tools: []server.Tool{loose("t"), loose("u")}, call: func(ctx context.Context, c server.Call) (server.Reply, error) {
		if _, again := calls.LoadOrStore(string(c.Args), true); again {
			t.Errorf("%s runs again", c.Args)
		}
		return asks(ctx, c)
	}}
	s := serveRelay(t, b)
	p, other := eras[1].open(t, s), eras[1].open(t, s)
	call := callParams("t", `{"m":"roots/list","p":{}}`)
	p.send(errandOf("1", "tools/call", call))
	w := want(t, p.next())
	rest := "," + w.again(`{"roots":[]}`)
	for what, send := range map[string]func() wire{
		"another tool": func() wire {
			p.send(errandOf("2", "tools/call", callParams("u", `{}`)+rest))
			return p.next()
		},
		"another session": func() wire { other.send(errandOf("2", "tools/call", call+rest)); return other.next() },
		"a changed state": func() wire {
			p.send(errandOf("2", "tools/call", call+strings.Replace(rest, w.RequestState, w.RequestState[:len(w.RequestState)-1]+"!", 1)))
			return p.next()
		},
		"a name twice": func() wire {
			p.send(errandOf("2", "tools/call", call+strings.Replace(rest, `"inputResponses":{`, `"inputResponses":{"ask-1":{},`, 1)))
			return p.next()
		},
	} {
		if got := send(); got.Error == nil || got.Error.Code != -32602 {
			t.Errorf("%s: %s %+v", what, got.Result, got.Error)
		}
	}
	for i, good := range []bool{true, false} {
		p.send(errandOf("3", "tools/call", call+rest))
		if got := p.next(); (got.Error == nil) != good {
			t.Errorf("time %d: %s %+v", i, got.Result, got.Error)
		}
	}
}

// The state of a server behind is not ours.
func TestAnotherServersStatePasses(t *testing.T) {
	s := relayCall(t, func(_ context.Context, c server.Call) (server.Reply, error) {
		return server.Reply{Text: string(c.Params)}, nil
	})
	p := eras[1].open(t, s)
	p.send(errandOf("1", "tools/call", `"name":"t","inputResponses":{"a":{}},"requestState":"errand:of another:1"`))
	if w := p.next(); !strings.Contains(textOf(t, w.Result), `"requestState":"errand:of another:1"`) {
		t.Errorf("%s", w.Result)
	}
}

// Notes go out on the stream of the round that runs, under its token.
func TestNotesOfRounds(t *testing.T) {
	s := relayCall(t, func(ctx context.Context, c server.Call) (server.Reply, error) {
		c.Note("notifications/progress", json.RawMessage(`{"progress":1}`))
		_, err := c.Ask(ctx, "roots/list", nil)
		c.Progress(server.Progress{Done: 2})
		c.Log(server.Log{Level: "error", Message: "late"})
		return server.Reply{Text: "done"}, err
	})
	p := eras[1].open(t, s)
	with := func(id, params, token string) string {
		return era{"", true, offersAll}.message(id, "tools/call", params, `"io.modelcontextprotocol/logLevel":"error","progressToken":"`+token+`"`)
	}
	p.send(with("1", `"name":"t"`, "one"))
	if w := p.next(); !strings.Contains(string(w.Params), `"one"`) {
		t.Errorf("%+v", w)
	}
	w := want(t, p.next())
	p.send(with("2", `"name":"t",`+w.again(`{"roots":[]}`), "two"))
	if w := p.next(); !strings.Contains(string(w.Params), `"two"`) {
		t.Errorf("%+v", w)
	}
	if w := p.next(); w.Method != "notifications/message" {
		t.Errorf("%+v", w)
	}
	if w := p.next(); textOf(t, w.Result) != "done" || string(w.ID) != "2" {
		t.Errorf("%+v", w)
	}
}

// A pendingCall ends when its client cancels the running round, leaves or does not come again, or the server closes.
func TestErrandsEnd(t *testing.T) {
	for _, name := range []string{"session", "server", "time", "cancelled"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ended := make(chan error, 1)
				s, err := server.New(&relay{tools: []server.Tool{loose("t")}, call: func(ctx context.Context, c server.Call) (server.Reply, error) {
					_, err := c.Ask(ctx, "roots/list", nil)
					if err == nil {
						<-ctx.Done()
						err = ctx.Err()
					}
					ended <- err
					return server.Reply{}, err
				}}, server.Options{Name: "relay"})
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				p := dial(t, s)
				defer p.close()
				p.send(errandOf("1", "tools/call", `"name":"t"`))
				w := want(t, p.next())
				switch name {
				case "session":
					p.in.Close()
				case "server":
					s.Close()
				case "time":
					time.Sleep(11 * time.Minute)
				case "cancelled":
					p.send(errandOf("2", "tools/call", `"name":"t",`+w.again(`{"roots":[]}`)))
					synctest.Wait()
					p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
				}
				synctest.Wait()
				select {
				case err := <-ended:
					if !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
				default:
					t.Error("it waits on")
				}
			})
		})
	}
}

// A client that does not come again cannot pile them up.
func TestErrandsAreBounded(t *testing.T) {
	s := relayCall(t, asks)
	w := openWeb(t, s)
	asked := 0
	for i := range 300 {
		status, body := w.post(errandOf(fmt.Sprint(i), "tools/call", callParams("t", `{"m":"roots/list","p":{}}`)), append(modern("tools/call", "t"), "Accept", "application/json")...)
		if strings.Contains(body, "input_required") {
			asked++
		} else if status != http.StatusOK || !strings.Contains(body, "too many") {
			t.Fatal(status, body)
		}
	}
	if asked != 128 { // of clients without a session: those with one have places left
		t.Errorf("%d wait", asked)
	}
	p := eras[1].open(t, s)
	p.send(errandOf("1", "tools/call", callParams("t", `{"m":"roots/list","p":{}}`)))
	if got := p.next(); !strings.Contains(string(got.Result), "input_required") {
		t.Errorf("%s", got.Result)
	}
}

// Questions that wait are bounded in bytes, whatever a server asks beside one another.
func TestWaitingQuestionsAreBounded(t *testing.T) {
	const many = 16 // of which eleven may wait
	refused := make(chan error, many)
	s := relayCall(t, func(ctx context.Context, c server.Call) (server.Reply, error) {
		var wg sync.WaitGroup
		for range many {
			wg.Go(func() {
				if _, err := c.Ask(ctx, "elicitation/create", json.RawMessage(`{"message":"`+strings.Repeat("x", 1<<20)+`"}`)); ctx.Err() == nil {
					refused <- err
				}
			})
		}
		wg.Wait()
		return server.Reply{}, nil
	})
	p := eras[1].open(t, s)
	p.send(errandOf("1", "tools/call", `"name":"t"`))
	for range many - 11 {
		if err := <-refused; err == nil || !strings.Contains(err.Error(), "wait for the client already") {
			t.Error(err)
		}
	}
}

// What a round asks for is bounded: the rest has the next, and what is too long none.
func TestARoundIsBounded(t *testing.T) {
	const many, size = 4, 1 << 20
	s := relayCall(t, func(ctx context.Context, c server.Call) (server.Reply, error) {
		_, long := c.Ask(ctx, "elicitation/create", json.RawMessage(`{"message":"`+strings.Repeat("x", 5*size)+`"}`))
		var wg sync.WaitGroup
		for range many {
			wg.Go(func() {
				if _, err := c.Ask(ctx, "elicitation/create", json.RawMessage(`{"message":"`+strings.Repeat("x", size)+`"}`)); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		return server.Reply{Text: fmt.Sprint(long)}, nil
	})
	p := eras[1].open(t, s)
	p.send(errandOf("1", "tools/call", `"name":"t"`))
	questions := 0
	for i := 2; ; i++ {
		line := p.next()
		if strings.Contains(string(line.Result), `"complete"`) {
			if text := textOf(t, line.Result); !strings.Contains(text, "over the limit") {
				t.Error(text)
			}
			break
		}
		w := want(t, line)
		if n := len(w.InputRequests); n > 3 {
			t.Errorf("%d in one round", n)
		}
		questions += len(w.InputRequests)
		p.send(errandOf(fmt.Sprint(i), "tools/call", `"name":"t",`+w.again(`{"action":"accept"}`)))
	}
	if questions != many {
		t.Errorf("%d questions", questions)
	}
}

// Whatever a client sends as responses, it is answered, and a backend is given objects only.
func FuzzResponses(f *testing.F) {
	for _, raw := range []string{`{"ask-1":{"action":"accept"}}`, `{"ask-1":null}`, `{"ask-1":{},"ask-1":{}}`, `[]`, `{"ask-1":{"a":{"a":1,"a":2}}}`, `{"":{}}`, `nul`, `{"ask-1":{}`, `"\ud800"`} {
		f.Add(raw)
	}
	s := relayCall(f, func(ctx context.Context, c server.Call) (server.Reply, error) {
		raw, err := c.Ask(ctx, "roots/list", nil)
		if err == nil && !strings.HasPrefix(string(raw), "{") {
			f.Errorf("answered with %s", raw)
		}
		return server.Reply{Text: "done"}, err
	})
	f.Fuzz(func(t *testing.T, raw string) {
		if strings.ContainsAny(raw, "\r\n") {
			return
		}
		p := eras[1].open(t, s)
		defer p.close()
		p.send(errandOf("1", "tools/call", `"name":"t"`))
		w := want(t, p.next())
		p.send(errandOf("2", "tools/call", fmt.Sprintf(`"name":"t","requestState":%q,"inputResponses":%s`, w.RequestState, raw)))
		if got := p.next(); got.Error == nil && !strings.Contains(string(got.Result), "resultType") {
			t.Errorf("%+v", got)
		}
	})
}
