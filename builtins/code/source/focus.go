package source

import (
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// A Focus is what a question wants to know about a place.
type Focus struct {
	Terms    *keylines.Terms
	Happens  bool // when something happens, or why
	Callers  bool // who calls it
	MaxBytes int  // bytes of an answer
}

// ParseFocus takes the terms of a question, of the earlier questions that it follows up on, and
// their synonyms, which count less.
func ParseFocus(question string, earlier []contract.Earlier, tokens int) Focus {
	q, _ := ParseQuestion(question, earlier, coderank.Default().Before)
	return FocusOf(q, tokens)
}

// FocusOf takes the terms of a parsed question.
func FocusOf(q *coderank.Query, tokens int) Focus {
	a := Focus{Terms: &keylines.Terms{}, MaxBytes: MaxAnswerBytes(tokens), Happens: q.Intent.Happens || q.Intent.Message, Callers: q.Intent.Callers}
	for _, t := range q.Terms {
		w := 1.0
		switch {
		case t.Of >= 0:
			w = 0.45
		case t.Weak:
			w = 0.3
		case t.Foreign:
			w = 0
		}
		if t.Before > 0 {
			w *= t.Before
		}
		if w > 0 {
			a.Terms.Add(t.Stem, w)
		}
	}
	return a
}

// MaxAnswerBytes returns how long an answer may be in a reply of this many tokens. The rest is for
// the references and the sections of the reply.
func MaxAnswerBytes(tokens int) int {
	const usual, bytesPerToken = 1000, 4
	if tokens <= 0 {
		tokens = usual
	}
	return tokens * bytesPerToken * 44 / 100
}
