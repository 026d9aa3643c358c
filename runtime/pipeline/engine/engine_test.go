package engine_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent"
	"github.com/compactor-mcp/compactor/runtime/pipeline/engine"
)

// TestSkips has one case for each rule of skipping.
func TestSkips(t *testing.T) {
	for _, c := range []struct {
		name, stages, output string
		want                 map[string]string
		value                any
	}{
		{"a false condition skips and is no failure", `
			a: {builtin: "test.echo", with: say: "'a'"}
			b: {builtin: "test.echo", with: say: "'b'", when: "input.no"}`, "a.value.text",
			map[string]string{"a": "ok", "b": "skipped: condition"}, "a"},
		{"a stage all of whose needs are skipped is skipped", `
			a: {builtin: "test.echo", with: say: "'a'", when: "input.no"}
			b: {builtin: "test.echo", with: say: "'b'", needs: ["a"]}
			c: {builtin: "test.echo", with: say: "'c'", needs: ["b"]}`, "c.skipped",
			map[string]string{"a": "skipped: condition", "b": "skipped: needs a, which was skipped", "c": "skipped: needs b, which was skipped"},
			"needs b, which was skipped"},
		{"a join runs when one edge is alive", `
			a: {builtin: "test.echo", with: say: "'a'"}
			b: {builtin: "test.echo", with: say: "'b'", when: "input.no"}
			c: {builtin: "test.echo", with: say: "a.value.text + b.value.text", needs: ["a", "b"]}`, "c.value.text",
			map[string]string{"a": "ok", "b": "skipped: condition", "c": "ok"}, "a"},
		{"join all wants every edge alive", `
			a: {builtin: "test.echo", with: say: "'a'"}
			b: {builtin: "test.echo", with: say: "'b'", when: "input.no"}
			c: {builtin: "test.echo", with: say: "'c'", needs: ["a", "b"], join: "all"}`, "c.ok",
			map[string]string{"a": "ok", "b": "skipped: condition", "c": "skipped: needs b, which was skipped"}, false},
		{"a failure that may pass leaves its edge alive", `
			a: {builtin: "test.echo", with: {say: "'a'", fails: 9}, onError: "continue"}
			b: {builtin: "test.echo", with: say: "a.status", needs: ["a"]}`, "b.value.text",
			map[string]string{"a": "error", "b": "ok"}, "error"},
		{"a condition on an outcome decides after it", `
			a: {builtin: "test.echo", with: say: "''"}
			b: {builtin: "test.echo", with: say: "'b'", when: "a.value.some"}
			c: {builtin: "test.echo", with: say: "'c'", when: "!a.value.some"}`, "c.value.text",
			map[string]string{"a": "ok", "b": "skipped: condition", "c": "ok"}, "c"},
		{"a fan-out over nothing is no skip", `
			a: {builtin: "test.echo", with: say: "item", each: "input.none"}
			b: {builtin: "test.echo", with: say: "string(len(a.value))", needs: ["a"]}`, "b.value.text",
			map[string]string{"a": "ok", "b": "ok"}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := run(t, newWorld(), `pipelines: main: {
				input: {no: bool | *false, none?: [...string]}
				stages: {`+c.stages+`}
				output: "`+c.output+`"
			}`, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, status(res)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.value, res.Value); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestIndependentStagesRunTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		go func() { // opens the gate when all wait at it who come to it
			synctest.Wait()
			w.mu.Lock()
			if len(w.ran) != 2 {
				t.Errorf("%v ran together, want a and b", w.ran)
			}
			w.mu.Unlock()
			close(w.gate("both"))
		}()
		res, err := run(t, w, `pipelines: main: {
			input: {}
			stages: {
				a: {builtin: "test.echo", with: {say: "'a'", gate: "'both'"}}
				b: {builtin: "test.echo", with: {say: "'b'", gate: "'both'"}}
			}
			output: "a.value.text + b.value.text"
		}`, nil)
		if err != nil || res.Value != "ab" {
			t.Fatalf("%v, %v", res.Value, err)
		}
	})
}

func TestFanOutKeepsOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		res, err := run(t, w, `pipelines: main: {
			input: words: [...string]
			stages: a: {builtin: "test.echo", each: "input.words", max: 3, with: {say: "item", sleep: "item == 'x' ? 50 : 1"}}
			output: "map(a.value, .value.text)"
		}`, map[string]any{"words": []any{"x", "y", "z", "cut"}})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]any{"x", "y", "z"}, res.Value); d != "" {
			t.Error(d)
		}
		if res.Trace[0].Items != 3 {
			t.Errorf("%d items, want 3", res.Trace[0].Items)
		}
	})
}

func TestFanOutCollectsFailures(t *testing.T) {
	const text = `pipelines: main: {
		input: {words: [...string], fails: int}
		stages: a: {builtin: "test.echo", each: "input.words", with: {say: "item", fails: "item == 'x' ? input.fails : 0"}}
		output: "map(a.value, .status)"
	}`
	res, err := run(t, newWorld(), text, map[string]any{"words": []any{"x", "y"}, "fails": 9})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"error", "ok"}, res.Value); d != "" {
		t.Error(d)
	}
	_, err = run(t, newWorld(), text, map[string]any{"words": []any{"x", "x"}, "fails": 9})
	if !errors.Is(err, errEcho) {
		t.Errorf("all items failed, error is %v", err)
	}
}

func TestRetry(t *testing.T) {
	w := newWorld()
	res, err := run(t, w, `pipelines: main: {
		input: {}
		stages: a: {builtin: "test.echo", with: {say: "'a'", fails: 2}, retry: 2}
		output: "a.value.text"
	}`, nil)
	if err != nil || res.Value != "a" || w.tries["a"] != 3 {
		t.Errorf("%v after %d tries: %v", res.Value, w.tries["a"], err)
	}
}

func TestOnError(t *testing.T) {
	const text = `pipelines: main: {
		input: {}
		stages: {
			a: {builtin: "test.echo", with: {say: "'a'", fails: 9}, ON}
			b: {builtin: "test.echo", with: {say: "'b'"}, needs: ["a"]}
		}
		output: "a.value.text + b.value.text"
	}`
	for _, c := range []struct{ on, want, err string }{
		{`onError: "fail"`, "", "stage a: echo failed as told"},
		{`onError: "continue"`, "b", ""},
		{`onError: "fallback", fallback: "{text: 'else', list: [], some: true}"`, "elseb", ""},
	} {
		res, err := run(t, newWorld(), replaceOn(text, c.on), nil)
		switch {
		case c.err == "" && (err != nil || res.Value != c.want):
			t.Errorf("%s: %v, %v", c.on, res.Value, err)
		case c.err != "" && (err == nil || err.Error() != c.err):
			t.Errorf("%s: error %v, want %s", c.on, err, c.err)
		}
	}
}

func TestFailureEndsSiblings(t *testing.T) {
	w := newWorld()
	_, err := run(t, w, `pipelines: main: {
		input: {}
		stages: {
			slow: {builtin: "test.echo", with: {say: "'slow'", gate: "'never'"}}
			bad: {builtin: "test.echo", with: {say: "'bad'", fails: 9}}
			after: {builtin: "test.echo", with: say: "'after'", needs: ["slow"]}
		}
		output: "after"
	}`, nil)
	if err == nil || err.Error() != "stage bad: echo failed as told" {
		t.Fatalf("error %v, want the failure itself and not what it caused", err)
	}
	for _, r := range w.ran {
		if r == "after" {
			t.Error("a stage began after the pipeline had failed")
		}
	}
}

func TestTimeoutLeavesTimeForTheReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			budget: time: "1s"
			stages: {
				slow: {builtin: "test.files", with: {say: "'slow'", sleep: 5000}, onError: "continue"}
				reply: {builtin: "test.echo", with: {say: "'partial: ' + slow.status", sleep: 20}, needs: ["slow"]}
			}
			output: "reply.value.text"
		}`, nil)
		if err != nil || res.Value != "partial: timeout" {
			t.Errorf("%v, %v", res.Value, err)
		}
	})
}

func TestStageTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		res, err := run(t, newWorld(), `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: {say: "'a'", sleep: 5000}, timeout: "50ms", onError: "continue"}
			output: "a.status"
		}`, nil)
		if err != nil || res.Value != "timeout" || time.Since(start) != 50*time.Millisecond {
			t.Errorf("%v after %v, %v", res.Value, time.Since(start), err)
		}
	})
}

func TestCancelReachesBuiltins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		start := time.Now()
		_, err := runWith(ctx, t, newWorld(), `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: {say: "'a'", sleep: 60000}}
			output: "a"
		}`, engine.Request{})
		if s, _ := contract.AsError(err); s != contract.Canceled || time.Since(start) > 130*time.Millisecond {
			t.Errorf("status %s after %v: %v", s, time.Since(start), err)
		}
	})
}

func TestPoolRefusesWhatDoesNotFit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		p := compile(t, w, `pipelines: main: {
			input: {}
			stages: a: {builtin: "test.echo", with: {say: "'a'", gate: "'open'"}}
			output: "a.value.text"
		}
		pipelines: here: {
			input: {}
			stages: a: {builtin: "test.here", with: say: "'a'"}
			output: "a.value.text"
		}
		pipelines: nested: {
			input: {}
			stages: a: {pipeline: "here"}
			output: "a"
		}
		pipelines: each: {
			input: {}
			stages: a: {builtin: "test.here", each: "['a']", with: say: "item"}
			output: "a"
		}`)
		e := engine.New(engine.NewPool(1, 1))
		req := engine.Request{Pipeline: p.Pipelines["main"], Roles: agent.Runner{}, Deterministic: true}
		done := make(chan error, 2)
		for range 2 {
			go func() {
				_, err := e.Run(t.Context(), req)
				done <- err
			}()
		}
		synctest.Wait() // one has the worker, the other waits for it
		_, refused := e.Run(t.Context(), req)
		if !errors.Is(refused, engine.ErrBusy) {
			t.Fatalf("a third request: %v", refused)
		}
		if _, ce := contract.AsError(refused); ce.Code != "POOL_FULL" {
			t.Errorf("code %s", ce.Code)
		}
		for name, want := range map[string]error{"here": nil, "nested": nil, "each": engine.ErrBusy} {
			other := req
			other.Pipeline = p.Pipelines[name]
			if _, err := e.Run(t.Context(), other); !errors.Is(err, want) {
				t.Errorf("%s in a full pool: %v, want %v", name, err, want)
			}
		}
		close(w.gate("open"))
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if _, err := e.Run(t.Context(), req); err != nil {
			t.Errorf("a free pool refuses: %v", err)
		}
	})
}

func TestLedgerIsShared(t *testing.T) {
	res, err := runWith(t.Context(), t, newWorld(), `pipelines: main: {
		input: words: [...string]
		budget: bytes: 1000
		stages: a: {builtin: "test.echo", each: "input.words", with: {say: "item", cost: 40}}
		output: "map(a.value, .error.code)"
	}`, engine.Request{Input: map[string]any{"words": []any{"a", "b", "c"}}, Limits: budget.Limits{Bytes: 100}})
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, code := range res.Value.([]any) {
		if code == "BUDGET_EXHAUSTED" {
			refused++
		}
	}
	if refused != 1 || res.Usage.Bytes != 80 || !cmp.Equal(res.Usage.Hit, []string{"bytes"}) {
		t.Errorf("%d refused, usage %+v", refused, res.Usage)
	}
}

func TestNestedPipeline(t *testing.T) {
	res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: word: string
			stages: say: {builtin: "test.echo", with: say: "input.word"}
			output: "say.value.text"
		}
		main: {
			input: {}
			stages: {
				both: {pipeline: "inner", each: "['x', 'y']", with: word: "item"}
				one: {pipeline: "inner", with: word: "'z'"}
			}
			output: "concat(map(both.value, .value), [one.value])"
		}
	}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]any{"x", "y", "z"}, res.Value); d != "" {
		t.Error(d)
	}
	var names []string
	for _, s := range res.Trace {
		names = append(names, s.Stage)
	}
	if d := cmp.Diff([]string{"both", "both.say", "both.say", "one", "one.say"}, names); d != "" {
		t.Error(d)
	}
}

func TestANestedPipelineKeepsWithinItsOwnTimeAndItsStagesBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: {}
			budget: time: "100ms"
			stages: say: {builtin: "test.files", with: {say: "'x'", sleep: 5000}, onError: "continue"}
			output: "say.status"
		}
		main: {
			input: {}
			stages: {
				a: {pipeline: "inner"}
			}
			output: "a"
		}}`, nil)
		if took := time.Since(start); err != nil || res.Value != "timeout" || took != 100*time.Millisecond {
			t.Errorf("%v after %v: %v", res.Value, took, err)
		}
	})
	res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: {}
			stages: {
				one: {builtin: "test.echo", with: {say: "'one'", cost: 60}}
				two: {builtin: "test.echo", with: {say: "'two'", cost: 60}, needs: ["one"], onError: "continue"}
			}
			output: "two.error.code"
		}
		main: {
			input: {}
			stages: a: {pipeline: "inner", budget: bytes: 100}
			output: "a"
		}}`, nil)
	if err != nil || res.Value != "BUDGET_EXHAUSTED" {
		t.Errorf("%v, %v", res.Value, err)
	}
}

func TestANestedPipelineHasTheTimeThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		res, err := run(t, newWorld(), `pipelines: {
		inner: {
			input: {}
			stages: {
				say: {builtin: "test.files", with: {say: "'x'", sleep: 100}, onError: "continue"}
				reply: {builtin: "test.echo", with: say: "say.status"}
			}
			output: "reply.value.text"
		}
		main: {
			input: {}
			budget: time: "1s"
			stages: a: {pipeline: "inner"}
			output: "a"
		}}`, nil)
		if err != nil || res.Value != "ok" {
			t.Errorf("%v, %v", res.Value, err)
		}
	})
}

func TestPanicEndsTheStageOnly(t *testing.T) {
	res, err := run(t, newWorld(), `pipelines: main: {
		input: {}
		stages: a: {builtin: "test.echo", with: {say: "'a'", break: true}, onError: "continue"}
		output: "a.error.code"
	}`, nil)
	if err != nil || res.Value != "INTERNAL" {
		t.Errorf("%v, %v", res.Value, err)
	}
}

func TestRoleIsGroundedAndBounded(t *testing.T) {
	res, err := run(t, newWorld(), `
		roles: r: {purpose: "answer", ground: "test.answer", prompt: "Answer.", roots: [], bounds: references: 1}
		pipelines: main: {
			input: q: string
			stages: a: {role: "r", with: say: "input.q"}
			output: "a"
		}`, map[string]any{"q": "hello"})
	if err != nil {
		t.Fatal(err)
	}
	got, ok := res.Value.(contract.Result)
	if !ok || got.Summary != "hello" || len(got.References) != 1 || got.Notes == nil {
		t.Errorf("%#v", res.Value)
	}
}

// What a stage came to is there for whoever reads it, however they name it, and for an output that finds no value.
func TestStagesAreReadByExpressions(t *testing.T) {
	for _, c := range []struct {
		name, output string
		want         any
	}{
		{"the environment as a map", "$env['a'].value.text + b.value.text", "ab"},
		{"a stage that did not run", "c.value", map[string]any{"text": "", "list": []any{}, "some": false}},
		{"a status alone", "a.status", "ok"},
		{"a part of a value", "a.value.list[0]", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := run(t, newWorld(), `pipelines: main: {
				stages: {
					a: {builtin: "test.echo", with: say: "'a'"}
					b: {builtin: "test.echo", with: say: "'b'"}
					c: {builtin: "test.echo", with: say: "'c'", when: "false"}
				}
				output: "`+c.output+`"
			}`, nil)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, res.Value); d != "" {
				t.Error(d)
			}
		})
	}
}
