// Package ask plans an answer that several sources may give: ask.parts splits the question, ask.next chooses what to
// look up where, and ask.reply joins what was found. The looking up itself is done by pipelines of the configuration.
package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// All returns the builtins of this package.
func All() []catalog.Builtin { return []catalog.Builtin{parts(), next(), reply()} }

// These bound what is split, and how.
const (
	maxParts   = 3
	maxSplit   = 600 // bytes of a question; a longer one contains a paste
	maxText    = 120 // bytes of a part where it is repeated
	maxOwn     = 2   // words of a part that builds on the question before it
	maxSubject = 4   // words of that question
)

// PartsIn is the input of ask.parts.
type PartsIn struct {
	Question string             `json:"question" doc:"what is to be answered"`
	Earlier  []string           `json:"earlier,omitempty" doc:"questions of the same session before it, oldest first: \"and why?\" is about the last"`
	Answered []contract.Earlier `json:"answered,omitempty" doc:"questions of the session that were answered, with what was found, newest first"`
}

// PartsOut is the output of ask.parts.
type PartsOut struct {
	Parts []Part `json:"parts" doc:"parts that can be asked on their own, in order; none if there is nothing to look up"`
	Note  string `json:"note,omitempty" doc:"why the question was not split"`
}

// Part is a part of a question.
type Part struct {
	Text    string             `json:"text" doc:"the part as in the question, shortened; no two are the same"`
	Ask     string             `json:"ask" doc:"what to ask: the part, followed by words of the question that it builds on"`
	Earlier []contract.Earlier `json:"earlier,omitempty" doc:"the questions and parts before it, oldest first"`
}

// parts returns ask.parts, which splits a question.
func parts() catalog.Builtin {
	return catalog.New("ask.parts", "split a question into the parts that can be asked on their own", 0,
		func(_ context.Context, _ *catalog.Env, in PartsIn) (PartsOut, error) {
			return in.split(), nil
		}).Immediate()
}

var (
	stops = words.Set(words.CommonStops())
	// courtesies alone ask nothing.
	courtesies = words.Set(`hello hi hey hallo bonjour hola ciao good morning afternoon evening night day welcome bye goodbye
		thanks thank thx cheers please danke merci gracias grazie obrigado ok okay yes yeah no nope sure fine great nice cool
		perfect awesome wonderful sorry help helped helpful lot much you`)
)

// split splits the question, and gives each part the questions before it.
func (in PartsIn) split() PartsOut {
	out := splitQuestion(in.Question, in.Earlier)
	var before []contract.Earlier
	for _, a := range slices.Backward(in.Answered) {
		if !slices.Contains(in.Earlier, a.Question) { // such as that of a tool whose question is called otherwise
			before = append(before, a)
		}
	}
	for _, e := range in.Earlier {
		one := contract.Earlier{Question: e, References: []string{}}
		if i := slices.IndexFunc(in.Answered, func(a contract.Earlier) bool { return a.Question == e }); i >= 0 {
			one.References = append(one.References, in.Answered[i].References...)
		}
		before = append(before, one)
	}
	for i, p := range out.Parts {
		out.Parts[i].Earlier = slices.Clone(before)
		before = append(before, contract.Earlier{Question: p.Ask, References: []string{}})
	}
	return out
}

// splitQuestion returns the parts of a question, in order: its sentences that ask, cut where "and" joins two questions.
// A sentence that only tells stays with the one that asks. A text without words to look for has no parts, unless it
// continues an earlier question.
func splitQuestion(question string, earlier []string) PartsOut {
	q, before := coderank.Parse(question), lastSubject(question, earlier)
	continues := before != "" && q.FollowUp()
	if !continues && !hasSubject(question, q) {
		return PartsOut{Parts: []Part{}}
	}
	whole := PartsOut{Parts: []Part{{Text: shortText(question), Ask: question}}}
	if continues {
		whole.Parts[0].Ask = addSubject(question, before)
	}
	if len(question) > maxSplit || strings.Contains(strings.TrimSpace(question), "\n") {
		return whole
	}
	var parts []Part
	for _, sentence := range splitSentences(question) {
		for i, text := range splitJoined(sentence) {
			p := Part{Text: shortText(text), Ask: text}
			few := len(subjectWords(text)) <= maxOwn
			if before != "" && few && (personal.MatchString(text) || i > 0 && refers.MatchString(text)) {
				p.Ask = addSubject(text, before)
			}
			if len(subjectWords(text)) > 0 {
				before = p.Ask
			}
			switch i := slices.IndexFunc(parts, func(q Part) bool { return q.Text == p.Text }); {
			case i < 0:
				parts = append(parts, p)
			case oneLine(parts[i].Ask) != oneLine(p.Ask): // they differ in what their texts leave out
				return whole
			}
		}
	}
	switch {
	case len(parts) > maxParts:
		whole.Note = fmt.Sprintf("asked as a whole: it has %d questions, and at most %d are asked one by one", len(parts), maxParts)
		return whole
	case len(parts) < 2:
		return whole
	}
	return PartsOut{Parts: parts}
}

// lastSubject returns the latest other question that has words to look for, "" if none has.
func lastSubject(question string, earlier []string) string {
	for _, e := range slices.Backward(earlier) {
		if e != question && len(subjectWords(e)) > 0 && hasSubject(e, coderank.Parse(e)) {
			return e
		}
	}
	return ""
}

// addSubject adds words of the question before to one that builds on it. They stand behind it, since what it asks for is
// read at its beginning, and are not put in place of a pronoun, since which of them it stands for takes a parser.
func addSubject(text, before string) string {
	list := subjectWords(before)
	return strings.TrimRight(text, "?. ") + " (" + strings.Join(list[:min(len(list), maxSubject)], " ") + ")?"
}

func shortText(text string) string { return contract.Shorten(oneLine(text), maxText) }

// hasSubject reports whether a text has a word or a name to look for. Courtesies are none, unless they are asked about.
func hasSubject(text string, q *coderank.Query) bool {
	list := subjectWords(text)
	if len(list) > 0 && begins.MatchString(text) {
		return true
	}
	return slices.ContainsFunc(list, func(w string) bool { return !courtesies[words.Fold(w)] }) ||
		slices.ContainsFunc(q.Idents, func(id coderank.Ident) bool { return id.Shaped || id.Quoted })
}

// subjectWords returns the words of a text that tell its subject.
func subjectWords(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !words.IsLetter(r) && !strings.ContainsRune("_.-'", r) }) {
		if w == "'s" { // behind `Pool` or close()
			continue
		}
		w = strings.Trim(w, ".-_'")
		if head, _, _ := strings.Cut(w, "'"); head != "" && !stops[words.Fold(head)] { // "what's" is "what"
			out = append(out, w)
		}
	}
	return out
}

var (
	// compares matches words that make "and" join what is compared, and not two questions.
	compares = lazyregexp.New(`(?i)\b(between|differences?|differs?|compared?|comparison|versus|vs|both|either|whether)\b`)
	// begins matches a text that asks or requests something.
	begins = lazyregexp.New(`(?i)^\W*(how|what|which|where|when|who|whom|whose|why|is|are|was|were|does|do|did|can|could|should|would|will|has|have|explain|describe|show|list|find|tell|give)\b`)
	// joint matches what joins a question to the one before it, with the question word in a group. After a comma alone,
	// or an "and" alone, a question word may begin a clause: there the verb must follow it.
	joint = lazyregexp.New(`(?i)(?:,\s+and|;)(?:\s+also)?\s+(how|what|which|where|when|who|whose|why)\s|` +
		`(?:,|\s+and)(?:\s+also)?\s+((?:how|what|which|where|when|why)\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|happens?)\b|who\s)`)
	// personal matches a pronoun that stands for the subject of the question before.
	personal = lazyregexp.New(`(?i)\b(it|its|they|them|their)\b`)
	// refers matches words of a part that is about the subject of the part before, if it has few of its own.
	refers = lazyregexp.New(`(?i)\b(the|i|we|you|one)\b`)
	leads  = lazyregexp.New(`(?i)^\W*(and|but|or)\b`)
)

// splitSentences returns the sentences of a text that ask, each with what is told before it. What is told at the
// end belongs to the last.
func splitSentences(text string) []string {
	var out []string
	from := 0
	for at := range text {
		if text[at] != '?' || at+1 < len(text) && text[at+1] != ' ' || insideQuotes(text[:at]) {
			continue
		}
		if said := strings.TrimSpace(text[from : at+1]); len(subjectWords(said)) > 0 || leads.MatchString(said) {
			out = append(out, said)
			from = at + 1
		}
	}
	switch told := strings.TrimSpace(text[from:]); {
	case told == "":
	case len(out) == 0 || begins.MatchString(told):
		out = append(out, told)
	default:
		out[len(out)-1] += " " + told
	}
	return out
}

// splitJoined returns the questions that are joined in a sentence.
func splitJoined(sentence string) []string {
	const least = 2 // words that a question before a joint must have, pronouns included: "who owns and who edits a file?" is one
	var out []string
	if compares.MatchString(sentence) {
		return []string{sentence}
	}
	from := 0
	for _, m := range joint.FindAllStringSubmatchIndex(sentence, -1) {
		left, at := sentence[from:m[0]], max(m[2], m[4])
		if insideQuotes(sentence[:m[0]]) || !begins.MatchString(left) || len(subjectWords(left))+len(personal.FindAllString(left, least)) < least || len(subjectWords(sentence[at:])) == 0 {
			continue
		}
		out, from = append(out, strings.TrimSpace(left)), at
	}
	return append(out, strings.Trim(sentence[from:], " ,;"))
}

// insideQuotes reports whether quotation marks or backticks are open at the end of a text. An apostrophe is a quotation
// mark where a word may begin, and where none goes on.
func insideQuotes(text string) bool {
	var open, last rune
	runes := append([]rune(text), 0)
	for i, r := range runes[:len(runes)-1] {
		next := runes[i+1]
		switch {
		case open == 0 && r == '“':
			open = '”'
		case open == 0 && (r == '"' || r == '`' || r == '\'' && (last == 0 || unicode.IsSpace(last) || strings.ContainsRune("([{,=:", last))):
			open = r
		case r == open && (r != '\'' || !words.IsLetter(next)):
			open = 0
		}
		last = r
	}
	return open != 0
}
