package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxAlternatives bounds what the braces of one glob multiply to.
const maxAlternatives = 256

// glob is a pattern with *, ?, [ab], {a,b} and \ before a character that
// stands for itself. The braces are multiplied out, so that comparing needs no
// recursion: its time is bounded by name times pattern, whatever they hold.
type glob struct{ alternatives []alternative }

// alternative is one reading of a glob. A name that lacks its longest literal
// run need not be walked.
type alternative struct {
	tokens []token
	must   string
}

// folded is a name as globs see it.
type folded struct {
	runes []rune
	text  string
}

type tokenKind uint8

const (
	literal tokenKind = iota
	anyOne
	anyRun
	class
)

type token struct {
	kind   tokenKind
	r      rune // of a literal, folded
	not    bool // of a class
	ranges [][2]rune
}

// fold is the form in which names and patterns are compared: rune by rune, so
// that both keep their length.
func fold(s string) folded {
	rs := []rune(s)
	for i, r := range rs {
		rs[i] = unicode.ToLower(r)
	}
	return folded{rs, string(rs)}
}

// longestLiteral is the longest run of literals.
func longestLiteral(ts []token) string {
	longest, run := "", ""
	for _, t := range ts {
		if t.kind != literal {
			run = ""
			continue
		}
		run += string(t.r)
		if len(run) > len(longest) {
			longest = run
		}
	}
	return longest
}

func compileGlob(text string) (*glob, error) {
	p := globParser{text: []rune(text)}
	readings, err := p.sequence(false)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	g := &glob{}
	for _, ts := range readings {
		g.alternatives = append(g.alternatives, alternative{ts, longestLiteral(ts)})
	}
	return g, nil
}

func (g *glob) match(name *folded) bool {
	for i := range g.alternatives {
		a := &g.alternatives[i]
		if strings.Contains(name.text, a.must) && matchTokens(a.tokens, name.runes) {
			return true
		}
	}
	return false
}

// matchTokens goes back to the last star only: an earlier one could not do
// better.
func matchTokens(ts []token, name []rune) bool {
	t, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		switch {
		case t < len(ts) && ts[t].kind == anyRun:
			star, from = t, n
			t++
		case t < len(ts) && ts[t].fits(name[n]):
			t++
			n++
		case star >= 0:
			from++
			t, n = star+1, from
		default:
			return false
		}
	}
	for t < len(ts) && ts[t].kind == anyRun {
		t++
	}
	return t == len(ts)
}

func (t *token) fits(r rune) bool {
	switch t.kind {
	case literal:
		return t.r == r
	case anyOne:
		return true
	}
	upper := unicode.ToUpper(r)
	in := slices.ContainsFunc(t.ranges, func(b [2]rune) bool {
		return b[0] <= r && r <= b[1] || b[0] <= upper && upper <= b[1]
	})
	return in != t.not
}

type globParser struct {
	text []rune
	at   int
}

// sequence reads up to the end, or within braces up to a comma or the closing
// brace, and returns what it may stand for.
func (p *globParser) sequence(inBraces bool) ([][]token, error) {
	out := [][]token{nil}
	for p.at < len(p.text) {
		c := p.text[p.at]
		if inBraces && (c == ',' || c == '}') {
			return out, nil
		}
		p.at++
		if c == '{' {
			choices, err := p.braces()
			if err != nil {
				return nil, err
			}
			if out, err = multiply(out, choices); err != nil {
				return nil, err
			}
			continue
		}
		t, err := p.token(c)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = appendToken(out[i], t)
		}
	}
	return out, nil
}

func (p *globParser) token(c rune) (token, error) {
	switch c {
	case '*':
		return token{kind: anyRun}, nil
	case '?':
		return token{kind: anyOne}, nil
	case '[':
		return p.class()
	case '}':
		return token{}, errors.New(`there is no { before this }: write \} for the character itself`)
	case '\\':
		if p.at == len(p.text) {
			return token{}, errors.New(`ends with \: write \\ for the character itself`)
		}
		c = p.text[p.at]
		p.at++
	}
	return token{kind: literal, r: unicode.ToLower(c)}, nil
}

// braces reads the choices after an opening brace.
func (p *globParser) braces() ([][]token, error) {
	var choices [][]token
	for {
		choice, err := p.sequence(true)
		if err != nil {
			return nil, err
		}
		choices = append(choices, choice...)
		if len(choices) > maxAlternatives {
			return nil, errTooMany
		}
		if p.at == len(p.text) {
			return nil, errors.New(`the { is not closed: write {a,b}, or \{ for the character itself`)
		}
		p.at++
		if p.text[p.at-1] == '}' {
			return choices, nil
		}
	}
}

var errTooMany = fmt.Errorf("its braces stand for more than %d patterns: make it several, or a /regular expression/", maxAlternatives)

func multiply(heads, tails [][]token) ([][]token, error) {
	if len(heads)*len(tails) > maxAlternatives {
		return nil, errTooMany
	}
	out := make([][]token, 0, len(heads)*len(tails))
	for _, h := range heads {
		for _, t := range tails {
			ts := slices.Clone(h)
			for _, one := range t {
				ts = appendToken(ts, one)
			}
			out = append(out, ts)
		}
	}
	return out, nil
}

// appendToken makes one star of several.
func appendToken(ts []token, t token) []token {
	if t.kind == anyRun && len(ts) > 0 && ts[len(ts)-1].kind == anyRun {
		return ts
	}
	return append(ts, t)
}

// class reads what follows an opening bracket.
func (p *globParser) class() (token, error) {
	t := token{kind: class}
	if p.at < len(p.text) && (p.text[p.at] == '!' || p.text[p.at] == '^') {
		t.not = true
		p.at++
	}
	for p.at < len(p.text) && p.text[p.at] != ']' {
		low, ok := p.member()
		if !ok {
			return t, errUnclosed
		}
		high := low
		if p.at+1 < len(p.text) && p.text[p.at] == '-' && p.text[p.at+1] != ']' {
			p.at++
			if high, ok = p.member(); !ok {
				return t, errUnclosed
			}
		}
		if low > high {
			return t, fmt.Errorf("the range %c-%c is upside down: write %c-%c", low, high, high, low)
		}
		t.ranges = append(t.ranges, [2]rune{low, high})
	}
	if p.at == len(p.text) {
		return t, errUnclosed
	}
	if len(t.ranges) == 0 {
		return t, errors.New(`the brackets are empty: list characters in them, or write \[ for the character itself`)
	}
	p.at++
	return t, nil
}

var errUnclosed = errors.New(`the [ is not closed: write [ab], or \[ for the character itself`)

// member reads one character of a class.
func (p *globParser) member() (rune, bool) {
	if p.text[p.at] == '\\' {
		p.at++
		if p.at == len(p.text) {
			return 0, false
		}
	}
	p.at++
	return p.text[p.at-1], true
}
