package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// live is a server that is asked over a real connection. Chat gets what follows
// the list of models.
func live(t *testing.T, chat http.HandlerFunc) *Endpoint {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"data":[{"id":"m","owned_by":"vllm"}]}`)
	})
	mux.HandleFunc("POST /v1/", chat)
	s := httptest.NewServer(mux)
	client := model.NewClient()
	t.Cleanup(func() {
		client.CloseIdleConnections()
		s.Close()
	})
	return endpoint(t, model.Options{URL: s.URL + "/v1", Client: client})
}

func event(w http.ResponseWriter, text string) {
	_, _ = fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", text)
	w.(http.Flusher).Flush()
}

// TestCancel gives up at once, keeps what had arrived and closes the
// connection, so that the server stops.
func TestCancel(t *testing.T) {
	stopped := make(chan struct{})
	e := live(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		event(w, "one")
		<-r.Context().Done() // only the closed connection ends this
		close(stopped)
	})
	ctx, cancel := context.WithCancel(t.Context())
	reply, err := e.Chat(ctx, say("hi"), func(model.Delta) { cancel() })
	if !errors.Is(err, context.Canceled) || reply == nil || reply.Content != "one" {
		t.Errorf("%+v %v", reply, err)
	}
	<-stopped
}

// TestCancelBeforeAnything is the same where the server has not answered.
func TestCancelBeforeAnything(t *testing.T) {
	began, stopped := make(chan struct{}), make(chan struct{})
	e := live(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		close(began)
		<-r.Context().Done()
		close(stopped)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-began; cancel() }()
	if reply, err := e.Chat(ctx, say("hi"), nil); !errors.Is(err, context.Canceled) || reply != nil {
		t.Errorf("%+v %v", reply, err)
	}
	<-stopped
}

func TestDeadline(t *testing.T) {
	e := live(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		event(w, "one")
		<-r.Context().Done()
	})
	ctx := expiring{t.Context(), make(chan struct{})}
	reply, err := e.Chat(ctx, say("hi"), func(model.Delta) { close(ctx.done) })
	if !errors.Is(err, context.DeadlineExceeded) || reply == nil || reply.Content != "one" {
		t.Errorf("%+v %v", reply, err)
	}
}

// expiring is a context whose deadline comes when done is closed.
type expiring struct {
	context.Context
	done chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.done }

func (e expiring) Err() error {
	select {
	case <-e.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestWrongModelIsStopped at its first word, not after its last.
func TestWrongModelIsStopped(t *testing.T) {
	stopped := make(chan struct{})
	e := live(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `data: {"model":"other","choices":[]}`+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(stopped)
	})
	if _, err := e.Chat(t.Context(), say("hi"), nil); !model.Is(err, model.Wrong) {
		t.Errorf("%v", err)
	}
	<-stopped
}

// TestEndlessReplies are stopped at their bound, whatever their form.
func TestEndlessReplies(t *testing.T) {
	block := strings.Repeat("x", 1<<20)
	for name, write := range map[string]func(io.Writer) error{
		"of words": func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", block)
			return err
		},
		"of one line": func(w io.Writer) error { _, err := io.WriteString(w, "data: "+block); return err },
		"of comments": func(w io.Writer) error { _, err := io.WriteString(w, ": "+block+"\n"); return err },
		"of half events": func(w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("data: {\n", 1<<17))
			return err
		},
		"of JSON": func(w io.Writer) error { _, err := io.WriteString(w, "{\"a\":\""+block); return err },
		"of calls": func(w io.Writer) error {
			calls := strings.Repeat(`{"id":"a"},{"id":"b"},`, 1<<12)
			_, err := fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"tool_calls\":[%s{}]}}]}\n\n", calls)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var written int64
			e := live(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				for write(w) == nil && r.Context().Err() == nil {
					atomic.AddInt64(&written, 1)
				}
			})
			reply, err := e.Chat(t.Context(), say("hi"), nil)
			if !model.Is(err, model.Broken) || !strings.Contains(err.Error(), "was stopped") {
				t.Errorf("%v", err)
			}
			if reply != nil && len(reply.Content) > model.MaxReply {
				t.Errorf("kept %d bytes", len(reply.Content))
			}
		})
	}
}

// TestEmbedOneAtATime holds because LM Studio was seen to hang on two.
func TestEmbedOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		e := endpoint(t, model.Options{Model: "m", Client: doer(func(*http.Request) (*http.Response, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second) // until all have asked who may
			now.Add(-1)
			return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(`{"data":[{"index":0,"embedding":[1]}]}`))}, nil
		})})
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if _, err := e.Embed(t.Context(), []string{"a"}); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if most.Load() != 1 {
			t.Errorf("%d at once", most.Load())
		}
	})
}

type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

// TestWaitingForEmbedCanBeGivenUp while another one runs.
func TestWaitingForEmbedCanBeGivenUp(t *testing.T) {
	began, end := make(chan struct{}), make(chan struct{})
	e := live(t, func(w http.ResponseWriter, _ *http.Request) {
		close(began)
		<-end
		_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1]}]}`)
	})
	done := make(chan error)
	go func() { _, err := e.Embed(t.Context(), []string{"a"}); done <- err }()
	<-began
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Embed(ctx, []string{"b"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(end)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestManyTexts go in several requests and come back in order.
func TestManyTexts(t *testing.T) {
	var requests atomic.Int32
	e := live(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		var list []string
		for i := range strings.Count(string(body), "text") {
			list = append(list, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d]}`, i, requests.Load(), i))
		}
		_, _ = fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(list, ","))
	})
	texts := make([]string, 2*batch+1)
	for i := range texts {
		texts[i] = "text"
	}
	got, err := e.Embed(t.Context(), texts)
	if err != nil || len(got) != len(texts) || requests.Load() != 3 {
		t.Fatalf("%d vectors in %d requests, %v", len(got), requests.Load(), err)
	}
	for i, v := range got {
		if int(v[0]) != i/batch+1 || int(v[1]) != i%batch {
			t.Fatalf("vector %d is %v", i, v)
		}
	}
}

// TestConcurrentChats share an endpoint.
func TestConcurrentChats(t *testing.T) {
	e := live(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if strings.Contains(string(body), `"seed"`) {
			http.Error(w, `{"error":"no seed here"}`, http.StatusBadRequest)
			return
		}
		event(w, "one")
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	})
	var wait sync.WaitGroup
	for range 16 {
		wait.Go(func() {
			if r, err := e.Chat(t.Context(), say("hi"), nil); err != nil || r.Content != "one" {
				t.Error(r, err)
			}
		})
	}
	wait.Wait()
}
