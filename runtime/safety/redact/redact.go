package redact

import (
	"fmt"
	"strings"
	"sync"
)

// Redactor finds and masks secrets in text. It is created by Compile, immutable, and safe for concurrent use.
type Redactor struct {
	detectors []*detector
	always    []*detector // those without keywords
	words     *automaton
	base      *Redactor // the built-in rules alone; nil for that redactor itself
}

// Span is a removed part of the input: bytes [Start, End) of it. Rule is the ID of the rule that claims it.
type Span struct {
	Rule       string
	Start, End int
}

// builtin is the built-in set. It is immutable, and shared so that its expressions are compiled only once.
var builtin = sync.OnceValue(func() *Redactor {
	r, errs := newRedactor(builtinDetectors())
	if len(errs) > 0 {
		panic("redact: built-in rules: " + errs[0].Error()) // a test ensures that this cannot happen
	}
	return r
})

// Default returns the redactor that has only the built-in rules.
func Default() *Redactor { return builtin() }

// builtinDetectors returns every detector of the default set, prepared.
func builtinDetectors() (list []*detector) {
	for _, group := range [][]*detector{formDetectors(), nameDetectors(), vendorDetectors(), gitleaksDetectors()} {
		list = append(list, group...)
	}
	for _, d := range list {
		d.prepare()
	}
	return list
}

// Compile joins the user's rules to the built-in ones. A rule with a mistake is left out and reported; the others work.
// User rules add to what is removed and cannot disable a built-in rule.
func Compile(user []Rule) (*Redactor, []RuleError) {
	base := Default()
	if len(user) == 0 {
		return base, nil
	}
	taken := map[string]bool{withheldID: true, patternID: true}
	for _, d := range base.detectors {
		taken[d.id] = true
	}
	var errs []RuleError
	fail := func(i int, list ...RuleError) {
		for _, e := range list {
			e.Index = i
			errs = append(errs, e)
		}
	}
	steps := 0
	detectors := base.detectors[:len(base.detectors):len(base.detectors)]
	for i, rule := range user {
		d, mistakes := userDetector(rule)
		if taken[rule.ID] {
			mistakes = append(mistakes, RuleError{Rule: rule.ID, Field: "id", Problem: "is taken by another pattern"})
		}
		if len(mistakes) == 0 && steps+d.steps > maxAllSteps {
			mistakes = append(mistakes, RuleError{Rule: rule.ID, Field: "regex", Problem: fmt.Sprintf(
				"is one too many: all patterns together have %d steps, at most %d", steps+d.steps, maxAllSteps)})
		}
		if len(mistakes) == 0 {
			mistakes = tryExamples(rule, d)
		}
		if len(mistakes) > 0 {
			fail(i, mistakes...)
			continue
		}
		taken[rule.ID] = true
		steps += d.steps
		detectors = append(detectors, d)
	}
	r, mistakes := newRedactor(detectors)
	if len(mistakes) > 0 {
		fail(len(user)-1, mistakes...)
		return base, errs
	}
	r.base = base
	return r, errs
}

// newRedactor makes a redactor from prepared detectors.
func newRedactor(detectors []*detector) (*Redactor, []RuleError) {
	keywords := make([][]string, len(detectors))
	r := &Redactor{detectors: detectors}
	for i, d := range detectors {
		keywords[i] = d.keywords
		if len(d.keywords) == 0 {
			r.always = append(r.always, d)
		}
	}
	var ok bool
	if r.words, ok = newAutomaton(keywords); !ok {
		last := detectors[len(detectors)-1].id
		return nil, []RuleError{{Rule: last, Field: "keywords", Problem: "all patterns together have too many keywords"}}
	}
	return r, nil
}

// tryExamples checks a rule against its own examples. It runs the rule alone, so that no built-in rule can help.
func tryExamples(rule Rule, d *detector) (errs []RuleError) {
	d.prepare()
	alone, errs := newRedactor([]*detector{d})
	if len(errs) > 0 {
		return errs
	}
	finds := func(text string) bool {
		s := scan{r: alone, text: text, watch: newWatch(len(text))}
		return len(s.run()) > 0
	}
	if rule.Example != "" && !finds(rule.Example) {
		problem := "the pattern finds nothing in it"
		if len(d.keywords) > 0 {
			problem += "; it must also hold a keyword: " + strings.Join(d.keywords, ", ")
		}
		errs = append(errs, RuleError{Rule: rule.ID, Field: "example", Problem: problem})
	}
	if rule.Counter != "" && finds(rule.Counter) {
		errs = append(errs, RuleError{Rule: rule.ID, Field: "counter", Problem: "the pattern finds a secret in it"})
	}
	return errs
}

// Redact returns the text with every secret replaced, and what was removed, sorted by position and disjoint. A text
// without findings is returned unchanged. A removed part that spans lines leaves its newlines, so that line numbers
// stay valid. Redacting the result changes nothing. A text that takes too long is replaced by a notice, with its
// newlines.
func (r *Redactor) Redact(text string) (string, []Span) { return r.RedactFile("", text) }

// RedactFile does what Redact does, for the text of a file with a root-relative path, which a few rules check. The path
// is not part of the text and is not redacted.
func (r *Redactor) RedactFile(path, text string) (string, []Span) {
	spans := r.findSpans(path, text, newWatch(len(text)))
	if len(spans) == 0 {
		return text, nil
	}
	return replaceSpans(text, spans), exportSpans(spans)
}
