package predict

import (
	"fmt"
	"slices"
)

// Policy says which list a client is shown, and when another one is worth that its model
// reads its prompt again. All costs are in tokens that a model reads.
//
// Tools stand at the beginning of a prompt, so that a changed list voids what a model has
// cached of all that follows. A list is changed when
//
//	Σ chance(t)·Ahead·Miss − Σ size(t)  >  Cached · again
//
// over the tools that would be added, where again is the conversation, and what stands on
// the list behind the first tool that goes. What it takes for granted: chances of tools are
// independent, a hidden tool is missed once at most, and what was read once stays cached.
type Policy struct {
	Min int // tools on a list, if there are so many; 0 for none
	Max int // tools on a list; what the session used is not taken off for it
	// Room is how many places of the first list are left for tools that the session turns out
	// to want: a list is appended to at less cost than it is renewed. A client that asks for its
	// list once never sees them filled.
	Room int
	// Miss is what it costs to get at a tool that is wanted and hidden: to look for it, to
	// read what is found, and to run it by its name.
	Miss float64
	// Ahead is how many times more likely a tool is wanted at some time than a ranking says after
	// the first call, when most predictors speak of the next tool.
	Ahead float64
	// Again is the chance that a tool which was called while it was hidden is called again.
	Again float64
	// Cached is the chance that the model had the prompt in its cache and reads it again for
	// the change alone. 0 for a client that sends it anew each time.
	Cached float64
}

// DefaultPolicy has a miss cost two short calls and their answers: 160 tokens written, each
// as slow as 25 read, and 1,000 read.
var DefaultPolicy = Policy{Min: 5, Max: 20, Miss: 5000, Ahead: 2.5, Again: 0.6, Cached: 1}

// toolTokens is the size of a tool where none is known: the median of 527 tools.
const toolTokens = 100

// Size is how many tokens a tool takes on a list. A nil Size takes each for 100.
type Size func(tool string) int

func (f Size) of(tool string) float64 {
	if f == nil {
		return toolTokens
	}
	return float64(max(0, f(tool)))
}

// Decision is what a policy makes of a list.
type Decision struct {
	List    []string // to be shown; as it was, unless it changed
	Added   []string
	Dropped []string // only where the list is renewed
	Gain    float64  // in tokens, of the change that was looked at
	Again   float64  // tokens that a model reads again for it, where it had them cached
	Cost    float64  // what that costs
	Why     string
}

// Changed reports whether the client has to be told.
func (d Decision) Changed() bool { return len(d.Added)+len(d.Dropped) > 0 }

// First is the list of a session that was shown none: what was used or pinned, however
// much that is, and the best of the others that are worth their tokens; by name, so that
// sessions with the same tools share a cache.
func (p Policy) First(r *Ranking, size Size) []string {
	most := max(p.Min, p.Max-p.Room)
	if len(r.Tools) <= p.Max {
		most = p.Max
	}
	var out []string
	for _, t := range r.Tools {
		worth := t.Tier == Predicted && t.Chance*p.Miss > size.of(t.Tool)
		if all := len(r.Tools) <= p.Max; t.Tier < Predicted || len(out) < p.Min || len(out) < most && (worth || all) {
			out = append(out, t.Tool)
		}
	}
	slices.Sort(out)
	return out
}

// Next decides about a list that is shown. prompt is how many tokens stand behind the list
// in the model's prompt: the conversation so far.
func (p Policy) Next(shown []string, r *Ranking, prompt int, size Size) Decision {
	stay := Decision{List: shown, Why: "every tool that may be wanted is on the list"}
	wanted := p.wanted(shown, r, size)
	long := len(shown) > p.Max // all were listed where a list was late, or may hold fewer now
	if len(wanted) == 0 && !long {
		return stay
	}
	d := p.appended(shown, p.pickFitting(shown, wanted), prompt, size)
	pays := d.Changed() && d.Gain > d.Cost
	if pays && len(shown) < p.Max {
		return d // a list that has places free grows at its end
	}
	if len(wanted) > len(d.Added) || long {
		if full := p.renewed(shown, r, prompt, size); full.Changed() && (!pays || full.Gain-full.Cost > d.Gain-d.Cost) {
			d = full
		}
	}
	if d.Changed() && d.Gain > d.Cost {
		return d
	}
	stay.Gain, stay.Cost = d.Gain, d.Cost
	stay.Why = fmt.Sprintf("a change would gain %.0f tokens and cost %.0f", d.Gain, d.Cost)
	return stay
}

// wanted are the tools that are not shown and worth their tokens, the best first.
func (p Policy) wanted(shown []string, r *Ranking, size Size) []Ranked {
	on := setOf(shown)
	var out []Ranked
	for _, t := range r.Tools {
		t.Chance = p.chance(t)
		if !on[t.Tool] && t.Tier != Dismissed && t.Chance*p.Miss > size.of(t.Tool) {
			out = append(out, t)
		}
	}
	return out
}

// pickFitting returns what a list has places for. What was used or pinned needs none: it would be on a renewed list too.
func (p Policy) pickFitting(shown []string, wanted []Ranked) (out []Ranked) {
	for _, t := range wanted {
		if t.Tier < Predicted || len(shown)+len(out) < p.Max {
			out = append(out, t)
		}
	}
	return out
}

// chance is that a tool is wanted, also where the session or a person said so.
func (p Policy) chance(t Ranked) float64 {
	switch t.Tier {
	case Used, Pinned:
		return max(p.Again, t.Chance)
	case Dismissed:
		return 0
	}
	return min(1, t.Chance*p.Ahead)
}

// appended is the list with tools behind it.
func (p Policy) appended(shown []string, add []Ranked, prompt int, size Size) Decision {
	d := Decision{List: slices.Clone(shown), Again: float64(max(0, prompt))}
	for _, t := range add {
		d.List = append(d.List, t.Tool)
		d.Added = append(d.Added, t.Tool)
		d.Gain += t.Chance*p.Miss - size.of(t.Tool)
	}
	d.Cost = p.Cached * d.Again
	d.Why = fmt.Sprintf("%d more gain %.0f tokens, reading again costs %.0f", len(add), d.Gain, d.Cost)
	return d
}

// renewed is a list in place of one that is full: what was used or pinned, and the best of the others. What stays keeps
// its order and what is new stands behind it, so that a model reads again from the first tool on that is gone.
func (p Policy) renewed(shown []string, r *Ranking, prompt int, size Size) Decision {
	on := setOf(shown)
	d := Decision{Again: float64(max(0, prompt)), Why: "what was used or pinned is added"}
	gone, kept := map[string]bool{}, 0
	for _, t := range r.Tools {
		chance, tokens := p.chance(t), size.of(t.Tool)
		keep := t.Tier < Predicted || kept < p.Max && t.Tier == Predicted && (on[t.Tool] || chance*p.Miss > tokens)
		switch {
		case keep && !on[t.Tool]:
			d.Added = append(d.Added, t.Tool)
			d.Gain += chance*p.Miss - tokens
		case !keep && on[t.Tool]:
			gone[t.Tool] = true
			d.Gain -= chance*p.Miss - tokens
		}
		if keep {
			kept++
		}
	}
	for _, tool := range shown {
		if gone[tool] {
			d.Dropped = append(d.Dropped, tool)
			continue
		}
		d.List = append(d.List, tool)
		if len(d.Dropped) > 0 {
			d.Again += size.of(tool)
		}
	}
	d.List = append(d.List, d.Added...)
	d.Cost = p.Cached * d.Again
	if len(d.Dropped) > 0 {
		d.Why = fmt.Sprintf("%d in place of %d gain %.0f tokens, reading again costs %.0f", len(d.Added), len(d.Dropped), d.Gain, d.Cost)
	}
	return d
}

func setOf(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, x := range list {
		out[x] = true
	}
	return out
}
