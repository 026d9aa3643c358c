package tools

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

func give[Out any](t *testing.T, b catalog.Builtin, input map[string]any) Out {
	t.Helper()
	v, err := b.Run(context.Background(), &catalog.Env{}, input)
	if err != nil {
		t.Fatal(err)
	}
	return v.(Out)
}

// stock are tools of three servers.
func stock() (list []any) {
	for _, name := range []string{"files/read", "files/write", "git/commit", "git/log", "mail/send", "mail/list"} {
		server, tool, _ := strings.Cut(name, "/")
		list = append(list, map[string]any{"name": server + "__" + tool, "server": server, "tool": tool, "description": tool + " with " + server, "tags": []string{"x"}, "uses": 3, "tokens": 100})
	}
	return list
}

func TestOnly(t *testing.T) {
	for _, c := range []struct {
		strategy string
		patterns []string
		want     string
	}{
		{"allowlist", []string{"files__*"}, "files__read files__write"},
		{"allowlist", []string{"*/LIST", "log"}, "git__log mail__list"},
		{"denylist", []string{"git/*", "send"}, "files__read files__write mail__list"},
		{"denylist", nil, "files__read files__write git__commit git__log mail__send mail__list"},
		{"allowlist", nil, ""},
		{"none", []string{"files__*"}, "files__read files__write git__commit git__log mail__send mail__list"},
	} {
		out := give[OnlyOut](t, Only(), map[string]any{"tools": stock(), "strategy": c.strategy, "patterns": c.patterns})
		var names []string
		for _, x := range out.Tools {
			names = append(names, x.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s %q: %s", c.strategy, c.patterns, got)
		}
	}
}

func TestPredictWithoutAnythingLearnt(t *testing.T) {
	out := give[PredictOut](t, Predict(), map[string]any{"tools": stock(), "show": 3, "most": 3, "keep": []string{"mail__list"}, "pinned": []string{"git/log"}, "unwanted": []string{"files__*"},
		"calls": []any{map[string]any{"tool": "mail__send", "server": "mail", "tokens": 40, "arguments": map[string]any{"to": "x"}, "outcome": "ok"}, map[string]any{"tool": "ping", "server": ""}}})
	var names []string
	for _, x := range out.Tools {
		names = append(names, x.Name)
	}
	if want := []string{"mail__send", "git__log", "mail__list"}; !slices.Equal(names, want) || out.Stage != "session" {
		t.Errorf("%s: %q, want %q", out.Stage, names, want)
	}
	if out.Tools[0].Why != "used in this session" || out.Tools[1].Why != "marked as relevant" {
		t.Errorf("%q, %q", out.Tools[0].Why, out.Tools[1].Why)
	}
}

func TestSettle(t *testing.T) {
	tools := func(chances ...float64) (list []any) {
		for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
			list = append(list, map[string]any{"name": name, "chance": chances[i], "tier": 2, "tokens": 100})
		}
		return list
	}
	long := []any{map[string]any{"tool": "x", "server": "s", "tokens": 30_000}}
	for _, c := range []struct {
		name  string
		input map[string]any
		want  string
		says  string
	}{
		{"a first list is by name, with room left", map[string]any{"tools": tools(.1, .1, .9, .8, .7, .6), "max": 4, "room": 2, "min": 1}, "a b", "a first list, 2 of 6 tools"},
		{"a tool that is likely wanted is appended", map[string]any{"tools": tools(.1, .1, .9, 0, 0, 0), "shown": []string{"b", "a"}, "max": 4}, "b a c", "1 more gain"},
		{"not where the model has read a long result behind the list", map[string]any{"tools": tools(.1, .1, .9, 0, 0, 0), "shown": []string{"b", "a"}, "max": 4, "calls": long}, "b a", "a change would gain"},
		{"unless reading costs nothing", map[string]any{"tools": tools(.1, .1, .9, 0, 0, 0), "shown": []string{"b", "a"}, "max": 4, "calls": long, "cached": 0}, "b a c", "1 more gain"},
		{"what is gone leaves the list", map[string]any{"tools": tools(.1, .1, 0, 0, 0, 0), "shown": []string{"gone", "b", "a", "b"}, "max": 4}, "b a", "every tool"},
		{"nothing there is", map[string]any{"tools": []any{}, "shown": []string{"gone"}}, "", "a first list, 0 of 0 tools"},
	} {
		out := give[SettleOut](t, Settle(), c.input)
		if got := strings.Join(out.Tools, " "); got != c.want || !strings.Contains(out.Why, c.says) {
			t.Errorf("%s: %q, %q", c.name, got, out.Why)
		}
	}
}
