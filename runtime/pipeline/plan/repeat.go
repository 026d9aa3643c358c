package plan

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Repeat runs a stage in rounds, one after the other.
type Repeat struct {
	Max   int
	Limit *Program // maximum of one run if it is lower; nil for Max
	Until *Program // condition after each round; nil is never true
	Gain  *Program // number after each round; nil is not computed
}

// The reasons why a round is the last, besides an error.
const (
	EndedUntil = "condition met"
	EndedGain  = "nothing gained"
	EndedMax   = "limit reached"
)

// Rounds collects the outcomes of a stage's rounds as its expressions see them.
type Rounds struct {
	Max int // rounds of this run

	stage *Stage
	env   map[string]any // of the stage
	list  []any
	size  uint
}

// NewRounds returns an empty collection for a run of the stage.
func (s *Stage) NewRounds(env map[string]any) (*Rounds, error) {
	r := &Rounds{Max: s.Repeat.Max, stage: s, env: env}
	if s.Repeat.Limit == nil {
		return r, nil
	}
	v, err := s.Repeat.Limit.Eval(env)
	if err != nil || v == nil { // an input that is not given
		return r, err
	}
	n, err := s.Repeat.Limit.toNumber(v)
	r.Max = max(1, int(min(n, float64(r.Max))))
	return r, err
}

// toNumber returns a value of a program as a float.
func (p *Program) toNumber(v any) (float64, error) {
	switch n := reflect.ValueOf(v); {
	case n.CanInt():
		return float64(n.Int()), nil
	case n.CanFloat():
		return n.Float(), nil
	}
	return 0, &EvalError{Source: p.Source, Err: fmt.Errorf("is %T, want a number", v)}
}

// Outcomes returns the outcomes so far.
func (r *Rounds) Outcomes() []any { return append([]any{}, r.list...) }

// Env returns the environment of the stage's expressions. Before the first round, previous is the outcome of a
// stage that was skipped.
func (r *Rounds) Env() map[string]any {
	if n := len(r.list); n > 0 {
		return bind(r.env, map[string]any{envPrevious: r.list[n-1], envRounds: r.Outcomes()})
	}
	none := Result{Status: SkippedStatus, Skipped: "no round has finished yet"}
	return bind(r.env, map[string]any{envPrevious: none.Seen(r.stage.Out), envRounds: []any{}})
}

// Add adds the outcome of a round. The error says that all of them together are larger than an expression may make
// a value: rounds that pass on all rounds before them double.
func (r *Rounds) Add(one Result) error {
	seen := one.Seen(r.stage.Out)
	r.list = append(r.list, seen)
	size, err := deepCharge(seen)
	if r.size += size; err == nil && r.size > maxUnits {
		err = errLimit
	}
	if err != nil {
		return &EvalError{Source: envRounds, Err: err}
	}
	return nil
}

// Test evaluates the conditions. ended is the reason why there is no further round, or "". gain is nil if it is
// not computed.
func (r *Rounds) Test() (ended string, gain any, err error) {
	env, of := r.Env(), r.stage.Repeat
	more := true
	if of.Gain != nil {
		if gain, err = of.Gain.Eval(env); err != nil {
			return "", nil, err
		}
		n, err := of.Gain.toNumber(gain)
		if err != nil {
			return "", nil, err
		}
		more = n > 0
	}
	if of.Until != nil {
		switch done, err := of.Until.Test(env); {
		case err != nil:
			return "", gain, err
		case done:
			return EndedUntil, gain, nil
		}
	}
	switch {
	case !more:
		return EndedGain, gain, nil
	case len(r.list) >= r.Max:
		return EndedMax, gain, nil
	}
	return "", gain, nil
}

// roundFields returns what the expressions of a repeated stage see in addition; value is the type of one round.
func roundFields(value *schema.Schema) []schema.Field {
	one := OutcomeSchema(value)
	return []schema.Field{{Name: envPrevious, Required: true, Schema: one}, {Name: envRounds, Required: true, Schema: &schema.Schema{Type: schema.Array, Doc: "outcomes of the rounds", Items: one}}}
}

// withFields returns an environment with further fields.
func withFields(env *schema.Schema, fields ...schema.Field) *schema.Schema {
	out := *env
	out.Fields = append(slices.Clip(env.Fields), fields...)
	return &out
}

// resolveRepeat returns the rounds of a stage as far as they are known before its expressions.
func (g *graph) resolveRepeat(s config.Stage) *Repeat {
	if s.Repeat.Max == 0 {
		return nil
	}
	if s.Each != "" {
		d := g.at("C154", g.stagePath(s.Name, "repeat")...)
		d.Message = "the stage runs once for each of a list, and cannot repeat as well"
		d.Help = "give the repeated stage a pipeline of its own, and run that with each"
		g.report(d)
	}
	return &Repeat{Max: s.Repeat.Max}
}

// compileRepeat compiles the expressions of a repeated stage.
func (g *graph) compileRepeat(s *Stage, src config.Repeat, env *schema.Schema, given setting) {
	r := s.Repeat
	r.Limit = g.compileNumber(s, src.Limit, schema.Integer, env, given, "limit", "let it give a whole number, such as input.NAME or int(input.NAME / 2)")
	env = withFields(env, roundFields(s.Out)...)
	if src.Until != "" {
		r.Until = g.compile(src.Until, env, true, given, s.Name, "repeat", "until")
	}
	r.Gain = g.compileNumber(s, src.Gain, schema.Number, env, given, "gain", "count what the round added, such as len(previous.value.LIST); a condition is written as until")
	g.checkProgress(s)
}

// compileNumber compiles a field of repeat that is a number of that type; nil if it is not set.
func (g *graph) compileNumber(s *Stage, src, typ string, env *schema.Schema, given setting, field, help string) *Program {
	if src == "" {
		return nil
	}
	p := g.compile(src, env, false, given, s.Name, "repeat", field)
	if want := (&schema.Schema{Type: typ}); p != nil && !accepts(want, p.Type) {
		d := g.at("C154", g.stagePath(s.Name, "repeat", field)...)
		d.Message = field + " is " + describe(p.Type) + ", want " + describe(want)
		d.Help = help
		g.report(d)
	}
	return p
}

// checkProgress warns about rounds that cannot differ: they read files at most, and nothing of each other.
func (g *graph) checkProgress(s *Stage) {
	r := reach{c: g.compiler, seen: map[*Stage]bool{}}
	r.addStage(s)
	const steady = catalog.Roots | catalog.AllKinds | catalog.History
	if s.Repeat.Max == 1 || g.diags.HasErrors() || r.caps&^steady != 0 || s.OwnAsks() > 0 {
		return
	}
	for _, p := range s.With {
		if slices.ContainsFunc(p.Reads, func(name string) bool { return name == envPrevious || name == envRounds || name == envAll }) {
			return
		}
	}
	d := g.at("C154", g.stagePath(s.Name, "repeat")...)
	d.Severity = diag.Warning
	d.Message = "each round does the same: no input of the stage reads " + envPrevious + " or " + envRounds
	d.Help = "let one of its inputs read " + envPrevious + " or " + envRounds
	g.report(d)
}
