package modeltest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/ollama"
	"github.com/compactor-mcp/compactor/runtime/model/openai"
)

// window is small, so that it is soon full, and holds every question here.
const window = 1024

// deadline ends what hangs; no test is about it.
const deadline = 5 * time.Minute

// subject is a real model behind the adapter that is meant for its server.
type subject struct {
	*modeltest.Server
	endpoint model.Endpoint
}

// start starts a pair and connects to it.
func start(t *testing.T, pair modeltest.Pair, o modeltest.Options) subject {
	t.Helper()
	s := pair.Start(t, o)
	var e model.Endpoint
	var err error
	if s.Kind == modeltest.OllamaServer {
		e, err = ollama.New(model.Options{Name: "tested", URL: s.URL, Model: s.Model, Window: s.Window})
	} else {
		e, err = openai.New(model.Options{Name: "tested", URL: s.OpenAI(), Model: s.Model})
	}
	if err != nil {
		t.Fatal(err)
	}
	return subject{s, e}
}

// stream is what arrived of a reply, piece by piece.
type stream struct {
	pieces          int
	text, reasoning strings.Builder
}

func (s *stream) add(d model.Delta) {
	s.pieces++
	s.text.WriteString(d.Text)
	s.reasoning.WriteString(d.Reasoning)
}

// chat asks and expects an answer.
func (s subject) chat(t testing.TB, req model.Request) (*model.Reply, *stream) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	got := &stream{}
	reply, err := s.endpoint.Chat(ctx, req, got.add)
	if err != nil {
		t.Fatalf("%v (reply: %+v)", err, reply)
	}
	return reply, got
}

// info is what the endpoint tells of the model.
func (s subject) info(t testing.TB) model.Info {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	i, err := s.endpoint.Info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// ask is a question of one turn.
func ask(text string, tokens int) model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Content: text}}, MaxTokens: tokens}
}

// story makes any model write long enough to be interrupted.
func story() model.Request {
	return ask("Write a very long story about a lighthouse, its keeper and the sea. Once upon a time", 700)
}

// figures collects what exchanges took, a row each.
type figures struct {
	mu   sync.Mutex
	rows []string
}

func (f *figures) add(pair modeltest.Pair, what string, u model.Usage) {
	rate := func(n int, d time.Duration) float64 { return float64(n) / max(d.Seconds(), 0.001) }
	f.mu.Lock()
	defer f.mu.Unlock()
	f.rows = append(f.rows, fmt.Sprintf("%s\t%s\t%d\t%d\t%.0f\t%.1f\t%d\t%d\t", pair, what, u.In, u.Out,
		rate(u.In-u.Cached, u.First), rate(u.Out, u.Total-u.First), u.First.Milliseconds(), u.Total.Milliseconds()))
}

func (f *figures) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "pair\texchange\tin\tout\tin/s\tout/s\tfirst ms\ttotal ms\t")
	for _, row := range f.rows {
		fmt.Fprintln(w, row)
	}
	w.Flush()
	return b.String()
}
