package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
)

// A model that is shown its sentence again with the code of its place, and does not
// stand by it, has not said it.
func TestASentenceTheModelDoesNotStandBy(t *testing.T) {
	h := newHouse(t, nil)
	located := h.locate(t, agent.Runner{}, asked)
	input := map[string]any{"question": asked, "located": located}
	const said = "Workers wait in Run until the slots channel of the pool has room."
	for _, holds := range []string{"true", "false", `"perhaps"`} {
		var again string
		m := &scripted{window: 8192, say: func(_ int, req model.Request) (string, error) {
			if text := req.Messages[1].Content; strings.Contains(text, "Sentence: ") {
				again = text
				return `{"holds": ` + holds + `}`, nil
			}
			return fmt.Sprintf(`{"points": [{"sentence": %q, "id": %d}]}`, said, idOf(req, "pool/pool.go")), nil
		}}
		got := h.run(t, context.Background(), m.runner(), h.env(), "synthesizer", input)
		if !strings.Contains(again, said) || !strings.Contains(again, "<- p.slots") && !strings.Contains(again, "p.slots <-") || strings.Contains(again, "Queue") {
			t.Errorf("the second look shows %q", again)
		}
		if told := strings.Contains(got.Summary, strings.TrimSuffix(said, ".")); told != (holds == "true") {
			t.Errorf("holds %s: %q", holds, got.Summary)
		}
	}
}

// A sentence that a program does not let pass costs no second question.
func TestASecondLookIsForWhatPasses(t *testing.T) {
	h := newHouse(t, nil)
	located := h.locate(t, agent.Runner{}, asked)
	again := 0
	m := &scripted{window: 8192, say: func(_ int, req model.Request) (string, error) {
		if strings.Contains(req.Messages[1].Content, "Sentence: ") {
			again++
			return `{"holds": true}`, nil
		}
		return fmt.Sprintf(`{"points": [{"sentence": "The pool is stored in Redis under a lease.", "id": %d}]}`, idOf(req, "pool/pool.go")), nil
	}}
	got := h.run(t, context.Background(), m.runner(), h.env(), "synthesizer", map[string]any{"question": asked, "located": located})
	if again != 0 || strings.Contains(got.Summary, "Redis") {
		t.Errorf("asked again %d times, and said %q", again, got.Summary)
	}
}
