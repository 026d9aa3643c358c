package plan

import (
	"strconv"
	"time"
)

// checkBudgets reports limits that no run can meet.
func (g *graph) checkBudgets() {
	total := g.p.Budget.Time
	for _, s := range g.p.Stages {
		need := s.Timeout * time.Duration(s.Retry+1)
		if total > 0 && need > total {
			d := g.at("C123", g.stagePath(s.Name, "timeout")...)
			d.Message = "timeout of " + s.Timeout.String() + " (" + countTries(s.Retry+1) + ") cannot be met: the pipeline has " + total.String() + " in all"
			g.report(d)
		}
		if s.Each != nil && s.Max < 0 {
			d := g.at("C123", g.stagePath(s.Name, "max")...)
			d.Message = "max is below 1: the stage could never run"
			g.report(d)
		}
	}
	if out := g.p.Budget.TokensOut; out > 0 && out < MinReplyTokens {
		d := g.at("C123", "pipelines", g.p.Name, "budget", "tokens_out")
		d.Message = "no reply fits into so few tokens"
		d.Allowed = []string{"120 or more"}
		g.report(d)
	}
}

// MinReplyTokens is the size of an empty report: its braces, keys and question.
const MinReplyTokens = 120

func countTries(n int) string {
	if n == 1 {
		return "one try"
	}
	return strconv.Itoa(n) + " tries"
}
