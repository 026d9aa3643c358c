package engine_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is what the test builtins share: a journal of what ran, and gates
// that hold a builtin until the test opens them.
type world struct {
	mu    sync.Mutex
	ran   []string
	tries map[string]int
	gates map[string]chan struct{}
}

func newWorld() *world { return &world{tries: map[string]int{}, gates: map[string]chan struct{}{}} }

func (w *world) gate(name string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gates[name] == nil {
		w.gates[name] = make(chan struct{})
	}
	return w.gates[name]
}

type echoIn struct {
	Say   string `json:"say" doc:"what comes back"`
	Fails int    `json:"fails" doc:"tries that fail before one succeeds" default:"0"`
	Sleep int    `json:"sleep" doc:"milliseconds before the answer" default:"0"`
	Gate  string `json:"gate,omitempty" doc:"gate that must open first"`
	Break bool   `json:"break" doc:"panic" default:"false"`
	Cost  int    `json:"cost" doc:"bytes booked on the ledger" default:"0"`
}

type echoOut struct {
	Text string   `json:"text" doc:"what was said"`
	List []string `json:"list" doc:"its letters"`
	Some bool     `json:"some" doc:"whether it says anything"`
}

var errEcho = errors.New("echo failed as told")

func (w *world) echo(ctx context.Context, env *catalog.Env, in echoIn) (echoOut, error) {
	w.mu.Lock()
	w.ran = append(w.ran, in.Say)
	w.tries[in.Say]++
	tries := w.tries[in.Say]
	w.mu.Unlock()
	if in.Break {
		panic("told to")
	}
	if in.Gate != "" {
		select {
		case <-w.gate(in.Gate):
		case <-ctx.Done():
			return echoOut{}, ctx.Err()
		}
	}
	if in.Sleep > 0 {
		select {
		case <-time.After(time.Duration(in.Sleep) * time.Millisecond):
		case <-ctx.Done():
			return echoOut{}, ctx.Err()
		}
	}
	if err := env.Ledger.Read(in.Say, int64(in.Cost)); err != nil {
		return echoOut{}, err
	}
	if tries <= in.Fails {
		return echoOut{}, errEcho
	}
	out := echoOut{Text: in.Say, Some: in.Say != "", List: []string{}}
	for _, r := range in.Say {
		out.List = append(out.List, string(r))
	}
	return out, nil
}

func (w *world) answer(_ context.Context, env *catalog.Env, in echoIn) (contract.Result, error) {
	if err := env.Ledger.Read(in.Say, int64(in.Cost)); err != nil {
		return contract.Result{}, err
	}
	w.mu.Lock()
	w.ran = append(w.ran, in.Say)
	w.mu.Unlock()
	return contract.Result{Summary: in.Say, References: []string{"a.go:1", "b.go:2"}, Confidence: contract.High}, nil
}

// compile makes a plan of CUE text on the real schemas, with test builtins.
func compile(t *testing.T, w *world, text string) *plan.Plan {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "test.cue"), []byte("package compactor\n"+text), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, diags, err := config.Load(context.Background(), config.Options{Defaults: schemasOnly(t), Layers: []config.Layer{{Dir: dir}}})
	if err != nil || diags.HasErrors() {
		t.Fatal(err, diags.Err())
	}
	cat, err := catalog.Of(
		catalog.New("test.echo", "say something", 0, w.echo),
		catalog.New("test.here", "say something at once", 0, w.echo).Immediate(),
		catalog.New("test.files", "say something of files", catalog.Roots, w.echo),
		catalog.New("test.quote", "say something, and quote if there is room", 0, func(ctx context.Context, env *catalog.Env, in echoIn) (echoOut, error) {
			cost := in.Cost
			in.Cost = 0
			_ = env.Ledger.Read(in.Say, int64(cost))
			return w.echo(ctx, env, in)
		}),
		catalog.New("test.answer", "answer for a role", 0, w.answer),
	)
	if err != nil {
		t.Fatal(err)
	}
	p, diags := plan.Compile(cfg, cat)
	if p == nil {
		t.Fatal(diags.Err())
	}
	return p
}

// schemasOnly is the embedded configuration without roles and pipelines.
func schemasOnly(t *testing.T) fs.FS {
	out := fstest.MapFS{"roles.cue": {Data: []byte("package compactor\n\nmodels: default: provider: \"none\"\n")}}
	err := fs.WalkDir(compactor.Defaults, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "roles.cue" || filepath.Dir(path) == "pipelines" {
			return err
		}
		data, err := fs.ReadFile(compactor.Defaults, path)
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t *testing.T, w *world, text string, input map[string]any) (*engine.Response, error) {
	t.Helper()
	return runWith(context.Background(), t, w, text, engine.Request{Input: input})
}

func runWith(ctx context.Context, t *testing.T, w *world, text string, req engine.Request) (*engine.Response, error) {
	t.Helper()
	p := compile(t, w, text)
	req.Pipeline = p.Pipelines["main"]
	req.Deterministic, req.Roles = true, agent.Runner{}
	return engine.New(engine.NewPool(4, 4)).Run(ctx, req)
}

func status(res *engine.Response) map[string]string {
	out := map[string]string{}
	for _, s := range res.Trace {
		out[s.Stage] = s.Status
		if s.Skipped != "" {
			out[s.Stage] += ": " + s.Skipped
		}
	}
	return out
}

func replaceOn(text, on string) string { return strings.Replace(text, "ON", on, 1) }
