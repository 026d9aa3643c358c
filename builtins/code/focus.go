package code

import (
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// asked is what a question wants to know about a place.
type asked struct {
	terms   *keylines.Terms
	happens bool
	callers bool
	room    int // bytes of an answer
}

// askedOf takes the terms of a question, of the earlier questions that it follows up on, and their
// synonyms, which count less.
func askedOf(question string, earlier []contract.Earlier, tokens int) asked {
	q, _ := readQuestion(question, earlier, coderank.Default().Before)
	return askedFor(q, tokens)
}

// askedFor takes the terms of a parsed question.
func askedFor(q *coderank.Query, tokens int) asked {
	a := asked{terms: &keylines.Terms{}, room: answerBytes(tokens), happens: q.Intent.Happens || q.Intent.Message, callers: q.Intent.Callers}
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
			a.terms.Add(t.Stem, w)
		}
	}
	return a
}

// answerBytes returns how long an answer may be in a reply of this many tokens. The rest is for the
// references and the sections of the reply.
func answerBytes(tokens int) int {
	const usual, bytesPerToken = 1000, 4
	if tokens <= 0 {
		tokens = usual
	}
	return tokens * bytesPerToken * 44 / 100
}
