package rules

import (
	"fmt"
	"slices"
	"strings"
)

// Decision says whether a tool may be seen and run, and why.
type Decision struct {
	Enabled bool
	Tags    []string // of all matching rules, in order, without repetitions
	Rule    int      // the rule that decided; -1 for none
	Pattern string   // the pattern by which it matched, as written
	Why     string   // one line for people
	Trace   []Step   // every rule in order
}

// Outcome is the result of a rule for a tool.
type Outcome uint8

const (
	NoPattern   Outcome = iota // no pattern matches
	OtherServer                // the rule is for other servers
	Excluded                   // a negation matches
	Matched
)

// Step is the result of one rule for a tool.
type Step struct {
	Rule    int
	Outcome Outcome
	Pattern string // the pattern that matched, or the negation that excluded, as written
	Server  string // the rule's server field
	Enabled *bool  // the rule's setting; nil: none
	Tags    []string
	Decides bool // the first matching rule with a setting
}

// String describes the step in one line.
func (s Step) String() string {
	head := fmt.Sprintf("toolRules[%d] ", s.Rule)
	switch s.Outcome {
	case OtherServer:
		return head + fmt.Sprintf("not matched: it is for server %q", s.Server)
	case Excluded:
		return head + fmt.Sprintf("not matched: excluded by %q", s.Pattern)
	case NoPattern:
		return head + "not matched: no pattern fits"
	}
	return head + fmt.Sprintf("matched by %q: ", s.Pattern) + s.describeEffect()
}

func (s Step) describeEffect() string {
	var said []string
	switch {
	case s.Decides:
		said = append(said, verdict(*s.Enabled)+" it")
	case s.Enabled != nil:
		said = append(said, verdict(*s.Enabled)+" it, but an earlier rule decided")
	}
	if len(s.Tags) > 0 {
		said = append(said, "tags it "+strings.Join(s.Tags, ", "))
	}
	return strings.Join(said, "; ")
}

func verdict(enabled bool) string {
	if enabled {
		return "enables"
	}
	return "disables"
}

// Decide applies the rules to a server's tool.
func (s *Set) Decide(server, tool string) Decision {
	first := s.decideOwn(server, tool)
	if s == nil || s.narrower == nil {
		return first
	}
	second := s.narrower.Decide(server, tool)
	out := first
	if first.Enabled && (!second.Enabled || second.Rule >= 0) {
		out = second
	}
	out.Trace, out.Tags = append(first.Trace, second.Trace...), nil
	out.addTags(first.Tags)
	out.addTags(second.Tags)
	return out
}

// decideOwn applies the set's own rules.
func (s *Set) decideOwn(server, tool string) Decision {
	d := Decision{Rule: -1}
	switch {
	case s == nil || len(s.rules) == 0 && !s.broken:
		d.Enabled, d.Why = true, "there are no toolRules"
		return d
	case s.broken:
		d.Why = "toolRules has mistakes, so every tool is disabled"
		return d
	}
	n := namesOf(server, tool)
	d.Trace = make([]Step, len(s.rules))
	for i := range s.rules {
		r := &s.rules[i]
		step := Step{Rule: i + s.offset, Server: r.written, Enabled: r.enabled, Tags: r.tags}
		var matched bool
		matched, step.Outcome, step.Pattern = r.match(&n)
		if matched {
			d.addTags(r.tags)
			if d.Rule < 0 && r.enabled != nil {
				step.Decides = true
				d.Rule, d.Pattern, d.Enabled = i+s.offset, step.Pattern, *r.enabled
			}
		}
		d.Trace[i] = step
	}
	if d.Rule < 0 {
		d.Enabled = s.whitelist < 0
	}
	d.Why = s.explainDecision(&d)
	return d
}

func (s *Set) explainDecision(d *Decision) string {
	switch {
	case d.Rule >= 0:
		return fmt.Sprintf("toolRules[%d] pattern %q %s it", d.Rule, d.Pattern, verdict(d.Enabled))
	case s.whitelist < 0:
		return "no rule disables it"
	}
	why := fmt.Sprintf("no rule enables it, and toolRules[%d] makes a whitelist", s.whitelist+s.offset)
	for _, step := range d.Trace {
		if step.Outcome == Excluded && step.Enabled != nil && *step.Enabled {
			return why + fmt.Sprintf(" (toolRules[%d] would, but for %q)", step.Rule, step.Pattern)
		}
	}
	return why
}

func (d *Decision) addTags(tags []string) {
	for _, t := range tags {
		if !slices.Contains(d.Tags, t) {
			d.Tags = append(d.Tags, t)
		}
	}
}

// match reports whether the rule matches, its outcome, and the pattern.
func (r *rule) match(n *names) (bool, Outcome, string) {
	if r.server != nil && !r.server.match(n.server) {
		return false, OtherServer, ""
	}
	by := slices.IndexFunc(r.accept, func(p pattern) bool { return p.match(n) })
	if by < 0 {
		return false, NoPattern, ""
	}
	if not := slices.IndexFunc(r.reject, func(p pattern) bool { return p.match(n) }); not >= 0 {
		return false, Excluded, r.reject[not].written
	}
	return true, Matched, r.accept[by].written
}
