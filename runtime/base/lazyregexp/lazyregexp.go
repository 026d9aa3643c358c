// Package lazyregexp has regular expressions of a package that are compiled when first used: a run uses few of the many
// that the program holds, and compiling them all at each start takes longer than printing a version does.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is an expression that is compiled by the first method called. Its methods are those of [regexp.Regexp], and as
// safe for concurrent use.
type Regexp struct {
	expr     string
	literals []string // one of them is in each match; nil where nothing is known
	once     sync.Once
	re       *regexp.Regexp
}

// testing tells that this is a test binary: a package that holds a wrong expression must not pass its tests.
var testing = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New takes an expression that is known to be right: a wrong one panics on first use, and at once in a test.
func New(expr string) *Regexp {
	r := &Regexp{expr: expr}
	if testing {
		r.Regexp()
	}
	return r
}

// Regexp is the compiled expression.
func (r *Regexp) Regexp() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.expr) })
	return r.re
}

// Holding is New for an expression whose matches all hold one of some literals: a text without them is told apart by
// looking for those alone.
func Holding(expr string, literals ...string) *Regexp {
	r := New(expr)
	r.literals = literals
	return r
}

// never matches nothing.
var never = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\s\S]`) })

// on is the expression that gives what r gives on a text.
func (r *Regexp) on(s string) *regexp.Regexp {
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
