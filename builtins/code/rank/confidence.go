package rank

// judge sets the confidence of each hit and of the whole.
func (r *Ranker) judge(res *Result) {
	res.Confidence = Low
	if len(res.Hits) == 0 {
		res.NotFound = "no file holds a word of the question"
		return
	}
	asked := r.plan.query.Intent.Definition || r.plan.query.Intent.Bare
	for i := range res.Hits {
		d := r.docs[i]
		h := &res.Hits[i]
		switch {
		case asked && len(d.exactDefs) > 0 && d.bucket.source() || d.mentioned >= voteModule:
			h.Confidence = High
		case asked && len(r.plan.query.Idents) > 0:
			h.Confidence = Low
		default:
			h.Confidence = Medium
		}
	}
	res.Confidence = res.Hits[0].Confidence
}
