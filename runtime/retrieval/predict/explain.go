package predict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Share is what one predictor says for a tool.
type Share struct {
	Predictor string
	Share     float64 // of the tool's chance; the shares of a tool add up to it
	Why       string  // in words; empty where the predictor has none
}

// Explain says why a tool has its chance: what each predictor that speaks for it says,
// the greatest share first. It is nil for a tool that is not in the ranking, and once that
// is detached.
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

// Detach explains the first tools, and lets go of the model: it may learn from then on, by
// which the others are not explained any more.
func (r *Ranking) Detach(explain int) {
	whys := map[string]string{}
	for _, t := range r.Tools[:min(max(0, explain), len(r.Tools))] {
		whys[t.Tool] = r.Why(t.Tool)
	}
	r.whys, r.blend, r.state, r.shares = whys, nil, nil, nil
}

// Why says in one line why a tool stands where it does; "" for one that is not explained.
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
		return shares[0].Why // its share is all
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
