package explain

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestReceiverCallsAreOwn says that what a Go method calls on its receiver by a name of
// one word is told of like any other function of the file.
func TestReceiverCallsAreOwn(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"run.go": `package run

type schedule struct{ dead int }

// stage runs one stage.
func (g *schedule) stage(name string) error {
	if cause := g.skip(name); cause != "" {
		return nil
	}
	return nil
}

// skip decides whether a stage runs.
func (g *schedule) skip(name string) string {
	if g.dead > 0 {
		return "aborted"
	}
	return ""
}
`})
	got := codetest.MustCall[contract.Result](t, Analyze(), env, map[string]any{"reference": "run.go:6", "question": "how does it decide whether a stage runs?"})
	if text := strings.Join(contract.Texts(got.KeyFindings), "\n"); !strings.Contains(text, "7 -> `schedule.skip` (line 14): decides whether a stage runs; 15: if g.dead > 0 { return \"aborted\" }") {
		t.Errorf("\n%s", text)
	}
}

// TestPlacesShowTheLineThatDecides says that a function without a comment is shown by
// the line that holds what is asked, not by its signature.
func TestPlacesShowTheLineThatDecides(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"chord.py": `class Backend:
    def on_part(self, request):
        size = request.size
        if self.count(request) == size:
            self.unlock_chord(request)
`})
	got := codetest.MustCall[contract.Result](t, find.Locate(), env, map[string]any{"question": "how does the backend know that a chord is done and unlock it?"})
	if text := strings.Join(contract.Texts(got.KeyFindings), "\n"); !strings.Contains(text, "unlock_chord(request)") {
		t.Errorf("%v\n%s", got.References, text)
	}
}
