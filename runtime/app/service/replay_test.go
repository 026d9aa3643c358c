package service

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// What is not recorded is told by the name that the configuration gives the
// file: where that lies on the machine is nobody's business who reads a reply.
func TestAMissNamesTheFileAsConfigured(t *testing.T) {
	recorded, err := os.ReadFile("../../model/recording/testdata/llamacpp.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "words.jsonl"), recorded, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, url := range map[string]string{"relative": "words.jsonl", "absolute": filepath.Join(dir, "words.jsonl")} {
		t.Run(name, func(t *testing.T) {
			// A key that is not set is none that an offline recording needs.
			cfg := &config.Config{Models: map[string]config.Model{"default": {Provider: "replay", URL: url, Key: "NO_SUCH_KEY_IS_SET"}}}
			m, bad := openModels(cfg, Options{Place: consent.Own(dir, dir)})
			if len(bad) > 0 {
				t.Fatal(bad)
			}
			_, err := m.Chain("default").Limiters[0].Chat(context.Background(), model.Request{Messages: []model.Message{{Role: model.User, Content: "never asked"}}}, nil)
			if !model.Is(err, model.Unrecorded) || !strings.Contains(err.Error(), "words.jsonl") {
				t.Fatalf("error %v", err)
			}
			if name == "relative" && strings.Contains(err.Error(), dir) {
				t.Errorf("it tells where the configuration lies: %v", err)
			}
		})
	}
}
