package catalog_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

type in struct {
	Word  string `json:"word" doc:"a word"`
	Times int    `json:"times" doc:"repetitions" default:"2"`
}

func words() catalog.Builtin {
	return catalog.New("test.words", "repeat a word", 0, func(_ context.Context, _ *catalog.Env, i in) ([]string, error) {
		var out []string
		for range i.Times {
			out = append(out, i.Word)
		}
		return out, nil
	})
}

func TestRunFillsDefaultsAndRefusesWhatItDoesNotKnow(t *testing.T) {
	b := words()
	for _, c := range []struct {
		input map[string]any
		want  int // words; -1 is an input error
	}{
		{map[string]any{"word": "x"}, 2},
		{map[string]any{"word": "x", "times": 3}, 3},
		{map[string]any{"word": "x", "times": nil}, 2},
		{map[string]any{"word": "x", "tmies": 3}, -1},
		{map[string]any{"word": 7}, -1},
	} {
		v, err := b.Run(t.Context(), &catalog.Env{}, c.input)
		var bad *catalog.InputError
		if c.want < 0 {
			if !errors.As(err, &bad) || bad.Code() != "INVALID_INPUT" {
				t.Errorf("%v: %v", c.input, err)
			}
			continue
		}
		if got, _ := v.([]string); err != nil || len(got) != c.want {
			t.Errorf("%v: %v, %v", c.input, v, err)
		}
	}
}

// part is what the test's open builtin takes by any name.
type part struct {
	N   int `json:"n" doc:"a number"`
	Any any `json:"any,omitempty" doc:"anything"`
}

func TestOpenTakesInputsOfAnyName(t *testing.T) {
	var parts map[string]part
	b := catalog.NewOpen("test.open", "count", 0, func(_ context.Context, _ *catalog.Env, i in, given map[string]part) (int, error) {
		parts = given
		return i.Times, nil
	})
	v, err := b.Run(t.Context(), &catalog.Env{}, map[string]any{"word": "x", "a": map[string]any{"n": 1, "unknown": true}, "b": map[string]any{"n": 2}})
	if err != nil || v != 2 || len(parts) != 2 || parts["a"].N != 1 || parts["b"].N != 2 {
		t.Errorf("%v, %v, %v", v, parts, err)
	}
	for _, input := range []map[string]any{{"word": 7}, {"word": "x", "a": 5}, {"a": map[string]any{"n": "one"}}, {"a": map[string]any{"any": math.Inf(1)}}} {
		var bad *catalog.InputError
		if _, err := b.Run(t.Context(), &catalog.Env{}, input); !errors.As(err, &bad) {
			t.Errorf("%v: %v", input, err)
		}
	}
}

func TestRunSeesTheContextFirst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := words().Run(ctx, &catalog.Env{}, map[string]any{"word": "x"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCatalog(t *testing.T) {
	ground := catalog.New("test.ground", "answer", 0, func(context.Context, *catalog.Env, in) (contract.Result, error) { return contract.Result{}, nil })
	c, err := catalog.Of(words(), ground)
	if err != nil {
		t.Fatal(err)
	}
	if words().Grounds() || !ground.Grounds() {
		t.Error("what grounds a role is told by its type")
	}
	if got := c.Match("test.*"); len(got) != 2 || got[0].Name != "test.ground" {
		t.Errorf("matched %d", len(got))
	}
	if _, err := catalog.Of(words(), words()); err == nil {
		t.Error("two builtins of one name")
	}
}

func TestLenientLeavesWhatItDoesNotKnow(t *testing.T) {
	v, err := words().Lenient().Run(t.Context(), &catalog.Env{}, map[string]any{"word": "x", "focus": "y"})
	if got, _ := v.([]string); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", v, err)
	}
}
