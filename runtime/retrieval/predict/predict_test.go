package predict

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// day is a moment of the test's calendar.
func day(n int) time.Time { return time.Date(2025, 3, 1+n, 9, 0, 0, 0, time.UTC) }

// shop is a small log: what people of a shop do.
var shop = []struct {
	task  string
	tools []string
}{
	{"refund late order", []string{"orders/search_orders", "orders/get_order", "pay/refund", "mail/send"}},
	{"refund broken mug", []string{"orders/search_orders", "orders/get_order", "pay/refund", "mail/send"}},
	{"ship order", []string{"orders/search_orders", "orders/get_order", "stock/reserve", "ship/label"}},
	{"count stock", []string{"stock/list", "stock/list", "sheet/append"}},
}

func shopModel(t testing.TB) *Model {
	t.Helper()
	m := NewModel(0, Limits{})
	for _, s := range shop {
		m.Learn(time.Time{}, s.task, s.tools)
	}
	return m
}

func catalogOf(ids ...string) *Catalog {
	var list []Tool
	for _, id := range ids {
		list = append(list, ParseTool(id))
	}
	return NewCatalog(list)
}

var shopTools = []string{"orders/search_orders", "orders/get_order", "pay/refund", "pay/charge", "mail/send", "stock/reserve", "stock/list", "ship/label", "sheet/append", "wiki/search", "wiki/read"}

func traceOf(task string, tools ...string) *Trace {
	t := NewTrace(time.Time{}, task)
	for _, x := range tools {
		t.Add(x)
	}
	return t
}

func rank(m *Model, c *Catalog, t *Trace) *Ranking {
	return NewBlend(DefaultWeights).Rank(m, c, Request{Trace: t})
}

// place is where a tool stands in a ranking, from 1.
func (r *Ranking) place(tool string) int {
	return 1 + slices.IndexFunc(r.Tools, func(t Ranked) bool { return t.Tool == tool })
}

func TestRank(t *testing.T) {
	m, c := shopModel(t), catalogOf(shopTools...)
	for _, x := range []struct {
		name, task string
		calls      []string
		first      string // the best tool that was not used
		stage      Stage
	}{
		{"what came after", "", []string{"orders/search_orders", "orders/get_order"}, "pay/refund", BySession},
		{"words of the task decide the start", "please refund the vase", nil, "pay/refund", ByProfile},
		{"the task names a server", "look it up in the wiki", nil, "wiki/search", ByProfile},
		{"a server that nobody used yet", "", []string{"wiki/search"}, "wiki/read", BySession},
		{"most used of all", "", nil, "orders/get_order", ByProfile},
	} {
		r := rank(m, c, traceOf(x.task, x.calls...))
		got := r.Tools[len(x.calls)]
		for i, call := range x.calls {
			if r.Tools[i].Tier != Used || !slices.Contains(x.calls, r.Tools[i].Tool) {
				t.Errorf("%s: %s is not among the first: %v", x.name, call, r.Tools[:3])
			}
		}
		if got.Tool != x.first || r.Stage != x.stage {
			t.Errorf("%s: %s at stage %s, want %s at %s", x.name, got.Tool, r.Stage, x.first, x.stage)
		}
	}
}

func TestColdStart(t *testing.T) {
	c := catalogOf("a/one", "a/two", "a/three", "b/one", "c/find_ticket")
	r := rank(NewModel(0, Limits{}), c, traceOf("close the ticket"))
	if got := []string{r.Tools[0].Tool, r.Tools[1].Tool, r.Tools[2].Tool, r.Tools[3].Tool, r.Tools[4].Tool}; r.Stage != BySpread ||
		!slices.Equal(got, []string{"c/find_ticket", "a/one", "b/one", "a/three", "a/two"}) {
		t.Errorf("%s: %v", r.Stage, got)
	}
	if r := NewBlend(DefaultWeights).Rank(NewModel(0, Limits{}), c, Request{Show: 5}); r.Stage != ByAll {
		t.Errorf("five of five tools: stage %s", r.Stage)
	}
}

// Before any call the other tools of a server that the task speaks of stand before those of
// servers that it does not speak of; after one, the servers in use say which.
func TestServersThatTheTaskSpeaksOf(t *testing.T) {
	c := catalogOf("a/one", "a/two", "tracker/close_ticket", "tracker/watch")
	m, blend := NewModel(0, Limits{}), NewBlend(DefaultWeights)
	r := blend.Rank(m, c, Request{Trace: traceOf("close it")})
	if r.place("tracker/close_ticket") != 1 || r.place("tracker/watch") != 2 {
		t.Errorf("%v", r.Tools)
	}
	if why := r.Why("tracker/watch"); why != `its server has a tool with "close" of the task` {
		t.Error(why)
	}
	if shares := blend.Rank(m, c, Request{Trace: traceOf("close it", "a/one")}).Explain("tracker/watch"); len(shares) != 0 {
		t.Errorf("after a call: %v", shares)
	}
}

// A tool that is more like the task than others has more than its cosine of what is said.
func TestSimilarityIsAShare(t *testing.T) {
	c := catalogOf("a/close_ticket", "a/close_door", "a/ring")
	s := newState(NewModel(0, Limits{}), c, traceOf("close the ticket"), time.Time{})
	out := make([]float64, s.Len())
	similarity{}.Predict(s, out)
	sum, near, far, none := 0.0, out[1], out[0], out[2]
	for _, x := range out {
		sum += x
	}
	if sum < 0.999 || sum > 1.001 || !(near > 4*far) || far == 0 || none != 0 {
		t.Errorf("%v of %v", out, c.Tools())
	}
}

// A word that most tasks had tells none from another.
func TestOrdinaryWordsSayNothing(t *testing.T) {
	m, c := NewModel(0, Limits{}), catalogOf("a/ring_bell", "b/close_ticket", "c/close_door")
	for range ordinary {
		m.Learn(time.Time{}, "close the shop", []string{"d/other"})
	}
	for task, want := range map[string]bool{"close": false, "ticket": true, "close ticket": true} {
		s := newState(m, c, traceOf(task), time.Time{})
		if got := s.taskSimilarity()[1] > 0; got != want {
			t.Errorf("%q speaks of b/close_ticket: %v", task, got)
		}
		if s.taskSimilarity()[2] > 0 {
			t.Errorf("%q speaks of c/close_door", task)
		}
	}
}

func TestFeedback(t *testing.T) {
	m, c := shopModel(t), catalogOf(shopTools...)
	r := NewBlend(DefaultWeights).Rank(m, c, Request{Trace: traceOf("", "orders/search_orders", "orders/get_order"),
		Feedback: map[string]Feedback{"wiki/read": Relevant, "pay/refund": Irrelevant, "orders/get_order": Irrelevant, "gone/tool": Relevant}})
	if r.place("wiki/read") != 3 || r.place("pay/refund") != c.Len() || r.place("orders/get_order") > 2 {
		t.Errorf("%v", r.Tools)
	}
	for tool, why := range map[string]string{"wiki/read": "marked as relevant", "pay/refund": "marked as not relevant", "orders/get_order": "used in this session", "gone/tool": ""} {
		if got := r.Why(tool); got != why {
			t.Errorf("%s: %q, want %q", tool, got, why)
		}
	}
}

func TestExplain(t *testing.T) {
	m, c := shopModel(t), catalogOf(append([]string{"orders/cancel_order"}, shopTools...)...)
	r := rank(m, c, traceOf("refund the vase", "orders/search_orders", "orders/get_order"))
	for tool, want := range map[string][]string{
		"pay/refund":          {"followed orders/search_orders and orders/get_order in 2 of 3 cases", "came after orders/get_order in 2 of 3 sessions", "used in 2 of 4 sessions", `used in 2 of 2 sessions about "refund"`, "server pay was used after orders", `has "refund" of the task`},
		"orders/cancel_order": {"server orders is in use", "named like what was used: order"},
	} {
		sum, said := 0.0, ""
		for _, s := range r.Explain(tool) {
			sum += s.Share
			said += s.Why + "\n"
		}
		if got := r.Tools[r.place(tool)-1].Chance; math.Abs(sum-got) > 1e-9 {
			t.Errorf("%s: shares add up to %v, the chance is %v", tool, sum, got)
		}
		for _, w := range want {
			if !strings.Contains(said, w+"\n") {
				t.Errorf("%s: no %q in\n%s", tool, w, said)
			}
		}
	}
	if r.Explain("gone/tool") != nil {
		t.Error("a tool that is not there is explained")
	}
}

func TestDecay(t *testing.T) {
	m := NewModel(10*24*time.Hour, Limits{})
	m.Learn(day(0), "", []string{"a/old"})
	m.Learn(day(0), "", []string{"a/old"})
	m.Learn(day(20), "", []string{"a/new"})
	if got := m.Sessions(day(20)); math.Abs(got-1.5) > 1e-9 {
		t.Errorf("two sessions of two half-lives ago and one of now are %v, want 1.5", got)
	}
	r := NewBlend(Weights{"frequency": 1}).Rank(m, catalogOf("a/new", "a/old"), Request{Now: day(20)})
	if r.Tools[0].Tool != "a/new" {
		t.Errorf("%v", r.Tools)
	}
	m.Learn(day(0).AddDate(900, 0, 0), "", []string{"a/old"}) // the weights must not overflow
	if got := m.Sessions(time.Time{}); math.Abs(got-1) > 1e-9 {
		t.Errorf("after 900 years %v sessions count, want 1", got)
	}
}

func TestCooccurrences(t *testing.T) {
	m := NewModel(0, Limits{})
	m.Learn(day(0), "", []string{"s/a", "s/a", "s/b"})
	m.Learn(day(3), "", []string{"s/a", "s/b"})
	got := m.Cooccurrences(time.Time{})
	want := Cooccurrence{A: "s/a", B: "s/b", Count: 2, Distance: 1.5, Last: day(3)}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// What a tool was used with is told in either order.
func TestWith(t *testing.T) {
	m := NewModel(0, Limits{})
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m.Learn(day, "", []string{"s/a", "s/b", "s/c"})
	m.Learn(day.Add(time.Hour), "", []string{"s/b", "s/x", "s/x", "s/a"})
	m.Learn(day.Add(2*time.Hour), "", []string{"s/c", "s/b"})
	want := []Companion{
		{Tool: "s/b", Count: 2, After: 1, Distance: 2, Last: day.Add(time.Hour)},
		{Tool: "s/c", Count: 1, After: 1, Distance: 2, Last: day},
		{Tool: "s/x", Count: 1, After: 0, Distance: 2, Last: day.Add(time.Hour)},
	}
	if got := m.With("s/a", time.Time{}); !slices.Equal(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if got := m.With("s/none", time.Time{}); got != nil {
		t.Errorf("%+v", got)
	}
}

func TestUse(t *testing.T) {
	m := NewModel(24*time.Hour, Limits{})
	m.Learn(day(0), "", []string{"s/a", "s/a", "s/b"})
	if got, want := m.Use("s/a", day(1)), (Use{Sessions: 0.5, Calls: 1, Last: day(0)}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := m.Use("s/gone", day(1)); got != (Use{}) {
		t.Errorf("%+v of a tool that nobody used", got)
	}
}

// Many may rank at once; the race detector watches.
func TestManyRank(t *testing.T) {
	m, c, b := shopModel(t), catalogOf(shopTools...), NewBlend(DefaultWeights)
	want := fmt.Sprint(rank(m, c, traceOf("refund", "orders/get_order")).Tools)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				r := b.Rank(m, c, Request{Trace: traceOf("refund", "orders/get_order")})
				if got := fmt.Sprint(r.Tools); got != want || r.Why("pay/refund") == "" {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
	wg.Wait()
}

// A session may be long: what is kept of it grows with its tools.
func TestLongSession(t *testing.T) {
	m, trace := NewModel(0, Limits{}), NewTrace(time.Time{}, strings.Repeat("words of a task ", 5000))
	for i := range 3000 {
		m.Observe(trace, fmt.Sprintf("s%d/t%d", i%2, i%50))
	}
	if trace.Calls() != 3000 || len(trace.used) != 50 || len(trace.tail) != maxOrder {
		t.Errorf("%d calls, %d tools", trace.Calls(), len(trace.used))
	}
	if r := rank(m, catalogOf("s0/t0", "s1/t1", "x/y"), trace); r.Tools[2].Tool != "x/y" {
		t.Errorf("%v", r.Tools)
	}
}

// sessions are random ones over few tools.
func sessions(seed uint64, n int) [][]string {
	r := rand.New(rand.NewPCG(seed, 1))
	var out [][]string
	for range n {
		var s []string
		for range 1 + r.IntN(12) {
			s = append(s, fmt.Sprintf("s%d/t%d", r.IntN(4), r.IntN(6)))
		}
		out = append(out, s)
	}
	return out
}

func learnAll(half time.Duration, limits Limits, list [][]string, from int) *Model {
	m := NewModel(half, limits)
	for i, s := range list {
		m.Learn(day(from+i), fmt.Sprintf("task %c alpha", 'a'+(from+i)%5), s)
	}
	return m
}

func encode(t testing.TB, m *Model) string {
	t.Helper()
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestMergeIsLearningBoth(t *testing.T) {
	list := sessions(7, 40)
	whole := learnAll(0, Limits{}, list, 0)
	merged := learnAll(0, Limits{}, list[:15], 0)
	merged.Merge(learnAll(0, Limits{}, list[15:], 15))
	if encode(t, whole) != encode(t, merged) {
		t.Error("two models merged are not one that learnt all")
	}
}

func TestMergeDecays(t *testing.T) {
	old, young := NewModel(24*time.Hour, Limits{}), NewModel(24*time.Hour, Limits{})
	old.Learn(day(0), "", []string{"s/a"})
	young.Learn(day(2), "", []string{"s/b"})
	old.Merge(young)
	if got := old.Sessions(day(2)); math.Abs(got-1.25) > 1e-9 {
		t.Errorf("%v sessions, want 1.25", got)
	}
}

func TestModelSurvivesItsEncoding(t *testing.T) {
	m := learnAll(48*time.Hour, Limits{}, sessions(3, 50), 0)
	text := encode(t, m)
	back := NewModel(48*time.Hour, Limits{})
	if err := json.Unmarshal([]byte(text), back); err != nil {
		t.Fatal(err)
	}
	if again := encode(t, back); again != text {
		t.Errorf("encoded again it is\n%s\nnot\n%s", again, text)
	}
	c := catalogOf("s0/t0", "s0/t1", "s1/t0", "s2/t5", "s3/t3")
	trace := traceOf("task alpha", "s0/t0", "s1/t0")
	if a, b := rank(m, c, trace), rank(back, c, trace); fmt.Sprint(a.Tools) != fmt.Sprint(b.Tools) {
		t.Errorf("ranks\n%v\nnot\n%v", b.Tools, a.Tools)
	}
}

func TestDamagedModelsAreRefused(t *testing.T) {
	m := learnAll(0, Limits{}, sessions(3, 4), 0)
	before := encode(t, m)
	for text, want := range map[string]string{
		`{"version": 2}`:                 "version 2, this program writes 1",
		`[]`:                             "cannot unmarshal array",
		`{"version": 1, "tools": ["a"]}`: "1 tools and 0 uses",
		`{"version": 1, "sessions": -1}`: "-1 is not a count",
		`{"version": 1, "tools": ["a", "a"], "uses": [[1,1,0],[1,1,0]]}`:                          `"a" stands twice`,
		`{"version": 1, "tools": ["a"], "uses": [[1,1,0]], "after": [[0,1,1,1,0]]}`:               "1 is not the number of a name; there are 1",
		`{"version": 1, "tools": ["a"], "uses": [[1,1,0.5]]}`:                                     "0.5 is not a time in seconds",
		`{"version": 1, "tools": ["a"], "uses": [[1,1,0]], "chains": [[-1,0,-1,0,1,0]]}`:          "a chain with a gap",
		`{"version": 1, "tools": ["a"], "uses": [[1,1,0]], "words": {"w": {"tools": [[7,1,0]]}}}`: "7 is not the number",
		`{"version": 1, "servers": ["a"], "moves": [[0,0,1e309,0,0]]}`:                            "cannot unmarshal number",
	} {
		if err := json.Unmarshal([]byte(text), m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if encode(t, m) != before {
		t.Error("a refused encoding changed the model")
	}
}

func TestModelIsBounded(t *testing.T) {
	limits := Limits{Tools: 10, Pairs: 20, Contexts: 30, Words: 8}
	build := func() *Model { return learnAll(0, limits, sessions(11, 300), 0) }
	m := build()
	for name, n := range map[string][2]int{"tools": {len(m.tools.names), limits.Tools}, "pairs": {m.after.cells(), limits.Pairs},
		"contexts": {m.chains.cells(), limits.Contexts}, "words": {m.words.cells(), limits.Words}} {
		if n[0] == 0 || exceedsLimit(n[0], n[1]) {
			t.Errorf("%d %s, the limit is %d", n[0], name, n[1])
		}
	}
	if encode(t, m) != encode(t, build()) {
		t.Error("what is dropped depends on more than what was learnt")
	}
	counted := 0
	for _, r := range m.after.rows {
		counted += len(r.to)
	}
	if counted != m.after.cells() {
		t.Errorf("%d pairs, counted as %d", counted, m.after.cells())
	}
	rank(m, catalogOf("s0/t0", "s0/t1"), traceOf("", "s0/t0", "s3/t5"))
}

func TestOneCallAtATime(t *testing.T) {
	m, trace := NewModel(0, Limits{}), NewTrace(day(0), "refund mugs")
	for _, tool := range shop[0].tools {
		m.Observe(trace, tool)
	}
	whole := NewModel(0, Limits{})
	whole.Learn(day(0), "refund mugs", shop[0].tools)
	if encode(t, m) != encode(t, whole) {
		t.Error("a session learnt call by call is another one")
	}
	if trace.Calls() != 4 || !slices.Equal(trace.Tools(), shop[0].tools) {
		t.Errorf("%d calls of %v", trace.Calls(), trace.Tools())
	}
}

func TestFit(t *testing.T) {
	fit := func() Weights {
		f := NewFitter(2, 4)
		m, c := shopModel(t), catalogOf(shopTools...)
		for _, s := range shop {
			f.Add(m, c, time.Time{}, s.task, s.tools)
		}
		if before, after := f.Value(Weights{"frequency": 1}), f.Value(f.Search(Weights{"frequency": 1})); after <= before {
			t.Errorf("fitted weights are worth %v, those before %v", after, before)
		}
		return f.Search(DefaultWeights)
	}
	if a, b := fit().String(), fit().String(); a != b || !strings.Contains(a, "cooccurrence") {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestRankingIsDeterministic(t *testing.T) {
	list := sessions(5, 60)
	c := catalogOf("s0/t0", "s0/t1", "s0/t2", "s1/t0", "s1/t1", "s2/t5", "s3/t3", "s9/new", "s9/other")
	var first string
	for i := range 5 {
		r := rank(learnAll(24*time.Hour, Limits{}, list, 0), c, traceOf("task alpha", "s0/t0", "s1/t0", "s9/new"))
		text := fmt.Sprint(r.Tools)
		for _, x := range r.Tools {
			text += r.Why(x.Tool)
		}
		if i == 0 {
			first = text
		} else if text != first {
			t.Fatalf("%s\n%s", text, first)
		}
	}
}

// FuzzRank holds what is true of every ranking, whatever was logged.
func FuzzRank(f *testing.F) {
	f.Add("refund order", "orders/get orders/get pay/refund", "orders/get", uint8(3))
	f.Add("", "a a b /x // é/é", "b zz", uint8(0))
	f.Add("a/b", "a/b", "", uint8(200))
	f.Fuzz(func(t *testing.T, task, log, calls string, half uint8) {
		m := NewModel(time.Duration(half)*time.Hour, Limits{Tools: 20, Pairs: 30, Contexts: 30, Words: 20})
		for i, s := range strings.Split(log, "\n") {
			m.Learn(day(i*int(half)), task, strings.Split(s, " "))
		}
		tools := append(strings.Split(log, " "), strings.Split(calls, " ")...)
		c := catalogOf(tools...)
		trace := traceOf(task, strings.Split(calls, " ")...)
		r := rank(m, c, trace)
		if len(r.Tools) != c.Len() {
			t.Fatalf("%d of %d tools", len(r.Tools), c.Len())
		}
		seen := map[string]bool{}
		for i, x := range r.Tools {
			if seen[x.Tool] || !(x.Chance >= 0 && x.Chance <= 1+1e-9) || (x.Tier == Used) != trace.Used(x.Tool) {
				t.Errorf("%+v", x)
			}
			seen[x.Tool] = true
			if i > 0 && (x.Tier < r.Tools[i-1].Tier || x.Tier == r.Tools[i-1].Tier && x.Chance > r.Tools[i-1].Chance) {
				t.Errorf("%+v after %+v", x, r.Tools[i-1])
			}
			sum := 0.0
			for _, s := range r.Explain(x.Tool) {
				sum += s.Share
			}
			if math.Abs(sum-x.Chance) > 1e-9 {
				t.Errorf("%s: shares add up to %v, not %v", x.Tool, sum, x.Chance)
			}
		}
		text := encode(t, m)
		back := NewModel(m.halfLife, m.limits)
		if err := json.Unmarshal([]byte(text), back); err != nil {
			t.Fatal(err)
		}
		if encode(t, back) != text {
			t.Error("the encoding of a model is not that of what was decoded")
		}
	})
}

// FuzzModel holds that no bytes harm a model.
func FuzzModel(f *testing.F) {
	f.Add([]byte(encode(f, learnAll(0, Limits{}, sessions(1, 3), 0))))
	f.Add([]byte(`{"version":1,"tools":["a"],"uses":[[1,1,0]],"chains":[[0,-1,-1,0,1,0]]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := NewModel(time.Hour, Limits{Tools: 50, Pairs: 50, Contexts: 50, Words: 50})
		if json.Unmarshal(data, m) != nil {
			return
		}
		r := rank(m, catalogOf("a/b", "s0/t0"), traceOf("task alpha", "s0/t0"))
		if len(r.Tools) != 2 || math.IsNaN(r.Tools[1].Chance) {
			t.Errorf("%+v", r.Tools)
		}
		m.Learn(day(1), "x", []string{"s0/t0", "a/b"})
		encode(t, m)
	})
}

func BenchmarkRank(b *testing.B) {
	m := NewModel(0, Limits{})
	r := rand.New(rand.NewPCG(1, 2))
	name := func() string { return fmt.Sprintf("server%d/tool_%d_of_it", r.IntN(30), r.IntN(20)) }
	for range 400 {
		var s []string
		for range 20 {
			s = append(s, name())
		}
		m.Learn(time.Time{}, "count the open tickets of a project", s)
	}
	var tools []string
	for i := range 500 {
		tools = append(tools, fmt.Sprintf("server%d/tool_%d_of_it", i%30, i/30))
	}
	c, t, blend := catalogOf(tools...), NewTrace(time.Time{}, "count the tickets"), NewBlend(DefaultWeights)
	for range 20 {
		t.Add(name())
	}
	b.ReportAllocs()
	for b.Loop() {
		blend.Rank(m, c, Request{Trace: t})
	}
}
