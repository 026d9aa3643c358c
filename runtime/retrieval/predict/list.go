package predict

import (
	"fmt"
	"slices"
)

// Policy decides which list a client is shown, and when a changed one is worth making its model
// read its prompt again. All costs are in tokens that a model reads.
//
// Tools are at the beginning of a prompt, so that a changed list invalidates the model's cache of
// everything after it. A list is changed if
//
//	Σ chance(t)·Ahead·Miss − Σ size(t)  >  Cached · again
//
// over the tools that would be added, where again is the conversation, plus the list after the
// first tool that goes. This assumes that chances of tools are independent, that a hidden tool is
// missed at most once, and that text read once stays cached.
type Policy struct {
	Min int // tools on a list, if there are that many; 0 for no minimum
	Max int // tools on a list; tools that the session used are not removed for it
	// Room is the number of places of the first list that are left for tools that the session turns
	// out to want: appending to a list costs less than renewing it. A client that asks for its list
	// once never sees them filled.
	Room int
	// Miss is the cost of getting at a wanted tool that is hidden: searching for it, reading the
	// results, and running it by its name.
	Miss float64
	// Ahead is how many times more likely a tool is wanted at some time than a ranking says after
	// the first call, when most predictors estimate the next tool only.
	Ahead float64
	// Again is the chance that a tool which was called while hidden is called again.
	Again float64
	// Cached is the chance that the model had the prompt in its cache and reads it again only
	// because of the change. It is 0 for a client that sends a new prompt each time.
	Cached float64
}

// DefaultPolicy assumes that a miss costs two short calls and their answers: 160 tokens written,
// each as slow as 25 read, and 1,000 read.
var DefaultPolicy = Policy{Min: 5, Max: 20, Miss: 5000, Ahead: 2.5, Again: 0.6, Cached: 1}

// toolTokens is the size of a tool if it is unknown: the median of 527 tools.
const toolTokens = 100

// Size returns the number of tokens that a tool takes on a list. A nil Size counts 100 for each.
type Size func(tool string) int

func (f Size) tokensOf(tool string) float64 {
	if f == nil {
		return toolTokens
	}
	return float64(max(0, f(tool)))
}

// Decision is the result of a policy for a list.
type Decision struct {
	List    []string // to be shown; the old list, unless it changed
	Added   []string
	Dropped []string // only if the list is renewed
	Gain    float64  // in tokens, of the change that was considered
	Again   float64  // tokens that a model reads again for it, if it had them cached
	Cost    float64  // the cost of that
	Why     string
}

// Changed reports whether the client has to be notified.
func (d Decision) Changed() bool { return len(d.Added)+len(d.Dropped) > 0 }

// First returns the list of a session that was shown none yet: all tools that were used or pinned,
// however many, and the best of the others that are worth their tokens. It is sorted by name, so
// that sessions with the same tools share a cache.
func (p Policy) First(r *Ranking, size Size) []string {
	most := max(p.Min, p.Max-p.Room)
	if len(r.Tools) <= p.Max {
		most = p.Max
	}
	var out []string
	for _, t := range r.Tools {
		worth := t.Tier == Predicted && t.Chance*p.Miss > size.tokensOf(t.Tool)
		if all := len(r.Tools) <= p.Max; t.Tier < Predicted || len(out) < p.Min || len(out) < most && (worth || all) {
			out = append(out, t.Tool)
		}
	}
	slices.Sort(out)
	return out
}

// Next decides about a list that is shown. prompt is the number of tokens after the list in the
// model's prompt: the conversation so far.
func (p Policy) Next(shown []string, r *Ranking, prompt int, size Size) Decision {
	stay := Decision{List: shown, Why: "every tool that may be wanted is on the list"}
	wanted := p.wantedTools(shown, r, size)
	long := len(shown) > p.Max // a late list holds every tool, or the limit is lower now
	if len(wanted) == 0 && !long {
		return stay
	}
	d := p.appendTools(shown, p.pickFitting(shown, wanted), prompt, size)
	pays := d.Changed() && d.Gain > d.Cost
	if pays && len(shown) < p.Max {
		return d // a list with free places grows at its end
	}
	if len(wanted) > len(d.Added) || long {
		if full := p.renewList(shown, r, prompt, size); full.Changed() && (!pays || full.Gain-full.Cost > d.Gain-d.Cost) {
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

// wantedTools returns the tools that are not shown and worth their tokens, best first.
func (p Policy) wantedTools(shown []string, r *Ranking, size Size) []Ranked {
	on := setOf(shown)
	var out []Ranked
	for _, t := range r.Tools {
		t.Chance = p.chanceOf(t)
		if !on[t.Tool] && t.Tier != Dismissed && t.Chance*p.Miss > size.tokensOf(t.Tool) {
			out = append(out, t)
		}
	}
	return out
}

// pickFitting returns the wanted tools that fit on the list; used or pinned ones always do, as on a renewed list.
func (p Policy) pickFitting(shown []string, wanted []Ranked) (out []Ranked) {
	for _, t := range wanted {
		if t.Tier < Predicted || len(shown)+len(out) < p.Max {
			out = append(out, t)
		}
	}
	return out
}

// chanceOf returns the chance that a tool is wanted, given the session and the feedback of a person.
func (p Policy) chanceOf(t Ranked) float64 {
	switch t.Tier {
	case Used, Pinned:
		return max(p.Again, t.Chance)
	case Dismissed:
		return 0
	}
	return min(1, t.Chance*p.Ahead)
}

// appendTools returns the decision to append tools to the list.
func (p Policy) appendTools(shown []string, add []Ranked, prompt int, size Size) Decision {
	d := Decision{List: slices.Clone(shown), Again: float64(max(0, prompt))}
	for _, t := range add {
		d.List = append(d.List, t.Tool)
		d.Added = append(d.Added, t.Tool)
		d.Gain += t.Chance*p.Miss - size.tokensOf(t.Tool)
	}
	d.Cost = p.Cached * d.Again
	d.Why = fmt.Sprintf("%d more gain %.0f tokens, reading again costs %.0f", len(add), d.Gain, d.Cost)
	return d
}

// renewList returns the decision to replace a full list by the used and pinned tools and the best of the others. Tools
// that stay keep their order and new ones follow, so that a model reads again from the first tool on that is gone.
func (p Policy) renewList(shown []string, r *Ranking, prompt int, size Size) Decision {
	on := setOf(shown)
	d := Decision{Again: float64(max(0, prompt)), Why: "what was used or pinned is added"}
	gone, kept := map[string]bool{}, 0
	for _, t := range r.Tools {
		chance, tokens := p.chanceOf(t), size.tokensOf(t.Tool)
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
			d.Again += size.tokensOf(tool)
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
