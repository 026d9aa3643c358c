package coderank

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Limits of a follow-up, in words of its own; maxAsked and maxTold count all its words. A question
// with more says itself what it is about, whatever it begins with.
const (
	maxLedWords     = 3 // "and in the HTTP server?"
	maxPronounWords = 2 // "where is it closed?"
	maxAsked        = 12
	maxTold         = 3 // "explain it": a statement instead of a question
)

var (
	// leads match the beginning of a question that continues another one.
	leads = lazyregexp.New(`^(ok(ay)?,?\s+)?(and|but|or|what\s+about|how\s+about|what\s+of|same\s+(for|with|in|but)|what\s+if|` +
		`und|aber|oder|was\s+ist\s+mit|et|mais|y|pero|¿y|e|ma|mas|en|maar|и|а)[\s,:]+\S`)
	// elliptic matches a question that leaves out its verb: "in the HTTP server?"
	elliptic = lazyregexp.New(`^(in|for|on|with|without|under|from|by|via|inside|outside|through|during)\s+[^?.]+\?$`)
	// asksToo matches forms of questions that asks leaves out.
	asksToo = lazyregexp.New(`^(does|do|did|is|are|was|can|could|should|would|will|why|when|explain|describe|tell|please)\b`)
	// pronouns stand for something mentioned before; see pointsBack for "that".
	pronouns = set(`it its it's they them their theirs those these this that he she`)
	// further asks for more of the same.
	further = lazyregexp.New(`\b(where|who|what|anything|anywhere|nothing|which)\s+else\b|\b(the|that|this|which|other)\s+(one|ones|other|others|latter|former)\b|\b(the\s+)?previous\s+(answer|question|one|result)\b`)
	// expletive matches an "it" that stands for nothing.
	expletive = lazyregexp.New(`\bit\s+(takes?|possible|matters?|seems|should\s+be|is\s+(possible|that)|that|be\s+possible)\b|\b(its|their)\s+own\b|\bit\s+\S+\s+that\b`)
	// deictic matches a "this" that means the whole tree.
	deictic = lazyregexp.New(`\b(this|these)\s+(project|repo|repository|repositories|codebase|code\s+base|code|app|application|library|program|tool|package|module|tree|folder|directory|source|software|system|service)\b`)
	// article matches what a later pronoun of the same question may stand for.
	article = lazyregexp.New(`\b(the|an?|each|every|any|our)\s+(\pL+)`)
	word    = lazyregexp.New(`[\pL\pN_']+`)
)

// aspects are sides of a thing that a question may ask for; on their own they do not say of which
// thing.
var aspects = set(`test tests tested testing spec specs benchmark benchmarks caller callers call calls called callee callees
	example examples usage usages doc docs documentation documented comment comments config configuration configured
	setting settings default defaults error errors failure failures test-case case cases declaration signature type types
	interface return returns returned argument arguments parameter parameters value values field fields read reads write
	writes written run runs step steps detail details reason limit limits name names set sets`)

// generic words follow a "that" that points at something: "that function".
var generic = set(`function method file type struct class package module code part test error value variable constant field line
	loop check call case one thing interface place bit`)

// besideThat are words before or after a "that" that points at something.
var besideThat = set(`is does do was did can will has of for by with from in to about on at call calls called use uses used
	reads read sets set writes closes opens tests handles checks happens happen work works come comes`)

// FollowUp reports whether a question leans on the one before it: it has few words of its own, and
// begins like a continuation, refers back with a pronoun, or leaves out its subject. It looks at
// the words alone; without an earlier question the result means nothing.
func (q *Query) FollowUp() bool {
	text := strings.TrimSpace(strings.ToLower(q.Text))
	if q.Words < 1 || q.Words > maxAsked || len(q.Named) > 0 || strings.Contains(text, "\n") {
		return false
	}
	own := q.ownWords()
	asked := asks.MatchString(text) || asksToo.MatchString(text)
	switch {
	case leads.MatchString(text):
		return own <= maxLedWords
	case own > maxPronounWords:
		return false
	case elliptic.MatchString(text) || further.MatchString(text):
		return true
	case !asked && q.Words > maxTold:
		return false // a statement, which names what its pronouns stand for
	case own == 0 && q.Words > 1 && asked:
		return !deictic.MatchString(text)
	}
	return pointsBack(text, q.Idents)
}

// Lean returns how much a follow-up leans on the question before it, at most 1: the more words of
// its own it has, the less.
func (q *Query) Lean() float64 { return 1 / float64(1+q.ownWords()) }

// ownWords counts the words, or the names if there are more of them, that tell the subject of the
// question.
func (q *Query) ownWords() int {
	words, names := 0, 0
	for i := range q.Terms {
		if t := &q.Terms[i]; t.Of < 0 && !t.Weak && !aspects[t.Word] {
			words++
		}
	}
	for i := range q.Idents {
		if id := &q.Idents[i]; id.Shaped || id.Quoted {
			names++
		}
	}
	return max(words, names)
}

// pointsBack reports whether text has a pronoun that refers to nothing mentioned before it in the
// question.
func pointsBack(text string, names []Ident) bool {
	text = deictic.ReplaceAllString(expletive.ReplaceAllString(text, " "), " ")
	words := word.FindAllStringIndex(text, -1)
	for i, at := range words {
		w := text[at[0]:at[1]]
		if !pronouns[w] {
			continue
		}
		near := func(j int) string {
			if j < 0 || j >= len(words) {
				return ""
			}
			return text[words[j][0]:words[j][1]]
		}
		if w == "that" && !(i == len(words)-1 && i > 0 || generic[near(i+1)] || besideThat[near(i-1)] || i == 0 && besideThat[near(1)]) {
			continue // a conjunction
		}
		return !namesSubject(text[:at[0]], names)
	}
	return false
}

// namesSubject reports whether text names something that a pronoun can refer to: "the pool and its …".
func namesSubject(text string, names []Ident) bool {
	if slices.ContainsFunc(names, func(id Ident) bool { return strings.Contains(text, strings.ToLower(id.Text)) }) {
		return true
	}
	for _, m := range article.FindAllStringSubmatch(text, -1) {
		if w := m[2]; !aspects[w] && !generic[w] && !weakWords()[w] && !stopWords()["en"][w] {
			return true
		}
	}
	return false
}

// maxBefore limits the words that a follow-up takes from one earlier question.
const maxBefore = 16

// After makes a follow-up ask about the subject of an earlier question: it adds the terms and names
// of that question's first sentence with a weight between 0 and 1, below the weight of the
// follow-up's own terms.
func (q *Query) After(earlier *Query, weight float64) {
	q.dropBareName()
	own := len(q.Terms)
	at := make([]int, len(earlier.Terms))
	for i, t := range earlier.Terms {
		at[i] = -1
		if t.Title > 0 && t.Of < 0 && i < maxBefore {
			at[i] = q.lendTerm(t, weight)
		}
	}
	for _, k := range earlier.Pairs {
		if a, b := at[k.A], at[k.B]; a >= own && b >= own {
			q.Pairs = append(q.Pairs, Pair{a, b})
		}
	}
	q.pairWithEarlier(own)
	for _, id := range earlier.Idents {
		q.Name(id.Text, weight)
	}
	in := &q.Intent
	if !in.Tests && !in.Docs && !in.Config && !in.Examples {
		in.Tests, in.Docs, in.Config, in.Examples = earlier.Intent.Tests, earlier.Intent.Docs, earlier.Intent.Config, earlier.Intent.Examples
	}
}

// dropBareName undoes the interpretation of a one-word question as a name, which is wrong for a follow-up.
func (q *Query) dropBareName() {
	q.Idents = slices.DeleteFunc(q.Idents, func(id Ident) bool { return q.Intent.Bare && !id.Shaped && !id.Quoted && id.Before == 0 })
	q.Intent.Bare = false
	q.Intent.Definition = q.Intent.Definition && slices.ContainsFunc(q.Idents, func(id Ident) bool { return id.Before == 0 })
}

// lendTerm adds a term of an earlier question, unless the question has it, and returns its index.
func (q *Query) lendTerm(t Term, weight float64) int {
	for i := range q.Terms {
		if have := &q.Terms[i]; have.Stem == t.Stem {
			if have.Of >= 0 { // was added as a synonym
				have.Of, have.Everyday, have.Word, have.Before = -1, false, t.Word, weight
			}
			return i
		}
	}
	q.Terms = append(q.Terms, Term{Stem: t.Stem, Word: t.Word, Title: 1, Weak: t.Weak, Foreign: t.Foreign, Of: -1, Before: weight})
	return len(q.Terms) - 1
}

// pairWithEarlier pairs the question's own words with the words of the earlier one, in either order: "where
// is it closed?" after "the pool" may mean closePool.
func (q *Query) pairWithEarlier(own int) {
	for a := range own {
		if t := &q.Terms[a]; t.Weak || t.Of >= 0 || t.Before > 0 {
			continue
		}
		for b := own; b < len(q.Terms); b++ {
			if !q.Terms[b].Weak && len(q.Pairs)+2 <= maxPairs {
				q.Pairs = append(q.Pairs, Pair{a, b}, Pair{b, a})
			}
		}
	}
}

// Name adds a name that the question does not contain: one of an earlier question, or of a
// definition that was found for it.
func (q *Query) Name(name string, weight float64) {
	norm := normalizeName(name)
	if len(norm) < 2 || len(q.Idents) >= maxIdents || slices.ContainsFunc(q.Idents, func(id Ident) bool { return id.Norm == norm }) {
		return
	}
	q.Idents = append(q.Idents, Ident{Text: name, Norm: norm, Before: weight})
}
