package answer

// Answer is the answer of passages to a question.
type Answer struct {
	Text      string     `json:"answer"`
	Citations []Citation `json:"citations"`           // in the order of the text
	Support   float64    `json:"support"`             // 0..1, how likely the passages answer the question
	Signs     Signs      `json:"signs"`               // what Support was computed from
	Abstained string     `json:"abstained,omitempty"` // why there is no text
	Kind      string     `json:"kind,omitempty"`      // of the question: way, cause, option, …
}

// Reasons for not answering.
const (
	NoQuestion = "the question has no words to look for"
	NoPassages = "there are no passages to answer from"
	NoSupport  = "the passages do not answer the question"
)

// Compose answers a question with sentences of passages, which come best first. An error is an
// error of the policy; a question that the passages do not answer gives an Answer that says why.
func Compose(question string, passages []Passage, policy Policy) (Answer, error) {
	if err := policy.Check(); err != nil {
		return Answer{}, err
	}
	passages = readablePassages(passages)
	list := splitUnits(passages)
	idf := countTerms(list, passages)
	q := parseQuestion(clipQuestion(question), list)
	out := Answer{Citations: []Citation{}, Kind: string(q.wants)}
	switch {
	case len(q.terms) == 0:
		out.Abstained = NoQuestion
		return out, nil
	case len(list) == 0:
		out.Abstained = NoPassages
		return out, nil
	}
	r, found := rateUnits(q, list, passages, tuned)
	c := &chooser{q: q, units: list, passages: passages, idf: idf, measure: policy.measure(), figures: tuned}
	c.choose(found)
	out.Signs = r.readSigns(found)
	out.Support = out.Signs.support()
	if len(q.subjects) > 0 && c.defined < firmDefinition {
		out.Support = min(out.Support, maxUndefined)
	}
	if len(c.choice.units) == 0 || out.Support < policy.threshold() {
		out.Abstained = NoSupport
		return out, nil
	}
	out.Text, out.Citations = c.joinUnits(c.readingOrder())
	return out, nil
}
