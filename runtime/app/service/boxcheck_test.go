package service

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/app/consent"
)

// TestLargestFile validates limits: what serve refuses to open roots with, validate refuses too.
func TestLargestFile(t *testing.T) {
	for size, ok := range map[string]bool{`"256MiB"`: true, "268435456": true, `"0.25GiB"`: true, `"257MiB"`: false, `"1GiB"`: false, "268435457": false} {
		dir := t.TempDir()
		plant(t, dir, map[string]string{"c.cue": "package compactor\n\nsandbox: max_file: " + size + "\n"})
		_, diags, err := Load(t.Context(), Options{Defaults: compactor.Defaults, Place: consent.Place{Dir: dir}, Work: t.TempDir(), Builtins: builtins.All, Unopened: true})
		if err != nil || diags.HasErrors() == ok {
			t.Errorf("%s: %v, %v", size, err, diags)
		}
		if !ok && (len(diags) == 0 || diags[0].Path != "sandbox.max_file" || !strings.Contains(diags[0].Message, "256MiB")) {
			t.Errorf("%s: %+v", size, diags)
		}
	}
}
