package selection

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

func shopLog(t testing.TB) []Session {
	t.Helper()
	f, err := os.Open("testdata/shop.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	log, err := ReadLog(f, "shop.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return log
}

func options() Options {
	return Options{Split: ByTask, Folds: 5, Shown: []int{3, 6}, Weights: predict.DefaultWeights}
}

// The measures are those of the script that they were taken from: want.json is what that
// says of the same log, for the methods that are in both.
func TestMeasuresAreThoseOfTheScript(t *testing.T) {
	data, err := os.ReadFile("testdata/want.json")
	if err != nil {
		t.Fatal(err)
	}
	var want []struct {
		Split                        Split
		Method                       string
		K                            int
		Pool, Test, Steps, New_steps int
		All, New, Cover, Start       float64
	}
	if err := json.Unmarshal(data, &want); err != nil || len(want) < 8 {
		t.Fatal(len(want), err)
	}
	for _, w := range want {
		o := options()
		o.Split = w.Split
		run, err := Replay(context.Background(), shopLog(t), o)
		if err != nil {
			t.Fatal(err)
		}
		s := run.scoreFor("", w.Method, w.K)
		got := fmt.Sprintf("%d %d %d %d %.4f %.4f %.4f %.4f", run.Pool, s.Sessions, s.Steps, s.NewSteps, s.All.Value(), s.New.Value(), s.Cover.Value(), s.Start.Value())
		is := fmt.Sprintf("%d %d %d %d %.4f %.4f %.4f %.4f", w.Pool, w.Test, w.Steps, w.New_steps, w.All, w.New, w.Cover, w.Start)
		if got != is {
			t.Errorf("%s %s at %d: %s, want %s", w.Split, w.Method, w.K, got, is)
		}
	}
}

// The lists that are handed out are those that were scored.
func TestListsAreWhatWasScored(t *testing.T) {
	log, o := shopLog(t), options()
	lists := map[string][][]string{}
	o.List = func(session string, step int, tools []string) error {
		if step != len(lists[session]) {
			t.Errorf("%s: step %d after %d", session, step, len(lists[session]))
		}
		lists[session] = append(lists[session], tools)
		return nil
	}
	run, err := Replay(context.Background(), log, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range o.Shown {
		again := &Run{Shown: []int{length}}
		for _, s := range log {
			tl := newTally(s, again.Shown)
			for i, tool := range s.Tools {
				tl.countCall(tool, lists[s.ID][i])
			}
			again.addSession("prediction", s.Source, tl)
		}
		a, b := run.scoreFor("", "prediction", length), again.scoreFor("", "prediction", length)
		if a.Cover.String()+a.All.String()+a.Start.String() != b.Cover.String()+b.All.String()+b.Start.String() {
			t.Errorf("at %d: %+v, by its lists %+v", length, a, b)
		}
	}
}

func TestPredictionBeatsTheSimpleMethods(t *testing.T) {
	o := options()
	o.Shown, o.Fit = []int{6, 13}, true
	run, err := Replay(context.Background(), shopLog(t), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range run.Shown {
		ours := run.scoreFor("", "prediction", length).Cover.Value()
		const one = 1.0 / 52 // session: nothing is proven by less
		for _, other := range []string{"frequency", "co-occurrence"} {
			if x := run.scoreFor("", other, length).Cover.Value(); ours < x-one {
				t.Errorf("at %d: %v, %s has %v", length, ours, other, x)
			}
		}
	}
	for _, k := range run.Kept {
		if !(k.Changes.Value() < k.Anew.Value()) || k.Cover.Value() < 0.3 {
			t.Errorf("kept lists: %+v", k)
		}
	}
}

func TestPartsShareNoTask(t *testing.T) {
	log := shopLog(t)
	for _, split := range []Split{ByTask, BySession} {
		o := Options{Split: split, Folds: 3}
		tested := 0
		for _, p := range o.splitLog(log) {
			tested += len(p.test)
			if len(p.train)+len(p.test) != len(log) {
				t.Errorf("%d and %d of %d sessions", len(p.train), len(p.test), len(log))
			}
			for _, s := range p.test {
				if slices.ContainsFunc(p.train, func(x Session) bool { return split == ByTask && x.Task == s.Task || x.ID == s.ID }) {
					t.Errorf("%s is learnt from and tested", s.ID)
				}
			}
		}
		if tested != len(log) {
			t.Errorf("%d of %d sessions are tested", tested, len(log))
		}
	}
	p := Options{Hold: "back"}.splitLog(log)
	if len(p) != 1 || slices.ContainsFunc(p[0].train, func(s Session) bool { return s.Source == "back" }) || slices.ContainsFunc(p[0].test, func(s Session) bool { return s.Source != "back" }) {
		t.Errorf("a source that is kept out is learnt from: %v", p)
	}
}

// Sessions of others teach what the tested ones do not, but for those of a task that is
// tested, and are scored nowhere.
func TestAlsoTeaches(t *testing.T) {
	session := func(id, source, task string, tools ...string) Session {
		return Session{ID: id, Source: source, Task: task, Tools: tools}
	}
	var own, also []Session
	for i := range 10 {
		own = append(own, session(fmt.Sprint("own", i), "work", fmt.Sprint("w", i), fmt.Sprint("a/open", i), fmt.Sprint("a/rare", i)))
		also = append(also, session(fmt.Sprint("also", i), "home", fmt.Sprint("w", i), fmt.Sprint("a/open", 9-i), "b/foreign", fmt.Sprint("a/rare", 9-i)))
	}
	o := Options{Split: ByTask, Folds: 5, Shown: []int{2}, Weights: predict.DefaultWeights}
	alone, err := Replay(t.Context(), own, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Also = also
	o.List = func(_ string, _ int, tools []string) error {
		if slices.Contains(tools, "b/foreign") {
			return fmt.Errorf("%q: their tool is listed", tools)
		}
		return nil
	}
	taught, err := Replay(t.Context(), own, o)
	if err != nil {
		t.Fatal(err)
	}
	before, after := alone.scoreFor("", "prediction", 2), taught.scoreFor("", "prediction", 2)
	if after.Sessions != len(own) || taught.Pool != alone.Pool || taught.Also != len(also) || !(after.New.Value() > before.New.Value()) {
		t.Errorf("%+v\nbefore %+v", after, before)
	}
	for _, p := range o.splitLog(own) {
		for _, s := range p.test {
			if slices.ContainsFunc(p.also, func(x Session) bool { return x.Task == s.Task }) {
				t.Errorf("the task of %s is learnt from", s.ID)
			}
		}
		if len(p.also) == 0 {
			t.Error("nothing is learnt from others")
		}
	}
}

func TestFitDoesNotSeeWhatIsTested(t *testing.T) {
	o := options()
	o.Fit = true
	log := shopLog(t)
	run, err := Replay(context.Background(), log, o)
	if err != nil {
		t.Fatal(err)
	}
	parts := o.splitLog(log)
	for i, p := range parts {
		if got := Fit(p.train, o).String(); got != run.Fitted[i].String() {
			t.Errorf("part %d: %s, of what is learnt from alone %s", i, run.Fitted[i], got)
		}
	}
}

func TestReplayStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	o := options()
	o.Progress = func(done, total int) {
		if done == 2 {
			stop()
		}
		if done > 2 {
			t.Errorf("session %d of %d after the end", done, total)
		}
	}
	if _, err := Replay(ctx, shopLog(t), o); err == nil {
		t.Error("nothing said that it was stopped")
	}
}

func TestTimes(t *testing.T) {
	o, now := options(), time.Time{}
	o.Now = func() time.Time { now = now.Add(time.Millisecond); return now }
	run, err := Replay(context.Background(), shopLog(t), o)
	if err != nil || run.Quantile(0.99) != time.Millisecond {
		t.Errorf("%v %v", run.Quantile(0.99), err)
	}
}

func TestHoldRules(t *testing.T) {
	yes, no := true, false
	set, bad := rules.Compile([]rules.Rule{{Pattern: []string{"*refund*"}, Enabled: &no}, {Pattern: []string{"*"}, Server: "orders", Enabled: &yes}})
	if bad != nil {
		t.Fatal(bad)
	}
	log := []Session{
		{ID: "1", Tools: []string{"orders/get", "pay/refund", "pay/refund", "pay/charge"}},
		{ID: "2", Tools: []string{"pay/charge", "mail/send"}},
	}
	var got []string
	for _, u := range HoldRules(log, set) {
		got = append(got, u.String())
	}
	want := []string{
		"that no rule enables them would have hidden 2 used tools in 3 calls of 2 sessions: mail/send, pay/charge",
		`toolRules[0] ("*refund*") would have hidden 1 used tool in 2 calls of 1 session: pay/refund`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestBadLogs(t *testing.T) {
	good := `{"session": "1", "tools": ["a/b"]}` + "\n"
	for text, want := range map[string]string{
		"":                                "x.jsonl holds no session; want {",
		"\n \n":                           "x.jsonl holds no session; want {",
		good + "{":                        "x.jsonl:2: no JSON at byte 1: unexpected end of JSON input; want {",
		good + "\n[1]":                    "x.jsonl:3: a JSON array is not a session; want {",
		good + `{"session": 1}`:           "x.jsonl:2: session is a JSON number; want {",
		good + `{"session": "2"}`:         `x.jsonl:2: session "2" has no tools; want {`,
		`{"tools": ["a"]}`:                "x.jsonl:1: session is missing or empty; want {",
		good + good:                       `x.jsonl:2: session "1" stands on line 1 already`,
		`{"session": "1", "tools": [""]}`: `x.jsonl:1: session "1": tools[0] is empty; want server/tool`,
		`{"session": "1", "tools": ["a"], "start": "noon"}`: `x.jsonl:1: parsing time`,
	} {
		if _, err := ReadLog(strings.NewReader(text), "x.jsonl"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	log, err := ReadLog(strings.NewReader("\ufeff"+good+"\n"+`{"session": "2", "tools": ["a"], "extra": {}}`), "x")
	if err != nil || len(log) != 2 {
		t.Errorf("%v %v", log, err)
	}
}

// FuzzReplay holds that no log is too odd to be replayed.
func FuzzReplay(f *testing.F) {
	f.Add(`{"session": "1", "task": "t", "tools": ["a/b", "a/b", "c"]}`+"\n"+`{"session": "2", "source": "s", "tools": ["/", "a/b/c", "é"], "start": "2025-01-01T00:00:00Z"}`, 2)
	f.Add(`{"session": "1", "tools": ["a"]}`, 50)
	f.Fuzz(func(t *testing.T, text string, shown int) {
		log, err := ReadLog(strings.NewReader(text), "x")
		if err != nil || len(text) > 2000 {
			return
		}
		o := Options{Split: ByTask, Folds: 2, Shown: []int{1 + max(0, shown)%60}, Weights: predict.DefaultWeights, HalfLife: time.Hour}
		run, err := Replay(context.Background(), log, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := json.Marshal(run); err != nil {
			t.Error(err)
		}
		run.Rows(o.Shown[0])
		run.KeptRows()
		run.Notes()
	})
}
