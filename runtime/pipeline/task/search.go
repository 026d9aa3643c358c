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

// Search asks a model for search words.
type Search struct {
	Ask       string
	Most      int // number of words
	Each      int // characters of one word
	TokensIn  int
	TokensOut int
}

var searchWords = Search{Most: 8, Each: 40, TokensIn: 600, TokensOut: 90,
	Ask: `Which words would stand in the source code that answers the question? Give up to eight: names of functions, types, files, settings, and synonyms in English. No sentences.
Form: {"words": ["…"]}`}

// Shape returns the schema of a reply.
func (s *Search) Shape() *schema.Schema {
	return object(required("words", textListSchema(s.Most, s.Each)))
}

// Question returns the user part of the prompt.
func (s *Search) Question(question string) string { return "Question: " + question + "\n\n" + s.Ask }

// Words returns the words of a reply that are not in the question.
func (s *Search) Words(question string, reply map[string]any) []string {
	out, _ := freshWords(question, reply["words"])
	return out
}

// freshWords returns the entries of a list that add something to the question, and the
// number of those that do not.
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

// textListSchema returns the schema of a list of texts.
func textListSchema(most, each int) *schema.Schema {
	least := 0
	return &schema.Schema{Type: schema.Array, MinLen: &least, MaxLen: &most, Items: &schema.Schema{Type: schema.String, MaxLen: &each}}
}

// Shortened returns a question for use in a prompt, in at most room tokens.
func Shortened(question string, room int) string {
	question = sanitize.Neutral(question)
	for model.Estimate(question) > room && len(question) > 40 {
		question = contract.Shorten(question, len(question)*3/4)
	}
	return question
}
