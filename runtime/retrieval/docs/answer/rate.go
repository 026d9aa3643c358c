package answer

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

//go:embed lists/cues.txt
var cueList string

// cues holds the phrases of kinds of answers.
var cues = sync.OnceValue(func() map[string][]string { return phrasesByClass(cueList) })

// phrasesByClass returns the phrases of a list by class: each line is a class, a colon and phrases, with commas between.
func phrasesByClass(list string) map[string][]string {
	m := map[string][]string{}
	for line := range words.Lines(list) {
		class, phrases, _ := strings.Cut(line, ":")
		for p := range strings.SplitSeq(phrases, ",") {
			m[class] = append(m[class], strings.TrimSpace(p))
		}
	}
	return m
}

// figures are the weights of the signs of a unit. The README says how they were chosen.
type figures struct {
	under  float64 // words of the question in the headings above, and not in the unit
	pairs  float64 // words adjacent in the question that are near here
	near   float64 // words that the neighbours in the same block add
	fit    float64 // form and cues of the kind of answer
	lead   float64 // first of its section
	prior  float64 // score of its passage, against the best
	reach  float64 // words of the question anywhere in its section
	decay  float64 // of reach, with each unit between
	code   float64 // factor of it all, for code: it holds words by being long
	again  float64 // how much likeness to chosen units holds a unit back
	fresh  float64 // words of the question that no chosen unit holds
	follow float64 // of the score of a chosen unit, for the unit after it
	define float64 // saying what the subject of a question for a meaning is
}

var tuned = figures{under: 1, pairs: 0.15, near: 0.25, reach: 0.4, decay: 0.8, fit: 0.1, lead: 0.1, prior: 1, code: 0.7, again: 0.6, fresh: 0.5, follow: 0.1, define: 2}

// rated is a unit with its ratings.
type rated struct {
	at    int       // its index among the units
	score float64   // by which it is chosen
	own   float64   // share of the question's weight that its words hold
	held  []float64 // of each term of the question, 0..1: its own words
	seen  []float64 // the same with the headings above it and its neighbours
	above []float64 // the same with the headings above it alone

	defines float64 // how surely it says what the subject of the question is, 0..1
	home    int     // index of the heading above it that names the subject; -1 for none
}

// rater rates units for a question.
type rater struct {
	q        *query
	units    []unit
	passages []Passage
	figures  figures
	held     [][]float64 // of each unit
	above    map[int][]float64
	best     float64      // score of the best passage
	homes    map[int]bool // of headings, whether they name the subject of the question
}

// rateUnits rates all units that can answer something on their own.
func rateUnits(q *query, list []unit, passages []Passage, f figures) (*rater, []rated) {
	r := &rater{q: q, units: list, passages: passages, figures: f, above: map[int][]float64{}}
	r.held = make([][]float64, len(list))
	for i := range list {
		r.held[i] = q.matchTerms(list[i].terms)
	}
	for _, p := range passages {
		r.best = max(r.best, p.Score)
	}
	var out []rated
	for i := range list {
		if canAnswer(list, i, passages) {
			out = append(out, r.rateUnit(i))
		}
	}
	return r, out
}

// canAnswer reports whether a unit can say something on its own: it is not a heading, the names of
// columns, a link to another place, a question or a mere announcement.
func canAnswer(list []unit, i int, passages []Passage) bool {
	u := list[i]
	text := passages[u.passage].Text[u.start:u.end]
	return u.kind != heading && u.head != i && !isIntroduction(u, passages) && !pointsOn(text) && (u.kind != prose && u.kind != item || !isQuestion(text))
}

// isIntroduction reports whether a sentence only says that something follows. It is worth nothing
// alone, and joined to the text that it introduces.
func isIntroduction(u unit, passages []Passage) bool {
	text := passages[u.passage].Text[u.start:u.end]
	return u.kind == prose && len(text) < 60 && opensList(text)
}

// matchTerms returns how well terms match each term of the question.
func (q *query) matchTerms(terms map[string]float64) []float64 {
	var held []float64
	for t, share := range terms {
		for _, k := range q.kin[t] {
			if held == nil {
				held = make([]float64, len(q.terms))
			}
			held[k.term] = max(held[k.term], k.share*share)
		}
	}
	return held
}

// share returns the share of the question's weight that is held.
func (q *query) share(held []float64) float64 {
	if q.total == 0 || held == nil {
		return 0
	}
	sum := 0.0
	for i, h := range held {
		sum += h * q.weight[i]
	}
	return sum / q.total
}

// maxHeld returns, for each term, the larger of two values.
func maxHeld(a, b []float64) []float64 {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := make([]float64, len(a))
	for i := range a {
		out[i] = max(a[i], b[i])
	}
	return out
}

// rateUnit rates a unit.
func (r *rater) rateUnit(i int) rated {
	u, f := &r.units[i], r.figures
	held := r.held[i]
	own := r.q.share(held)
	headed := maxHeld(held, r.headingTerms(u))
	if u.intro >= 0 {
		headed = maxHeld(headed, r.held[u.intro])
	}
	near := headed
	for _, k := range []int{i - 1, i + 1} {
		if k >= 0 && k < len(r.units) && r.belongTogether(u, &r.units[k]) {
			near = maxHeld(near, r.held[k])
		}
	}
	under := r.q.share(headed) - own
	beside := r.q.share(near)
	score := own + f.under*under + f.near*(beside-own-under)
	about := max(beside, r.reachShare(i))
	score += f.reach * (about - beside)
	if p := &r.passages[u.passage]; r.best > 0 {
		score += f.prior * p.Score / r.best * about
	}
	relevant := min(1, 2*about)
	score += relevant * (f.pairs*r.q.pairedShare(held) + f.fit*r.formFit(u) + f.lead*leadShare(u, r.units, i))
	defines := r.definedShare(i)
	if score += f.define * defines; defines == 0 && len(r.q.subjects) > 0 && (u.kind == row || u.kind == code) {
		score *= f.code
	}
	if u.kind == code && strings.Contains(r.passages[u.passage].Text[u.start:u.end], "\n") {
		score *= f.code
	}
	return rated{at: i, score: score * r.sizeFactor(u), own: own, held: held, seen: near, above: headed, defines: defines, home: r.homeOf(u)}
}

// reachShare returns how much of the question the units around a unit hold, each with the headings
// above it: an answer is often next to the words that were asked for.
func (r *rater) reachShare(i int) float64 {
	u, best := &r.units[i], 0.0
	above := r.headingTerms(u)
	for _, step := range []int{-1, 1} {
		share := 1.0
		for k := i + step; k >= 0 && k < len(r.units); k += step {
			v := &r.units[k]
			if v.passage != u.passage || v.under != u.under || v.kind == heading {
				break
			}
			if share *= r.figures.decay; share < 0.1 {
				break
			}
			best = max(best, share*r.q.share(maxHeld(above, r.held[k])))
		}
	}
	return best
}

// belongTogether reports whether neighbours belong together: in one block, or as code and the text before
// it.
func (r *rater) belongTogether(u, v *unit) bool {
	return u.passage == v.passage && u.under == v.under && v.kind != heading && (u.block == v.block || u.kind == code || v.kind == code)
}

// headingTerms returns how well the headings above a unit, and the title, match each term.
func (r *rater) headingTerms(u *unit) []float64 {
	key := u.under
	if key < 0 {
		key = -1 - u.passage
	}
	if held, ok := r.above[key]; ok {
		return held
	}
	p := &r.passages[u.passage]
	terms := map[string]float64{}
	for _, s := range append([]string{p.Title}, p.Section...) {
		gatherTerms(terms, s, 0.8)
	}
	if u.under >= 0 {
		h := &r.units[u.under]
		gatherTerms(terms, p.Text[h.start:h.end], 1)
	}
	held := r.q.matchTerms(terms)
	r.above[key] = held
	return held
}

// pairedShare returns how well both words of the question's pairs are held, in any order.
func (q *query) pairedShare(held []float64) float64 {
	if len(q.pairs) == 0 || held == nil {
		return 0
	}
	sum := 0.0
	for _, p := range q.pairs {
		sum += min(held[p[0]], held[p[1]])
	}
	return sum / float64(len(q.pairs))
}

// sizeFactor returns a factor that holds back units that are too short to say something, or very long.
func (r *rater) sizeFactor(u *unit) float64 {
	switch n := u.end - u.start; {
	case u.kind == prose && n < 20:
		return 0.7
	case u.kind != code && n > 800:
		return 0.85
	}
	return 1
}

// leadShare returns how near a unit is to the beginning of its section, where documents say what things
// are.
func leadShare(u *unit, list []unit, i int) float64 {
	if u.kind != prose {
		return 0
	}
	switch before := i - 1; {
	case u.under >= 0 && before == u.under:
		return 1
	case u.under >= 0 && before-1 == u.under && list[before].block == u.block:
		return 0.5
	}
	return 0
}

// formFit returns how well the form of a unit fits the kind of answer that is wanted, 0..1.
func (r *rater) formFit(u *unit) float64 {
	text := r.passages[u.passage].Text[u.start:u.end]
	sum := 0.0
	switch r.q.wants {
	case "":
		return 0
	case wantExample:
		sum += worthIf(u.kind == code, 0.8)
	case wantWay:
		sum += worthIf(u.kind == code, 0.5) + worthIf(u.kind == item, 0.2) + worthIf(strings.Contains(text, "`"), 0.2)
	case wantOption:
		sum += worthIf(strings.Contains(text, "`") || strings.Contains(text, "--"), 0.5) + worthIf(u.kind == item || u.kind == row, 0.1)
	case wantAmount:
		sum += worthIf(strings.ContainsAny(text, "0123456789"), 0.6)
	case wantList:
		sum += worthIf(u.kind == item || u.kind == row, 0.6)
	case wantTime:
		sum += worthIf(strings.ContainsAny(text, "0123456789"), 0.2)
	}
	lower := strings.ToLower(text)
	for _, c := range cues()[string(r.q.wants)] {
		if holdsPhrase(lower, c) {
			sum += 0.4
			break
		}
	}
	return min(sum, 1)
}

func worthIf(yes bool, worth float64) float64 {
	if yes {
		return worth
	}
	return 0
}
