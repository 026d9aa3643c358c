package service_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// A recording lies in the directory that names it, also where another lies over it.
func TestARecordingLiesWhereItIsNamed(t *testing.T) {
	recorded, err := os.ReadFile("../../model/recording/testdata/llamacpp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	user, named := t.TempDir(), t.TempDir()
	for file, text := range map[string]string{
		filepath.Join(user, "words.jsonl"): string(recorded),
		filepath.Join(user, "model.cue"):   "package compactor\n\nmodels: default: {provider: \"replay\", url: \"words.jsonl\"}\n",
		filepath.Join(named, "pool.cue"):   "package compactor\n\npool: workers: 3\n",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, display := range []string{"", "mine"} {
		layers := []config.Layer{{Dir: user, Display: display}, {Dir: named, Display: "named"}}
		opt := service.Options{Defaults: compactor.Defaults, Place: consent.Place{Layers: layers, Dir: named, Display: "named"}, Work: t.TempDir(), Builtins: builtins.All}
		snap, diags, err := service.Load(t.Context(), opt)
		if snap == nil {
			t.Fatal(diags, err)
		}
		if snap.Models.Chain("default") == nil {
			t.Error("nobody answers from it")
		}
		_ = snap.Close()
	}
}
