package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/configtest"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
)

// TestRealModelRecordsConfigTests records the tests of testdata/config with a
// real model and replays them. With -update it does so in place, which
// make record is for when prompts change.
func TestRealModelRecordsConfigTests(t *testing.T) {
	srv := modeltest.Llama(t, "gemma-3-270m", modeltest.Options{Window: 4096})
	dir := "../../testdata/config"
	if !*update {
		dir = filepath.Join(t.TempDir(), "config")
		if err := os.CopyFS(dir, os.DirFS("../../testdata/config")); err != nil {
			t.Fatal(err)
		}
	}
	opt := service.Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: dir, Display: "config"}, Work: t.TempDir(), Builtins: builtins.All,
		Spec: func(_ string, spec config.Model) config.Model { spec.URL = srv.OpenAI(); return spec }}
	run(t, opt, true)
	forget(t, dir)
	opt.Spec = nil
	run(t, opt, false)
}

// run runs the tests that have recordings and holds that they pass without a
// note.
func run(t *testing.T, opt service.Options, record bool) {
	t.Helper()
	out, err := configtest.Run(t.Context(), opt, configtest.How{Filter: "words", Record: record})
	if err != nil || len(out) == 0 {
		t.Fatalf("%d tests, %v", len(out), err)
	}
	for _, o := range out {
		if !o.Passed() || len(o.Notes) > 0 || record != (o.Wrote != "") {
			t.Errorf("record %v: %+v", record, o)
		}
	}
}

// forget takes this machine's directory of weights out of recordings: servers
// tell where theirs are.
func forget(t *testing.T, dir string) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(dir, "recordings", "*.jsonl"))
	for _, f := range files {
		forgetWeights(t, f)
	}
}
