package docs

import (
	"context"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// WordingsIn is the input of docs.wordings.
type WordingsIn struct {
	Question   string `json:"question" doc:"what is going to be searched"`
	Collection string `json:"collection,omitempty" doc:"only this collection; all when left out"`
}

// WordingsOut says whether to ask a model for other wordings of a question.
type WordingsOut struct {
	Wanted   int    `json:"wanted" doc:"how many at most, the most that a collection that is searched asks for; 0 for none"`
	Question string `json:"question" doc:"the question without its filters"`
}

// Wordings returns docs.wordings, which says how many other wordings of a question to search.
func Wordings() catalog.Builtin {
	return catalog.New("docs.wordings", "say how many other wordings of a question the collections want searched", catalog.Documents,
		func(_ context.Context, env *catalog.Env, in WordingsIn) (WordingsOut, error) {
			read := env.Documents.Read(in.Question)
			out := WordingsOut{Question: read.Text}
			if read.Text == "" || !hasSubject(read.Text) {
				return out, nil
			}
			for _, m := range env.Documents {
				if in.Collection == "" && read.Collection == "" || m.Name == in.Collection || in.Collection == "" && m.Name == read.Collection {
					out.Wanted = max(out.Wanted, m.Rewordings)
				}
			}
			return out, nil
		})
}

// These bound the other wordings that a search accepts.
const (
	maxWordings = 3
	longWording = 400 // bytes
)

// distinctWordings returns the wordings that differ from the question and from each other, each on one
// line. A model wrote them, so no filters are parsed in them.
func distinctWordings(question string, list []string) (out []string) {
	said := map[string]bool{flatWords(question): true}
	for _, w := range list {
		w = strings.Join(strings.Fields(sanitize.Neutral(w)), " ")
		w = strings.ToValidUTF8(w[:min(len(w), longWording)], "")
		if key := flatWords(w); key != "" && !said[key] && len(out) < maxWordings {
			said[key] = true
			out = append(out, w)
		}
	}
	return out
}

// noteUnasked notes that only the question itself was searched, and why.
func noteUnasked(why string) string { return "searched in its own words alone (" + why + ")" }

// flatWords returns the words of a text in lower case.
func flatWords(text string) string {
	var b strings.Builder
	eachStem(text, func(word, _ string) { b.WriteString(word + " ") })
	return b.String()
}
