package ask

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

func TestSplitQuestion(t *testing.T) {
	for _, c := range []struct {
		question string
		want     []string // nil for the whole question
	}{
		{"How many connections does a pool keep?", nil},
		{"Where is the pool built? Who closes it?", []string{"Where is the pool built?", "Who closes it (pool built)?"}},
		{"Where is the worker pool built? And in tests?", []string{"Where is the worker pool built?", "And in tests?"}},
		{"What is federation? What is sharding?", []string{"What is federation?", "What is sharding?"}},
		{"What is federation and what is sharding?", nil},
		{"How do I enable caching, and what is the default TTL?", []string{"How do I enable caching", "what is the default TTL (enable caching)?"}},
		{"How many days of leave do I get and how do I apply?", []string{"How many days of leave do I get", "how do I apply (many days leave get)?"}},
		{"How does the login work, where is it implemented, and which tests cover it?", []string{"How does the login work", "where is it implemented (login work)?", "which tests cover it (implemented login work)?"}},
		{"Thanks! How do I set the pool size?", nil},
		// what is told belongs to what is asked
		{"I run Postgres 16. How do I set the pool size?", nil},
		{"How do I set the pool size? I see errors when it is full.", nil},
		{"What is the retention period? Answer only with what the documents say.", nil},
		{"I know what the cache does but how do I clear it?", nil},
		// what looks like two questions
		{"When and where is the index written?", nil},
		{"What is the difference between retry and backoff?", nil},
		{"What is the delay between retries? Who is on call?", []string{"What is the delay between retries?", "Who is on call?"}},
		{"Where is the help?", nil},
		{"What is the difference between how retries and how backoffs work?", nil},
		{"I want to know how retries and how backoffs differ.", nil},
		{"Which files and which folders are ignored?", nil},
		{"Who owns and who can edit a document?", nil},
		{"Which setting controls how often and when backups run?", nil},
		{"List the services that restart on failure and which do not", nil},
		{"How do I know when and how to rotate keys?", nil},
		{`What does "retry and what is next" mean?`, nil},
		{"What does 'Close'? Who calls the pool's Close?", []string{"What does 'Close'?", "Who calls the pool's Close?"}},
		{"What is `Pool`'s limit? Who sets it?", []string{"What is `Pool`'s limit?", "Who sets it (Pool limit)?"}},
		{"What does 'start' do? Who calls it?", []string{"What does 'start' do?", "Who calls it (start)?"}},
		{"What's the worker pool? Who drains it?", []string{"What's the worker pool?", "Who drains it (worker pool)?"}},
		{"What is the workers' queue? Who drains it?", []string{"What is the workers' queue?", "Who drains it (workers queue)?"}},
		{`What does "the pool's queue" mean? Who drains it?`, []string{`What does "the pool's queue" mean?`, "Who drains it (pool's queue mean)?"}},
		{"What does 'stop and what is next' mean?", nil},
		{"What does `a ? b` do?", nil},
		{"salt and pepper", nil},
		{"What is A1? What is B1? What is C1? What is D1?", nil},
		{"What is a pool? What is a pool?", nil},
		{"What is " + strings.Repeat("long ", 30) + "one? What is " + strings.Repeat("long ", 30) + "two?", nil}, // their texts would be the same
		{"What does this mean?\nTraceback: where is it?", nil},
		{"Wo wird der Pool geschlossen?", nil},
		// nothing to look up
		{"thanks!", []string{}},
		{"Hello, good morning!", []string{}},
		{"who are you?", []string{}},
		{"what's that?", []string{}},
		{"and what about it?", []string{}},
		{"", []string{}},
	} {
		var got []string
		for _, p := range splitQuestion(c.question, nil).Parts {
			got = append(got, p.Ask)
		}
		if c.want == nil {
			c.want = []string{c.question}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.question, got, c.want)
		}
	}
}

func TestFollowUpsAreAskedWithTheirSubject(t *testing.T) {
	earlier := []string{"How is a cache emptied?", "What is the worker pool?", "and why is it?"}
	for question, want := range map[string]string{
		"and when is it emptied?":     "and when is it emptied (worker pool)?",
		"and why?":                    "and why (worker pool)?",
		"and why is it?":              "and why is it (worker pool)?", // a repeated call
		"what does this project do?":  "what does this project do?",
		"How is the index rebuilt?":   "How is the index rebuilt?",
		"thanks!":                     "",
		"who closes it? who sees it?": "who closes it (worker pool)? / who sees it (closes worker pool)?",
	} {
		var got []string
		for _, p := range splitQuestion(question, earlier).Parts {
			got = append(got, p.Ask)
		}
		if got := strings.Join(got, " / "); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
	for last, want := range map[string]string{"and the cache?": "how is it emptied (cache)?", "thanks a lot, that helped!": "how is it emptied (worker pool)?", "what does `for` do?": "how is it emptied (worker pool)?"} {
		if got := splitQuestion("how is it emptied?", append(earlier, last)).Parts[0].Ask; got != want {
			t.Errorf("after %q: %q, want %q", last, got, want)
		}
	}
}

func TestPartsKnowThoseBeforeThem(t *testing.T) {
	session := []contract.Earlier{{Question: "What is a worker?", References: []string{}}, {Question: "Who runs it?", References: []string{"run.go:4"}}}
	session = append([]contract.Earlier{{Question: "Pool.Close", References: []string{"pool.go:9"}}}, session...)
	asked := func(parts ...string) []contract.Earlier {
		list := session
		for _, p := range parts {
			list = append(list[:len(list):len(list)], contract.Earlier{Question: p, References: []string{}})
		}
		return list
	}
	in := PartsIn{Question: "Where is the pool built? Who closes it, and what is logged?", Earlier: []string{"What is a worker?", "Who runs it?"}, Answered: []contract.Earlier{session[2], {Question: "Pool.Close", References: []string{"pool.go:9"}}}}
	got := in.split().Parts
	want := []Part{
		{Text: "Where is the pool built?", Ask: "Where is the pool built?", Earlier: asked()},
		{Text: "Who closes it", Ask: "Who closes it (pool built)?", Earlier: asked("Where is the pool built?")},
		{Text: "what is logged?", Ask: "what is logged?", Earlier: asked("Where is the pool built?", "Who closes it (pool built)?")},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if got := splitQuestion("What is A1? What is B1? What is C1? What is D1?", nil).Note; !strings.Contains(got, "4 questions") {
		t.Errorf("not said: %q", got)
	}
}

func FuzzSplitQuestion(f *testing.F) {
	for _, s := range []string{"How? And why?", "a and what b and how c?", "`x", "“a” and how?", "?", "what and what and what and how it is?"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		list := splitQuestion(question, []string{"What is the worker pool?"}).Parts
		if len(list) > maxParts {
			t.Errorf("%d parts", len(list))
		}
		asks := ""
		for _, p := range list {
			if p.Text == "" || p.Ask == "" {
				t.Errorf("an empty part of %q: %+v", question, list)
			}
			asks += p.Ask + "\n"
		}
		for _, w := range subjectWords(question) {
			if len(list) > 0 && !strings.Contains(asks, w) {
				t.Errorf("%q loses %q: %q", question, w, asks)
			}
		}
	})
}
