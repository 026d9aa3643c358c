package server_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// ask has the client's model answer and says how that went; within is the tool's own patience, 0 for that of the call and
// less for no end at all.
func (b *toolbox) ask(ctx context.Context, c server.Call, text string, within time.Duration) (server.Reply, error) {
	if c.Sample == nil {
		return server.Reply{Text: "not offered"}, nil
	}
	own := ctx
	switch {
	case within < 0:
		own = context.Background()
	case within > 0:
		var cancel context.CancelFunc
		own, cancel = context.WithTimeout(ctx, within)
		defer cancel()
	}
	half := 0.5
	r, err := c.Sample(own, server.SampleRequest{
		System: "Be short.", MaxTokens: 50, Temperature: &half, Models: []string{"gemma", "small"}, Speed: 1,
		Messages: []server.SampleMessage{{"user", "Hello."}, {"assistant", "Hello."}, {"user", text}},
	})
	select {
	case b.ended <- err:
	default:
	}
	var refused *server.SampleError
	switch {
	case errors.As(err, &refused):
		return server.Reply{Text: fmt.Sprint("refused ", refused.RPCCode(), " ", refused.Message)}, nil
	case ctx.Err() != nil:
		return server.Reply{}, ctx.Err()
	case err != nil:
		return server.Reply{Text: "error: " + err.Error()}, nil
	}
	return server.Reply{Text: strings.Join([]string{r.Model, r.Stop, r.Text}, "|")}, nil
}

// script is the model of a real client: it answers from a table.
type script struct {
	mu      sync.Mutex
	replies map[string]string
	asked   []mcp.CreateMessageRequest
}

func (s *script) CreateMessage(ctx context.Context, r mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r)
	last := r.Messages[len(r.Messages)-1].Content.(mcp.TextContent).Text
	reply, known := s.replies[last]
	if !known {
		return nil, errors.New("the user said no")
	}
	return &mcp.CreateMessageResult{Model: "table", StopReason: "endTurn",
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent(reply)}}, nil
}

// A real client's model is asked over every transport, its refusal is told, and without a model nothing is offered.
func TestClientsAreSampled(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			tr, _ := way.dial(t)
			s := &script{replies: map[string]string{"one": "1\n\"ä\"", "two": ""}}
			c := connect(t, tr, false, client.WithSamplingHandler(s))
			for question, want := range map[string]string{"one": "table|endTurn|1\n\"ä\"", "two": "table|endTurn|", "three": "refused -32603 "} {
				res, err := c.CallTool(t.Context(), call("ask", map[string]any{"text": question}))
				if got := text(t, res, err); got != want && (question != "three" || !strings.HasPrefix(got, want) || !strings.Contains(got, "the user said no")) {
					t.Errorf("%s: %q", question, got)
				}
			}
			r := s.asked[0]
			if p := r.ModelPreferences; r.SystemPrompt != "Be short." || r.MaxTokens != 50 || r.Temperature != .5 || len(r.Messages) != 3 ||
				r.Messages[1].Role != mcp.RoleAssistant || p == nil || len(p.Hints) != 2 || p.Hints[0].Name != "gemma" || p.SpeedPriority != 1 {
				t.Errorf("the client was asked %+v", r)
			}
		})
		t.Run(way.name+"/not offered", func(t *testing.T) {
			tr, _ := way.dial(t)
			res, err := connect(t, tr, false).CallTool(t.Context(), call("ask", map[string]any{"text": "one"}))
			if got := text(t, res, err); got != "not offered" {
				t.Error(got)
			}
		})
		t.Run(way.name+"/stateless", func(t *testing.T) {
			tr, _ := way.dial(t)
			s := &script{replies: map[string]string{"one": "1"}}
			res, err := connect(t, tr, true, client.WithSamplingHandler(s)).CallTool(t.Context(), call("ask", map[string]any{"text": "one"}))
			if got := text(t, res, err); got != "not offered" || len(s.asked) > 0 {
				t.Error(got)
			}
		})
	}
}

// Many calls of one client at a time each get the answer to their own question.
func TestSamplingInParallel(t *testing.T) {
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			tr, _ := way.dial(t)
			s := &script{replies: map[string]string{}}
			for i := range 20 {
				s.replies[fmt.Sprint("q", i)] = fmt.Sprint("a", i)
			}
			c := connect(t, tr, false, client.WithSamplingHandler(s))
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // rather than no end at all
			defer cancel()
			var calls sync.WaitGroup
			for i := range 20 {
				calls.Go(func() {
					res, err := c.CallTool(ctx, call("ask", map[string]any{"text": fmt.Sprint("q", i)}))
					if err != nil || res.Content[0].(mcp.TextContent).Text != fmt.Sprint("table|endTurn|a", i) {
						t.Error(i, res, err)
					}
				})
			}
			calls.Wait()
		})
	}
}

const initializeSampling = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"sampling":{}},"clientInfo":{"name":"raw","version":"1"}}}`

func dialSampling(t *testing.T, s *server.Server) *pipe {
	t.Helper()
	p := dial(t, s)
	p.send(initializeSampling)
	p.next()
	p.send(initialized)
	return p
}

func asking(id, text string) string {
	return eras[0].message(id, "tools/call", callParams("ask", `{"text":"`+text+`"}`), "")
}

// asked reads the server's question and gives its id.
func asked(t testing.TB, w wire) string {
	t.Helper()
	if w.Method != "sampling/createMessage" {
		t.Fatalf("not asked: %+v", w)
	}
	return string(w.ID)
}

func said(id, text string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"result":{"role":"assistant","model":"m","content":{"type":"text","text":"` + text + `"}}}`
}

// What a question looks like on the wire.
func TestSamplingRequest(t *testing.T) {
	s, _ := newServer(t)
	p := dialSampling(t, s)
	p.send(asking("1", "why?"))
	if got, want := p.line(), `{"jsonrpc":"2.0","id":"ask-1","method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"Hello."}},`+
		`{"role":"assistant","content":{"type":"text","text":"Hello."}},{"role":"user","content":{"type":"text","text":"why?"}}],"systemPrompt":"Be short.",`+
		`"maxTokens":50,"temperature":0.5,"modelPreferences":{"hints":[{"name":"gemma"},{"name":"small"}],"speedPriority":1}}}`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	p.send(said(`"ask-1"`, "because"))
	if w := p.next(); textOf(t, w.Result) != "m||because" {
		t.Errorf("got %+v", w)
	}
}

// Responses to nothing, to another's question and to one already answered are not heard.
func TestStrayResponses(t *testing.T) {
	s, _ := newServer(t)
	p, other := dialSampling(t, s), dialSampling(t, s)
	p.send(said(`"ask-1"`, "too early"))
	p.send(asking(`"ask-1"`, "a")) // the client's ids are its own
	p.send(asking("2", "b"))
	first, second := p.next(), p.next()
	if strings.Contains(string(first.Params), `"b"`) {
		first, second = second, first
	}
	other.send(said(asked(t, first), "from elsewhere"))
	other.send(asking("1", "c"))
	other.next()
	for _, stray := range []string{"1", "2", `"ask-9"`, `"2"`, `"sask-1"`, `""`} {
		p.send(said(stray, "stray"))
	}
	p.send(`{"jsonrpc":"2.0","result":{}}`)
	again := "\n" + said(asked(t, second), "again")
	p.send(said(asked(t, second), "B") + strings.Repeat(again, 50)) // at once, before the tool has seen the first
	if w := p.next(); string(w.ID) != "2" || textOf(t, w.Result) != "m||B" {
		t.Errorf("got %+v", w)
	}
	p.send(said(asked(t, first), "A"))
	if w := p.next(); string(w.ID) != `"ask-1"` || textOf(t, w.Result) != "m||A" {
		t.Errorf("got %+v", w)
	}
	p.send(said(asked(t, first), "late"))
	p.send(asking("3", "d"))
	p.send(said(asked(t, p.next()), "D"))
	if w := p.next(); textOf(t, w.Result) != "m||D" {
		t.Errorf("got %+v", w)
	}
}

// Whatever the response is, the tool hears of it as an answer or as an error.
func TestGarbledResponses(t *testing.T) {
	s, _ := newServer(t)
	p := dialSampling(t, s)
	for body, want := range map[string]string{
		`"result":null`:               "error: the client's response to sampling/createMessage cannot be read: the result is not an object",
		`"result":[]`:                 "error: the client's response to sampling/createMessage cannot be read: the result is not an object",
		`"result":{}`:                 "error: the client's response to sampling/createMessage cannot be read: it has no content",
		`"result":{"content":"text"}`: "error: the client's response to sampling/createMessage cannot be read: it has no content",
		`"result":{"content":[1]}`:    "error: the client's response to sampling/createMessage cannot be read: it has no content",
		`"result":{"content":{"type":"image","data":"AA=="}}`:                                      `error: the client's response to sampling/createMessage cannot be read: it has content of type "image", not text`,
		`"result":{"content":{"type":"text","text":7},"model":8,"stopReason":{}}`:                  "||",
		`"result":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"model":"m"}`: "m||ab",
		`"result":{"content":{"type":"text","text":"a"}},"error":null`:                             "||a",
		`"error":{"code":-1,"message":"User rejected \u001b[31msampling"}`:                         "refused -1 User rejected sampling",
		`"error":{"code":-32601,"message":"Method not found"}`:                                     "refused -32601 Method not found",
		`"error":{"code":-1},"result":{"content":{"type":"text","text":"a"}}`:                      "refused -1 ",
		`"error":"no"`:         "error: the client's response to sampling/createMessage cannot be read: malformed error object",
		`"error":{"code":"x"}`: "error: the client's response to sampling/createMessage cannot be read: malformed error object",
	} {
		p.send(asking("1", "x"))
		p.send(`{"jsonrpc":"2.0","id":` + asked(t, p.next()) + `,` + body + `}`)
		if w := p.next(); textOf(t, w.Result) != want {
			t.Errorf("%s came to %s", body, textOf(t, w.Result))
		}
	}
}

// A client that does not answer is told to give up when the tool's patience ends, and when it cancels the call itself.
func TestUnansweredSampling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, b := newServer(t)
		p := dialSampling(t, s)
		p.send(eras[0].message("1", "tools/call", callParams("ask", `{"text":"x","ms":30}`), ""))
		first := asked(t, p.next())
		withdrawn(t, p.next(), first)
		if w := p.next(); textOf(t, w.Result) != "error: context deadline exceeded" {
			t.Errorf("got %+v", w)
		}
		p.send(said(first, "late"))
		receive(t, "end", b.ended)

		for _, ms := range []string{"0", "-1"} { // a tool that waits with a context of its own is cancelled too
			p.send(eras[0].message("2", "tools/call", callParams("ask", `{"text":"x","ms":`+ms+`}`), ""))
			second := asked(t, p.next())
			p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`)
			if err := receive(t, "end", b.ended); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
			withdrawn(t, p.next(), second)
			synctest.Wait() // until the id is free
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		if w := p.next(); string(w.ID) != "3" {
			t.Errorf("the cancelled call was answered: %+v", w)
		}
	})
}

func withdrawn(t *testing.T, w wire, id string) {
	t.Helper()
	var params struct {
		ID json.RawMessage `json:"requestId"`
	}
	if err := json.Unmarshal(w.Params, &params); err != nil || w.Method != "notifications/cancelled" || string(params.ID) != id {
		t.Errorf("%s was not withdrawn: %+v", id, w)
	}
}

// At the end of input no response can come: the tool hears of it at once and still gives its answer.
func TestSamplingEndsWithTheInput(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.Grace = time.Minute })
	p := dialSampling(t, s)
	p.send(asking("1", "x"))
	asked(t, p.next())
	p.in.Close()
	if w := p.next(); textOf(t, w.Result) != "error: the client is gone" {
		t.Errorf("got %+v", w)
	}
}

// A server that stops does not wait for its clients' models.
func TestSamplingEndsWithTheServer(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.Grace = time.Minute })
	p := dialSampling(t, s)
	p.send(asking("1", "x"))
	asked(t, p.next())
	p.stop()
	if err := receive(t, "end", b.ended); err == nil {
		t.Error("answered by nobody")
	}
}
