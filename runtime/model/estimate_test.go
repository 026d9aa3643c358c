package model

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// The counts are those of llama.cpp's /tokenize, without special tokens, with
// Gemma 3 270M and SmolLM2 135M: of pieces of this repository, and of texts in
// which small vocabularies need many tokens.
func TestEstimate(t *testing.T) {
	data, err := os.ReadFile("testdata/counts.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	above := 0
	for line := range strings.Lines(string(data)) {
		var r struct {
			Gemma3, SmolLM2 int
			Text            string
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		most := max(r.Gemma3, r.SmolLM2)
		if most > tokens.Count(r.Text) {
			above++
		}
		if n := Estimate(r.Text); n < most {
			t.Errorf("%d estimated, %d counted: %.60q", n, most, r.Text)
		}
	}
	if above < 10 {
		t.Errorf("only %d texts have more tokens than in o200k: a plain count would do", above)
	}
}
