package redact

import (
	"regexp"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Ranks decide which detector's name a finding gets if several found it: the lowest wins.
const (
	rankJoint   = iota // see joint
	rankUser           // a rule of the configuration
	rankVendor         // one known kind of token
	rankForm           // a form that is a secret whatever it holds: private key, JWT, header, URL
	rankGeneric        // a guess from a name or from randomness; the exemptions in exempt.go apply only to this rank
)

// detector finds one kind of secret: it has keywords and a check for where one occurs. Either expr is set, a regexp to
// run near the keyword, or look is, which is custom code; with neither, it only names the findings of another.
type detector struct {
	id       string
	rank     int
	keywords []string // lower case; if empty, the whole text is searched
	mask     string   // replaces the secret; if empty, placeholder(id) does

	expr     string
	group    int
	entropy  float64
	steps    int                // the cost of a user rule; 0 for a built-in one
	path     *lazyregexp.Regexp // nil applies to every file
	needPath bool               // without a path, the rule does not apply; if false, it does
	allow    func(s *scan, m match) bool
	assign   bool // expr is gitleaks' key-operator-value form, without its leading filler
	tail     int  // characters of a token that follow the keyword in every match
	program  func() *program

	look func(s *scan, start, end int) // start and end bound the keyword
}

// match is a match of a detector's expression. line returns the source line or lines around it.
type match struct {
	secret string
	text   string
	line   func() string
}

// program is a compiled expression with its shape.
type program struct {
	shape
	re func() *regexp.Regexp // compiled on first use: most keywords in a text lead to no match
}

// prepare sets what is computed once and shared by all scans.
func (d *detector) prepare() *detector {
	if d.mask == "" {
		d.mask = markFor(d.id)
	}
	if d.expr == "" {
		return d
	}
	expr, keywords := d.expr, d.keywords
	d.program = sync.OnceValue(func() *program {
		p := &program{shape: shapeOf(expr, keywords)}
		p.re = sync.OnceValue(func() *regexp.Regexp {
			if p.anchored {
				return regexp.MustCompile("^(?:" + expr + ")")
			}
			return regexp.MustCompile(expr)
		})
		return p
	})
	return d
}

func lazyRegexps(exprs []string) (list []*lazyregexp.Regexp) {
	for _, expr := range exprs {
		list = append(list, lazyregexp.New(expr))
	}
	return list
}

func anyLazy(list []*lazyregexp.Regexp, s string) bool {
	for _, l := range list {
		if l.MatchString(s) {
			return true
		}
	}
	return false
}
