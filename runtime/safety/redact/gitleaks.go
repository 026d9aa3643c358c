package redact

import (
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/safety/redact/gitleaks"
)

// replaced lists the gitleaks rules whose work one of our own detectors does completely.
var replaced = []string{"private-key", "kubernetes-secret-yaml", "curl-auth-user", "curl-auth-header"}

// doubts are extra checks on the findings of rules that often mistake code for secrets.
var doubts = map[string]func(m match) bool{
	"generic-api-key":     doubtGeneric,
	"vault-service-token": func(m match) bool { return strings.HasPrefix(m.secret, "s.") && lacksChance(m.secret) },
}

func lacksChance(v string) bool {
	bits, _ := tokenChance(v)
	return bits < namedBits+6
}

// doubtGeneric rejects a value that does not look random, a name that does, and the name of a digest, an ID or the
// like.
func doubtGeneric(m match) bool {
	name, _, _ := strings.Cut(m.text, m.secret)
	name = strings.TrimRight(name, "=:>|?, \t\r\n\"'`")
	nameBits, _, _ := measureRandomness(name)
	return lacksChance(m.secret) || isPlaceholder(m.secret) || isPublicKey(m.secret) || nameBits >= vendorBits || classifyName(name) == nameBenign
}

// gitleaksDetectors turns the vendored rules into detectors. It compiles no expressions.
func gitleaksDetectors() (list []*detector) {
	global := newAllowance(gitleaks.Global())
	for _, rule := range gitleaks.Rules() {
		if slices.Contains(replaced, rule.ID) {
			continue
		}
		d := &detector{
			id: rule.ID, rank: rankVendor, keywords: rule.Keywords, expr: rule.Regex, group: rule.Group, entropy: rule.Entropy,
		}
		if expr, ok := withoutFiller(rule.Regex); ok {
			d.expr, d.assign = expr, true
		} else if expr, ok := strings.CutSuffix(rule.Regex, tokenEnd); ok && strings.HasPrefix(expr, `\b(`) && doubts[rule.ID] == nil {
			d.expr = expr + looseEnd
		}
		if rule.Path != "" {
			d.path = lazyregexp.New(rule.Path)
			d.needPath = rule.ID == "hashicorp-tf-password" // takes any word in quotes
		}
		if strings.HasPrefix(rule.ID, "generic") {
			d.rank = rankGeneric
		}
		allowances := []*allowance{global}
		for _, a := range rule.Allow {
			allowances = append(allowances, newAllowance(a))
		}
		doubt := doubts[rule.ID]
		d.allow = func(s *scan, m match) bool {
			return doubt != nil && doubt(m) ||
				slices.ContainsFunc(allowances, func(a *allowance) bool { return a.allows(s.path, m) })
		}
		list = append(list, d)
	}
	return list
}

// tokenEnd is what gitleaks requires after most tokens with a prefix. It misses those in calls, lists and addresses, so
// looseEnd accepts anything that can neither continue a token nor begin the extension of a file name.
const (
	tokenEnd = "(?:[\\x60'\"\\s;]|\\\\[nr]|$)"
	looseEnd = `(?:[^\w+/=.-]|\.(?:\s|$)|$)`
)

// allowance is a compiled gitleaks.Allow.
type allowance struct {
	target  string
	all     bool
	regexes []*lazyregexp.Regexp
	paths   []*lazyregexp.Regexp
	words   func() map[[3]byte][]string // stop words by their first three bytes
}

func newAllowance(a gitleaks.Allow) *allowance {
	return &allowance{
		target: a.Target, all: a.All, regexes: lazyRegexps(a.Regexes), paths: lazyRegexps(a.Paths),
		words: sync.OnceValue(func() map[[3]byte][]string {
			byHead := make(map[[3]byte][]string, len(a.StopWords))
			for _, w := range a.StopWords {
				head := [3]byte([]byte(w))
				byHead[head] = append(byHead[head], w)
			}
			return byHead
		}),
	}
}

func (a *allowance) allows(path string, m match) bool {
	target := m.secret
	switch a.target {
	case "match":
		target = m.text
	case "line":
		target = m.line()
	}
	if a.all {
		return path != "" && anyLazy(a.paths, path) && anyLazy(a.regexes, target)
	}
	return anyLazy(a.regexes, target) || a.hasStopWord(m.secret)
}

func (a *allowance) hasStopWord(secret string) bool {
	words := a.words()
	if len(words) == 0 {
		return false
	}
	secret = strings.ToLower(secret)
	for i := 0; i+3 <= len(secret); i++ {
		for _, w := range words[[3]byte([]byte(secret[i:i+3]))] {
			if strings.HasPrefix(secret[i:], w) {
				return true
			}
		}
	}
	return false
}

// More than half of gitleaks' rules have one form: any name characters, a keyword, more of a name, an operator, quotes
// and the value. The filler in front makes such an expression slow and its start vague; without it the expression is
// anchored at the keyword, and a check of the bytes after the keyword rules out nearly all tries.
var assignFillers = map[string]string{ // and their replacements
	`(?i)[\w.-]{0,50}?(?:`:              `(?i)(?:`,
	`[\w.-]{0,50}?(?i:[\w.-]{0,50}?(?:`: `(?i:(?:`,
}

const (
	assignOperator = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	fillerMax      = 50
	assignMinValue = 8   // no rule of this form has a shorter value
	assignMaxValue = 160 // nor a longer one
)

// withoutFiller removes the filler from an expression that has this form as a whole: not if it also offers another
// form, or if its names hold an operator.
func withoutFiller(expr string) (string, bool) {
	names, _, ok := strings.Cut(expr, assignOperator)
	if !ok || strings.Contains(expr, `|\b(`) || strings.Contains(names, ",|") {
		return "", false
	}
	for filler, instead := range assignFillers {
		if rest, ok := strings.CutPrefix(expr, filler); ok {
			return instead + rest, true
		}
	}
	return "", false
}

// assignsAfter reports whether text[at:] can be the rest of that form; it is true for everything the expressions match.
// mixed requires a digit in the value.
func assignsAfter(text string, at int, mixed bool) bool {
	i := at
	for limit := at + 2*fillerMax; i < len(text) && i < limit && isNameFiller(text[i]); {
		i++
	}
	op := i
	for i < len(text) && strings.IndexByte("=>:|?,", text[i]) >= 0 {
		i++
	}
	if i == op {
		return false
	}
	for limit := i + 8; i < len(text) && i < limit && strings.IndexByte("`'\"\t\n\v\f\r =", text[i]) >= 0; {
		i++
	}
	value := i
	for i < len(text) && i-value < assignMinValue && isValue(text[i]) {
		i++
	}
	return i-value == assignMinValue && (!mixed || hasDigit(text[value:], assignMaxValue))
}

// hasDigit reports whether the value at the beginning of v has a digit in its first limit bytes.
func hasDigit(v string, limit int) bool {
	for i := 0; i < len(v) && i < limit && isValue(v[i]); i++ {
		if alphabetOf[v[i]] == digit {
			return true
		}
	}
	return false
}

func isNameFiller(c byte) bool { return isWord(c) || strings.IndexByte(".-'\"\t\n\f\r ", c) >= 0 }

func isValue(c byte) bool { return c > ' ' && strings.IndexByte("`'\"();<>{}", c) < 0 }

// keyStart returns where the name begins that holds text[at].
func keyStart(text string, at int) int {
	for limit := at - fillerMax; at > 0 && at > limit && (isWord(text[at-1]) || text[at-1] == '.' || text[at-1] == '-'); {
		at--
	}
	return at
}
