package plan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// Explanation describes what a call would do: which stages would run for this input and
// why, as far as that is known before any search.
type Explanation struct {
	Tool     string           `json:"tool"`
	Pipeline string           `json:"pipeline"`
	Budget   budget.Limits    `json:"budget"`
	Stages   []ExplainedStage `json:"stages"`
}

// The decisions of an ExplainedStage.
const (
	WillRun  = "runs"
	WillSkip = "skipped"
	Depends  = "depends" // on the findings of an earlier stage
)

// ExplainedStage is one stage of an Explanation.
type ExplainedStage struct {
	Name     string           `json:"name"`
	Kind     Kind             `json:"kind"`
	Runs     string           `json:"runs"`
	Needs    []string         `json:"needs,omitempty"`
	Decision string           `json:"decision"`
	Why      string           `json:"why"`
	When     string           `json:"when,omitempty"`
	Each     string           `json:"each,omitempty"`
	Items    int              `json:"items,omitempty"`
	Repeat   *ExplainedRepeat `json:"repeat,omitempty"`
	OnError  string           `json:"onError"`
	Timeout  time.Duration    `json:"timeout,omitempty"`
	Budget   budget.Limits    `json:"budget"`
	Tools    []string         `json:"tools,omitempty"` // tools that the role's model may call, with the rule that allows each

	*ExplainedRole // of a stage that runs a role
}

// ExplainedRepeat tells how a stage repeats.
type ExplainedRepeat struct {
	Max   int    `json:"max"`
	Limit string `json:"limit,omitempty"` // expression: maximum of one run
	Until string `json:"until,omitempty"`
	Gain  string `json:"gain,omitempty"`
}

func (r *ExplainedRepeat) String() string {
	text := "at most " + words.Count(r.Max, "round")
	if r.Limit != "" {
		text += ", or " + r.Limit + " if that is less"
	}
	if r.Until != "" {
		text += ", until " + r.Until
	}
	if r.Gain != "" {
		text += ", or until the gain is 0 or less: " + r.Gain
	}
	return text
}

// Explain evaluates the real graph with the real conditions. Stages that touch no file
// actually run, since they cost nothing and conditions depend on them; the others only
// state what they would do.
func (p *Plan) Explain(ctx context.Context, t *Tool, input map[string]any, roots map[string][]string) (*Explanation, error) {
	env, err := t.Pipeline.Env(input, roots, slices.Sorted(maps.Keys(p.Config.Collections)), func() session.View { return (*session.Session)(nil).View(nil) })
	if err != nil {
		return nil, err
	}
	x := &explainer{env: env, decision: map[string]string{}, known: map[string]bool{envInput: true, envRoots: true, envCollections: true, envSession: true}}
	out := &Explanation{Tool: t.Name, Pipeline: t.Pipeline.Name, Budget: t.Pipeline.Budget}
	for _, s := range t.Pipeline.Stages {
		e := x.explainStage(ctx, s)
		x.decision[s.Name] = e.Decision
		out.Stages = append(out.Stages, e)
	}
	return out, nil
}

type explainer struct {
	env      map[string]any
	decision map[string]string
	known    map[string]bool // names of env whose values are certain
}

func (x *explainer) explainStage(ctx context.Context, s *Stage) ExplainedStage {
	e := ExplainedStage{Name: s.Name, Kind: s.Kind, Runs: s.Runs(), Needs: s.Needs, OnError: s.OnError,
		Timeout: s.Timeout, Budget: s.Budget}
	if e.OnError == "" {
		e.OnError = OnErrorFail
	}
	e.When = s.When.text()
	if s.Each != nil {
		e.Each, e.Items = s.Each.Source, s.Max
	}
	if r := s.Repeat; r != nil {
		e.Repeat = &ExplainedRepeat{Max: r.Max, Limit: r.Limit.text(), Until: r.Until.text(), Gain: r.Gain.text()}
	}
	if s.Role != nil {
		e.Budget, e.ExplainedRole = e.Budget.Narrow(s.Role.Budget), explainRole(s.Role)
		for _, g := range s.Role.Tools {
			e.Tools = append(e.Tools, g.Builtin.Name+" (by "+g.By+")")
		}
	}
	e.Decision, e.Why = x.decide(s)
	switch e.Decision {
	case WillSkip:
		s.Set(x.env, Result{Status: SkippedStatus, Skipped: e.Why})
		x.known[s.Name] = true
	case WillRun:
		x.tryRun(ctx, s)
	}
	return e
}

func (x *explainer) decide(s *Stage) (decision, why string) {
	var dead, open []string
	for _, n := range s.Needs {
		switch x.decision[n] {
		case WillSkip:
			dead = append(dead, n)
		case Depends:
			open = append(open, n)
		}
	}
	if len(dead) > 0 && (s.JoinAll || len(dead) == len(s.Needs)) {
		return WillSkip, "needs " + dead[0] + ", which is skipped"
	}
	if s.When != nil {
		return x.decideCondition(s)
	}
	if len(open) > 0 && (s.JoinAll || len(open)+len(dead) == len(s.Needs)) {
		return Depends, "on whether " + strings.Join(open, ", ") + " runs"
	}
	switch {
	case len(s.Needs) == 0:
		return WillRun, "at once"
	case s.Each != nil:
		return WillRun, "once for each of " + s.Each.Source + ", after " + strings.Join(s.Needs, ", ")
	}
	return WillRun, "after " + strings.Join(s.Needs, ", ")
}

func (x *explainer) decideCondition(s *Stage) (decision, why string) {
	for _, name := range s.When.Reads {
		if !x.known[name] {
			return Depends, "on what " + name + " finds: " + s.When.Source
		}
	}
	ok, err := s.When.Test(x.env)
	switch {
	case err != nil:
		return Depends, err.Error()
	case ok:
		return WillRun, "because " + s.When.Source
	}
	return WillSkip, "because not " + s.When.Source
}

// tryRun runs a builtin that touches nothing and whose inputs are certain.
func (x *explainer) tryRun(ctx context.Context, s *Stage) {
	if s.Kind != BuiltinStage || s.Builtin.Caps != 0 || s.Each != nil || s.Repeat != nil {
		return
	}
	input := map[string]any{}
	for name, p := range s.With {
		if slices.ContainsFunc(p.Reads, func(r string) bool { return !x.known[r] }) {
			return
		}
		v, err := p.Eval(x.env)
		if err != nil {
			return
		}
		input[name] = v
	}
	v, err := s.Builtin.Run(ctx, &catalog.Env{Now: time.Now, Progress: func(catalog.Progress) {}}, input)
	if err != nil {
		return
	}
	s.Set(x.env, Result{Status: string(contract.OK), Value: v})
	x.known[s.Name] = true
}

// Text formats the explanation as a table for a terminal.
func (e *Explanation) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s runs pipeline %s%s\n\n", e.Tool, e.Pipeline, formatLimits(e.Budget))
	width := 0
	for _, s := range e.Stages {
		width = max(width, len(s.Name))
	}
	for _, s := range e.Stages {
		mark := map[string]string{WillRun: "+", WillSkip: "-", Depends: "?"}[s.Decision]
		fmt.Fprintf(&b, "%s %-*s  %s %s: %s %s\n", mark, width, s.Name, s.Kind, s.Runs, s.Decision, s.Why)
		if s.Repeat != nil {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, "", s.Repeat)
		}
		if l := formatLimits(s.Budget); l != "" {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, "", strings.TrimPrefix(l, ", "))
		}
		if s.ExplainedRole == nil {
			continue
		}
		for _, l := range s.describeRole() {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, "", l)
		}
	}
	return b.String()
}

func formatLimits(l budget.Limits) string {
	var parts []string
	add := func(ok bool, text string) {
		if ok {
			parts = append(parts, text)
		}
	}
	add(l.Files > 0, fmt.Sprintf("%d files", l.Files))
	add(l.Bytes > 0, fmt.Sprintf("%d bytes", l.Bytes))
	add(l.Time > 0, l.Time.String())
	add(l.Steps > 0, fmt.Sprintf("%d steps", l.Steps))
	add(l.Tasks > 0, fmt.Sprintf("%d tasks at once", l.Tasks))
	add(l.TokensOut > 0, fmt.Sprintf("%d tokens out", l.TokensOut))
	if len(parts) == 0 {
		return ""
	}
	return ", at most " + strings.Join(parts, ", ")
}

// Mermaid returns the graph in Mermaid's flowchart syntax; skipped stages are dashed,
// stages that depend on others are dotted.
func (e *Explanation) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for _, s := range e.Stages {
		label := s.Name + "<br/>" + s.Runs
		if s.Each != "" {
			label += " ×n"
		}
		if s.Repeat != nil {
			label += "<br/>up to " + words.Count(s.Repeat.Max, "round")
		}
		fmt.Fprintf(&b, "  %s[%q]\n", s.Name, label)
		for _, n := range s.Needs {
			fmt.Fprintf(&b, "  %s --> %s\n", n, s.Name)
		}
		switch s.Decision {
		case WillSkip:
			fmt.Fprintf(&b, "  style %s stroke-dasharray: 6 4,opacity:0.5\n", s.Name)
		case Depends:
			fmt.Fprintf(&b, "  style %s stroke-dasharray: 2 2\n", s.Name)
		}
	}
	return b.String()
}
