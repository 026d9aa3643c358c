package agent_test

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// scripted is an endpoint whose replies are made up: for what no real model can
// be made to say on demand. Real ones are met in TestRealModel and in the
// recordings of cmd/compactor.
type scripted struct {
	window int
	say    func(n int, req model.Request) (string, error) // n counts the requests

	mu   sync.Mutex
	seen []model.Request
}

func (s *scripted) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	s.mu.Lock()
	n := len(s.seen)
	s.seen = append(s.seen, req)
	s.mu.Unlock()
	text, err := s.say(n, req)
	if errors.Is(err, errHang) {
		<-ctx.Done()
		return &model.Reply{Content: text}, ctx.Err()
	}
	if on != nil {
		on(model.Delta{Text: text})
	}
	return &model.Reply{Model: "scripted", Content: text, Usage: model.Usage{In: 10, Out: 5}}, err
}

var errHang = errors.New("hang")

func (s *scripted) Embed(context.Context, []string) ([][]float32, error) {
	return nil, &model.Error{Kind: model.Unsupported}
}

func (s *scripted) Info(context.Context) (model.Info, error) {
	return model.Info{Model: "scripted", Window: s.window}, nil
}

func (s *scripted) requests() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]model.Request(nil), s.seen...)
}

// always says the same.
func always(text string) *scripted {
	return &scripted{window: 8192, say: func(int, model.Request) (string, error) { return text, nil }}
}

func (s *scripted) runner() agent.Runner {
	line := &model.Chain{Limiters: []*model.Limiter{model.NewLimiter("default", s, 0, 0)}}
	return agent.Runner{Chain: func(string) *model.Chain { return line }}
}

// house is the shipped configuration over a small tree.
type house struct {
	plan  *plan.Plan
	roots *sandbox.Set
}

// files of the tree: a worker pool and what is around it.
var files = map[string]string{
	"pool/pool.go": "// Package pool runs work.\npackage pool\n\n// Pool lets a bounded number of workers run at once.\ntype Pool struct{ slots chan struct{} }\n\n" +
		"// NewPool makes a pool of n workers.\nfunc NewPool(n int) *Pool {\n\treturn &Pool{slots: make(chan struct{}, n)}\n}\n\n" +
		"// Run waits for a free worker and runs work on it.\nfunc (p *Pool) Run(work func()) {\n\tp.slots <- struct{}{}\n\tdefer func() { <-p.slots }()\n\twork()\n}\n",
	"pool/queue.go": "package pool\n\n// Queue holds work that waits for a worker of the pool.\ntype Queue struct{ waiting []func() }\n\n" +
		"// Push adds work to the queue.\nfunc (q *Queue) Push(work func()) { q.waiting = append(q.waiting, work) }\n",
	"server/server.go": "package server\n\nimport \"x/pool\"\n\n// Serve answers requests with workers of a pool.\nfunc Serve() {\n\tp := pool.NewPool(4)\n\tp.Run(func() {})\n}\n",
	"docs/pool.md":     "# Worker pool\n\nThe pool bounds how many workers run at once.\n",
}

func newHouse(t testing.TB, more map[string]string) *house {
	t.Helper()
	return newHouseWith(t, "", more)
}

// newHouseWith puts a user's configuration on top of the shipped one.
func newHouseWith(t testing.TB, user string, more map[string]string) *house {
	t.Helper()
	return newHouseOf(t, user, more, nil)
}

// newHouseOf is newHouseWith more builtins.
func newHouseOf(t testing.TB, user string, more map[string]string, own []catalog.Builtin) *house {
	t.Helper()
	return &house{plan: planOf(t, user, own), roots: rootsOf(t, more)}
}

// plans are kept by the user's configuration: compiling one takes most of a test.
var plans sync.Map

// planOf returns a plan whose roles are the test's own.
func planOf(t testing.TB, user string, own []catalog.Builtin) *plan.Plan {
	t.Helper()
	kept, ok := plans.Load(user)
	if !ok || len(own) > 0 {
		cfg, diags, err := config.Load(context.Background(), config.Options{Defaults: defaults(t, user)})
		if err != nil || diags.HasErrors() {
			t.Fatal(err, diags)
		}
		cat, err := catalog.Of(append(builtins.All(func(s string) string { return s }), own...)...)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := plan.Compile(cfg, cat)
		if p == nil {
			t.Fatal(diags)
		}
		if len(own) > 0 {
			return p
		}
		kept, _ = plans.LoadOrStore(user, p)
	}
	p := *kept.(*plan.Plan)
	p.Roles = maps.Clone(p.Roles)
	for name, r := range p.Roles {
		role := *r
		p.Roles[name] = &role
	}
	return &p
}

func defaults(t testing.TB, user string) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(compactor.Defaults, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(compactor.Defaults, path)
		if path == "roles.cue" && user != "" {
			data = append(data, "\n"+user...)
		}
		out[path] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func rootsOf(t testing.TB, more map[string]string) *sandbox.Set {
	t.Helper()
	all := maps.Clone(files)
	maps.Copy(all, more)
	dir := t.TempDir()
	for name, text := range all {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	root, err := sandbox.OpenRoot("code", dir, sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return sandbox.NewSet(root)
}

func (h *house) env() *catalog.Env {
	return &catalog.Env{Roots: h.roots, Ledger: budget.New(budget.Limits{}), Scan: 10 * time.Second, Workers: 2, Now: time.Now,
		Deterministic: true, Run: func() catalog.RunInfo { return catalog.RunInfo{} }, Progress: func(catalog.Progress) {}, Tally: &catalog.Tally{}}
}

// locate runs the locator with and without a model.
func (h *house) locate(t testing.TB, r agent.Runner, question string) contract.Result {
	t.Helper()
	return h.run(t, context.Background(), r, h.env(), "locator", map[string]any{"question": question})
}

func (h *house) run(t testing.TB, ctx context.Context, r agent.Runner, env *catalog.Env, role string, input map[string]any) contract.Result {
	t.Helper()
	v, err := r.Run(ctx, h.plan.Roles[role], env, input)
	if err != nil {
		t.Fatalf("%s: %v", role, err)
	}
	res, ok := v.(contract.Result)
	if !ok {
		t.Fatalf("%s returned %T", role, v)
	}
	return res
}

func notes(r contract.Result) string {
	if r.Notes == nil {
		return ""
	}
	return *r.Notes
}

// keeps reports whether every entry of want is in have, in the same order
// but for one that may have risen.
func keeps(have, want []string) string {
	for _, w := range want {
		found := false
		for _, h := range have {
			found = found || h == w || strings.HasPrefix(h, strings.TrimSuffix(w, "…"))
		}
		if !found {
			return w
		}
	}
	return ""
}
