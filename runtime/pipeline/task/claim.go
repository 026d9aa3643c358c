package task

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// A claim is a sentence of a model. It is passed on only if the text shown to the model
// supports it: every name, number and path in it occurs there, most of its words do, and
// it denies nothing that is not denied there. That catches what small models make up. It
// cannot catch what they get wrong in words that all occur in the text, so a claim is put
// after what the builtins found and never replaces it.

// minSupport is the share of a claim's content words that must occur in its evidence,
// compared by their stems.
const minSupport = 0.5

// Grounds is what claims are checked against: what was shown to a model.
type Grounds struct {
	text  string          // everything shown, and the question
	lower string          // text in lower case
	stems map[string]bool // of the words of text
	asked map[string]bool // of the question's words, which prove nothing
	rules string          // our own instructions, which must not count as an answer
}

// NewGrounds makes Grounds from what was shown with a question. rules is our own instructions, which must not count as
// an answer.
func NewGrounds(question, rules string, shown ...string) *Grounds {
	text := question + "\n" + strings.Join(shown, "\n")
	g := &Grounds{text: text, lower: strings.ToLower(text), stems: map[string]bool{}, asked: map[string]bool{}, rules: strings.ToLower(rules)}
	for _, w := range wordsOf(question) {
		g.asked[words.Root(w)] = true
	}
	for _, w := range wordsOf(text) {
		g.stems[words.Root(w)] = true
	}
	return g
}

// Claim returns a model's sentence in the form in which it may be passed on, in at most
// max bytes, or "" if it may not.
func (g *Grounds) Claim(text string, max int) string {
	text = strings.Join(strings.Fields(sanitize.Neutral(text)), " ")
	text = strings.TrimRight(markdown.ReplaceAllString(text, "$1"), " .") // [words](link) becomes words
	text = strings.TrimSpace(listMark.ReplaceAllString(text, ""))
	if text == "" || !strings.ContainsFunc(text, unicode.IsLetter) || link.MatchString(text) {
		return ""
	}
	if strings.Contains(g.rules, strings.ToLower(text)) || repeatsItself(text) {
		return ""
	}
	if !g.knowsParts(text) || !g.supports(text) || g.denies(text) {
		return ""
	}
	return contract.Shorten(text, max) + "."
}

var (
	markdown = lazyregexp.New(`!?\[([^\]]*)\]\([^)]*\)`)
	listMark = lazyregexp.New(`^(?:[-*•]|\d+[.)]|\[\d+\]:?)\s+`)
	link     = lazyregexp.New(`(?i)\b(?:https?|ftp|data|javascript|file):[^\s]`)
	// exact matches the parts of a sentence that must occur in the evidence unchanged:
	// paths, names with signs, digits or capitals inside, quoted text.
	exact = lazyregexp.New("`[^`]+`" + `|[\w./\\-]*[\w]/[\w./\\-]+|[A-Za-z_$][\w$]*(?:(?:\.|::|->)[\w$]+)+|\w+\(\)?|[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*|\w+_\w+|[A-Z]{2,}\w*|\w*\d[\w.:]*` +
		`|[\pL\w]*[^\PN0-9][\pL\pN_]*` + // digits of other scripts
		`|[A-Za-z_]+[\p{Cyrillic}\p{Greek}][\pL\w]*|[\p{Cyrillic}\p{Greek}]+[A-Za-z_][\pL\w]*`) // letters that only look alike
	never = lazyregexp.New(`(?i)\b(?:not|no|never|none|nothing|nowhere|cannot|without|missing|absent|unused|deprecated|lacks?|fails? to)\b|n't\b`)
)

// knowsParts reports whether every exact part of a sentence was shown.
func (g *Grounds) knowsParts(text string) bool { return g.firstUnknown(text) == "" }

// firstUnknown returns the first exact part of a text that was not shown, or "".
func (g *Grounds) firstUnknown(text string) string {
	for _, part := range exactParts(text) {
		if !containsPart(g.lower, strings.ToLower(part)) {
			return part
		}
	}
	return ""
}

// containsPart reports whether a part occurs in a text, and not as some digits of a longer number.
func containsPart(text, part string) bool {
	digit := func(s string, i int) bool { return i >= 0 && i < len(s) && '0' <= s[i] && s[i] <= '9' }
	for at := 0; ; at++ {
		i := strings.Index(text[at:], part)
		if i < 0 {
			return false
		}
		at += i
		before := digit(part, 0) && digit(text, at-1)
		after := digit(part, len(part)-1) && digit(text, at+len(part))
		if !before && !after {
			return true
		}
	}
}

// exactParts lists the names, numbers, paths and quoted words of a text.
func exactParts(text string) []string {
	var out []string
	for _, part := range exact.FindAllString(text, -1) {
		if part = strings.Trim(part, "`().,:;"); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// supports reports whether enough of a sentence's words were shown, and at least two of
// them outside the question: any sentence can be made of the question's words.
func (g *Grounds) supports(text string) bool {
	said, carried, shown := 0, 0, 0
	for _, w := range wordsOf(text) {
		if fillers()[w] {
			continue
		}
		said++
		if g.stems[words.Root(w)] {
			carried++
			if !g.asked[words.Root(w)] {
				shown++
			}
		}
	}
	return shown >= 2 && float64(carried) >= minSupport*float64(said)
}

// denies reports whether a sentence denies something while nothing that was shown does.
func (g *Grounds) denies(text string) bool {
	return never.MatchString(text) && !never.MatchString(g.text)
}

// repeatsItself reports whether a sentence has the same three words three times, as models
// produce when they get stuck.
func repeatsItself(text string) bool {
	said := strings.Fields(strings.ToLower(text))
	seen := map[string]int{}
	for i := 0; i+2 < len(said); i++ {
		key := strings.Join(said[i:i+3], " ")
		if seen[key]++; seen[key] > 2 {
			return true
		}
	}
	return false
}

// wordsOf returns the words of a text in lower case, with compound names split. It leaves
// out numbers: knowsParts checks those.
func wordsOf(text string) []string {
	var out []string
	words.Split(text, nil, func(w words.Word) {
		if !w.Join && !words.Digits(w.Text) {
			out = append(out, w.Text)
		}
	})
	return out
}

//go:embed fillers.txt
var fillerList string

// fillers returns the words that say nothing about a subject.
var fillers = sync.OnceValue(func() map[string]bool { return words.Set(fillerList) })
