package answer

// Summary is a summary of passages, in their own sentences.
type Summary struct {
	Text      string     `json:"summary"`
	Citations []Citation `json:"citations"` // in the order of the text
}

// Weights of the signs of a summary's units.
const (
	central = 1.0 // likeness to the whole text
	first   = 0.3 // at the beginning of its passage or section
	focused = 1.5 // words of the focus
)

// Summarize chooses the sentences that represent the passages: they are like most of the text,
// early in their sections and about the focus, if there is one.
func Summarize(passages []Passage, focus string, policy Policy) (Summary, error) {
	if err := policy.Check(); err != nil {
		return Summary{}, err
	}
	passages = readablePassages(passages)
	list := splitUnits(passages)
	idf := countTerms(list, passages)
	q := parseQuestion(clipQuestion(focus), list)
	r, found := rateUnits(q, list, passages, tuned)
	centre := termShares(list, idf)
	for i := range found {
		x := &found[i]
		u := &list[x.at]
		x.score = focused*x.score + central*likeness(u, centre, idf) + first*earliness(u, list, x.at)
		if u.kind == code { // code says how, seldom what
			x.score *= 0.5
		}
		x.score *= r.sizeFactor(u)
	}
	m := policy.measure()
	m.least /= 2 // many passages differ more than the answers to one question
	m.units *= 2
	m.close, m.adds = 0, 0 // there is no question that all must be about
	c := &chooser{q: q, units: list, passages: passages, idf: idf, measure: m, figures: tuned}
	c.choose(found)
	out := Summary{Citations: []Citation{}}
	out.Text, out.Citations = c.joinUnits(c.readingOrder())
	return out, nil
}

// termShares returns the share of the units that hold each term.
func termShares(list []unit, idf map[string]float64) map[string]float64 {
	out := make(map[string]float64, len(idf))
	for i := range list {
		for _, t := range list[i].sorted {
			out[t] += 1 / float64(len(list))
		}
	}
	return out
}

// likeness returns how much of a unit the other units mention, too, 0..1.
func likeness(u *unit, centre, idf map[string]float64) float64 {
	sum, all := 0.0, 0.0
	for _, t := range u.sorted {
		sum += idf[t] * min(1, 10*centre[t])
		all += idf[t]
	}
	if len(u.sorted) < 4 || all == 0 {
		return 0
	}
	return sum / all
}

// earliness returns how near a unit is to the beginning of its section, or of its passage.
func earliness(u *unit, list []unit, i int) float64 {
	if u.kind == prose && (i == 0 || list[i-1].passage != u.passage) {
		return 1
	}
	return leadShare(u, list, i)
}
