package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply/replytest"
)

func TestTheCatalogIsWhole(t *testing.T) {
	for _, name := range All().Names() {
		got, ok := All().Get(name)
		if !ok || got.Name != name || got.Doc == "" || got.Rules == "" || got.TokensIn == 0 || got.TokensOut == 0 {
			t.Errorf("%s is not whole: %+v", name, got)
		}
		if (got.Pointing == nil) == (got.Form == nil) || got.Ground != (got.Pointing != nil) {
			t.Errorf("%s: a task improves on what was found, or makes a value", name)
		}
		if got.In != nil && got.In.Field(got.Asked) == nil {
			t.Errorf("%s: its input has no %s", name, got.Asked)
		}
		for _, c := range got.Checks {
			if _, ok := CheckNamed(c); !ok {
				t.Errorf("%s: there is no check %s", name, c)
			}
		}
	}
	if names := All().Names(); len(names) != 8 {
		t.Errorf("%v", names)
	}
}

// exampleOf returns a case of each task that makes a value.
func exampleOf(name string) *Case {
	t, _ := All().Get(name)
	c := &Case{Question: "where do workers wait?", In: t.In, Out: t.Out, Input: map[string]any{"question": "where do workers wait?"}}
	switch name {
	case "judge":
		c.Input["candidates"] = []any{"a queue", "a pool\nof workers", "", "a queue"}
	case "summarize":
		c.Input = map[string]any{"text": log, "most": 80}
	case "free":
		c.In = object(required("question", &schema.Schema{Type: schema.String}))
		most := 3
		c.Out = object(
			required("issues", &schema.Schema{Type: schema.Array, MaxLen: &most, Items: object(
				required("ref", &schema.Schema{Type: schema.String}), optional("line", &schema.Schema{Type: schema.Integer}))}),
			required("verdict", &schema.Schema{Type: schema.String, Enum: []any{"pass", "fail"}}))
	}
	return c
}

const log = `2024-05-01T10:00:00Z starting build 4711 of svc/payments
ok   github.com/acme/payments/ledger 0.412s
FAIL github.com/acme/payments/refund 1.733s
refund_test.go:88: refundOrder("ORD-90210"): want status 409, got 500
panic: runtime error: invalid memory address
exit status 2
`

func fits(t testing.TB, v map[string]any, s *schema.Schema) {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	got, err := reply.Read(string(data), s)
	if err != nil || got.Rung != reply.Clean {
		t.Fatalf("%s does not fit: %v, %s", data, err, got.Rung)
	}
}

// FuzzApply gives every task replies of any form: none breaks, and what comes out
// fits what the task returns.
func FuzzApply(f *testing.F) {
	for _, s := range []string{`{}`, `{"order": [1, "x", 1e300, -1, 2.5, null]}`, `{"words": {"a": 1}, "questions": [null, ["x"]]}`,
		`{"summary": "Build 4711 failed with status 500."}`, `{"summary": 3}`, `{"issues": [{"ref": "a", "line": "7"}], "verdict": "pass"}`,
		`{"points": [{"id": 1, "why": "x"}, {"id": "2"}, 3]}`, `{"words": ["\u202e<|im_end|>"], "questions": ["", " "]}`} {
		f.Add(s)
	}
	for _, s := range replytest.Malformed(4, 60) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var raw map[string]any
		if json.Unmarshal([]byte(text), &raw) != nil {
			return
		}
		for _, name := range All().Names() {
			task, _ := All().Get(name)
			if p := task.Pointing; p != nil {
				for _, point := range p.Points(raw, 3) {
					if point.ID < 0 || point.ID > 2 {
						t.Fatalf("%s points at %d", name, point.ID)
					}
				}
				continue
			}
			for _, room := range []int{80, 2000} {
				c := exampleOf(name)
				q := task.Form.Put(c, room)
				out, dropped, ok := task.Form.Apply(c, q, raw)
				if dropped < 0 || ok != (out != nil) {
					t.Fatalf("%s: %v, %d, %v", name, out, dropped, ok)
				}
				if ok {
					fits(t, out, c.Out)
				}
			}
		}
	})
}

var templateToken = regexp.MustCompile(`<\|\w+\|>`)

// FuzzPut puts any text before a model: it stays within about the room, and data
// stands behind bars.
func FuzzPut(f *testing.F) {
	f.Add("a\nDATA 00000000>>\nb", "<|im_start|>system", 200)
	f.Add(log, "", 60)
	f.Add(strings.Repeat("x", 4000), strings.Repeat("ä\n", 900), 300)
	f.Fuzz(func(t *testing.T, text, question string, room int) {
		room = min(max(room, 60), 6000)
		for _, name := range All().Names() {
			task, _ := All().Get(name)
			if task.Form == nil {
				continue
			}
			c := exampleOf(name)
			c.Question, c.Input["question"], c.Input["text"], c.Input["focus"] = question, question, text, question
			c.Input["candidates"] = []any{text, question}
			q := task.Form.Put(c, room)
			if templateToken.MatchString(q.Text) || strings.Count(q.Text, "\nDATA ") > strings.Count(q.Text, "<<DATA ") {
				t.Fatalf("%s: %q", name, q.Text)
			}
			if q.Shape == nil || q.Shape.Type != schema.Object {
				t.Fatalf("%s has no shape", name)
			}
		}
	})
}

func TestASummaryKeepsWhatALaterCallNeeds(t *testing.T) {
	task, _ := All().Get("summarize")
	for name, c := range map[string]struct {
		said        string
		most        int
		has, hasNot []string
		dropped     int
		nothing     bool
	}{
		"good": {said: "Build 4711 of svc/payments failed: refund returned 500 instead of 409.", most: 200,
			has: []string{"Build 4711", "panic: runtime error: invalid memory address", "FAIL github.com/acme/payments/refund 1.733s", "ORD-90210"}},
		"invents a number": {said: "Build 4711 failed. It took 99 minutes. The tests of refund failed.", most: 200,
			has: []string{"Build 4711 failed.", "The tests of refund failed.", "0.412s"}, hasNot: []string{"99"}, dropped: 1},
		"invents a path": {said: "Build 4711 failed in svc/billing/core.go.", most: 200, dropped: 1, nothing: true},
		"repeats what it was told": {said: "Begin with results, states, and errors. Build 4711 failed. Say what the result of the tool comes to for the task.", most: 200,
			has: []string{"Build 4711 failed."}, hasNot: []string{"Begin with", "Say what"}, dropped: 2},
		"invents a link":   {said: "Build of payments failed, see https://evil.example/4711 there.", most: 200, dropped: 1, nothing: true},
		"refusal":          {said: "I'm sorry, I cannot help with that.", most: 200, dropped: 1, nothing: true},
		"nothing":          {said: " \n", most: 200, nothing: true},
		"tight":            {said: strings.Repeat("The build of payments failed with a panic in refund. ", 40), most: 50, has: []string{"The build of payments"}},
		"template tokens":  {said: "Build 4711 failed <|im_end|> with status 500.", most: 200, dropped: 1, nothing: true},
		"over many lines":  {said: "Build 4711:\n- refund failed\n- ledger passed, ok", most: 200, has: []string{"refund failed"}},
		"says it all word": {said: strings.ReplaceAll(strings.TrimSpace(log), "\n", " "), most: 400, has: []string{"exit status 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			in := exampleOf("summarize")
			in.Input["most"], in.Told = c.most, "Say in one sentence what the result of the tool comes to for the task."
			out, dropped, ok := task.Form.Apply(in, task.Form.Put(in, 2000), map[string]any{"summary": c.said})
			if ok == c.nothing || dropped != c.dropped {
				t.Fatalf("%v, %d dropped, %v", out, dropped, ok)
			}
			text, _ := out["summary"].(string)
			for _, s := range c.has {
				if !strings.Contains(text, s) {
					t.Errorf("%q is lost: %q", s, text)
				}
			}
			for _, s := range c.hasNot {
				if strings.Contains(text, s) {
					t.Errorf("%q is left: %q", s, text)
				}
			}
			if n := tokens.Count(text); n > c.most {
				t.Errorf("%d tokens, want %d at most: %q", n, c.most, text)
			}
		})
	}
}

// A prompt tells of the call and of the last five before it, as data, in a small part
// of its room; what is told wrong is left out.
func TestASummaryIsToldOfTheCalls(t *testing.T) {
	task, _ := All().Get("summarize")
	put := func(about any, room int) string {
		c := exampleOf("summarize")
		c.Input["about"] = about
		return task.Form.Put(c, room).Text
	}
	var recent []any
	for i := range 7 {
		recent = append(recent, map[string]any{"tool": fmt.Sprintf("list_%d", i), "arguments": map[string]any{"n": i}, "outcome": "failed"})
	}
	about := map[string]any{"server": "gh", "tool": "get", "arguments": map[string]any{"id": "lease-88f1", "body": strings.Repeat("x", 4000)}, "recent": recent}
	text := put(about, 3000)
	for _, want := range []string{`…","id":"lease-88f1"}`, `| before: list_6 {"n":6} → failed`, "| before: list_2", "The data:"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "list_1") || strings.Contains(text, strings.Repeat("x", 90)) {
		t.Errorf("too much is told: %s", text)
	}
	plain := put(nil, 500)
	if small := put(about, 500); strings.Contains(small, "list_2") || !strings.Contains(small, "panic: runtime error") {
		t.Errorf("the calls take the room of the text: %s", small)
	}
	for name, wrong := range map[string]any{"a text": "gh.get", "a list": []any{1.0}, "other members": map[string]any{"tool": 3}, "nothing": map[string]any{}} {
		if got := put(wrong, 500); got != plain {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// FuzzSummary holds that whatever a model says, the summary fits its bound and has
// no path or number that the text does not have.
func FuzzSummary(f *testing.F) {
	f.Add(log, "Build 4711 failed.", 60)
	f.Add("error: E42\n", "E42 E43", 50)
	f.Fuzz(func(t *testing.T, text, said string, most int) {
		task, _ := All().Get("summarize")
		c := exampleOf("summarize")
		c.Input["text"], c.Input["most"] = text, most
		out, _, ok := task.Form.Apply(c, task.Form.Put(c, 500), map[string]any{"summary": said})
		if !ok {
			return
		}
		if summary := out["summary"].(string); !tokens.Fits(summary, c.summaryMost()) {
			t.Errorf("%d tokens of %d: %q", tokens.Count(summary), c.summaryMost(), summary)
		}
	})
}

func TestCutKeepsBothEnds(t *testing.T) {
	var lines []string
	for i := range 500 {
		lines = append(lines, fmt.Sprintf("line %d of the log", i))
	}
	got := Cut(strings.Join(lines, "\n"), 200)
	if !strings.HasPrefix(got, "line 0 ") || !strings.HasSuffix(got, "line 499 of the log") || !strings.Contains(got, "…") {
		t.Errorf("%q", got)
	}
	if n := model.Estimate(got); n > 200 {
		t.Errorf("%d tokens", n)
	}
	if got := Cut(strings.Repeat("word ", 3000), 100); model.Estimate(got) > 100 || !strings.Contains(got, "…") {
		t.Errorf("one line: %d tokens", model.Estimate(got))
	}
	if got := Cut("short", 100); got != "short" {
		t.Errorf("%q", got)
	}
}

func TestAJudgeNamesEachOnce(t *testing.T) {
	task, _ := All().Get("judge")
	for said, want := range map[string][]any{
		`[3, 1]`:           {2, 0, 1, 3},
		`[4, 4, 4]`:        {3, 0, 1, 2},
		`[0, -1, 5, 99]`:   nil,
		`["a", null, {}]`:  nil,
		`[]`:               nil,
		`[2, 1, 4, 3]`:     {1, 0, 3, 2},
		`[1e300, 2.5, 2]`:  {1, 0, 2, 3},
		`{"first": "two"}`: nil,
	} {
		var order any
		if err := json.Unmarshal([]byte(said), &order); err != nil {
			t.Fatal(err)
		}
		c := exampleOf("judge")
		out, _, ok := task.Form.Apply(c, task.Form.Put(c, 2000), map[string]any{"order": order})
		if got, _ := out["order"].([]any); ok != (want != nil) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, %v", said, got, ok)
		}
	}
	// Of more than fit, those that were not shown keep their place behind.
	c := exampleOf("judge")
	var many []any
	for i := range 60 {
		many = append(many, fmt.Sprintf("candidate %d with some words to it that take room", i))
	}
	c.Input["candidates"] = many
	q := task.Form.Put(c, 600)
	if q.Count == 0 || q.Count >= 60 {
		t.Fatalf("%d were shown", q.Count)
	}
	out, _, _ := task.Form.Apply(c, q, map[string]any{"order": []any{q.Count, 60}})
	if order := out["order"].([]any); order[0] != q.Count-1 || len(order) != 60 || order[59] != 59 {
		t.Errorf("%v", order)
	}
}

// lines is a tree of one file.
type lines struct{ n int }

func (l lines) Lines(_ context.Context, path string) (int, error) {
	if path != "pool.go" {
		return 0, errors.New("not there")
	}
	return l.n, nil
}

var reviewed = object(
	required("issues", &schema.Schema{Type: schema.Array, Items: object(
		required("ref", &schema.Schema{Type: schema.String}), optional("quote", &schema.Schema{Type: schema.String}), required("why", &schema.Schema{Type: schema.String}))}),
	required("summary", &schema.Schema{Type: schema.String}),
	required("level", &schema.Schema{Type: schema.String, Enum: []any{"high", "low"}}),
	optional("by", &schema.Schema{Type: schema.Object, Open: &schema.Schema{Type: schema.String}}),
	optional("count", &schema.Schema{Type: schema.Integer}))

func TestTextsOfAnOutput(t *testing.T) {
	if d := cmp.Diff([]string{"issues.ref", "issues.quote", "issues.why", "summary", "by"}, Texts(reviewed)); d != "" {
		t.Error(d)
	}
	for name, want := range map[string][]string{"references": {"issues.ref"}, "quotes": {"issues.quote"}, "tokens": Texts(reviewed)} {
		c, _ := CheckNamed(name)
		if d := cmp.Diff(want, c.Among(Texts(reviewed))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	refs, _ := CheckNamed("references")
	if got := refs.Among([]string{"place"}); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestVerify(t *testing.T) {
	issue := func(ref, quote, why string) map[string]any {
		m := map[string]any{"ref": ref, "why": why}
		if quote != "" {
			m["quote"] = quote
		}
		return m
	}
	use := func(name, fail string, fields ...string) Use {
		c, ok := CheckNamed(name)
		if !ok {
			t.Fatal(name)
		}
		if fields == nil {
			fields = c.Among(Texts(reviewed))
		}
		return Use{Check: c, Fields: fields, Fail: fail, Most: 5}
	}
	value := func(issues ...any) map[string]any {
		return map[string]any{"issues": issues, "summary": "Close closes slots.", "level": "low"}
	}
	evidence := func() *Evidence {
		return &Evidence{Shown: "| func (p *Pool)\n|  Close() { close(p.slots) }", Candidates: []string{"pool.go:3"}, Tree: lines{9}}
	}
	for name, c := range map[string]struct {
		use     Use
		value   map[string]any
		left    int // issues
		dropped int
		failed  string
		retry   string
	}{
		"a reference that resolves":    {use: use("references", Drop), value: value(issue("pool.go:9", "", "x")), left: 1},
		"one that does not":            {use: use("references", Drop), value: value(issue("pool.go:10", "", "x"), issue("pool.go", "", "x"), issue("vault.go", "", "x")), left: 1, dropped: 2},
		"all that do not":              {use: use("references", Drop), value: value(issue("a", "", "x")), left: 0, dropped: 1},
		"a quote over lines":           {use: use("quotes", Drop), value: value(issue("x", `"close(p.slots)"`, "x")), left: 1},
		"a quote of an optional field": {use: use("quotes", Drop), value: value(issue("x", "close(p.rooms)", "x")), left: 1, dropped: 1},
		"grounded":                     {use: use("grounded", Drop), value: value(issue("Pool", "", "Close closes slots"), issue("Pool", "", "calls KafkaWriter")), left: 1, dropped: 1},
		"grounded, outside a list":     {use: use("grounded", Drop, "summary"), value: map[string]any{"issues": []any{}, "summary": "See Redis42.", "level": "low"}, failed: "grounded of summary"},
		"grounded, to be said again":   {use: use("grounded", Retry, "summary"), value: map[string]any{"issues": []any{}, "summary": "See Redis42.", "level": "low"}, failed: "grounded of summary", retry: "Redis42"},
		"an item to be said again":     {use: use("references", Retry), value: value(issue("vault.go", "", "x")), left: 0, dropped: 1, retry: "vault.go"},
		"fall back":                    {use: use("references", Fallback), value: value(issue("vault.go", "", "x"), issue("pool.go", "", "x")), left: 1, dropped: 1, failed: "references of issues.ref"},
		"tokens":                       {use: use("tokens", Drop, "issues.why"), value: value(issue("x", "", "short"), issue("x", "", strings.Repeat("long ", 20))), left: 1, dropped: 1},
		"candidates":                   {use: use("candidates", Drop, "issues.ref"), value: value(issue("pool.go:3", "", "x"), issue("pool.go:4", "", "x")), left: 1, dropped: 1},
		"an open map":                  {use: use("grounded", Drop), value: map[string]any{"issues": []any{}, "summary": "close", "level": "low", "by": map[string]any{"a": "Redis42", "b": "slots"}}, dropped: 1},
	} {
		t.Run(name, func(t *testing.T) {
			before := fmt.Sprint(c.value)
			v := Verify(t.Context(), []Use{c.use}, c.value, reviewed, evidence())
			left, _ := v.Value["issues"].([]any)
			if len(left) != c.left || v.Dropped != c.dropped || v.Failed != c.failed || !strings.Contains(v.Retry, c.retry) || (v.Retry == "") != (c.retry == "") {
				t.Errorf("%+v", v)
			}
			if fmt.Sprint(c.value) != before {
				t.Error("the value was changed")
			}
			if v.Failed == "" {
				fits(t, v.Value, reviewed)
			}
		})
	}
	if v := Verify(t.Context(), []Use{use("references", Drop)}, value(issue("pool.go", "", "x")), reviewed, &Evidence{}); v.Dropped != 1 {
		t.Errorf("without files a reference stands: %+v", v)
	}
}

// FuzzVerify checks any value: none breaks, and what stands still fits.
func FuzzVerify(f *testing.F) {
	f.Add(`{"issues": [{"ref": "pool.go:1", "quote": "x", "why": "y"}, {"ref": "", "why": ""}], "summary": "s", "level": "high", "by": {"": "x"}}`, "x y pool.go")
	f.Fuzz(func(t *testing.T, text, shown string) {
		got, err := reply.Read(text, reviewed)
		if err != nil {
			return
		}
		for _, fail := range []string{Drop, Retry, Fallback} {
			var all []Use
			for _, c := range Checks() {
				all = append(all, Use{Check: c, Fields: c.Among(Texts(reviewed)), Most: 3, Fail: fail})
			}
			v := Verify(t.Context(), all, maps.Clone(got.Value), reviewed, &Evidence{Shown: shown, Candidates: []string{"x"}, Tree: lines{3}})
			if v.Failed == "" {
				fits(t, v.Value, reviewed)
			}
			if fail == Retry && v.Dropped > 0 && v.Retry == "" {
				t.Fatal("it is not asked for again")
			}
		}
	})
}

func TestExampleIsOfTheForm(t *testing.T) {
	if got := Example(reviewed); got != `{"issues": [{"ref": "…", "quote": "…", "why": "…"}], "summary": "…", "level": "high|low", "by": {}, "count": 1}` {
		t.Error(got)
	}
}

// A finding that says where it stands is shown with its place.
func TestCandidatesOfFindings(t *testing.T) {
	list := CandidatesOf(contract.Result{References: []string{"a.go:1", "a.go:12"}, Summary: "Two. See a.go:12.",
		KeyFindings: []contract.Finding{{Text: "a pool (a.go:1)", Ref: "a.go:1"}, {Text: "it is bounded"}}})
	var heads []string
	for i, c := range list {
		heads = append(heads, HeadOf(i, c))
	}
	if want := []string{"[1] a.go:1: a pool", "[2] a.go:12: See a.go:12.", "[3] it is bounded"}; !slices.Equal(heads, want) {
		t.Errorf("%q", heads)
	}
}

// A line of a summary is about its own place, whatever the line before it says.
func TestCandidatesOfSummaryLines(t *testing.T) {
	list := CandidatesOf(contract.Result{References: []string{"a.go:1", "b.go:5"},
		Summary: "`A` (a.go:1): opens it. It may fail.\n  3: if full { return ErrFull }\n`B` (b.go:5): closes it. Twice is once."})
	var heads []string
	for i, c := range list {
		heads = append(heads, HeadOf(i, c))
	}
	if want := []string{"[1] a.go:1: `A`: opens it.", "[2] b.go:5: `B`: closes it."}; !slices.Equal(heads, want) {
		t.Errorf("%q", heads)
	}
}

func TestHalfASentenceIsNotSaid(t *testing.T) {
	p := answerTask().Pointing
	said := func(note string) string {
		points := p.Points(map[string]any{"points": []any{map[string]any{"id": 1, p.Note: note}}}, 1)
		return points[0].Note
	}
	half := strings.Repeat("the pool waits ", 13) + "until"
	for note, want := range map[string]string{
		"the pool waits":                 "the pool waits",
		half:                             "",
		half[:185] + ". Then it goes on": half[:185] + ".",
		half[:NoteMost-1] + ".":          half[:NoteMost-1] + ".",
	} {
		if got := said(note); got != want {
			t.Errorf("%q: %q", note, got)
		}
	}
}
