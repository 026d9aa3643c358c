package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A robustRow is one question to one tree, and what its answer must be. What is left empty is not looked at; what
// holds for every answer is checked by robustReply.
type robustRow struct {
	name  string
	tree  func(t *testing.T, dir string)
	ask   string
	first []string // the first references, in this order
	has   []string // further references, anywhere
	never []string // beginnings of paths that no reference may have
	says  []string // texts that the reply must hold
	// notFound wants an answer in words without references; fails a refusal with this text.
	notFound bool
	fails    string
}

// TestRobust asks the whole service, on the shipped configuration and without a model, about trees that get in a
// search's way and with questions that nobody would call well put.
func TestRobust(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	for _, rows := range [][]robustRow{treeRows, fileRows, questionRows, pastedRows} {
		for _, r := range rows {
			t.Run(r.name, func(t *testing.T) {
				t.Parallel()
				r.run(t)
			})
		}
	}
}

func (r *robustRow) run(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.tree(t, dir)
	raw, err := robustAsk(t, dir, r.ask)
	if r.fails != "" {
		if err == nil || !strings.Contains(err.Error(), r.fails) {
			t.Fatalf("answered %s (error %v), want a refusal with %q", raw, err, r.fails)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var got report.Report
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s\n%s", got.Answer, strings.Join(got.References, "\n"))
	robustReply(t, dir, raw, &got)
	r.compare(t, string(raw), &got)
	if again, err := robustAsk(t, dir, r.ask); err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the second answer differs (error %v):\n%s\n%s", err, raw, again)
	}
}

func (r *robustRow) compare(t *testing.T, raw string, got *report.Report) {
	if n := len(r.first); !slices.Equal(got.References[:min(n, len(got.References))], r.first) && n > 0 {
		t.Errorf("references begin %q, want %q", got.References[:min(n+1, len(got.References))], r.first)
	}
	for _, want := range r.has {
		if !slices.Contains(got.References, want) {
			t.Errorf("no reference %q in %q", want, got.References)
		}
	}
	for _, ref := range got.References {
		for _, p := range r.never {
			if strings.HasPrefix(ref, p) {
				t.Errorf("reference %q, and none may begin with %q", ref, p)
			}
		}
	}
	for _, s := range r.says {
		if !strings.Contains(raw, s) {
			t.Errorf("%q is not said in %s", s, raw)
		}
	}
	if r.notFound != (len(got.References) == 0) {
		t.Errorf("%d references; not found wanted: %v", len(got.References), r.notFound)
	}
	if r.notFound && !strings.HasPrefix(got.Answer, "Not found: ") {
		t.Errorf("not found is not said: %s", got.Answer)
	}
}

// robustAsk loads the shipped configuration with dir as the only root and asks.
func robustAsk(t *testing.T, dir, question string) ([]byte, error) {
	t.Helper()
	ctx := context.Background()
	snap, diags, err := service.Load(ctx, service.Options{Defaults: compactor.Defaults, Load: loadPatient, Work: dir,
		Roots: map[string][]string{"code": {dir}}, Builtins: builtins.All})
	if err != nil || snap == nil {
		t.Fatalf("%v %v", diags, err)
	}
	defer func() { _ = snap.Close() }()
	args, err := json.Marshal(map[string]any{"question": question})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := service.New(snap).Invoke(ctx, service.Call{Tool: "research_codebase", Args: args, Deterministic: true})
	if err != nil {
		return nil, err
	}
	return reply.JSON, nil
}

// loadPatient loads the shipped configuration, once for all trees, and gives it ten
// times the time: no answer may depend on how busy the machine is.
func loadPatient(ctx context.Context, opt config.Options) (*config.Config, diag.List, error) {
	cfg, err := patientConfig()
	return cfg, nil, err
}

var patientConfig = sync.OnceValues(func() (*config.Config, error) {
	cfg, diags, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults})
	if err != nil || len(diags) > 0 {
		return nil, errors.Join(err, diags.Err())
	}
	const more = 10
	cfg.Pool.Deadline *= more
	cfg.Sandbox.ScanTime *= more
	for name, r := range cfg.Roles {
		r.Budget.Time *= more
		cfg.Roles[name] = r
	}
	for name, p := range cfg.Pipelines {
		p.Budget.Time *= more
		cfg.Pipelines[name] = p
	}
	return cfg, nil
})

// robustReply holds what every answer promises: it fits the budget, it was in time, its references resolve.
func robustReply(t *testing.T, dir string, raw []byte, got *report.Report) {
	if n := tokens.Count(string(raw)); n > 1000 {
		t.Errorf("the reply has %d tokens", n)
	}
	if o := got.Section("locator").Outcome; o.Status != contract.OK {
		t.Errorf("the locator ended with %s: %+v", o.Status, o.Error)
	}
	if got.Meta.Timeouts > 0 || slices.Contains(got.Meta.Limits.Hit, "time") || slices.Contains(got.Meta.Limits.Hit, "scan time") {
		t.Errorf("not done in time: %+v", got.Meta)
	}
	refs := slices.Clone(got.References)
	for i := range got.Sections {
		if v := got.Sections[i].Result(); v != nil {
			refs = append(refs, v.References...)
		}
	}
	for _, ref := range refs {
		if !resolves(dir, sanitize.Path(ref)) {
			t.Errorf("reference %q does not resolve", ref)
		}
	}
}

// resolves looks a reference up without the code that made it: some cut of it at a colon is a file, and what follows
// is a line that the file has.
func resolves(dir, ref string) bool {
	if _, err := os.Stat(filepath.Join(dir, ref)); err == nil {
		return true
	}
	at := strings.LastIndexByte(ref, ':')
	line, err := strconv.Atoi(ref[at+1:])
	if at < 0 || err != nil {
		return false
	}
	data, err := os.ReadFile(filepath.Join(dir, ref[:at]))
	lines := bytes.Count(data, []byte("\n"))
	if !bytes.HasSuffix(data, []byte("\n")) {
		lines++
	}
	return err == nil && line >= 1 && line <= lines
}

// tree writes the files of testdata/trees/name.txtar, and then what txtar cannot hold.
func tree(name string, more ...func(t *testing.T, dir string)) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		a, err := txtar.ParseFile(filepath.Join("testdata", "trees", name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range a.Files {
			put(f.Name, string(f.Data))(t, dir)
		}
		for _, m := range more {
			m(t, dir)
		}
	}
}

// files writes several parts of a tree.
func files(parts ...func(t *testing.T, dir string)) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		for _, p := range parts {
			p(t, dir)
		}
	}
}

// put writes one file.
func put(name, text string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
