package task

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/schema"
)

// Bounds of what an expansion holds.
const (
	expandWords     = 12
	expandWord      = 40 // characters
	expandQuestions = 4
	expandQuestion  = 160 // characters
)

// objectRules stand in the system prompt of tasks that ask for an object.
const objectRules = "Answer with one JSON object and nothing else."

const askExpand = `Give up to twelve words to search for, names and synonyms that the question does not have, and up to four smaller questions that answer it together. No sentences among the words.
Form: {"words": ["…"], "questions": ["…"]}`

// expand widens a question before it is searched for.
func expand() Task {
	in := object(required("question", &schema.Schema{Type: schema.String, Doc: "what is going to be searched for"}))
	words, questions := texts(expandWords, expandWord), texts(expandQuestions, expandQuestion)
	words.Doc, questions.Doc = "words to search for that the question does not have", "smaller questions that answer it together"
	out := object(required("words", words), required("questions", questions))
	return Task{Name: "expand", Kind: "query_expansion", Doc: "search words and smaller questions for a question", In: in, Out: out, Asked: "question",
		Rules: objectRules, TokensIn: 800, TokensOut: 220, Form: &Form{
			Put: func(c *Case, room int) Question {
				text, shown := c.lead(room/2, func(room int) (string, string) {
					q := Shortened(c.Question, room)
					return "Question: " + q, q
				})
				return Question{Text: text + "\n\n" + askExpand, Shape: out, Shown: shown}
			},
			Apply: func(c *Case, _ Question, reply map[string]any) (map[string]any, int, bool) {
				words, gone := freshWords(c.Question, reply["words"])
				questions, lost := subQuestions(c.Question, reply["questions"])
				value := map[string]any{"words": anys(words), "questions": anys(questions)}
				return c.fit(value, out, gone+lost, len(words)+len(questions) > 0)
			},
		}}
}

// subQuestions are the entries of a list that are not the question itself, and how
// many are left out.
func subQuestions(question string, list any) (out []string, dropped int) {
	entries, _ := list.([]any)
	for _, e := range entries {
		s, _ := e.(string)
		s = strings.Join(strings.Fields(quote.Neutral(s)), " ")
		if s == "" || strings.EqualFold(s, strings.TrimSpace(question)) || slices.Contains(out, s) {
			dropped++
			continue
		}
		out = append(out, s)
	}
	return out, dropped
}

func anys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
