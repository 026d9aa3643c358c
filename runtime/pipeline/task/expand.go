package task

import (
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Limits of an expansion.
const (
	expandWords        = 12
	expandWord         = 40 // characters
	expandQuestions    = 4
	expandQuestion     = 160 // characters
	expandAlternatives = 3
)

// objectRules is part of the system prompt of tasks that ask for an object.
const objectRules = "Answer with one JSON object and nothing else."

const askExpand = `Give up to twelve words to search for, names and synonyms that the question does not have, and up to four smaller questions that answer it together. No sentences among the words.
Form: {"words": ["…"], "questions": ["…"]}`

const askReword = `Give two or three other ways to ask the same, each whole, in words that a document may use. Copy names, numbers and options letter by letter.
Form: {"alternatives": ["…"]}`

// expandTask returns the task that widens a question before the search.
func expandTask() Task {
	in := object(required("question", &schema.Schema{Type: schema.String, Doc: "what is going to be searched for"}),
		schema.Field{Name: "reword", Schema: &schema.Schema{Type: schema.Boolean, Doc: "ask for other wordings of the whole question, in place of words and smaller questions"}})
	words, questions, alternatives := textListSchema(expandWords, expandWord), textListSchema(expandQuestions, expandQuestion), textListSchema(expandAlternatives, expandQuestion)
	words.Doc, questions.Doc = "words to search for that the question does not have", "smaller questions that answer it together"
	alternatives.Doc = "other wordings of the whole question"
	widened, reworded := object(required("words", words), required("questions", questions)), object(required("alternatives", alternatives))
	out := object(required("words", words), required("questions", questions), schema.Field{Name: "alternatives", Schema: alternatives})
	return Task{Name: "expand", Kind: "query_expansion", Doc: "search words and smaller questions for a question, or other wordings of it", In: in, Out: out, Asked: "question",
		Rules: objectRules, TokensIn: 800, TokensOut: 220, Form: &Form{
			Put: func(c *Case, room int) Question {
				text, shown := c.writeLead(room/2, func(room int) (string, string) {
					q := Shortened(c.Question, room)
					return "Question: " + q, q
				})
				if c.wantsRewording() {
					return Question{Text: text + "\n\n" + askReword, Shape: reworded, Shown: shown}
				}
				return Question{Text: text + "\n\n" + askExpand, Shape: widened, Shown: shown}
			},
			Apply: func(c *Case, _ Question, reply map[string]any) (map[string]any, int, bool) {
				if c.wantsRewording() {
					other, gone := rewordings(c.Question, reply["alternatives"])
					return c.fit(map[string]any{"words": []any{}, "questions": []any{}, "alternatives": toAnys(other)}, out, gone, len(other) > 0)
				}
				words, gone := freshWords(c.Question, reply["words"])
				questions, lost := subQuestions(c.Question, reply["questions"])
				value := map[string]any{"words": toAnys(words), "questions": toAnys(questions)}
				return c.fit(value, out, gone+lost, len(words)+len(questions) > 0)
			},
		}}
}

// wantsRewording reports whether the input asks for other wordings of the question.
func (c *Case) wantsRewording() bool { yes, _ := c.Input["reword"].(bool); return yes }

// rewordings returns the entries of a list that ask the question in other words, and the
// number of those that do not. Of entries with the same words it keeps the first.
func rewordings(question string, list any) (out []string, dropped int) {
	said := []map[string]bool{stemsOf(question)}
	all, gone := subQuestions(question, list)
	for _, s := range all {
		stems := stemsOf(s)
		if len(stems) == 0 || slices.ContainsFunc(said, func(have map[string]bool) bool { return maps.Equal(have, stems) }) {
			gone++
			continue
		}
		out, said = append(out, s), append(said, stems)
	}
	return out, gone
}

// stemsOf returns the stems of the words of a text, without filler words.
func stemsOf(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range wordsOf(text) {
		if !fillers()[w] {
			out[words.Root(w)] = true
		}
	}
	return out
}

// subQuestions returns the entries of a list that are not the question itself, and the
// number of entries left out.
func subQuestions(question string, list any) (out []string, dropped int) {
	entries, _ := list.([]any)
	for _, e := range entries {
		s, _ := e.(string)
		s = strings.Join(strings.Fields(sanitize.Neutral(s)), " ")
		if s == "" || strings.EqualFold(s, strings.TrimSpace(question)) || slices.Contains(out, s) {
			dropped++
			continue
		}
		out = append(out, s)
	}
	return out, dropped
}

func toAnys(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
