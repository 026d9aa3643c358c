package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// TestRobustVanish takes the best file away while the tree is scanned. The answer names no place that is gone.
func TestRobustVanish(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	dir := t.TempDir()
	files(manyFiles(5000), put("z/best.go", "package z\n\n// Best wins the race.\nfunc Best() {}\n"),
		put("z/second.go", "package z\n\nfunc race() { Best() }\n"))(t, dir)
	ctx := context.Background()
	snap, diags, err := service.Load(ctx, service.Options{Defaults: compactor.Defaults, Load: loadPatient, Work: dir,
		Roots: map[string][]string{"code": {dir}}, Builtins: builtins.All})
	if err != nil || snap == nil {
		t.Fatalf("%v %v", diags, err)
	}
	defer func() { _ = snap.Close() }()
	gone := false
	vanish := func(p catalog.Progress) {
		if !gone && strings.HasSuffix(p.Message, " files") {
			gone = os.Remove(filepath.Join(dir, "z", "best.go")) == nil && os.RemoveAll(filepath.Join(dir, "p3")) == nil
		}
	}
	reply, err := service.New(snap).Invoke(ctx, service.Call{Tool: "research_codebase", Deterministic: true,
		Args: json.RawMessage(`{"question": "how does Best win the race?"}`), Progress: vanish})
	if err != nil {
		t.Fatal(err)
	}
	if !gone {
		t.Fatal("nothing was taken away: no progress was told")
	}
	var got report.Report
	if err := json.Unmarshal(reply.JSON, &got); err != nil {
		t.Fatal(err)
	}
	robustReply(t, dir, reply.JSON, &got)
	if len(got.References) == 0 || got.References[0] != "z/second.go:3" {
		t.Errorf("references %q, want z/second.go:3 first", got.References)
	}
}
