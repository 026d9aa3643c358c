package eval

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func places(refs ...string) []Place {
	var out []Place
	for _, s := range refs {
		path, line, _ := strings.Cut(s, ":")
		p := Place{Path: path}
		_, _ = fmt.Sscan(line, &p.Line)
		out = append(out, p)
	}
	return out
}

func TestScore(t *testing.T) {
	c := Case{ID: "1", Kind: History, Question: "q", Gold: []string{"a.go", "b.go"}, Lines: map[string][]Range{"a.go": {{10, 20}}, "b.go": {{5, 5}}}}
	for _, x := range []struct {
		name              string
		refs              []Place
		rank, line, found int
	}{
		{"first", places("a.go:15"), 1, 1, 1},
		{"the right file and another line", places("a.go:9"), 1, 0, 1},
		{"a file counts once", places("x.go:1", "x.go:2", "x.go:3", "b.go:5"), 2, 4, 1},
		{"both", places("y.go", "b.go", "a.go:20"), 2, 3, 2},
		{"a name that only ends alike", places("xa.go:15", "dir/a.go:15"), 0, 0, 0},
		{"none", nil, 0, 0, 0},
	} {
		r := Score(c, Answer{References: x.refs})
		if r.Rank != x.rank || r.LineRank != x.line || r.Found != x.found || r.Answered != (len(x.refs) > 0) {
			t.Errorf("%s: %+v", x.name, r)
		}
	}
}

func TestALineThatIsKnownAloneHasSlack(t *testing.T) {
	c := Case{ID: "1", Kind: Definition, Question: "q", Gold: []string{"a.go"}, Line: 2}
	for line, want := range map[int]int{1: 1, 2: 1, 5: 1, 6: 0} {
		if r := Score(c, Answer{References: []Place{{"a.go", line}}}); r.LineRank != want {
			t.Errorf("line %d: rank %d, want %d", line, r.LineRank, want)
		}
	}
}

func results() []Result {
	h := func(id string, tags []string, tokens int, confidence string, refs ...string) Result {
		return Score(Case{ID: id, Kind: History, Question: id, Gold: []string{"g"}, Tags: tags, Lines: map[string][]Range{"g": {{1, 2}}}},
			Answer{References: places(refs...), Tokens: tokens, Confidence: confidence, Seconds: 1})
	}
	a := func(id string, refs ...string) Result {
		return Score(Case{ID: id, Kind: Absent, Question: id}, Answer{References: places(refs...), Tokens: 100})
	}
	return []Result{
		h("1", nil, 100, "high", "g:1"),
		h("2", []string{TagIdentifier}, 200, "high", "x", "g:9"),
		h("3", nil, 400, "med", "1", "2", "3", "4", "5", "g:2"),
		h("4", []string{TagStem}, 300, "low"),
		a("5"), a("6", "x"),
	}
}

func TestGroups(t *testing.T) {
	groups := Groups(results())
	var names []string
	for _, g := range groups {
		names = append(names, fmt.Sprint(g.Name, " ", g.N))
	}
	if want := []string{"history 4", "prose 2", "identifier 1", "absent 2"}; !slices.Equal(names, want) {
		t.Fatalf("groups %v, want %v", names, want)
	}
	h := groups[0]
	for _, x := range []struct {
		name string
		got  float64
		want float64
	}{
		{"hit1", *h.Hit1, .25}, {"hit5", *h.Hit5, .5}, {"hit10", *h.Hit10, .75}, {"mrr", *h.MRR, (1 + .5 + 1.0/6) / 4},
		{"recall10", *h.Recall10, .75}, {"line1", *h.Line1, .25}, {"line5", *h.Line5, .25}, {"line10", *h.Line10, .5},
		{"tokens", float64(h.Tokens), 250}, {"p95", float64(h.TokensP95), 400}, {"gold per 1,000", h.GoldPer1k, 3}, {"not found", float64(h.NotFound), 1},
		{"right of absent", *groups[3].Right, .5},
	} {
		if math.Abs(x.got-x.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", x.name, x.got, x.want)
		}
	}
	if groups[3].Hit1 != nil {
		t.Error("a hit of what is absent")
	}
	levels := Levels(results())
	if len(levels) != 2 || levels[0] != (Level{"high", 2, .5, 1}) || levels[1] != (Level{"med", 1, 0, 0}) {
		t.Errorf("levels %+v", levels)
	}
}

func TestSignTest(t *testing.T) {
	for _, x := range []struct {
		higher, lower int
		want          float64
	}{{0, 0, 1}, {1, 0, 1}, {5, 0, .0625}, {0, 6, .03125}, {8, 2, .109375}, {3, 3, 1}, {600, 400, 2.7e-10}} {
		if got := SignTest(x.higher, x.lower); math.Abs(got-x.want) > x.want/50 {
			t.Errorf("%d against %d: %g, want %g", x.higher, x.lower, got, x.want)
		}
	}
}

func TestCompareLeavesOutOtherGold(t *testing.T) {
	before, now := results()[:1], results()[:1]
	if len(Compare(before, now)) == 0 {
		t.Fatal("equal cases are not paired")
	}
	now[0].Gold = append(slices.Clone(now[0].Gold), "h")
	if rows := Compare(before, now); len(rows) > 0 {
		t.Errorf("%+v", rows)
	}
}

func TestCompareTakesOnlyTheSameQuestions(t *testing.T) {
	before, now := results(), results()
	now[0] = Score(now[0].Case, Answer{References: places("x", "g:1")})                     // lower
	now[1] = Score(now[1].Case, Answer{References: places("g:1")})                          // higher
	now[2] = Score(now[2].Case, Answer{References: places("g:1")})                          // higher
	now[3].Question = "another"                                                             // no pair
	now = append(now, Score(Case{ID: "new", Kind: History, Gold: []string{"g"}}, Answer{})) // no pair
	for _, r := range Compare(before, now) {
		if r.Group == History && r.Measure == "hit1" && (r.N != 3 || r.Higher != 2 || r.Lower != 1 || r.P != 1 || math.Abs(r.Now-2.0/3) > 1e-9) {
			t.Errorf("%+v", r)
		}
		if r.Group == Absent && r.Measure == "hit1" {
			t.Errorf("a hit of what is absent: %+v", r)
		}
	}
}

func TestThresholds(t *testing.T) {
	for s, want := range map[string]string{
		"hit5=0.5": "", "hit5=0.51": "history hit5 is 0.500, less than 0.51 (4 questions)", "prose.hit1=0.5": "",
		"right=1": "absent right is 0.500", "definition.hit1=0.1": "definition hit1 was not measured",
	} {
		th, err := ParseThreshold(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := th.Missed(results()); !strings.HasPrefix(got, want) || (want == "") != (got == "") {
			t.Errorf("%s: %q, want %q", s, got, want)
		}
	}
	for _, s := range []string{"hit5", "hit6=1", "tests.hit5=1", "hit5=80", "hit5=x", "tokens=1"} {
		if _, err := ParseThreshold(s); err == nil {
			t.Errorf("%s passes", s)
		}
	}
}

func TestARunComesBackAsItWasSaved(t *testing.T) {
	run := &Run{Tool: "t", Config: "c", Cases: results()}
	run.Finish()
	data, err := run.JSON()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Read(data, "f")
	if err != nil {
		t.Fatal(err)
	}
	again, _ := back.JSON()
	if string(again) != string(data) {
		t.Errorf("saved\n%s\nread\n%s", data, again)
	}
	if _, err := Read([]byte(`{"version":99}`), "f"); err == nil || !strings.Contains(err.Error(), "--save") {
		t.Errorf("another version: %v", err)
	}
}

func TestReadCases(t *testing.T) {
	list, err := ReadCases(strings.NewReader(`{"id":"1","kind":"definition","question":"q","gold":["a"],"line":3,"lang":"go"}

{"id":"2","kind":"absent","question":"q","gold":[]}
`), "f")
	if err != nil || len(list) != 2 || list[0].Line != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	good, _ := json.Marshal(list[0])
	for text, want := range map[string]string{
		"":                                 "holds no case",
		"{":                                "f:1: not a case",
		string(good) + "\n" + string(good): "f:2: id \"1\" stands on line 1 already",
		`{"id":"1","kind":"history","question":"q"}`:              "no gold file",
		`{"id":"1","kind":"absent","question":"q","gold":["a"]}`:  "absent and yet",
		`{"id":"1","kind":"other","question":"q","gold":["a"]}`:   "history, definition, absent",
		`{"id":"1","kind":"history","question":" ","gold":["a"]}`: "no question",
		`{"kind":"history","question":"q","gold":["a"]}`:          "needs an id",
	} {
		if _, err := ReadCases(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
