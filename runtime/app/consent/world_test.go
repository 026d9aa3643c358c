package consent_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// clone is a project with a configuration, and a user with one of his own.
type clone struct {
	work, own string
}

func newClone(t testing.TB) clone {
	t.Helper()
	c := clone{work: filepath.Join(t.TempDir(), "clone"), own: filepath.Join(t.TempDir(), "compactor")}
	for _, dir := range []string{filepath.Join(c.work, ".compactor"), filepath.Join(c.work, "src"), c.own} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func (c clone) write(t testing.TB, own, project string) {
	t.Helper()
	put(t, filepath.Join(c.own, "a.cue"), "package compactor\n"+own)
	put(t, filepath.Join(c.work, ".compactor", "a.cue"), "package compactor\n"+project)
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// world is where the clone's configuration is judged.
func (c clone) world(t testing.TB) consent.Env {
	t.Helper()
	place, err := consent.Find(consent.Query{Work: c.work, User: filepath.Dir(c.own)})
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalog.Of(builtins.All(func(s string) string { return s })...)
	if err != nil {
		t.Fatal(err)
	}
	compile := func(cfg *config.Config) (*plan.Plan, diag.List) { return plan.Compile(cfg, cat) }
	return consent.Env{Place: place, Work: c.work, Catalog: cat, Compile: compile}
}

// load gives a valid configuration; ok is false for one that is not.
func (c clone) load(t testing.TB, w consent.Env) (cfg *config.Config, ok bool) {
	t.Helper()
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: w.Layers})
	if err != nil {
		t.Fatal(err)
	}
	return cfg, !list.HasErrors()
}

// reach is what a project's text reaches over a user's.
func reach(t testing.TB, own, project string) (*consent.Effects, *config.Config, consent.Env) {
	t.Helper()
	c := newClone(t)
	c.write(t, own, project)
	w := c.world(t)
	cfg, ok := c.load(t, w)
	if !ok {
		t.Fatalf("not valid: %s", project)
	}
	return consent.Of(cfg, w), cfg, w
}
