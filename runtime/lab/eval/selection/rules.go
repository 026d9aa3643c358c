package selection

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// RuleUse describes the used tools that one rule would have hidden.
type RuleUse struct {
	Rule     int      `json:"rule"`    // its index in toolRules; -1 if no rule enables the tools
	Pattern  string   `json:"pattern"` // that hid the one called first; "" for no rule
	Tools    []string `json:"tools"`
	Calls    int      `json:"calls"`
	Sessions int      `json:"sessions"`
}

// HoldRules returns, by rule, what rules would have hidden of a log.
func HoldRules(log []Session, set *rules.Set) []RuleUse {
	by := map[int]*RuleUse{}
	decided := map[string]rules.Decision{}
	for _, s := range log {
		met := map[int]bool{}
		for _, id := range s.Tools {
			d, ok := decided[id]
			if !ok {
				t := predict.ParseTool(id)
				d = set.Decide(t.Server, t.Name)
				decided[id] = d
			}
			if d.Enabled {
				continue
			}
			u := by[d.Rule]
			if u == nil {
				u = &RuleUse{Rule: d.Rule, Pattern: d.Pattern}
				by[d.Rule] = u
			}
			u.Calls++
			if !ok {
				u.Tools = append(u.Tools, id)
			}
			if !met[d.Rule] {
				met[d.Rule] = true
				u.Sessions++
			}
		}
	}
	out := []RuleUse{}
	for _, u := range by {
		slices.Sort(u.Tools)
		out = append(out, *u)
	}
	slices.SortFunc(out, func(a, b RuleUse) int { return a.Rule - b.Rule })
	return out
}

// String describes the use on one line.
func (u RuleUse) String() string {
	name := "that no rule enables them"
	if u.Rule >= 0 {
		name = fmt.Sprintf("toolRules[%d] (%q)", u.Rule, u.Pattern)
	}
	shown := u.Tools[:min(4, len(u.Tools))]
	more := ""
	if n := len(u.Tools) - len(shown); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s would have hidden %s in %s of %s: %s%s", name, words.Count(len(u.Tools), "used tool"), words.Count(u.Calls, "call"),
		words.Count(u.Sessions, "session"), strings.Join(shown, ", "), more)
}
