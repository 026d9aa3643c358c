package answers_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/lab/eval/answers"
)

func files(names ...string) func(string) bool {
	return func(path string) bool {
		for _, n := range names {
			if n == path {
				return true
			}
		}
		return false
	}
}

func caseOf(t *testing.T, line string) answers.Case {
	t.Helper()
	list, err := answers.ReadCases(strings.NewReader(line), "cases.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestScore(t *testing.T) {
	tree := files("a/pool.go", "b/queue.go", "README.md")
	const retries = `{"id":"r","kind":"how","question":"how often?","gold":["a/pool.go:10-20"],
		"nuggets":[{"need":["maxAttempts"],"weight":2},{"need":["re:back.?off"]},{"need":["@b/queue.go:5"]},{"need":["x","y","z"],"min":2}],
		"forbidden":[{"match":["Redis"],"why":"another store"}]}`
	for _, c := range []struct {
		name, line, reply, confidence string
		want                          string // of the figures that mean something
	}{
		{"all of it", retries, "`try` (a/pool.go:12) stops after MAXATTEMPTS, with back-off; see b/queue.go:5. x, z.", "high",
			`{"nuggets":1,"answered":1,"hit1":1,"hit3":1,"hit5":1,"denied":0}`},
		{"a part of a word is none", retries, "maxAttemptsOf xyz (b/queue.go:50, a/pool.go:23)", "med",
			`{"nuggets":0,"answered":0,"hit1":0,"hit3":1,"hit5":1,"denied":0}`},
		{"what a reference says is not said", retries, "a/pool.go:99", "med", `{"nuggets":0,"answered":0,"hit1":0,"hit3":0,"hit5":0,"denied":0}`},
		{"a range, and a bare path of the same file", retries, "a/pool.go and a/pool.go:1-9, ./b/queue.go:5-7", "med",
			`{"nuggets":0.2,"answered":0,"hit1":1,"hit3":1,"hit5":1,"denied":0}`},
		{"denied", retries, "Not found: nothing does that. Near: a/pool.go:99", "low", `{"nuggets":0,"answered":0,"hit1":0,"hit3":0,"hit5":0,"denied":1}`},
		{"wrong", retries, "It is kept in Redis (a/pool.go:10)", "high", `{"nuggets":0,"answered":0,"hit1":1,"hit3":1,"hit5":1,"denied":0,"forbidden":["another store"]}`},
		{"honest", `{"id":"n","question":"where is the web page?","answerable":false}`, "Not found: no file has it.", "low", `{"honest":1}`},
		{"guessed", `{"id":"n","question":"where is the web page?"}`, "In README.md", "med", `{"honest":0}`},
		{"denied in the words of what is forbidden", `{"id":"n","question":"where is the web page?","forbidden":[{"match":["Redis"],"why":"another store"}]}`, "Not found: nothing is kept in Redis.", "low",
			`{"honest":1,"forbidden":["another store"]}`},
		{"guessed what is forbidden", `{"id":"n","question":"where is the web page?","forbidden":[{"match":["Redis"],"why":"another store"}]}`, "In README.md, by Redis", "med",
			`{"honest":0,"forbidden":["another store"]}`},
		{"what must not follow", `{"id":"n","question":"q","nuggets":[{"need":["re:a/pool(?![.])"]}]}`, "the pool in a/pool.go", "med",
			`{"nuggets":0,"answered":0,"denied":0}`},
	} {
		got := answers.Score(caseOf(t, strings.ReplaceAll(c.line, "\n", " ")), answers.Reply{Text: c.reply, Confidence: c.confidence}, tree)
		raw, err := json.Marshal(map[string]any{"nuggets": got.Nuggets, "answered": got.Answered, "hit1": got.Hit1, "hit3": got.Hit3, "hit5": got.Hit5,
			"honest": got.Honest, "denied": got.Denied, "forbidden": got.Forbidden})
		if err != nil {
			t.Fatal(err)
		}
		var have, want map[string]any
		if json.Unmarshal(raw, &have) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatal("no objects")
		}
		for k, v := range have {
			w, _ := json.Marshal(want[k])
			h, _ := json.Marshal(v)
			if string(h) != string(w) {
				t.Errorf("%s: %s is %s, want %s", c.name, k, h, w)
			}
		}
	}
}

func TestCasesThatAreNone(t *testing.T) {
	for line, want := range map[string]string{
		"":                 "holds no case",
		"{":                "cases.jsonl:1: not a case",
		`{"question":"q"}`: "needs an id",
		`{"id":"a"}`:       "has no question",
		`{"id":"a","question":"q","nuggets":[{"need":[]}]}`:                    "nugget 1 needs an alternative",
		`{"id":"a","question":"q","nuggets":[{"need":["x"],"min":2}]}`:         "min be at most",
		`{"id":"a","question":"q","nuggets":[{"need":["re:("]}]}`:              "missing closing",
		`{"id":"a","question":"q","answerable":true}`:                          "neither nuggets nor gold",
		"{\"id\":\"a\",\"question\":\"q\"}\n{\"id\":\"a\",\"question\":\"q\"}": "stands on line 1 already",
	} {
		if _, err := answers.ReadCases(strings.NewReader(line), "cases.jsonl"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func FuzzScore(f *testing.F) {
	f.Add("a/pool.go:12-9 (b/queue.go:99999999999999999999) [x](README.md)", "maxAttempts")
	f.Fuzz(func(t *testing.T, text, need string) {
		c := answers.Case{ID: "x", Question: "q", Gold: []string{"a/pool.go:1-2"}, Nuggets: []answers.Nugget{{Need: []string{need}}}}
		got := answers.Score(c, answers.Reply{Text: text}, files("a/pool.go", "b/queue.go", "README.md"))
		if got.Nuggets == nil || *got.Nuggets < 0 || *got.Nuggets > 1 {
			t.Errorf("nuggets %v", got.Nuggets)
		}
	})
}
