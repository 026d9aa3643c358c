package task

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// Search asks for words to search for.
type Search struct {
	Ask       string
	Most      int // words
	Each      int // characters of one
	TokensIn  int
	TokensOut int
}

var searchWords = Search{Most: 8, Each: 40, TokensIn: 600, TokensOut: 90,
	Ask: `Which words would stand in the source code that answers the question? Give up to eight: names of functions, types, files, settings, and synonyms in English. No sentences.
Form: {"words": ["…"]}`}

// Shape is the schema of a reply.
func (s *Search) Shape() *schema.Schema { return object(required("words", texts(s.Most, s.Each))) }

// Question is the user's part of the prompt.
func (s *Search) Question(question string) string { return "Question: " + question + "\n\n" + s.Ask }

// Words are those of a reply that the question does not have.
func (s *Search) Words(question string, reply map[string]any) []string {
	out, _ := freshWords(question, reply["words"])
	return out
}

// freshWords are the entries of a list that say something beside the question, and
// how many do not.
func freshWords(question string, list any) (out []string, dropped int) {
	asked := NewGrounds(question, "")
	entries, _ := list.([]any)
	for _, e := range entries {
		s, _ := e.(string)
		s = strings.TrimSpace(sanitize.Neutral(s))
		fresh := slices.ContainsFunc(wordsOf(s), func(w string) bool { return !asked.stems[words.Root(w)] && !fillers()[w] })
		if fresh && !slices.Contains(out, s) {
			out = append(out, s)
		} else {
			dropped++
		}
	}
	return out, dropped
}

// texts is the schema of a list of texts.
func texts(most, each int) *schema.Schema {
	least := 0
	return &schema.Schema{Type: schema.Array, MinLen: &least, MaxLen: &most, Items: &schema.Schema{Type: schema.String, MaxLen: &each}}
}

// Shortened is a question as a prompt holds it, in at most room tokens.
func Shortened(question string, room int) string {
	question = sanitize.Neutral(question)
	for model.Estimate(question) > room && len(question) > 40 {
		question = contract.Shorten(question, len(question)*3/4)
	}
	return question
}
