package text

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// shortResult makes the result of a tool short that is one text.
func shortResult(t *testing.T, source string, more map[string]any) ResultOut {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": source}}})
	if err != nil {
		t.Fatal(err)
	}
	in := map[string]any{"result": string(raw), "by": "tiny"}
	for name, v := range more {
		in[name] = v
	}
	b, _ := shelf(t).Get("text.result")
	got, err := b.Run(t.Context(), &catalog.Env{}, in)
	if err != nil {
		t.Fatal(err)
	}
	return got.(ResultOut)
}

// What a model says never costs a name that the structure keeps: the summary with it
// is the one without it, behind its words.
func TestWordsTakeNoName(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	for kind, source := range outputs(t) {
		for _, most := range []int{60, 300} {
			for said, words := range map[string]string{"nothing": "", "a sentence": "There are errors in the data.", "a flood": strings.Repeat("There are errors in the data. ", 900), "an invention": "It ran on unicorn-77."} {
				for _, reserve := range []int{0, 24} {
					in := map[string]any{"tokens": most, "reserve": reserve}
					without := shortResult(t, source, in)
					in["said"] = words
					got := shortResult(t, source, in)
					behind, begins := strings.CutPrefix(got.Text, got.Said)
					if strings.TrimPrefix(behind, "\n") != without.Text || !begins || tokens.Count(got.Text) > most {
						t.Errorf("%s at %d of which %d are reserved, %s was said: %d tokens\n%s\nwithout:\n%s", kind, most, reserve, said, tokens.Count(got.Text), got.Text, without.Text)
					}
					if holds := said == "a sentence" || said == "a flood"; holds && reserve >= 24 && got.By != "tiny" || !holds && got.By != "structure" {
						t.Errorf("%s at %d, %s was said: by %s", kind, most, said, got.By)
					}
				}
			}
		}
	}
}

// What a model says in a word or two is no sentence: it told nothing, and took the place of lines.
func TestFragmentsAreNoWords(t *testing.T) {
	source := "Evaluate Impact\nWorker 2 was replaced at 10:15.\n"
	said, dropped := BorneOut(source, "Evaluate Impact. Worker 2 was replaced at 10:15.", func(string) bool { return true })
	if said != "Worker 2 was replaced at 10:15." || dropped != 1 {
		t.Errorf("%q is kept, %d dropped", said, dropped)
	}
}

// TestResultsAreReadOncePerRequest: with what an earlier stage has read, the reply is what it
// is without.
func TestResultsAreReadOncePerRequest(t *testing.T) {
	b, _ := shelf(t).Get("text.result")
	for kind, source := range outputs(t) {
		for _, failed := range []bool{false, true} {
			raw, err := json.Marshal(map[string]any{"content": []any{map[string]string{"type": "text", "text": source}}, "isError": failed})
			if err != nil {
				t.Fatal(err)
			}
			env := &catalog.Env{Memo: &catalog.Memo{}}
			for _, most := range []int{300, 60, 300} {
				in := map[string]any{"result": string(raw), "tokens": most}
				want, err := b.Run(t.Context(), &catalog.Env{}, in)
				if err != nil {
					t.Fatal(err)
				}
				if got, err := b.Run(t.Context(), env, in); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%s at %d: %v (%v), alone %v", kind, most, got, err, want)
				}
			}
		}
	}
}
