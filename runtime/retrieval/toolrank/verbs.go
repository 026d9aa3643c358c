package toolrank

import (
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// acts is a set of kinds of action, a bit each.
type acts uint16

const readAct acts = 1

// actOf maps the root of a verb to its kinds of action.
var actOf = sync.OnceValue(func() map[string]acts {
	m, bit := map[string]acts{}, readAct
	for line := range words.Lines(actList) {
		for w := range strings.FieldsSeq(line) {
			m[words.Root(w)] |= bit
		}
		bit <<= 1
	}
	return m
})

// actsOf returns the kinds of action that a text names.
func actsOf(text string) acts {
	var a acts
	splitWords(text, func(w word) { a |= actOf()[w.stem] })
	return a
}

// descriptionActs returns the kinds of action that a tool's description begins with.
func descriptionActs(d *Doc) (a acts) {
	lead, _, _ := splitProse(d.Description)
	for range 3 {
		w := firstWord(lead)
		if a = actOf()[words.Root(strings.ToLower(w))]; a != 0 || w == "" {
			return a
		}
		lead = strings.TrimLeft(lead[len(w):], " |:-")
	}
	return 0
}

// actFactor returns the factor by which the action of a query changes the score of a tool that names its own.
func (ix *Index) actFactor(q *query, doc int32) float64 {
	if does := ix.acts[doc] | ix.deeds[doc]; q.order != 0 && does != 0 {
		switch {
		case ix.acts[doc]&q.order != 0, ix.acts[doc] == 0 && does&q.order != 0:
			return 1 + ix.w.Order
		case does&q.order != 0:
			return 1 + ix.w.Deed
		case q.ordered:
			return 1 - ix.w.Order
		}
		return 1
	}
	switch tool := ix.acts[doc]; {
	case tool == 0 && ix.deeds[doc]&q.acts != 0:
		return 1 + ix.w.Deed
	case tool == 0:
		return 1
	case tool&q.acts != 0:
		return 1 + ix.w.Act
	case ix.deeds[doc]&q.acts != 0:
		return 1 + ix.w.Deed
	}
	return 1 - ix.w.Act
}

// polite words come before an order: could you please find.
var polite = set(`please kindly can could would will you i we want to need like d help me us let lets try hey hi ok okay now just go
	and then also first next finally afterwards must should have`)

// orderActs returns the kinds of action that the parts of a request begin with, and whether all parts
// begin with one: a part that begins otherwise may ask for anything.
func orderActs(parts []string) (all acts, every bool) {
	every = true
	for _, c := range parts {
		a := firstActs(c)
		all |= a
		every = every && a != 0
	}
	return all, every
}

// firstActs returns the kinds of action that one part begins with.
func firstActs(part string) acts {
	for {
		part = strings.TrimLeft(part, " ,.;:!?'\"\n\t")
		w := firstWord(part)
		if low := strings.ToLower(w); w == "" || !polite[low] {
			return actOf()[words.Root(low)] | thesaurus().sayingActs(low, part)
		}
		part = part[len(w):]
	}
}

// sayingActs returns the actions that an expression at the beginning of a text means.
func (t *thesaurusIndex) sayingActs(first, text string) (a acts) {
	list := t.sayings[words.Root(first)]
	if len(list) == 0 {
		return 0
	}
	var roots []string
	splitWords(text[:min(len(text), 100)], func(w word) { roots = append(roots, w.stem) })
	for i := range list {
		if list[i].matchLength(roots) > 0 {
			a |= list[i].acts
		}
	}
	return a
}
