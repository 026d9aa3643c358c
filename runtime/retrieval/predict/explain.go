package predict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Share is the contribution of one predictor to a tool.
type Share struct {
	Predictor string
	Share     float64 // of the tool's chance; the shares of a tool add up to it
	Why       string  // in words; empty if the predictor gives no reason
}

// Explain lists the predictors that contribute to a tool's chance, with their shares and reasons,
// the largest share first. It returns nil for a tool that is not in the ranking, and after Detach.
func (r *Ranking) Explain(tool string) []Share {
	if r.state == nil {
		return nil
	}
	at, ok := r.state.catalog.index[tool]
	if !ok {
		return nil
	}
	var out []Share
	for k, p := range r.blend.predictors {
		if share := r.shares[k][at]; share > 0 {
			out = append(out, Share{p.Name(), share, p.Why(r.state, at)})
		}
	}
	slices.SortStableFunc(out, func(a, b Share) int { return cmp.Compare(b.Share, a.Share) })
	return out
}

// Detach stores the explanations of the first tools and releases the model, which may learn from
// then on; the other tools cannot be explained any more.
func (r *Ranking) Detach(explain int) {
	whys := map[string]string{}
	for _, t := range r.Tools[:min(max(0, explain), len(r.Tools))] {
		whys[t.Tool] = r.Why(t.Tool)
	}
	r.whys, r.blend, r.state, r.shares = whys, nil, nil, nil
}

// Why explains in one line the position of a tool; it returns "" for a tool without an explanation.
func (r *Ranking) Why(tool string) string {
	if r.whys != nil {
		return r.whys[tool]
	}
	i := slices.IndexFunc(r.Tools, func(t Ranked) bool { return t.Tool == tool })
	if i < 0 {
		return ""
	}
	switch r.Tools[i].Tier {
	case Used:
		return "used in this session"
	case Pinned:
		return "marked as relevant"
	case Dismissed:
		return "marked as not relevant"
	}
	var parts []string
	shares := r.Explain(tool)
	if len(shares) == 1 && shares[0].Why != "" {
		return shares[0].Why // its share is the whole chance
	}
	for _, s := range shares {
		if s.Why != "" && len(parts) < 3 {
			parts = append(parts, fmt.Sprintf("%s (%.0f%%)", s.Why, 100*s.Share/r.Tools[i].Chance))
		}
	}
	if len(parts) == 0 {
		return "nothing speaks for it"
	}
	return strings.Join(parts, "; ")
}
