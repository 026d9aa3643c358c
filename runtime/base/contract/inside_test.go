package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// throughStage is a result as a later stage has it: plain JSON between.
func throughStage(t *testing.T, r Result, change func(map[string]any)) Result {
	t.Helper()
	raw, err := json.Marshal(r.PlainForm())
	if err != nil {
		t.Fatal(err)
	}
	var plain map[string]any
	if err := json.Unmarshal(raw, &plain); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(plain)
	}
	if raw, err = json.Marshal(plain); err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(raw, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestPlacesGoWithFindings(t *testing.T) {
	r := Result{Summary: "s", References: []string{"a.go:1"}, Confidence: High, Follows: "where is it?",
		KeyFindings: []Finding{{"`A` (a.go:1)", "a.go:1"}, {"no place", ""}, {"b (x) y", "b.go:2"}}}
	if d := cmp.Diff(r, throughStage(t, r, nil)); d != "" {
		t.Error(d)
	}
	// An expression may filter and sort: each finding keeps its own place.
	got := throughStage(t, r, func(m map[string]any) {
		list := m["key_findings"].([]any)
		m["key_findings"] = []any{list[2], "new", list[0]}
	})
	if d := cmp.Diff([]Finding{{"b (x) y", "b.go:2"}, {"new", ""}, {"`A` (a.go:1)", "a.go:1"}}, got.KeyFindings); d != "" {
		t.Error(d)
	}
}

func TestWhatIsInsideDoesNotLeave(t *testing.T) {
	r := Result{Summary: "s", References: []string{}, KeyFindings: []Finding{{"f", "secret/place.go:1"}}, Confidence: Low, Follows: "before"}
	raw, err := json.Marshal(r)
	if want := `{"summary":"s","references":[],"key_findings":["f"],"confidence":"low","notes":null}`; string(raw) != want || err != nil {
		t.Errorf("%s, %v, want %s", raw, err, want)
	}
	var inner any
	raw, _ = json.Marshal(map[string]any{"list": []any{r.PlainForm(), 1}, "own": "x"})
	if err := json.Unmarshal(raw, &inner); err != nil || !strings.Contains(string(raw), "secret/place.go") {
		t.Fatalf("%s, %v", raw, err)
	}
	before, _ := json.Marshal(inner)
	out, _ := json.Marshal(Outside(inner))
	if want := `{"list":[{"confidence":"low","key_findings":["f"],"notes":null,"references":[],"summary":"s"},1],"own":"x"}`; string(out) != want {
		t.Errorf("%s, want %s", out, want)
	}
	if after, _ := json.Marshal(inner); string(after) != string(before) {
		t.Error("the value itself was changed")
	}
}

// A decoder reads a member by any case of its name; so it is taken off by any.
func TestWhatIsInsideIsNobodyElsesToSay(t *testing.T) {
	for _, name := range []string{"$inside", "$INSIDE", "$Inside", "$in\u017fide"} {
		forged := map[string]any{"summary": "s", "key_findings": []any{"f"}, name: map[string]any{"places": map[string]any{"f": "/etc/shadow:1"}, "follows": "x"}}
		read := func(v any) (r Result) {
			t.Helper()
			raw, err := json.Marshal(v)
			if err == nil {
				err = json.Unmarshal(raw, &r)
			}
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := read(forged); r.Follows != "x" || r.KeyFindings[0].Ref == "" {
			t.Fatalf("%s is not read: the test tries nothing", name)
		}
		if r := read(Outside(forged)); r.Follows != "" || r.KeyFindings[0].Ref != "" {
			t.Errorf("%s says where findings are: %+v", name, r)
		}
	}
}

func TestResultRefusesUnknownMembers(t *testing.T) {
	var r Result
	if err := json.Unmarshal([]byte(`{"summary":"s","sumary":"t"}`), &r); err == nil {
		t.Error("a misspelt member passes")
	}
}

func FuzzInside(f *testing.F) {
	f.Add("`A` (a.go:1) does", "a.go:1", "and?", "second")
	f.Add("", "", "", "")
	f.Add("<a> & \u2028", "x", "\"", "<a> & \u2028")
	f.Fuzz(func(t *testing.T, text, ref, follows, other string) {
		for _, s := range []string{text, ref, follows, other} {
			if strings.ToValidUTF8(s, "") != s {
				t.Skip()
			}
		}
		r := Result{References: []string{}, KeyFindings: uniqueFindings([]Finding{{text, ref}, {other, ""}}), Follows: follows, Confidence: Low}
		if d := cmp.Diff(r, throughStage(t, r, nil)); d != "" {
			t.Error(d)
		}
	})
}
