package ollama

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestErrorsOfAServer(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer canned
		kind   string
		words  []string
	}{
		{"overflow", canned{status: 400, file: "err_overflow.json"}, model.Overflow, []string{"exceeds the context length", "larger window"}},
		{"overflow of llama-server", canned{status: 400, body: `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it"}}`}, model.Overflow, nil},
		{"tools", canned{status: 400, file: "err_tools.json"}, model.Unsupported, []string{"does not support tools"}},
		{"thinking", canned{status: 400, file: "err_thinking.json"}, model.Unsupported, []string{"does not support thinking"}},
		{"schema", canned{status: 500, file: "err_schema.json"}, model.Refused, []string{"invalid JSON schema"}},
		{"tool call", canned{status: 500, body: `{"error":"error parsing tool call: raw='{', err=unexpected end"}`}, model.Broken, nil},
		{"removed meanwhile", canned{status: 404, body: `{"error":"model 'smollm2:135m' not found"}`}, model.NotFound, []string{"ollama pull smollm2:135m", "gemma3-270m:latest"}},
		{"a name of no form", canned{status: 500, body: `{"error":"unqualified name: registry.ollama.ai/library/a,b"}`}, model.NotFound, []string{"is not installed", "gemma3-270m:latest"}},
		{"full", canned{status: 503, body: `{"error":"server busy, please try again.  maximum pending requests exceeded"}`, header: map[string]string{"Retry-After": "7"}}, model.Busy, nil},
		{"full without a word", canned{status: 503}, model.Busy, []string{"503 Service Unavailable"}},
		{"quota", canned{status: 429, body: "slow down"}, model.Busy, []string{"slow down"}},
		{"memory", canned{status: 500, body: `{"error":"model requires more system memory (9.0 GiB) than is available (3.1 GiB)"}`}, model.Refused, []string{"9.0 GiB", "smaller"}},
		{"crash", canned{status: 500, body: `{"error":"llama runner process has terminated: exit status 2"}`}, model.Broken, []string{"log"}},
		{"key", canned{status: 401, body: `{"error":"unauthorized"}`}, model.Refused, []string{"key"}},
		{"no such path", canned{status: 404, file: "err_path.txt"}, model.Broken, []string{"is not the API of Ollama", "provider"}},
		{"redirect", canned{status: 307, header: map[string]string{"Location": "http://elsewhere.invalid/api/chat"}}, model.Unreachable, []string{"elsewhere.invalid, which is not declared"}},
		{"redirect nowhere", canned{status: 304}, model.Broken, []string{"leads on"}},
		{"gateway", canned{status: 502, body: "<html>bad gateway</html>"}, model.Unreachable, nil},
		{"refused", canned{status: 400, body: `{"error":"num_ctx must be of type integer"}`}, model.Refused, []string{"num_ctx"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, routes{"/api/chat": c.answer, "/api/embed": c.answer})
			e := at(t, s.URL, "smollm2:135m", 0)
			reply, err := e.Chat(background, hello(), nil)
			wantError(t, err, c.kind, c.words...)
			if reply != nil {
				t.Errorf("and a reply: %+v", reply)
			}
			if c.answer.header["Retry-After"] != "" && asModel(err).After != 7*time.Second {
				t.Errorf("try again after %s", asModel(err).After)
			}
			_, err = e.Embed(background, []string{"x"})
			wantError(t, err, c.kind, c.words...)
		})
	}
}

func asModel(err error) (e *model.Error) {
	errors.As(err, &e)
	return e
}

func TestErrorsNameTheModel(t *testing.T) {
	e, err := New(model.Options{Name: "small", URL: "http://127.0.0.1:1", Model: "phi3"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Info(background)
	wantError(t, err, model.Unreachable, "model small:")
}

func TestNobodyListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	l.Close()
	e := at(t, url, "smollm2:135m", 0)
	_, err = e.Chat(background, hello(), nil)
	wantError(t, err, model.Unreachable, "nothing listens at "+url, "start Ollama")
	_, err = e.Embed(background, []string{"x"})
	wantError(t, err, model.Unreachable)
	_, err = e.Info(background)
	wantError(t, err, model.Unreachable)
	_, err = e.List(background)
	wantError(t, err, model.Unreachable)
	_, err = at(t, "http://no-such-host.invalid", "x", 0).Info(background)
	wantError(t, err, model.Unreachable, "no host no-such-host.invalid")
}

// An error of the port that comes from the Doer, such as that of a replay
// without this exchange, arrives as it is.
func TestErrorsOfTheDoer(t *testing.T) {
	e, err := New(model.Options{Model: "x", Client: doer(func(*http.Request) (*http.Response, error) {
		return nil, &model.Error{Kind: model.Unrecorded, Message: "no such exchange"}
	})})
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Chat(background, hello(), nil)
	wantError(t, err, model.Unrecorded, "model x:latest: no such exchange")
}

// A server that dies in the middle leaves what it had said.
func TestTheServerDies(t *testing.T) {
	s := dying(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, `{"message":{"content":"half an ans"}}`+"\n")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	reply, err := at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil)
	wantError(t, err, model.Broken, "in the middle")
	if reply.Text() != "half an ans" {
		t.Errorf("reply is %q", reply.Text())
	}
	s = dying(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	_, err = at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil)
	wantError(t, err, model.Unreachable)
}

// Ollama runs each model in a process of its own. When that dies it says so in
// the stream, as an answer with status 200.
func TestTheModelDies(t *testing.T) {
	s := serve(t, routes{"/api/chat": {file: "chat_killed.ndjson"}})
	reply, err := at(t, s.URL, "smollm2:135m", 0).Chat(background, hello(), nil)
	wantError(t, err, model.Broken, "error was encountered while running the model")
	if reply == nil || reply.Finish != "" || !strings.HasPrefix(reply.Text(), "The original") {
		t.Errorf("reply is %+v", reply)
	}
}

func dying(t *testing.T, chat http.HandlerFunc) *httptest.Server {
	usual := serve(t, nil)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			chat(w, r)
			return
		}
		usual.Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestCancel(t *testing.T) {
	release := make(chan struct{})
	gone := make(chan struct{}, 9)
	wait := func(r *http.Request) {
		select {
		case <-r.Context().Done():
			gone <- struct{}{}
		case <-release:
		}
	}
	s := dying(t, func(w http.ResponseWriter, r *http.Request) {
		io.ReadAll(r.Body)
		io.WriteString(w, `{"message":{"content":"one"}}`+"\n")
		w.(http.Flusher).Flush()
		wait(r)
	})
	defer close(release)
	client := model.NewClient()
	e, err := New(model.Options{URL: s.URL, Model: "smollm2:135m", Client: client})
	if err != nil {
		t.Fatal(err)
	}
	must[model.Info](t)(e.Info(background))
	before := goleak.IgnoreCurrent()

	ctx, cancel := context.WithCancel(background)
	reply, err := e.Chat(ctx, hello(), func(model.Delta) { cancel() })
	if err != context.Canceled || reply.Text() != "one" {
		t.Errorf("reply %q, error %v", reply.Text(), err)
	}
	<-gone // the server saw it

	ctx, cancel = context.WithDeadline(background, time.Unix(0, 0))
	defer cancel()
	for name, call := range map[string]func() error{
		"chat":  func() error { _, err := e.Chat(ctx, hello(), nil); return err },
		"embed": func() error { _, err := e.Embed(ctx, []string{"x"}); return err },
		"info":  func() error { _, err := e.Info(ctx); return err },
		"list":  func() error { _, err := e.List(ctx); return err },
	} {
		if err := call(); err != context.DeadlineExceeded { // and no fault of the server
			t.Errorf("%s: %v", name, err)
		}
	}
	client.CloseIdleConnections()
	s.CloseClientConnections()
	goleak.VerifyNone(t, before)
}

func TestCancelBeforeAnAnswer(t *testing.T) {
	arrived := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(background)
	go func() { <-arrived; cancel() }()
	if _, err := at(t, s.URL, "smollm2:135m", 0).Info(ctx); err != context.Canceled {
		t.Errorf("error is %T %v", err, err)
	}
}

// One who waits for another's look at the server gives up with its own context.
func TestCancelWhileAnotherLooks(t *testing.T) {
	looking, release := make(chan struct{}), make(chan struct{})
	e, err := New(model.Options{Model: "x", Client: doer(func(r *http.Request) (*http.Response, error) {
		close(looking)
		<-release
		return nil, errors.New("late")
	})})
	if err != nil {
		t.Fatal(err)
	}
	first := make(chan error)
	go func() { _, err := e.Info(background); first <- err }()
	<-looking
	ctx, cancel := context.WithCancel(background)
	cancel()
	if _, err := e.Chat(ctx, hello(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
	close(release)
	wantError(t, <-first, model.Unreachable, "late")
}
