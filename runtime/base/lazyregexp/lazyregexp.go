// Package lazyregexp provides package-level regular expressions that are compiled on first use: a run uses few of the
// many in the program, and compiling them all at each start takes longer than printing a version does.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is an expression that is compiled by the first method called. Its methods are those of [regexp.Regexp], and
// equally safe for concurrent use.
type Regexp struct {
	expr     string
	literals []string // every match contains one of them; nil if unknown
	once     sync.Once
	re       *regexp.Regexp
}

// testing is set in a test binary: a package with an invalid expression must not pass its tests.
var testing = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns an expression that must be valid: an invalid one panics on first use, and immediately in a test.
func New(expr string) *Regexp {
	r := &Regexp{expr: expr}
	if testing {
		r.Regexp()
	}
	return r
}

// Regexp returns the compiled expression.
func (r *Regexp) Regexp() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// Holding does what New does, for an expression whose matches all contain one of some literals: a text without them is
// rejected by a search for the literals alone.
func Holding(expr string, literals ...string) *Regexp {
	r := New(expr)
	r.literals = literals
	return r
}

// never returns an expression that matches nothing.
var never = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\s\S]`) })

// regexpFor returns an expression with the same results as r on a text.
func (r *Regexp) regexpFor(s string) *regexp.Regexp {
	for _, l := range r.literals {
		if strings.Contains(s, l) {
			return r.Regexp()
		}
	}
	if r.literals != nil {
		return never()
	}
	return r.Regexp()
}
