package quotes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/extract"
)

var shelf = []Document{
	{"cache.md", extract.Text{Form: extract.Markdown, Text: "# Result cache\n\nThe cache keeps the replies of finished calls, bounded by bytes. Nothing is written to disk.\n\n## Lifetime of entries\n\n" +
		"An entry lives for ten minutes unless `cache.age` says otherwise, and is thrown out sooner where room is needed. It is counted then.\n"}},
	{"log.md", extract.Text{Form: extract.Markdown, Text: "# Where logs go\n\nLogs are written to standard error, one JSON object a line, unless `log.file` names another place for them. A broken pipe ends nothing.\n"}},
}

func open(t *testing.T) *Library {
	t.Helper()
	l, err := Open(t.Context(), shelf)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestNoQuestionHoldsItsFacts: what is asked must not give the answer away.
func TestNoQuestionHoldsItsFacts(t *testing.T) {
	l := open(t)
	list := Generate(l, 10, 1)
	kinds := map[string]int{}
	for _, c := range list {
		kinds[c.Kind]++
		for _, n := range c.Nuggets {
			if strings.Contains(strings.ToLower(c.Question), strings.ToLower(n.Need[0])) {
				t.Errorf("%q holds %q", c.Question, n.Need[0])
			}
			if !strings.Contains(strings.ToLower(l.documents[c.Gold[0]]), strings.ToLower(n.Need[0])) {
				t.Errorf("%s does not say %q", c.Gold[0], n.Need[0])
			}
		}
	}
	if kinds["topic"] != 3 || kinds["name"] != 2 {
		t.Errorf("%+v", list)
	}
	if !reflect.DeepEqual(list, Generate(l, 10, 1)) {
		t.Error("another seed's questions")
	}
	if n := len(Generate(l, 3, 1)); n != 3 {
		t.Errorf("%d of 3", n)
	}
}

func TestRunScoresWhatIsSaid(t *testing.T) {
	cases := []answers.Case{
		{ID: "a", Kind: "x", Question: "Where are logs written?", Nuggets: []answers.Nugget{{Need: []string{"standard error"}}, {Need: []string{"syslog"}}}},
		{ID: "b", Kind: "x", Question: "Which fruits grow in winter gardens?"},
	}
	lying := Method{"lying", func(string, []answer.Passage, int) (answer.Answer, error) {
		return answer.Answer{Text: "syslog", Citations: []answer.Citation{{URI: "log.md", Quote: "syslog", Start: 2, End: 8}, {URI: "gone.md", Quote: "x", End: 1}, {URI: "log.md", Quote: "Where", Start: 2, End: 7}}}, nil
	}}
	for _, c := range []struct {
		method                         Method
		nuggets, denied, honest, right string
	}{
		{Composed(answer.Policy{}), "0.50", "0.00", "1.00", "1.00"},
		{Composed(answer.Policy{Support: 1}), "0.00", "1.00", "1.00", "0.00"},
		{Baselines()[0], "0.50", "0.00", "1.00", "1.00"}, // nothing is found for the second
		{lying, "0.50", "0.00", "0.00", "0.33"},
	} {
		asked := 0
		row, err := Run(t.Context(), open(t), c.method, cases, Options{Passages: 3, Tokens: 100}, func() { asked++ })
		if err != nil {
			t.Fatal(err)
		}
		got := []string{fmt.Sprintf("%.2f", row.Nuggets), fmt.Sprintf("%.2f", row.Denied), fmt.Sprintf("%.2f", row.Honest), fmt.Sprintf("%.2f", row.Right)}
		if want := []string{c.nuggets, c.denied, c.honest, c.right}; !reflect.DeepEqual(got, want) || asked != 2 || row.Questions != 1 || row.Foreign != 1 {
			t.Errorf("%s: %v, %d questions, %d foreign; want %v", c.method.Name, got, row.Questions, row.Foreign, want)
		}
	}
}

func TestBaselinesKeepToTheirTokens(t *testing.T) {
	l := open(t)
	for _, m := range append(Baselines(), Composed(answer.Policy{Support: -1})) {
		a, err := m.Answer("Where are logs written?", l.Passages(), 25)
		if err != nil || a.Text == "" || len(strings.Fields(a.Text)) > 25 || l.countRight(a.Citations) != len(a.Citations) {
			t.Errorf("%s: %+v %v", m.Name, a, err)
		}
		if a, err := m.Answer("Where?", nil, 25); err != nil || a.Abstained == "" {
			t.Errorf("%s of nothing: %+v %v", m.Name, a, err)
		}
	}
}

// TestRealQuestions holds the questions that people asked to what their README says:
// each has its address, and none gives a fact away.
func TestRealQuestions(t *testing.T) {
	all := 0
	for _, name := range []string{"fastify", "vite", "prometheus"} {
		data, err := os.ReadFile("testdata/" + name + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		list, err := answers.ReadCases(bytes.NewReader(data), name)
		if err != nil {
			t.Fatal(err)
		}
		all += len(list)
		if n := bytes.Count(data, []byte(`"source": "https://`)); n != len(list) {
			t.Errorf("%s: %d addresses for %d questions", name, n, len(list))
		}
		for _, c := range list {
			r := answers.Score(c, answers.Reply{Text: c.Question}, func(string) bool { return false })
			if r.Nuggets == nil || *r.Nuggets > 0 || len(c.Gold) == 0 {
				t.Errorf("%s gives a fact away, or has none: %s", c.ID, c.Question)
			}
		}
	}
	if all < 100 {
		t.Errorf("%d questions", all)
	}
}

// TestMeaningQuestions checks that no question for what something is gives a fact away.
func TestMeaningQuestions(t *testing.T) {
	names, err := filepath.Glob("testdata/meaning/*.jsonl")
	if err != nil || len(names) != 7 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := answers.ReadCases(bytes.NewReader(data), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			r := answers.Score(c, answers.Reply{Text: c.Question}, func(string) bool { return false })
			if c.Kind != "meaning" || r.Nuggets != nil && *r.Nuggets > 0 || (r.Nuggets == nil) != (len(c.Gold) == 0) {
				t.Errorf("%s gives a fact away, or has none: %s", c.ID, c.Question)
			}
		}
	}
}

// manual opens the copy of this project's manual with what users ask of it.
func manual(t *testing.T) (*Library, []answers.Case) {
	t.Helper()
	names, err := filepath.Glob("testdata/manual/*.md")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	var list []Document
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Document{filepath.Base(name), extract.Text{Form: extract.Markdown, Text: string(data)}})
	}
	l, err := Open(t.Context(), list)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/manual.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := answers.ReadCases(file, "manual.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return l, cases
}

// TestPlainQuestions asks in few words, as people type, and not in those of the documents.
func TestPlainQuestions(t *testing.T) {
	l, cases := manual(t)
	row, err := Run(t.Context(), l, Composed(answer.Policy{}), cases, Options{Passages: 6, Tokens: 260}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	if row.Nuggets < 0.8 || row.Denied > 0.1 || row.Honest < 0.9 || row.Right < 1 || row.Tokens > 180 {
		for _, r := range row.Replies {
			t.Logf("%s (%.2f): %s", r.Question, r.Answer.Support, r.Answer.Text)
		}
		t.Errorf("nuggets %.2f, denied %.2f, honest %.2f, right %.2f, %.0f tokens", row.Nuggets, row.Denied, row.Honest, row.Right, row.Tokens)
	}
}

// TestHighConfidenceIsRight: an answer of high confidence says what was asked for, also
// where questions are made of documents and others ask for what they do not have.
func TestHighConfidenceIsRight(t *testing.T) {
	l, cases := manual(t)
	cases = append(cases, Generate(l, 200, 1)...)
	row, err := Run(t.Context(), l, Composed(answer.Policy{}), cases, Options{Passages: 6, Tokens: 260}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	sure, right := 0, 0
	for _, r := range row.Replies {
		if r.Answer.Confidence() != retrieval.High {
			continue
		}
		sure++
		if r.Nuggets != nil && *r.Nuggets >= 0.75 {
			right++
		} else {
			t.Logf("%s (%.2f), missed %q: %s", r.Question, r.Answer.Support, r.Missed, r.Answer.Text)
		}
	}
	if sure < 8 || float64(right) < 0.85*float64(sure) {
		t.Errorf("of %d answers %d of high confidence, %d of them right", len(row.Replies), sure, right)
	}
}
