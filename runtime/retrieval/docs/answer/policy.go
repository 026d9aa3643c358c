package answer

import (
	"fmt"
	"strings"
)

// Style says how much an answer says.
type Style string

// The styles.
const (
	Concise   Style = "concise"   // only what answers the question
	Default   Style = "default"   // with related text
	Technical Style = "technical" // with code, rows and details
)

// Styles lists all of them, the shortest first.
var Styles = []Style{Concise, Default, Technical}

// Policy says how long an answer is and when it is withheld.
type Policy struct {
	Style   Style   // "" is Default
	Tokens  int     // maximum for the text; 0 is that of the style
	Support float64 // minimum for an answer; 0 is Threshold, below 0 none
}

// measure holds the limits of a style.
type measure struct {
	tokens int
	units  int     // maximum
	least  float64 // minimum score of a unit, relative to the best
	close  float64 // share of the question that a further unit must hold, relative to the best
	adds   float64 // share of the question that a further unit must add
}

var measures = map[Style]measure{
	Concise:   {tokens: 90, units: 2, least: 0.6, close: 0.7, adds: 0.3},
	Default:   {tokens: 260, units: 7, least: 0.45, close: 0.6, adds: 0.15},
	Technical: {tokens: 700, units: 16, least: 0.3},
}

// Check returns an error that names the invalid field.
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

// measure returns the limits of an answer.
func (p Policy) measure() measure {
	m := measures[p.style()]
	if p.Tokens > 0 {
		m.units = max(1, m.units*p.Tokens/m.tokens)
		m.tokens = p.Tokens
	}
	return m
}

// threshold returns the minimum support.
func (p Policy) threshold() float64 {
	if p.Support == 0 {
		return Threshold
	}
	return p.Support
}
