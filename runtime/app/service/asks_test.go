package service

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/ask"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// TestAskKeepsToItsCeilings draws settings: no reply has more steps or tokens than they say, none looks into a source that
// they leave out, and each citation is in its document.
func TestAskKeepsToItsCeilings(t *testing.T) {
	svc, dir := serveManual(t, "")
	r := rand.New(rand.NewPCG(11, 5))
	questions := []string{
		"When is an idle connection closed?", "How large is a pool by default, and what happens after six retries?",
		"At which level is a retry logged? Who calls OpenPool? Where is the pool closed?", "Who painted the quagga?", "thanks!",
	}
	runs := 120
	if os.Getenv("COMPACTOR_LONG") != "" {
		runs = 1000
	}
	cut, several := 0, 0
	for range runs {
		most, size := 1+r.IntN(4), 200+r.IntN(600)
		input := map[string]any{"question": questions[r.IntN(len(questions))], "max_tool_calls": most, "min_confidence": []string{"low", "med", "high"}[r.IntN(3)],
			"constraints": map[string]any{"tokens": size, "files": 5 + r.IntN(10)}}
		docsOnly := r.IntN(2) == 0
		if docsOnly {
			input["sources"] = []string{"docs"}
		}
		raw, _ := json.Marshal(input)
		reply, err := svc.Call(t.Context(), Call{Tool: "ask", Args: raw})
		if err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		var got ask.Reply
		if err := json.Unmarshal(reply.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if n := tokens.Count(string(reply.JSON)); n > size {
			t.Errorf("%s: %d tokens: %s", raw, n, reply.JSON)
		}
		if len(got.Steps) > most {
			t.Errorf("%s: %d steps", raw, len(got.Steps))
		}
		for _, s := range got.Steps {
			if docsOnly && s.Source != "docs" {
				t.Errorf("%s: looked into %s", raw, s.Source)
			}
		}
		if (got.Confidence == "none") != (len(got.Citations)+len(got.References) == 0) && len(got.Truncations) == 0 {
			t.Errorf("%s: confidence %s with %d citations and %d references: %s", raw, got.Confidence, len(got.Citations), len(got.References), reply.JSON)
		}
		resolve(t, dir, got.Citations)
		cut, several = cut+min(1, len(got.Truncations)), several+min(1, len(got.Steps)/2)
	}
	if cut == 0 || several == 0 {
		t.Errorf("of %d runs, %d were cut and %d had several steps", runs, cut, several)
	}
}

func TestACanceledAskIsNoAnswer(t *testing.T) {
	svc, _ := serveManual(t, "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if reply, err := svc.Call(ctx, Call{Tool: "ask", Args: json.RawMessage(`{"question": "When is an idle connection closed?"}`)}); err == nil {
		t.Errorf("%+v, %v", reply, err)
	}
}
