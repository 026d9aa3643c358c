package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

func TestRounds(t *testing.T) {
	for _, c := range []struct {
		name, stage, output string
		want                any
	}{
		{"max bounds them", `with: say: "string(len(rounds))", repeat: max: 3`, "map(a.rounds, .value.text)", []any{"0", "1", "2"}},
		{"a limit below max bounds them", `with: say: "string(len(rounds))", repeat: {max: 9, limit: "input.n - 1"}`, "map(a.rounds, .value.text)", []any{"0", "1", "2"}},
		{"a limit above max does not", `with: say: "string(len(rounds))", repeat: {max: 2, limit: "input.n"}`, "len(a.rounds)", 2},
		{"a limit of nothing is one round", `with: say: "string(len(rounds))", repeat: {max: 2, limit: "input.n - 9"}`, "len(a.rounds)", 1},
		{"a limit far above max does not", `with: say: "string(len(rounds))", repeat: {max: 3, limit: "9223372036854775807"}`, "len(a.rounds)", 3},
		{"a limit that is not given does not", `with: say: "string(len(rounds))", repeat: {max: 3, limit: "input.none"}`, "len(a.rounds)", 3},
		{"a limit of two branches is that of the one taken", `with: say: "string(len(rounds))", repeat: {max: 9, limit: "input.n < 4 ? input.few : input.n"}`, "len(a.rounds)", 4},
		{"a limit may come from JSON", `with: say: "string(len(rounds))", repeat: {max: 9, limit: "fromJSON('3')"}`, "len(a.rounds)", 3},
		{"a round reads the one before", `with: say: "previous.value.text + 'x'", repeat: max: 3`, "map(a.rounds, .value.text)", []any{"x", "xx", "xxx"}},
		{"before the first there is none", `with: say: "previous.skipped", repeat: max: 1`, "a.value.text", "no round has finished yet"},
		{"until ends them", `with: say: "string(len(rounds))", repeat: {max: 9, until: "previous.value.text == '1'"}`, "len(a.rounds)", 2},
		{"gain ends them", `with: say: "string(len(rounds))", repeat: {max: 9, gain: "2 - len(rounds)"}`, "len(a.rounds)", 2},
		{"gain is a fraction", `with: say: "string(len(rounds))", repeat: {max: 9, gain: "0.25 - len(rounds) / 10"}`, "len(a.rounds)", 3},
		{"a gain that is no number is none", `with: say: "string(len(rounds))", repeat: {max: 9, gain: "0 / (len(rounds) - len(rounds))"}`, "len(a.rounds)", 1},
		{"the value is that of the last", `with: say: "string(len(rounds))", repeat: max: 3`, "a.value.text", "2"},
		{"a failing round is the last, and those before it stand", `with: {say: "string(len(rounds))", fails: "len(rounds) == 2 ? 9 : 0"}, repeat: max: 9`,
			"[a.status, a.value.text, a.error.code, string(len(a.rounds)), a.rounds[2].status]", []any{"ok", "1", "INTERNAL", "3", "error"}},
		{"the first round fails", `with: {say: "string(len(rounds))", fails: 9}, onError: "continue", repeat: max: 9`, "[a.status, a.value.text, string(len(a.rounds))]", []any{"error", "", "1"}},
		{"each round is tried again", `with: {say: "string(len(rounds))", fails: 1}, retry: 1, repeat: max: 2`, "map(a.rounds, .status)", []any{"ok", "ok"}},
		{"a stage that is skipped has none", `with: say: "string(len(rounds))", when: "false", repeat: max: 2`, "[a.skipped, string(len(a.rounds))]", []any{"condition", "0"}},
		{"a panic ends them", `with: {say: "string(len(rounds))", break: "len(rounds) == 1"}, repeat: max: 9`, "map(a.rounds, .error.code)", []any{"", "INTERNAL"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := run(t, newWorld(), `pipelines: main: {
				input: {n: int, few: int & <=2 | *1, none?: int & <=2}
				stages: a: {builtin: "test.echo", `+c.stage+`}
				output: "`+c.output+`"
			}`, map[string]any{"n": 4})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, res.Value); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAConditionOfRoundsThatCannotBeEvaluatedFailsTheStage(t *testing.T) {
	for _, repeat := range []string{`limit: "fromJSON('{}')"`, `limit: "[1][len(roots) + 5]"`, `until: "rounds[5].ok"`, `gain: "rounds[5].value.list | count(true)"`, `gain: "fromJSON('{}')"`} {
		_, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: say: "string(len(rounds))", repeat: {max: 9, `+repeat+`}}
			output: "a.value.text"
		}`, nil)
		if _, e := contract.AsError(err); err == nil || e.Code != "EXPRESSION_ERROR" || !strings.Contains(err.Error(), "stage a: expression") {
			t.Errorf("%s: %v", repeat, err)
		}
	}
}

func TestRoundsShareTheirTimeAndLeaveSomeForTheReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			budget: time: "1s"
			stages: {
				a: {builtin: "test.files", with: {say: "string(len(rounds))", sleep: 400}, repeat: max: 100}
				reply: {builtin: "test.echo", with: {say: "join(map(a.rounds, .status), ' ') + ': ' + a.value.text", sleep: 20}}
			}
			output: "reply.value.text"
		}`, nil)
		if err != nil || res.Value != "ok ok timeout: 1" {
			t.Errorf("%v, %v", res.Value, err)
		}
	})
}

func TestACanceledCallIsNoAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		w := newWorld()
		_, err := runWith(ctx, t, w, `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: {say: "string(len(rounds))", sleep: 20}, repeat: max: 100}
			output: "a"
		}`, engine.Request{})
		if s, _ := contract.AsError(err); s != contract.Canceled || !slices.Equal(w.ran, []string{"0", "1"}) {
			t.Errorf("status %s, ran %q: %v", s, w.ran, err)
		}
	})
}

func TestRoundsShareABudget(t *testing.T) {
	res, err := runWith(t.Context(), t, newWorld(), `pipelines: main: {
		input: {}
		stages: a: {builtin: "test.echo", with: {say: "string(len(rounds))", cost: 40}, budget: bytes: 100, repeat: max: 9}
		output: "map(a.rounds, .error.code)"
	}`, engine.Request{Limits: budget.Limits{Bytes: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"", "", "BUDGET_EXHAUSTED"}, res.Value); d != "" || res.Usage.Bytes != 80 {
		t.Error(d, res.Usage)
	}
}

const searching = `pipelines: {
	main: {
		input: {}
		stages: a: {pipeline: "search", with: seen: "map(rounds, .value.text)", repeat: {max: 5, until: "len(rounds) == 2"}}
		output: "a"
	}
	search: {
		input: seen: [...string]
		stages: say: {builtin: "test.echo", with: say: "'after ' + join(input.seen, ', ')"}
		output: "say.value"
	}
}`

func TestAPipelineRepeats(t *testing.T) {
	res, err := run(t, newWorld(), searching, nil)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, s := range res.Trace {
		rows = append(rows, fmt.Sprintf("%s rounds %d round %d %s", s.Stage, s.Rounds, s.Round, s.Status))
	}
	want := []string{"a rounds 2 round 0 ok", "a rounds 0 round 1 ok", "a.say rounds 0 round 0 ok", "a rounds 0 round 2 ok", "a.say rounds 0 round 0 ok"}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
	if got := fmt.Sprint(res.Value); !strings.Contains(got, "after after ") {
		t.Errorf("the second round does not see the first: %s", got)
	}
}

func TestEventsOfRounds(t *testing.T) {
	var s event.Stream
	sub := s.Subscribe(1000, event.Stage, event.Round)
	var told []string
	_, err := runWith(s.WithContext(t.Context(), "", ""), t, newWorld(), searching, engine.Request{Progress: func(p catalog.Progress) { told = append(told, p.Line()) }})
	if err != nil {
		t.Fatal(err)
	}
	sub.Close()
	names := map[string]string{}
	var got []string
	for {
		e, ok := sub.Next(context.Background())
		if !ok {
			break
		}
		if e.Phase == event.Step {
			continue
		}
		line := e.Kind.String() + " " + e.Stage
		for _, a := range e.Attrs {
			if e.Phase == event.End || a.Key == "round" {
				line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
			}
		}
		if e.Phase == event.Begin {
			names[e.Call] = line
		}
		got = append(got, line+" "+e.Phase.String()+e.Outcome+" < "+names[e.Parent])
	}
	want := []string{
		"stage a begin < ",
		"round a round=1 begin < stage a", "stage a.say begin < round a round=1", "stage a.say endok < round a round=1", "round a round=1 endok < stage a",
		"round a round=2 begin < stage a", "stage a.say begin < round a round=2", "stage a.say endok < round a round=2", "round a round=2 ended=condition met endok < stage a",
		"stage a rounds=2 endok < ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if lines := []string{"a: ", "a: round 1 of at most 5", "a.say: say something", "a: round 2 of at most 5", "a.say: say something"}; !slices.Equal(told, lines) {
		t.Errorf("progress %q", told)
	}
}

func TestARoundThatRunsOutOfBudgetDoesNotReplaceTheOneBefore(t *testing.T) {
	res, err := run(t, newWorld(), `
		roles: r: {purpose: "answer", ground: "test.answer", prompt: "Answer.", roots: []}
		pipelines: main: {
			input: {}
			stages: a: {role: "r", with: {say: "'round ' + string(len(rounds))", cost: "40"}, budget: bytes: 100, repeat: max: 9}
			output: "[a.value.summary, a.status, a.error.code, a.rounds[2].value.summary, string(len(a.rounds))]"
		}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []any{"round 1", "ok", "BUDGET_EXHAUSTED", "Not looked at: the budget of bytes was used up.", "3"}
	if d := cmp.Diff(want, res.Value); d != "" {
		t.Error(d)
	}
}

func TestABudgetOfEachRoundEndsNone(t *testing.T) {
	res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: n: int
			budget: bytes: 100
			stages: {
				one: {builtin: "test.echo", with: {say: "'one'", cost: 60}}
				two: {builtin: "test.echo", with: {say: "'two'", cost: 60}, needs: ["one"], onError: "continue"}
			}
			output: "two.error.code + string(input.n)"
		}
		main: {input: {}, budget: time: "10m", stages: a: {pipeline: "inner", with: n: "len(rounds)", repeat: max: 3}, output: "map(a.rounds, .value)"}
	}`, nil)
	if d := cmp.Diff([]any{"BUDGET_EXHAUSTED0", "BUDGET_EXHAUSTED1", "BUDGET_EXHAUSTED2"}, res.Value); err != nil || d != "" {
		t.Error(d, err)
	}
}

// quote books evidence for part of what a round says, and does without what is refused.
func TestARefusedQuoteDoesNotDiscardARound(t *testing.T) {
	res, err := run(t, newWorld(), `pipelines: main: {
		input: {}
		stages: a: {builtin: "test.quote", with: {say: "string(len(rounds))", cost: 60}, budget: bytes: 100, repeat: max: 9}
		output: "[a.value.text, a.error.code, string(len(a.rounds))]"
	}`, nil)
	if d := cmp.Diff([]any{"1", "BUDGET_EXHAUSTED", "2"}, res.Value); err != nil || d != "" {
		t.Error(d, err)
	}
}

// starving is a role whose model had no time in the third round.
type starving struct{ rounds int }

func (s *starving) Run(_ context.Context, _ *plan.Role, env *catalog.Env, in map[string]any) (any, error) {
	if s.rounds++; s.rounds == 3 {
		env.Ledger.Starve(context.DeadlineExceeded)
		return contract.NotFound("without the model"), nil
	}
	return contract.Result{Summary: in["say"].(string), References: []string{}, KeyFindings: []contract.Finding{}, Confidence: contract.High}, nil
}

func TestARoundWithoutItsModelDoesNotReplaceTheOneBefore(t *testing.T) {
	const text = `
		roles: r: {purpose: "answer", ground: "test.answer", prompt: "Answer.", roots: []}
		pipelines: ask: {
			input: say: string
			stages: a: {role: "r", with: say: "input.say"}
			output: "a.value"
		}
		pipelines: main: {
			input: {}
			stages: a: {RUNS, with: say: "'round ' + string(len(rounds))", repeat: max: 9}
			output: "[a.value.summary, a.error.code, string(len(a.rounds))]"
		}`
	for _, runs := range []string{`role: "r"`, `pipeline: "ask"`} {
		p := compile(t, newWorld(), strings.Replace(text, "RUNS", runs, 1))
		res, err := engine.New(engine.NewPool(4, 4)).Run(t.Context(), engine.Request{Pipeline: p.Pipelines["main"], Deterministic: true, Roles: &starving{}})
		if d := cmp.Diff([]any{"round 1", "TIMEOUT", "3"}, res.Value); err != nil || d != "" {
			t.Error(runs, d, err)
		}
	}
}

const tolerant = `
		inner: {
			input: n: int
			stages: say: {builtin: "test.files", with: {say: "string(input.n)", sleep: 350}, onError: "continue"}
			output: "say.value.text"
		}`

func TestARoundThatRunsOutOfTimeDoesNotReplaceTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: {`+tolerant+`
		main: {
			input: {}
			budget: time: "1s"
			stages: a: {pipeline: "inner", with: n: "len(rounds)", repeat: max: 9}
			output: "[a.value, a.error.code, a.rounds[2].value, string(len(a.rounds))]"
		}}`, nil)
		if d := cmp.Diff([]any{"1", "TIMEOUT", "", "3"}, res.Value); err != nil || d != "" {
			t.Error(d, err)
		}
	})
}

func TestRoundsThatPassOnAllBeforeThemEnd(t *testing.T) {
	res, err := run(t, newWorld(), `pipelines: {
		copy: {
			input: seen: [...{...}]
			budget: time: "10m"
			stages: s: {builtin: "test.echo", with: say: "string(len(input.seen))"}
			output: "{all: input.seen, s: s.value}"
		}
		main: {
			input: {}
			budget: time: "10m"
			stages: a: {pipeline: "copy", with: seen: "rounds", repeat: max: 100}
			output: "[a.error.code, a.status, len(a.rounds) < 30]"
		}}`, nil)
	if d := cmp.Diff([]any{"EXPRESSION_LIMIT", "ok", true}, res.Value); err != nil || d != "" {
		t.Error(d, err)
	}
}

func TestRoundsWithinRoundsEnd(t *testing.T) {
	w := newWorld()
	res, err := run(t, w, `pipelines: {
		p3: {input: {}, budget: time: "10m", stages: a: {builtin: "test.echo", with: say: "'x'", repeat: max: 100}, output: "a.status"}
		p2: {input: {}, budget: time: "10m", stages: a: {pipeline: "p3", repeat: max: 100}, output: "a.status"}
		p1: {input: {}, budget: time: "10m", stages: a: {pipeline: "p2", repeat: max: 100}, output: "a.status"}
		main: {input: {}, budget: time: "10m", stages: a: {pipeline: "p1", repeat: max: 100}, output: "a.status"}
	}`, nil)
	if n := w.tries["x"]; err != nil || res.Value != "ok" || n < 900 || n > 1_000 {
		t.Errorf("%v after %d runs: %v", res.Value, n, err)
	}
}

func TestRoundsThatTheReplyReadsLeaveTimeForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			budget: time: "1s"
			stages: {
				a: {builtin: "test.echo", with: {say: "string(len(rounds))", sleep: 400}, repeat: max: 100}
				reply: {builtin: "test.echo", with: {say: "'after ' + a.value.text", sleep: 20}}
			}
			output: "[reply.value.text, string(len(a.rounds))]"
		}`, nil)
		if d := cmp.Diff([]any{"after 1", "3"}, res.Value); err != nil || d != "" {
			t.Error(d, err)
		}
	})
}

func TestRoundsShareTheTimeOfTheirStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: {say: "string(len(rounds))", sleep: 400}, budget: time: "1s", repeat: max: 100}
			output: "[a.value.text, a.error.code]"
		}`, nil)
		if d := cmp.Diff([]any{"1", "TIMEOUT"}, res.Value); err != nil || d != "" || time.Since(start) != time.Second {
			t.Error(d, err, time.Since(start))
		}
	})
}

func TestAGainOfAnyKindOfNumber(t *testing.T) {
	for gain, want := range map[string]int{"date('2026-01-02').Unix()": 3, "date('1960-01-02').Unix()": 1, "date('2026-01-02').Hour()": 1, "0.5": 3} {
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: say: "string(len(rounds))", repeat: {max: 3, gain: "`+gain+`"}}
			output: "len(a.rounds)"
		}`, nil)
		if err != nil || res.Value != want {
			t.Errorf("%s: %v rounds, want %d: %v", gain, res.Value, want, err)
		}
	}
}

// timed is a role that notes how long its model may take.
type timed struct{ got []time.Duration }

func (r *timed) Run(_ context.Context, _ *plan.Role, env *catalog.Env, _ map[string]any) (any, error) {
	r.got = append(r.got, time.Until(env.Until))
	return contract.NotFound("nothing"), nil
}

// The models of rounds share the time of the stage among themselves, and that of the pipeline with later stages.
func TestModelsOfRoundsShareTheirTime(t *testing.T) {
	ms := func(list ...float64) (out []time.Duration) {
		for _, n := range list {
			out = append(out, time.Duration(n*float64(time.Millisecond)))
		}
		return out
	}
	for _, c := range []struct {
		runs, budget, repeat string
		want                 []time.Duration
	}{
		{`role: "r"`, "10s", "max: 3", ms(4750, 4750, 9500, 28500)},
		{`role: "r"`, "30s", "max: 3", ms(8550, 8550, 12825, 28500)},
		{`role: "r"`, "30s", `{max: 9, limit: "3"}`, ms(8550, 8550, 12825, 28500)},
		{`pipeline: "ask"`, "30s", "max: 3", ms(8122.5, 8122.5, 12183.75, 28500)}, // less once more, for the answer without the model
	} {
		synctest.Test(t, func(t *testing.T) {
			p := compile(t, newWorld(), `
				roles: r: {purpose: "answer", ground: "test.answer", prompt: "Answer.", roots: []}
				pipelines: ask: {input: say: string, stages: a: {role: "r", with: say: "input.say"}, output: "a"}
				pipelines: main: {
					input: {}
					budget: time: "30s"
					stages: {
						a: {`+c.runs+`, with: say: "string(len(rounds))", budget: time: "`+c.budget+`", repeat: `+c.repeat+`}
						b: {role: "r", with: say: "a.value.summary"}
					}
					output: "{a: a.value, b: b.value}.b.summary"
				}`)
			r := &timed{}
			_, err := engine.New(engine.NewPool(4, 4)).Run(t.Context(), engine.Request{Pipeline: p.Pipelines["main"], Deterministic: true, Roles: r})
			if d := cmp.Diff(c.want, r.got); err != nil || d != "" {
				t.Error(c.runs, c.budget, d, err)
			}
		})
	}
}

// An item that runs out of time makes the list of its round incomplete.
func TestAnIncompleteListDoesNotReplaceTheOneBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: n: int
			stages: read: {builtin: "test.files", each: "[50, 350]", with: {say: "string(input.n)", sleep: "item"}}
			output: "map(read.value, .status)"
		}
		main: {
			input: {}
			budget: time: "1s"
			stages: a: {pipeline: "inner", with: n: "len(rounds)", repeat: max: 9}
			output: "concat(a.value, [a.error.code])"
		}}`, nil)
		if d := cmp.Diff([]any{"ok", "ok", "TIMEOUT"}, res.Value); err != nil || d != "" {
			t.Error(d, err)
		}
	})
}

// A pipeline has its own time again in each round.
func TestATimeOfEachRoundEndsNone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: n: int
			budget: time: "100ms"
			stages: say: {builtin: "test.files", with: {say: "string(input.n)", sleep: 5000}, onError: "continue"}
			output: "say.status"
		}
		main: {input: {}, budget: time: "10m", stages: a: {pipeline: "inner", with: n: "len(rounds)", repeat: max: 3}, output: "map(a.rounds, .value)"}
		}`, nil)
		if d := cmp.Diff([]any{"timeout", "timeout", "timeout"}, res.Value); err != nil || d != "" {
			t.Error(d, err)
		}
	})
}
