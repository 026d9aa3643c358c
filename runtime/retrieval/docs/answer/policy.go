package answer

import (
	"fmt"
	"strings"
)

// Style is how much is said.
type Style string

// The styles.
const (
	Concise   Style = "concise"   // what answers, and no more
	Default   Style = "default"   // with what belongs to it
	Technical Style = "technical" // with code, rows and details
)

// Styles are all of them, the shortest first.
var Styles = []Style{Concise, Default, Technical}

// Policy says how long an answer is and when there is none.
type Policy struct {
	Style   Style   // "" is Default
	Tokens  int     // the most that the text has; 0 is that of the style
	Support float64 // the least support with which something is answered; 0 is Threshold, below 0 none
}

// measure is what a style says.
type measure struct {
	tokens int
	units  int     // the most
	least  float64 // of a unit's score, against the best
	close  float64 // of the question that a further unit holds, against the best
	adds   float64 // of the question that a further unit holds and nothing before it
}

var measures = map[Style]measure{
	Concise:   {tokens: 90, units: 2, least: 0.6, close: 0.7, adds: 0.3},
	Default:   {tokens: 260, units: 7, least: 0.45, close: 0.6, adds: 0.15},
	Technical: {tokens: 700, units: 16, least: 0.3},
}

// Check returns an error that names what does not fit.
func (p Policy) Check() error {
	if _, ok := measures[p.style()]; !ok {
		return fmt.Errorf("answer: style %q: want one of %s, %s, %s", p.Style, Concise, Default, Technical)
	}
	if p.Tokens < 0 {
		return fmt.Errorf("answer: %d tokens: want 0 for the style's own, or more", p.Tokens)
	}
	if p.Support > 1 {
		return fmt.Errorf("answer: a support of %v: want at most 1", p.Support)
	}
	return nil
}

func (p Policy) style() Style {
	if s := Style(strings.ToLower(string(p.Style))); s != "" {
		return s
	}
	return Default
}

// measure returns what is said at most.
func (p Policy) measure() measure {
	m := measures[p.style()]
	if p.Tokens > 0 {
		m.units = max(1, m.units*p.Tokens/m.tokens)
		m.tokens = p.Tokens
	}
	return m
}

// threshold returns the least support.
func (p Policy) threshold() float64 {
	if p.Support == 0 {
		return Threshold
	}
	return p.Support
}
