package predict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// ranked is a ranking made by hand: the chance of each tool.
func ranked(list ...Ranked) *Ranking { return &Ranking{Tools: list} }

func TestFirstList(t *testing.T) {
	r := ranked(Ranked{Tool: "z", Chance: 0.9}, Ranked{Tool: "m", Chance: 0.5}, Ranked{Tool: "a", Chance: 0.4}, Ranked{Tool: "b", Chance: 0.001}, Ranked{Tool: "c"}, Ranked{Tool: "d"})
	for i := range r.Tools {
		r.Tools[i].Tier = Predicted
	}
	for name, c := range map[string]struct {
		policy Policy
		want   []string
	}{
		"what is worth its tokens, by name": {Policy{Max: 5, Miss: 1000}, []string{"a", "m", "z"}},
		"room is left":                      {Policy{Max: 5, Room: 3, Miss: 1000}, []string{"m", "z"}},
		"no fewer than the least":           {Policy{Min: 4, Max: 5, Room: 3, Miss: 1000}, []string{"a", "b", "m", "z"}},
		"all, where all fit":                {Policy{Max: 6, Room: 3, Miss: 1000}, []string{"a", "b", "c", "d", "m", "z"}},
	} {
		if got := c.policy.First(r, nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	r.Tools[5].Tier = Pinned
	slices.SortStableFunc(r.Tools, func(a, b Ranked) int { return int(a.Tier) - int(b.Tier) })
	if got := (Policy{Max: 5, Miss: 1000}).First(r, nil); !slices.Contains(got, "d") {
		t.Errorf("a pinned tool is missing: %v", got)
	}
}

func TestNextList(t *testing.T) {
	p := Policy{Max: 4, Miss: 1000, Ahead: 1, Again: 0.6, Cached: 1}
	tool := func(name string, tier Tier, chance float64) Ranked {
		return Ranked{Tool: name, Tier: tier, Chance: chance}
	}
	for _, c := range []struct {
		name        string
		shown       []string
		ranking     *Ranking
		prompt      int
		added, lost []string
		gain, cost  float64
	}{
		{"appended where the gain is greater", []string{"b", "a"}, ranked(tool("a", Used, 0), tool("x", Predicted, 0.8), tool("y", Predicted, 0.05)), 600, []string{"x"}, nil, 700, 600},
		{"not where it is less", []string{"b", "a"}, ranked(tool("a", Used, 0), tool("x", Predicted, 0.8)), 800, nil, nil, 700, 800},
		{"a tool that was called while hidden", []string{"b"}, ranked(tool("a", Used, 0)), 400, []string{"a"}, nil, 500, 400},
		{"nothing is wanted", []string{"b", "a"}, ranked(tool("a", Used, 0), tool("b", Predicted, 0.4)), 0, nil, nil, 0, 0},
		{"what a person does not want", []string{"a"}, ranked(tool("x", Dismissed, 0.9)), 0, nil, nil, 0, 0},
		{"a full list is renewed at the price of what stands behind the first tool that goes", []string{"d", "c", "b", "a"}, ranked(tool("a", Used, 0), tool("x", Predicted, 0.9), tool("y", Predicted, 0.8), tool("b", Predicted, 0.2), tool("c", Predicted, 0), tool("d", Predicted, 0)), 1000, []string{"x", "y"}, []string{"d", "c"}, 1700, 1200},
		{"or not", []string{"d", "c", "b", "a"}, ranked(tool("a", Used, 0), tool("x", Predicted, 0.9), tool("b", Predicted, 0.2), tool("d", Predicted, 0.1), tool("c", Predicted, 0)), 1000, nil, nil, 900, 1200},
		{"what was used needs no place", []string{"d", "c", "b", "a"}, ranked(tool("x", Used, 0), tool("y", Used, 0), tool("a", Used, 0), tool("b", Used, 0), tool("c", Used, 0), tool("d", Used, 0)), 900, []string{"x", "y"}, nil, 1000, 900},
		{"what gains more, with what was used", []string{"d", "c", "b", "a"}, ranked(tool("x", Used, 0), tool("a", Used, 0), tool("y", Predicted, 0.9), tool("b", Predicted, 0.2), tool("c", Predicted, 0), tool("d", Predicted, 0)), 100, []string{"x", "y"}, []string{"d", "c"}, 1500, 300},
	} {
		d := p.Next(c.shown, c.ranking, c.prompt, nil)
		if !slices.Equal(d.Added, c.added) || !slices.Equal(d.Dropped, c.lost) || d.Gain != c.gain || d.Cost != c.cost {
			t.Errorf("%s: %+v", c.name, d)
		}
		stays := slices.DeleteFunc(slices.Clone(c.shown), func(tool string) bool { return slices.Contains(d.Dropped, tool) })
		if !slices.Equal(d.List, append(stays, d.Added...)) {
			t.Errorf("%s: what stays moved: %v", c.name, d.List)
		}
		if again := p.Next(d.List, c.ranking, c.prompt, nil); d.Changed() && again.Changed() {
			t.Errorf("%s: two lists in a row differ: %v, %v", c.name, d.List, again.List)
		}
	}
}

// FuzzNext holds what is true of every change of a list.
func FuzzNext(f *testing.F) {
	f.Add(uint64(1), 5, 20, 8, 500)
	f.Add(uint64(9), 0, 0, -1, 0)
	f.Fuzz(func(t *testing.T, seed uint64, least, most, room, prompt int) {
		least, most, room = least%50, most%50, room%50
		p := Policy{Min: max(0, least), Max: max(0, most), Room: max(0, room), Miss: 5000, Ahead: 2, Again: 0.6, Cached: 1}
		list := sessions(seed, 8)
		m := learnAll(0, Limits{}, list[:6], 0)
		c := catalogOf(append(slices.Concat(list...), "s9/a", "s9/b")...)
		trace := traceOf("task alpha")
		shown := p.First(rank(m, c, trace), nil)
		if len(shown) > max(p.Max, p.Min) || len(shown) < min(p.Min, c.Len()) {
			t.Fatalf("%d tools by %+v", len(shown), p)
		}
		for _, tool := range list[7] {
			trace.Add(tool)
			d := p.Next(shown, rank(m, c, trace), prompt, nil)
			if d.Changed() && !(d.Gain > d.Cost) {
				t.Errorf("changed for less than it costs: %+v", d)
			}
			stays := slices.DeleteFunc(slices.Clone(shown), func(tool string) bool { return slices.Contains(d.Dropped, tool) })
			if !slices.Equal(d.List, append(stays, d.Added...)) {
				t.Errorf("%v became %v", shown, d.List)
			}
			for _, x := range d.Dropped {
				if trace.Used(x) {
					t.Errorf("%s is used and was dropped", x)
				}
			}
			if n := len(slices.Compact(slices.Sorted(slices.Values(d.List)))); n != len(d.List) {
				t.Errorf("twice on the list: %v", d.List)
			}
			shown = d.List
		}
	})
}

// What a person pinned is on the list also where its room is kept for others, and where
// it is more than a list holds.
func TestAllThatIsPinnedIsOnTheFirstList(t *testing.T) {
	p := DefaultPolicy
	p.Min, p.Max, p.Room = 1, 4, 3
	r := &Ranking{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f"} {
		tier := Pinned
		if i > 4 {
			tier = Predicted
		}
		r.Tools = append(r.Tools, Ranked{Tool: name, Tier: tier, Chance: 0.5})
	}
	if got := p.First(r, nil); !slices.Equal(got, []string{"a", "b", "c", "d", "e"}) {
		t.Errorf("%q", got)
	}
}

// A session that was listed all, since a list was late or held more then, comes back to
// a short one though nothing is wanted that is not there.
func TestAListThatIsTooLongIsMadeShort(t *testing.T) {
	p := DefaultPolicy
	p.Max = 3
	r := &Ranking{}
	var shown []string
	for i := range 40 {
		name := fmt.Sprintf("t%02d", i)
		shown = append(shown, name)
		r.Tools = append(r.Tools, Ranked{Tool: name, Tier: Predicted, Chance: 0.5 / float64(1+i*i*i)})
	}
	r.Tools[0].Tier = Used
	d := p.Next(shown, r, 1000, nil)
	if !slices.Equal(d.List, shown[:3]) || len(d.Added) > 0 || len(d.Dropped) != 37 {
		t.Errorf("%+v", d)
	}
	for i := range r.Tools {
		r.Tools[i].Tier = Used
	}
	if d := p.Next(shown, r, 1000, nil); d.Changed() {
		t.Errorf("what was used is taken off: %+v", d)
	}
}

func TestOneReasonHasNoShare(t *testing.T) {
	m := NewModel(0, DefaultLimits)
	m.Learn(time.Now(), "", []string{"s/a"})
	r := NewBlend(Weights{"frequency": 1}).Rank(m, NewCatalog([]Tool{{Server: "s", Name: "a"}, {Server: "s", Name: "b"}}), Request{Trace: NewTrace(time.Time{}, ""), Now: time.Now()})
	if why := r.Why("s/a"); !strings.HasPrefix(why, "used in 1 of 1 session") || strings.Contains(why, "(100%)") {
		t.Errorf("%q", why)
	}
}
