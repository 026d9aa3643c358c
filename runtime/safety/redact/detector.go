package redact

import (
	"regexp"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Ranks say whose name a place gets that several detectors found: the lowest wins.
const (
	rankJoint   = iota // see joint
	rankUser           // a rule of the configuration
	rankVendor         // one known kind of token
	rankForm           // a form that holds a secret whatever is in it: private key, JWT, header, URL
	rankGeneric        // a guess from a name or from chance; the exemptions of exempt.go hold for this rank only
)

// detector is one kind of secret: keywords, and what to do where one of them stands. Either expr is set, and the
// regex is run near the keyword, or look is, which is own code; with neither it lends its name to another's findings.
type detector struct {
	id       string
	rank     int
	keywords []string // lower case; empty: the whole text is looked at
	mask     string   // what replaces the secret; empty: placeholder(id)

	expr     string
	group    int
	entropy  float64
	steps    int                // what a user rule costs; 0 for a built-in one
	path     *lazyregexp.Regexp // nil: in every file
	needPath bool               // without a path the rule does not hold; otherwise it does
	allow    func(s *scan, m match) bool
	assign   bool // expr is gitleaks' key-operator-value form, less its leading filler
	tail     int  // characters of a token that follow the keyword in every match
	program  func() *program

	look func(s *scan, start, end int) // start and end bound the keyword
}

// match is what a detector's expression found. line is the source line or lines around it.
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
		d.mask = placeholder(d.id)
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

func lazy(exprs []string) (list []*lazyregexp.Regexp) {
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
