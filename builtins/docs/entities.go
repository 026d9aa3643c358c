package docs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
)

// EntitiesIn is the input of docs.entities.
type EntitiesIn struct {
	IDs      []string `json:"ids,omitempty" doc:"ids or uris of documents, or chunk_ids of passages"`
	Passages []string `json:"passages,omitempty" doc:"texts, in place of ids or beside them"`
	Kinds    []string `json:"kinds,omitempty" doc:"only these: url, email, date, version, error, option, path, identifier, place, name"`
	Most     int      `json:"most" doc:"entities at most" default:"50" min:"1" max:"1000"`
}

// Entities are names and values with their places.
type Entities struct {
	Entities []Entity `json:"entities" doc:"those that stand there most often first"`
	Note     string   `json:"note,omitempty" doc:"what is missing"`
}

// Whole marks the value as never cut: the caller chose its length.
func (Entities) Whole() {}

// Entity is a name or a value.
type Entity struct {
	Kind  string `json:"kind" doc:"url, email, date, version, error, option, path, identifier, place or name"`
	Text  string `json:"text" doc:"as it is written; data"`
	Count int    `json:"count" doc:"how often it stands there"`
	Spans []Span `json:"spans" doc:"the first places"`
}

// Span is a place in a document.
type Span struct {
	ID    string `json:"id" doc:"of the passage; its number where it was given"`
	URI   string `json:"uri,omitempty"`
	Start int    `json:"start" doc:"first byte in the text of the document"`
	End   int    `json:"end" doc:"byte behind it"`
}

// maxSpans is how many places of one entity are reported.
const maxSpans = 3

// ExtractEntities returns docs.entities, which lists names and values in documents, passages or texts.
func ExtractEntities(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.entities", "list names and values that stand in documents, passages or texts, with their places", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in EntitiesIn) (Entities, error) {
			out := Entities{Entities: []Entity{}}
			for _, k := range in.Kinds {
				if !slices.Contains(answer.EntityKinds, answer.EntityKind(k)) {
					return out, invalidInput(fmt.Sprintf("kinds: %q is none; there are: %s", k, kindNames()))
				}
			}
			m := newMaterial(env, mask, "docs.entities")
			if err := m.addGiven(ctx, in.IDs, in.Passages); err != nil {
				return out, err
			}
			left := 0
			for _, e := range answer.Entities(m.passages) {
				switch {
				case len(in.Kinds) > 0 && !slices.Contains(in.Kinds, string(e.Kind)) || mask(e.Text) != e.Text:
				case len(out.Entities) == in.Most:
					left++
				default:
					out.Entities = append(out.Entities, entity(e))
				}
			}
			if left > 0 {
				m.notes = append(m.notes, fmt.Sprintf("%d more are left out", left))
			}
			out.Note = strings.Join(m.notes, "; ")
			return out, nil
		})
}

func entity(e answer.Entity) Entity {
	out := Entity{Kind: string(e.Kind), Text: e.Text, Count: e.Count}
	for _, s := range e.Spans[:min(len(e.Spans), maxSpans)] {
		out.Spans = append(out.Spans, Span(s))
	}
	return out
}

func kindNames() string {
	var names []string
	for _, k := range answer.EntityKinds {
		names = append(names, string(k))
	}
	return strings.Join(names, ", ")
}
