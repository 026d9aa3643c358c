package task

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Pointing describes how a model is asked about numbered candidates: it points at some and says a
// sentence about each. That improves on the result that the builtins found and never replaces it.
type Pointing struct {
	Ask    string  // follows the candidates; the last thing a small model reads
	Least  int     // minimum number of points
	Most   int     // maximum number of points
	Note   string  // name of the text field
	Raise  bool    // the first candidate pointed at may rise; otherwise the sentences follow the summary
	Unsure bool    // asked only if the builtins are not sure
	Bodies int     // how many candidates are shown with their text, not only their heads; 0 for all
	Search *Search // asks for search words if the builtins are not sure; nil for none
}

// pointingRules is part of the system prompt, which is the same for every request of a
// role, so that servers can cache its prefix. It contains nothing from files.
const pointingRules = fence.Rule + `
Refer to candidates by their number only. Say nothing that the data does not show. Answer with one JSON object and nothing else.`

func pointingTask(name, doc string, in, out int, p Pointing) Task {
	return Task{Name: name, Doc: doc, Out: schema.MustFromType(reflect.TypeFor[contract.Result]()), Ground: true, Asked: "question",
		Rules: pointingRules, TokensIn: in, TokensOut: out, Pointing: &p}
}

func chooseTask() Task {
	return pointingTask("choose", "choose among what was found and say why", 1400, 200, Pointing{Most: 3, Note: "why", Raise: true, Unsure: true, Search: &searchWords,
		Ask: `Which candidates answer the question? Give the best one to three, best first, each with one short sentence why. Give an empty list when none fits.`})
}

func explainTask() Task {
	return pointingTask("explain", "explain the first place that was found", 2000, 320, Pointing{Least: 1, Most: 4, Note: "fact", Bodies: 1,
		Ask: `Say in one to four short sentences how it works, each with the number of the candidate that shows it. Use the names that stand there.`})
}

// bodiesAnswered is the number of places shown in full for an answer. In twelve prompts,
// the line that decides was included in three with the heads of twelve places, and in
// nine with the bodies of three.
const bodiesAnswered = 3

func answerTask() Task {
	return pointingTask("answer", "answer the question from what was found", 2000, 320, Pointing{Least: 1, Most: 4, Note: "sentence", Bodies: bodiesAnswered,
		Ask: `Answer the question in one to four short sentences, each with the number of the candidate that shows it. Use the names that stand there.`})
}

// NoteMost limits one text of a reply, in characters.
const NoteMost = 200

// Shape returns the schema of a reply about n candidates. It is flat and every field is
// required. A choice may be empty, but an explanation or answer must say something:
// models of 0.3 to 1.5 billion parameters take an empty list whenever they may, and what
// they make up is dropped as an unsupported claim.
func (p *Pointing) Shape(n int) *schema.Schema {
	least, most, long := p.Least, p.Most, NoteMost
	return object(required("points", &schema.Schema{Type: schema.Array, MinLen: &least, MaxLen: &most, Items: object(
		required(p.Note, &schema.Schema{Type: schema.String, MaxLen: &long}),
		required("id", &schema.Schema{Type: schema.Integer, Enum: candidateIDs(n)}),
	)}))
}

// Example shows the form once; small models copy forms better than they read schemas.
func (p *Pointing) Example() string {
	return fmt.Sprintf(`{"points": [{"%s": "…", "id": 1}]}`, p.Note)
}

// Question returns the user part of the prompt, around the fenced candidates.
func (p *Pointing) Question(question, fenced string) string {
	var b strings.Builder
	b.WriteString("Question: " + question + "\n\nCandidates:\n" + fenced + "\n\n")
	b.WriteString(p.Ask + "\nForm: " + p.Example())
	return b.String()
}

// Point is one entry of a reply.
type Point struct {
	ID   int // index of the candidate, from 0
	Note string
}

// Points reads a reply about n candidates.
func (p *Pointing) Points(reply map[string]any, n int) (out []Point) {
	list, _ := reply["points"].([]any)
	seen, said := map[int]bool{}, map[string]bool{}
	for _, e := range list {
		m, _ := e.(map[string]any)
		id, ok := toInt(m["id"])
		if !ok || id < 1 || id > n {
			continue
		}
		note, _ := m[p.Note].(string)
		note = cutToSentence(note)
		if p.Raise && seen[id] {
			continue
		}
		seen[id] = true
		if said[note] { // if the same is said about everything, only the first is worth reading
			note = ""
		}
		said[note] = true
		out = append(out, Point{ID: id - 1, Note: note})
	}
	return out
}

// cutToSentence cuts a note that reached the form's length limit back to its last full stop: half
// a sentence says something else than the whole, or nothing.
func cutToSentence(note string) string {
	note = strings.TrimSpace(note)
	if utf8.RuneCountInString(note) < NoteMost-1 || strings.ContainsAny(note[len(note)-1:], ".!?)") {
		return note
	}
	return note[:strings.LastIndex(note, ". ")+1]
}

func toInt(v any) (int, bool) {
	switch n := v.(type) {
	case int:
		return n, true
	case int64:
		return int(n), true
	case float64:
		return int(n), n == float64(int(n))
	}
	return 0, false
}

// candidateIDs returns the ids of n candidates.
func candidateIDs(n int) []any {
	out := make([]any, n)
	for i := range out {
		out[i] = i + 1
	}
	return out
}

func object(fields ...schema.Field) *schema.Schema {
	return &schema.Schema{Type: schema.Object, Fields: fields}
}

func required(name string, s *schema.Schema) schema.Field {
	return schema.Field{Name: name, Required: true, Schema: s}
}

func optional(name string, s *schema.Schema) schema.Field {
	return schema.Field{Name: name, Schema: s}
}
