package answer

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/referring.txt
var referringList string

var referring = sync.OnceValue(func() map[string]bool { return words.Set(referringList) })

// needsPrevious reports whether a sentence cannot be understood without the one before it.
func needsPrevious(sentence string) bool {
	first := strings.TrimLeft(sentence[:min(len(sentence), 40)], "*_\"'( ")
	if i := strings.IndexAny(first, " ,'’"); i >= 0 {
		first = first[:i]
	}
	return referring()[strings.ToLower(first)]
}

// candidates limits the best units that are weighed against one another.
const candidates = 200

// choice holds the units that are chosen.
type choice struct {
	units []int     // in the order in which they were chosen, without those in along
	seen  []float64 // how much of the question they hold together
	along map[int]bool
	spent int // approximate tokens
}

// chooser takes the unit that adds most until nothing adds enough.
type chooser struct {
	q        *query
	units    []unit
	passages []Passage
	idf      map[string]float64
	measure  measure
	figures  figures
	choice   choice
	taken    map[string][]span // stretches of documents
	most     float64           // of the question, that a chosen unit holds on its own
	about    float64           // the same with its headings
	defined  float64           // how surely a chosen unit says what the subject of the question is
	home     int               // index of the heading that names the subject, above that unit; -1 for none
}

// loosened is how much less a further unit may be worth if the question is long.
const loosened = 0.1

// choose picks units by maximal marginal relevance: the worth of a unit, less the part that it
// repeats, plus the part of the question that only it holds.
func (c *chooser) choose(list []rated) choice {
	slices.SortStableFunc(list, func(a, b rated) int { return cmp.Or(cmp.Compare(b.score, a.score), a.at-b.at) })
	list = list[:min(len(list), candidates)]
	c.taken, c.choice.along = map[string][]span{}, map[int]bool{}
	if len(list) == 0 {
		return c.choice
	}
	least := c.measure.least * (1 - loosened*(1-c.q.brevity())) * list[0].score
	alike := make([]float64, len(list))
	gone := make([]bool, len(list))
	score := map[int]float64{} // of the chosen units
	for len(c.choice.units) < c.measure.units {
		best, most := -1, 0.0
		for i, r := range list {
			if gone[i] || r.score <= 0 || !c.belongs(r) {
				continue
			}
			worth := r.score*(1-c.figures.again*alike[i]) + c.figures.fresh*c.addedShare(r) + c.followGain(r.at, score)
			if len(c.choice.units) == 0 {
				worth = r.score
			}
			if worth > most {
				best, most = i, worth
			}
		}
		if best < 0 || most < least {
			break
		}
		gone[best] = true
		if !c.take(list[best]) {
			continue
		}
		score[list[best].at] = list[best].score
		if r := list[best]; r.defines > c.defined {
			c.defined, c.home = r.defines, r.home
		}
		c.most, c.about = max(c.most, list[best].own), max(c.about, c.q.share(list[best].above))
		for i := range list {
			if !gone[i] {
				alike[i] = max(alike[i], c.alike(list[i].at, list[best].at))
			}
		}
	}
	return c.choice
}

// belongs reports whether a unit adds to the chosen ones: it holds about as much of the question,
// or words of it that no chosen unit holds, or continues where a chosen unit ends, or opens a
// section whose heading holds much of the question. The less of the question a chosen unit holds,
// and the longer the question is, the less is asked of the others: the answer to a long question is
// in several sentences.
func (c *chooser) belongs(r rated) bool {
	if c.defined >= firmDefinition && r.defines < c.defined-lessSure {
		if u := &c.units[r.at]; (c.home < 0 || u.under != c.home) && (u.kind == row || !c.goesBehind(r.at)) {
			return false
		}
	}
	if len(c.choice.units) == 0 || c.opensSection(r.at) {
		return true
	}
	short := c.q.brevity()
	close := c.measure.close * c.about * short
	return c.q.share(r.above) >= close*c.about &&
		(r.own > 0 && r.own >= close*c.most || c.addedShare(r) >= c.measure.adds*short || c.goesBehind(r.at))
}

// opening is the number of units that are the head of a section.
const opening = 2

// opensSection reports whether a unit is at the head of a section about the question. Such units repeat
// little of it: "Yes, with a proxy" answers a heading that asks.
func (c *chooser) opensSection(at int) bool {
	u := &c.units[at]
	return u.under >= 0 && at-u.under <= opening && c.q.share(c.heldTerms(&c.units[u.under])) >= subject
}

// goesBehind reports whether a unit follows a chosen one directly, in the same paragraph or list,
// or belongs to a list whose introduction does.
func (c *chooser) goesBehind(at int) bool {
	before := at - 1
	if u := &c.units[at]; u.intro >= 0 {
		before = u.intro - 1
	} else if at > 0 && c.units[before].block != u.block {
		return false
	}
	return slices.Contains(c.choice.units, before)
}

// followGain returns the worth that a unit gains if the unit before it is chosen.
func (c *chooser) followGain(at int, chosen map[int]float64) float64 {
	if at == 0 || c.units[at].passage != c.units[at-1].passage || c.units[at].under != c.units[at-1].under {
		return 0
	}
	return c.figures.follow * chosen[at-1]
}

// addedShare returns the share of the question that a unit's own words add.
func (c *chooser) addedShare(r rated) float64 {
	if c.choice.seen == nil || r.held == nil {
		return 0
	}
	return c.q.share(maxHeld(c.choice.seen, r.held)) - c.q.share(c.choice.seen)
}

// take takes a unit with everything that is needed to understand it: the previous sentence if it
// refers to that, the line that introduces code, the row that names the columns, the heading that
// names the subject. It reports false if the unit does not fit or is taken already.
func (c *chooser) take(r rated) bool {
	u := &c.units[r.at]
	if c.overlaps(u) {
		return false
	}
	cost := c.tokenCost(r.at)
	if c.choice.spent+cost > c.measure.tokens && len(c.choice.units) > 0 {
		return false
	}
	c.markTaken(r.at)
	c.choice.spent += cost
	c.choice.units = append(c.choice.units, r.at)
	c.choice.seen = maxHeld(c.choice.seen, r.held)
	if c.choice.seen == nil {
		c.choice.seen = make([]float64, len(c.q.terms))
	}
	for _, k := range c.neededUnits(r.at) {
		c.bringAlong(k)
	}
	for _, k := range append(c.openedItems(r.at), c.listSiblings(r.at)...) {
		if !c.overlaps(&c.units[k]) && !c.bringAlong(k) { // no room, and the rest would follow a hole
			break
		}
	}
	return true
}

// bringAlong takes a unit for the sake of another, if it fits.
func (c *chooser) bringAlong(at int) bool {
	cost := c.tokenCost(at)
	if c.overlaps(&c.units[at]) || c.choice.spent+cost > c.measure.tokens {
		return false
	}
	c.markTaken(at)
	c.choice.along[at] = true
	c.choice.spent += cost
	return true
}

// neededUnits returns the units without which a unit is hard to understand.
func (c *chooser) neededUnits(at int) (out []int) {
	u := &c.units[at]
	if u.under >= 0 && c.namesSubject(u.under, at) {
		out = append(out, u.under)
	}
	if u.head >= 0 {
		out = append(out, u.head)
	}
	if u.intro >= 0 {
		return append(out, u.intro)
	}
	if at == 0 || c.units[at-1].passage != u.passage || c.units[at-1].under != u.under {
		return out
	}
	text := c.passages[u.passage].Text
	before := &c.units[at-1]
	switch {
	case u.kind == prose && before.block == u.block && needsPrevious(text[u.start:u.end]), u.kind == code && before.kind == prose:
		out = append(out, at-1)
	}
	return out
}

// subject is the share of a question that a heading has to hold to name what is asked about.
const subject = 0.5

// namesSubject reports whether a heading names the subject of a unit below it: it has an option or a
// function by its name, as in reference documents, or much of the question, or words of it that no
// chosen unit below it repeats.
func (c *chooser) namesSubject(head, at int) bool {
	if c.choice.along[head] {
		return false
	}
	h, u := &c.units[head], &c.units[at]
	text := c.passages[h.passage].Text[h.start:h.end]
	if strings.Contains(text, "`") || identifier.MatchString(text) || c.q.share(c.heldTerms(h)) >= subject {
		return true
	}
	said := c.heldTerms(u)
	for _, k := range c.choice.units {
		if c.units[k].under == head {
			said = maxHeld(said, c.heldTerms(&c.units[k]))
		}
	}
	return c.q.share(maxHeld(c.heldTerms(h), said)) > c.q.share(said)
}

func (c *chooser) heldTerms(u *unit) []float64 { return c.q.matchTerms(u.terms) }

// identifier matches a word that is written like a name in code.
var identifier = lazyregexp.New(`[a-z][A-Z]|[A-Za-z]\w*[._][A-Za-z]|--[a-z]`)

// maxOpened limits the units that come with the one that opens them.
const maxOpened = 8

// A list that is this short is said completely: one of its items alone reads as if it were all.
const (
	shortList   = 6   // items
	shortTokens = 120 // of all of them
)

// listSiblings returns the other items of a unit's list, if the list is short and the question asks for
// a list, or the item alone holds less than half of the question.
func (c *chooser) listSiblings(at int) (out []int) {
	u := &c.units[at]
	if u.kind != item || c.q.wants != wantList && c.q.share(c.heldTerms(u)) >= 0.5 {
		return nil
	}
	first, last := at, at
	for first > 0 && c.inSameList(u, first-1) {
		first--
	}
	for last+1 < len(c.units) && c.inSameList(u, last+1) {
		last++
	}
	cost := 0
	for i := first; i <= last && last-first < 2*shortList; i++ {
		if cost += c.tokenCost(i); i != at {
			out = append(out, i)
		}
	}
	if cost > shortTokens || len(out) >= shortList {
		return nil
	}
	return out
}

// inSameList reports whether a unit belongs to the same list as an item.
func (c *chooser) inSameList(u *unit, i int) bool {
	v := &c.units[i]
	return v.kind == item && v.block == u.block && v.passage == u.passage && v.under == u.under
}

// openedItems returns the items or the code that a unit opens.
func (c *chooser) openedItems(at int) (out []int) {
	for i := at + 1; i < len(c.units) && len(out) < maxOpened && c.units[i].intro == at; i++ {
		out = append(out, i)
	}
	return out
}

func (c *chooser) tokenCost(at int) int {
	u := &c.units[at]
	if u.wide == 0 {
		u.wide = tokens.Count(c.passages[u.passage].Text[u.start:u.end]) + 1
	}
	return u.wide
}

// overlaps reports whether the unit's stretch of the document is taken: consecutive passages share
// sentences.
func (c *chooser) overlaps(u *unit) bool {
	p := &c.passages[u.passage]
	at := u.documentSpan(p)
	return slices.ContainsFunc(c.taken[p.URI], func(s span) bool { return s.start < at.end && at.start < s.end })
}

func (c *chooser) markTaken(at int) {
	u := &c.units[at]
	p := &c.passages[u.passage]
	c.taken[p.URI] = append(c.taken[p.URI], u.documentSpan(p))
}

// alike returns the cosine between two units, 0..1.
func (c *chooser) alike(a, b int) float64 {
	x, y := &c.units[a], &c.units[b]
	if len(x.sorted) > len(y.sorted) {
		x, y = y, x
	}
	dot := 0.0
	for _, t := range x.sorted {
		if y.terms[t] > 0 {
			dot += c.idf[t] * c.idf[t]
		}
	}
	if dot == 0 {
		return 0
	}
	return dot / (x.norm * y.norm)
}
