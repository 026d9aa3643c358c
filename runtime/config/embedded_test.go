package config_test

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// Loads share the embedded files as they were evaluated once: none may leave anything
// behind for another, at the same time or later.
func TestLoadsDoNotReachEachOther(t *testing.T) {
	texts := []string{
		"", "roles: locator: budget: files: 7", "roles: [string]: bounds: key_findings: entries: 2", "pool: workers: -1",
		"roles: locator: {purpose: \"p\", ground: \"code.locate\", prompt: \"x\"}", "pipelines: research_codebase: stages: locate: {builtin: \"code.scope\", with: question: \"input.question\"}",
		"pipelines: mine: {input: constraints?: #Constraints, stages: a: {role: \"locator\", with: question: \"'q'\"}, output: \"a\"}",
		"sandbox: deny: [\"private\"]\ntoolRules: [{pattern: [\"a\"], enabled: false}]", "tools: ping: enabled: fals", "roles: locator: prompt: 3", "tests: t: {tool: \"ping\"}",
	}
	load := func(text, project string) string {
		opt := config.Options{Defaults: compactor.Defaults}
		if text != "" {
			opt.Layers = []config.Layer{{Dir: t.TempDir(), Display: "own", Instead: map[string]string{"a.cue": "package compactor\n" + text}},
				{Dir: t.TempDir(), Display: "project", Project: true, Instead: map[string]string{"a.cue": "package compactor\n" + project}}}
		}
		cfg, list, err := config.Load(context.Background(), opt)
		if err != nil {
			return err.Error()
		}
		said := string(config.Show(cfg, nil)) + cfg.Source.Hash()
		for _, d := range list {
			said += d.Text()
		}
		if cfg.Base != nil {
			said += string(config.Show(cfg.Base, nil))
		}
		return said
	}
	var alone []string
	for i, text := range texts {
		alone = append(alone, load(text, texts[(i+1)%len(texts)]))
	}
	var wg sync.WaitGroup
	for i, text := range texts {
		wg.Go(func() {
			if got := load(text, texts[(i+1)%len(texts)]); got != alone[i] {
				t.Errorf("%q beside others is\n%s\nalone\n%s", text, got, alone[i])
			}
		})
	}
	wg.Wait()
}

// The embedded files are evaluated again where they are others.
func TestOtherEmbeddedFilesAreOthers(t *testing.T) {
	changed := fstest.MapFS{}
	err := fs.WalkDir(compactor.Defaults, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(compactor.Defaults, name)
		if name == "roles.cue" {
			text = append(text, "\nroles: added: {purpose: \"p\", ground: \"code.locate\", prompt: \"x\"}\n"...)
		}
		changed[name] = &fstest.MapFile{Data: text}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		defaults fs.FS
		added    bool
	}{{compactor.Defaults, false}, {changed, true}, {compactor.Defaults, false}} {
		cfg, list, err := config.Load(t.Context(), config.Options{Defaults: c.defaults})
		if err != nil || list.HasErrors() {
			t.Fatal(err, list.Err())
		}
		if _, there := cfg.Roles["added"]; there != c.added {
			t.Errorf("the added role is there: %v, want %v", there, c.added)
		}
	}
	if _, _, err := config.Load(t.Context(), config.Options{Defaults: fstest.MapFS{}}); err == nil || !strings.Contains(err.Error(), "schemas are missing") {
		t.Error(err)
	}
}
