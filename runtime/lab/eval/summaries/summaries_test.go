package summaries

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

func read[T any](t *testing.T, file string, of func(*os.File) (T, error)) T {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	v, err := of(f)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The measures are those of the script that they were taken from: want.json is
// what that says of the same summaries.
func TestMeasuresAreThoseOfTheScript(t *testing.T) {
	cases := read(t, "cases.jsonl", func(f *os.File) ([]Case, error) { return ReadCases(f, "cases.jsonl") })
	told := read(t, "told.jsonl", func(f *os.File) ([]Told, error) { return ReadTold(f, "told.jsonl") })
	want := read(t, "want.json", func(f *os.File) (w map[string]map[string]Total, err error) {
		return w, json.NewDecoder(f).Decode(&w)
	})
	for _, c := range []struct {
		name   string
		budget int
	}{{"100", 100}, {"150", 150}, {"200", 200}} {
		run := &Run{}
		for _, k := range cases {
			if k.Counts(c.budget) {
				run.Results = append(run.Results, Score(k, Find(told, k.ID, c.budget), c.budget))
			}
		}
		_, groups := run.Groups(c.budget, func(r Result) string { return r.Kind })
		for name, want := range want[c.name] {
			got := Sum(groups[strings.TrimPrefix(name, "all")])
			for i, pair := range [][2]float64{{got.Anch, want.Anch}, {got.Macro, want.Macro}, {got.Micro, want.Micro}, {got.All, want.All}, {got.Parts, want.Parts},
				{got.Faith, want.Faith}, {got.Whole, want.Whole}, {got.Tokens, want.Tokens}, {got.Over, want.Over}, {float64(got.Cases), float64(want.Cases)}} {
				if math.Abs(pair[0]-pair[1]) > 0.0006 {
					t.Errorf("%s tokens, %s, measure %d: %.4f, want %.3f", c.name, name, i, pair[0], pair[1])
				}
			}
		}
	}
}

func TestWhatBelongsTogether(t *testing.T) {
	c := Case{ID: "x", Kind: "json-records", Needed: []string{"inv-204", "a/b/file.go:12"}, Result: `[{"id":"inv-204","customer":"Wanda Larch","state":"overdue"}]` +
		"\n" + `a/b/file.go:12: the opener of roots is late`}
	for _, k := range []struct {
		name, summary            string
		kept, anch, parts, alien int
	}{
		{"in its record", `inv-204 customer Wanda Larch`, 1, 1, 1, 0},
		{"under the head of a table", "id | customer | state\ninv-204 | x | y\n", 1, 1, 1, 0},
		{"alone", "inv-204 zzz qqq", 1, 0, 1, 0},
		{"a part of another", "inv-2041 customer Wanda Larch", 0, 0, 0, 1},
		{"grouped by file", "a/b/file.go\n", 0, 0, 0, 0},
		{"the line behind its path", "a/b/file.go 12: opener of roots", 1, 1, 1, 0},
		{"made up", "the bill inv-999 of 31.5 is overdue", 0, 0, 0, 2},
		{"nothing", "", 0, 0, 0, 0},
	} {
		if got := Score(c, k.summary, 500); got.Kept != k.kept || got.Anch != k.anch || got.Parts != k.parts || len(got.Foreign) != k.alien {
			t.Errorf("%s: %+v", k.name, got)
		}
	}
	long := Score(c, strings.Repeat("filler ", 30)+"inv-204 customer Wanda", 50)
	if !long.Over || long.Kept != 0 || long.Bytes != 200 {
		t.Errorf("what is over the budget counts: %+v", long)
	}
}

func TestCasesAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "holds no case",
		"{":                          "f:1: not a case",
		`{"id":"a"}`:                 "f:1: case a: result is missing",
		`{"result":""}`:              "f:1: a case without an id",
		`{"id":"a","result":"text"}`: "f:1: case a: needed is missing",
		`{"id":"a","result":"text","needed":["ex"]}`:                                                             `f:1: case a: needed "ex" is not in the result`,
		`{"id":"a","result":"text","needed":["text"]}` + "\n\n" + `{"id":"a","result":"text","needed":["text"]}`: `f:3: id "a" stands on line 1 already`,
	} {
		if _, err := ReadCases(strings.NewReader(text), "f"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestLeast(t *testing.T) {
	run := &Run{Results: []Result{{Budget: 500, Kind: "log", Needed: 2, Kept: 2, Anch: 1}, {Budget: 1000, Kind: "log", Needed: 2, Kept: 2, Anch: 2}, {Budget: 1000, Kind: "json-tree", Needed: 2, Kept: 2, Anch: 2, Idents: 4, Foreign: []string{"x_1"}}}}
	for text, want := range map[string]string{"anch=0.5": "", "anch=0.8": "anch at 500 tokens is 0.500, less than 0.8", "1000.anch=0.8": "", "2000.macro=0": "macro at 2000 tokens was not measured",
		"log.anch=0.8": "anch of log at 500 tokens is 0.500, less than 0.8", "1000.log.anch=1": "", "json-tree.anch=1": "", "1000.json-tree.faith=0.995": "faith of json-tree at 1000 tokens is 0.750, less than 0.995",
		"whole=0.95": "whole at 1000 tokens is 0.500, less than 0.95", "diff.anch=0": "anch of diff was not measured"} {
		l, err := ParseLeast(text)
		if got := l.Missed(run); err != nil || got != want {
			t.Errorf("%s: %q %v", text, got, err)
		}
	}
	for _, text := range []string{"", "anch", "anch=2", "500.log.x.anch=0.1", "log.500.anch=0.1", "hit=0.1"} {
		if _, err := ParseLeast(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

// FuzzScore holds that no text makes it panic, and that no more is kept than was
// needed.
func FuzzScore(f *testing.F) {
	f.Add(`{"a":[1,{"id":"x_1"}]}`, "x_1", `a|b`+"\nx_1|2")
	f.Add("caf\u00e9 a/b.go:12\n", "a/b.go:12", "a/b.go\n12")
	f.Fuzz(func(t *testing.T, result, needed, summary string) {
		c := Case{ID: "x", Result: result, Needed: []string{needed}}
		if c.check() != nil {
			return
		}
		r := Score(c, summary, 100)
		if r.Kept > 1 || r.Anch > r.Kept || r.Parts < r.Kept || len(r.Foreign) > r.Idents {
			t.Errorf("%+v", r)
		}
		if whole := Score(c, result, len(result)/2+50); whole.Kept != 1 {
			t.Errorf("the result itself keeps nothing: %+v", whole)
		}
	})
}
