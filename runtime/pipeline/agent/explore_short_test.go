package agent_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// rows is a file of which a search finds more than a model is told at once.
func rows() map[string]string {
	var b strings.Builder
	b.WriteString("package data\n\n")
	for i := range 190 {
		text := "is an ordinary row of a long table that goes on for so long that a few hundred of them are more than fits, whatever is left out of it"
		if i == 177 {
			text = "parks callers while the turnstile is taken"
		}
		fmt.Fprintf(&b, "var row_%03d = \"%s\"\n", i, text)
	}
	return map[string]string{"data/rows.go": b.String()}
}

// toldFirst is what the first call of a role came to, as its model was told.
func toldFirst(t *testing.T, r *roamer) string {
	t.Helper()
	if len(r.around) < 2 {
		t.Fatalf("%d turns", len(r.around))
	}
	messages := r.around[1].Messages
	return messages[len(messages)-1].Content
}

const turnstile = "what parks callers at the turnstile?"

var searches = map[string]model.ToolCall{
	"a search": {Name: "code_grep", Arguments: `{"pattern": "row_", "limit": 200, "per_file": 200, "under": "data"}`},
	"a file":   {Name: "code_read", Arguments: `{"path": "data/rows.go", "max_lines": 1000}`},
}

// Of a long result the model is told what the question names, wherever it stands, and how
// much is left out, in no more tokens than before; that place it can choose.
func TestLongResultsOfToolsAreMadeShort(t *testing.T) {
	h := newHouseWith(t, scout, rows())
	for name, call := range searches {
		t.Run(name, func(t *testing.T) {
			r := native("data/rows.go:180", call)
			var shown string
			r.closing = func(req model.Request) string {
				shown = all(req)
				return fmt.Sprintf(`{"points": [{"why": "it parks callers", "id": %d}]}`, idOf(req, "data/rows.go:180"))
			}
			h.run(t, context.Background(), r.runner(), h.env(), "scout", map[string]any{"question": turnstile})
			told := toldFirst(t, r)
			if n := model.Estimate(told); n > 4500 {
				t.Errorf("%d tokens", n)
			}
			for _, want := range []string{"data/rows.go", "180", "turnstile is taken", "made short"} {
				if !strings.Contains(told, want) {
					t.Errorf("no %q in %.1500s", want, told)
				}
			}
			rest := 189 - strings.Count(told, "is an ordinary row")
			said := regexp.MustCompile(`\[… (\d+) of the \d+ (?:lines|hits|rows)`).FindStringSubmatch(told)
			if said == nil {
				t.Fatalf("nothing says that %d rows are left out: %s", rest, told)
			}
			if n, _ := strconv.Atoi(said[1]); n < rest || n > rest+10 {
				t.Errorf("%d rows are left out, and %d lines are said to be", rest, n)
			}
			if !strings.Contains(shown, "data/rows.go:180") {
				t.Error("the place is no candidate")
			}
		})
	}
}

// Where nothing makes a result short, it is cut at the end of a line.
func TestResultsThatCannotBeMadeShortAreCut(t *testing.T) {
	breaks := func(name string, do func(in lines) (lines, error)) catalog.Builtin {
		return catalog.New(name, "do not make a text short", 0, func(_ context.Context, _ *catalog.Env, in lines) (lines, error) { return do(in) })
	}
	more := []catalog.Builtin{
		breaks("test.panics", func(lines) (lines, error) { panic("no") }),
		breaks("test.fails", func(lines) (lines, error) { return lines{}, fmt.Errorf("no") }),
		breaks("test.empties", func(lines) (lines, error) { return lines{}, nil }),
		breaks("test.repeats", func(in lines) (lines, error) { return in, nil }),
		breaks("test.doubles", func(in lines) (lines, error) { return lines{Text: in.Text + in.Text}, nil }),
	}
	for _, by := range []string{"", "test.panics", "test.fails", "test.empties", "test.repeats", "test.doubles"} {
		h := newHouseOf(t, strings.Replace(scout, "explore: true", fmt.Sprintf("explore: true, shorten: %q", by), 1), rows(), more)
		r := native("done", searches["a search"])
		h.run(t, context.Background(), r.runner(), h.env(), "scout", map[string]any{"question": turnstile})
		if told := toldFirst(t, r); !strings.Contains(told, "more lines are left out") || strings.Contains(told, "made short") || model.Estimate(told) > 4500 {
			t.Errorf("%q: %.300s", by, told)
		}
	}
}

type lines struct {
	Text   string `json:"text" doc:"a text"`
	Tokens int    `json:"tokens,omitempty" doc:"at most"`
}

// Each result that was made short is told of, with what it had and has, and by what.
func TestAShortResultIsToldOf(t *testing.T) {
	h := newHouseWith(t, scout, rows())
	stream := new(event.Stream)
	sub := stream.Subscribe(1000, event.Cut)
	r := native("data/rows.go:180", searches["a search"])
	h.run(t, stream.WithContext(t.Context(), "", ""), r.runner(), h.env(), "scout", map[string]any{"question": turnstile})
	sub.Close()
	e, ok := sub.Next(t.Context())
	if !ok || e.Role != "scout" || e.Tool != "code_grep" {
		t.Fatalf("%v %+v", ok, e)
	}
	said := map[string]string{}
	for _, a := range e.Attrs {
		said[a.Key] = a.Value.String()
	}
	original, _ := strconv.Atoi(said["original_tokens"])
	short, _ := strconv.Atoi(said["summary_tokens"])
	if short < 100 || original <= short || said["by"] != "text.compact" {
		t.Errorf("%v", said)
	}
}
