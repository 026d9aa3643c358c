package answer

import (
	"encoding/json"
	"fmt"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

const cacheDoc = `# Result cache

The cache keeps the replies of finished calls in memory. It is bounded by bytes, not by entries.

## Size

By default the cache holds 64 MiB. Set ` + "`cache.bytes`" + ` to change that; a value of 0 turns it off. Entries that were
not read for a long time are thrown out first, because new questions are more likely to repeat what was asked lately.

| option | default | meaning |
| --- | --- | --- |
| cache.bytes | 64 MiB | the most that is kept |
| cache.age | 10m | how long an entry lives |

## Clearing it

To empty the cache while the server runs, call the control socket:

` + "```sh\nmyserver control clear-cache --yes\n```" + `

The command waits until calls that are being answered have ended. It never removes pins.
`

const logDoc = `# Logging

Logs are written to standard error, one JSON object a line. The level is set by ` + "`log.level`" + `.

## Levels

The following levels are available:

- debug: everything, with arguments of calls.
- info: what a user would want to know. This is the default.
- warn: what may be a mistake.

## Rotation

The server does not rotate its log. Use logrotate or the journal of systemd, e.g. with a limit of 2.5 GB on disk.
`

// passages cuts documents at their headings of the second level.
func passages(docs ...string) (out []Passage) {
	for n, doc := range docs {
		at := 0
		for i, part := range strings.SplitAfter(doc, "\n\n## ") {
			out = append(out, Passage{ID: fmt.Sprintf("d%d#%d", n, i), URI: fmt.Sprintf("doc%d.md", n), Title: "Manual", Text: part, Start: at, End: at + len(part), Score: 1, Confidence: 0.6})
			at += len(part)
		}
	}
	return out
}

func compose(t *testing.T, question string, list []Passage, p Policy) Answer {
	t.Helper()
	a, err := Compose(question, list, p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// held holds citations against their documents.
func held(t *testing.T, cited []Citation, docs ...string) {
	t.Helper()
	for _, c := range cited {
		var n int
		if _, err := fmt.Sscanf(c.URI, "doc%d.md", &n); err != nil {
			t.Fatal(err)
		}
		if err := Check(c, docs[n]); err != nil {
			t.Error(err)
		}
	}
}

func TestComposeSaysWhatAnswers(t *testing.T) {
	for _, c := range []struct {
		name, question string
		want, without  []string
		kind           string
	}{
		{"a figure", "How much memory does the cache hold by default?", []string{"64 MiB"}, []string{"JSON"}, "amount"},
		{"a way with its command", "How do I empty the cache while the server runs?", []string{"control clear-cache --yes", "To empty the cache"}, []string{"logrotate"}, "way"},
		{"a cause", "Why are entries that were not read thrown out first?", []string{"because new questions"}, nil, "cause"},
		{"a list with its opening", "What are the log levels that are available?", []string{"debug: everything", "info: what", "warn: what may"}, []string{"64 MiB"}, "list"},
		{"an option", "Which option sets how long an entry lives?", []string{"cache.age | 10m", "| option | default | meaning |"}, nil, "option"},
		{"of two documents", "Where are logs written and what bounds the cache?", []string{"standard error", "bounded by bytes"}, nil, ""},
		{"its last sentence", "Does clearing remove pins?", []string{"never removes pins"}, []string{"logrotate"}, ""},
		{"an abbreviation inside", "What limit on disk can the journal of systemd have?", []string{"e.g. with a limit of 2.5 GB on disk."}, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := compose(t, c.question, passages(cacheDoc, logDoc), Policy{})
			if a.Abstained != "" || a.Kind != c.kind {
				t.Fatalf("%+v", a)
			}
			for _, w := range c.want {
				if !strings.Contains(a.Text, w) {
					t.Errorf("it does not say %q:\n%s", w, a.Text)
				}
			}
			for _, w := range c.without {
				if strings.Contains(a.Text, w) {
					t.Errorf("it says %q:\n%s", w, a.Text)
				}
			}
			held(t, a.Citations, cacheDoc, logDoc)
		})
	}
}

func TestComposeAbstains(t *testing.T) {
	for question, why := range map[string]string{
		"How do I configure single sign-on with Kerberos tickets?": NoSupport,
		"Which databases can replicate across regions?":            NoSupport,
		"¿?":                NoQuestion,
		"what is it":        NoQuestion,
		"":                  NoQuestion,
		"wo ist der Kaffee": NoSupport,
	} {
		if a := compose(t, question, passages(cacheDoc, logDoc), Policy{}); a.Abstained != why || a.Text != "" || len(a.Citations) != 0 {
			t.Errorf("%q: %+v; want %s", question, a, why)
		}
	}
	if a := compose(t, "How large is the cache?", nil, Policy{}); a.Abstained != NoPassages {
		t.Errorf("%+v", a)
	}
	if a := compose(t, "Which databases can replicate the cache?", passages(cacheDoc), Policy{Support: -1}); a.Abstained != "" || a.Text == "" {
		t.Errorf("asked for an answer in any case: %+v", a)
	}
}

func TestStylesAndBudgets(t *testing.T) {
	list := passages(cacheDoc, logDoc)
	length := map[Style]int{}
	for _, s := range Styles {
		length[s] = len(compose(t, "How is the cache bounded and cleared?", list, Policy{Style: s, Support: -1}).Text)
	}
	if !(length[Concise] < length[Default] && length[Default] <= length[Technical]) {
		t.Errorf("%v", length)
	}
	for _, p := range []Policy{{Style: "loud"}, {Tokens: -1}, {Support: 2}} {
		if _, err := Compose("x", list, p); err == nil {
			t.Errorf("%+v is taken", p)
		}
	}
	if n := tokens.Count(compose(t, "How is the cache bounded and cleared?", list, Policy{Tokens: 40, Support: -1}).Text); n < 10 || n > 48 {
		t.Errorf("%d tokens of forty", n)
	}
}

// TestSharedStretchesAreSaidOnce: chunks that overlap hold the same sentence.
func TestSharedStretchesAreSaidOnce(t *testing.T) {
	doc := "The queue is bounded. It drops the oldest entry when the queue is full. A dropped entry is counted.\n"
	var list []Passage
	for i, s := range []span{{0, 70}, {22, len(doc)}} {
		list = append(list, Passage{ID: fmt.Sprint(i), URI: "doc0.md", Text: doc[s.start:s.end], Start: s.start, End: s.end, Score: 1})
	}
	a := compose(t, "What happens when the queue is full?", list, Policy{})
	if strings.Count(a.Text, "drops the oldest") != 1 {
		t.Error(a.Text)
	}
	held(t, a.Citations, doc)
}

func TestPassagesThatDoNotFitTheirOffsetsAreNotCited(t *testing.T) {
	list := []Passage{{ID: "a", URI: "doc0.md", Text: "The queue is bounded by bytes.", Start: 3, End: 5}, {ID: "b", URI: "doc0.md", Text: "The queue is bounded by bytes.", Start: -30, End: 0}}
	if a := compose(t, "How is the queue bounded?", list, Policy{}); a.Abstained != NoPassages {
		t.Errorf("%+v", a)
	}
}

func TestCheck(t *testing.T) {
	const doc = "Größe ist wichtig."
	for _, c := range []struct {
		name string
		c    Citation
		ok   bool
	}{
		{"as it stands", Citation{Quote: "Größe", Start: 0, End: 7}, true},
		{"to the end", Citation{Quote: "wichtig.", Start: 12, End: len(doc)}, true},
		{"another word", Citation{Quote: "Menge", Start: 0, End: 5}, false},
		{"inside of a character", Citation{Quote: doc[3:7], Start: 3, End: 7}, false},
		{"beyond the end", Citation{Quote: "wichtig.", Start: 12, End: 99}, false},
		{"nothing", Citation{}, false},
		{"backwards", Citation{Quote: "x", Start: 5, End: 4}, false},
		{"before the beginning", Citation{Quote: "x", Start: -1, End: 0}, false},
	} {
		if err := Check(c.c, doc); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestSummarize(t *testing.T) {
	s, err := Summarize(passages(cacheDoc, logDoc), "", Policy{Tokens: 100})
	if err != nil || s.Text == "" || len(s.Citations) < 2 {
		t.Fatal(s, err)
	}
	held(t, s.Citations, cacheDoc, logDoc)
	if whole := len(cacheDoc) + len(logDoc); len(s.Text) > whole/2 {
		t.Errorf("%d bytes of %d", len(s.Text), whole)
	}
	f, err := Summarize(passages(cacheDoc, logDoc), "rotation of logs", Policy{Style: Concise})
	if err != nil || !strings.Contains(f.Text, "rotate") {
		t.Errorf("%+v %v", f, err)
	}
	if s, err := Summarize(nil, "", Policy{}); err != nil || s.Text != "" || s.Citations == nil {
		t.Errorf("%+v %v", s, err)
	}
}

func TestEqualRunsGiveEqualBytes(t *testing.T) {
	list := passages(cacheDoc, logDoc, strings.Repeat(logDoc+cacheDoc, 5))
	var first string
	for i := range 20 {
		s, err := Summarize(list, "cache", Policy{Style: Technical})
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal([]any{compose(t, "Which options and levels are there for the cache?", list, Policy{Style: Technical}), s, Entities(list)})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = string(b)
		}
		if string(b) != first {
			t.Fatal("another answer")
		}
	}
}

// TestHostileTextEnds: a hundred kilobytes, with COMPACTOR_LONG=1 a megabyte, of what makes careless readers slow. What is
// quadratic does not end within the time of the test.
func TestHostileTextEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	size := MaxBytes / 10
	if os.Getenv("COMPACTOR_LONG") != "" {
		size = MaxBytes
	}
	for name, piece := range map[string]string{
		"points": ".", "backticks": "`", "brackets": "[", "ticks and words": "` a", "one word": "a", "pipes": "| ", "items": "- a\n", "headings": "# a\n", "fences": "```\n",
		"quotes": "> ", "tags": "<", "rules": "a\n---\n", "empty lines": "\n", "dots and capitals": "A. B", "wide": "。あ", "numbers": "1.", "at": "a@b.", "paths": "a/", "options": " --a-", "capitals": "Aa Bb ", "bytes": "\xff\xfe",
		"marks": "[1]", "rows": "|a|b|\n|-|-|\n", "underscores": "a_", "digits": "9",
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(piece, size/len(piece)+1)
			list := []Passage{{ID: "a", URI: "doc0.md", Text: text, End: len(text), Score: 1}, {ID: "b", URI: "doc0.md", Text: "more", Start: len(text), End: len(text) + 4}}
			a := compose(t, "How do A and あ work? "+text, list, Policy{Support: -1})
			held(t, a.Citations, text+"more")
			s, err := Summarize(list, "a", Policy{})
			if err != nil {
				t.Fatal(err)
			}
			held(t, s.Citations, text+"more")
			if n := len(Entities(list)); n > MaxEntities {
				t.Error(n)
			}
			Keep(append(ReadClaims(text, list), Claim{Text: text, Quotes: []Quoted{{Text: text}}}), text, list)
		})
	}
}

func FuzzAnswers(f *testing.F) {
	f.Add("How much does the cache hold?", cacheDoc, "The cache holds 64 MiB [1]. It \"is bounded by bytes\".")
	f.Add("怎么清空缓存？", "缓存保存在内存中。它的默认大小是64 MiB！如何清空：运行命令。", "")
	f.Add("x", "a\x00\xff```\n|a|\n|-|\n- b\n\n    c\n---\n", "“a b c”[1][2, 1]")
	f.Add("Who is Ada?", "1. Dr. Ada Lovelace (b. 1815) lived in London. She wrote to a@b.co on 10 May 1843; see https://x.y/z, v1.2.3.", "")
	f.Add("what is a worker?", manual, "")
	f.Fuzz(func(t *testing.T, question, doc, reply string) {
		if len(question)+len(doc)+len(reply) > 1<<14 {
			return
		}
		half := charBoundary(doc, len(doc)/2)
		list := []Passage{{ID: "a", URI: "doc0.md", Title: question, Text: doc, End: len(doc), Score: 1, Confidence: 0.5}, {ID: "b", URI: "doc0.md", Text: doc[half:], Start: half, End: len(doc)}}
		for _, s := range Styles {
			a := compose(t, question, list, Policy{Style: s, Support: -1})
			verbatim(t, a.Citations, doc)
			if !(a.Support >= 0 && a.Support <= 1) {
				t.Error(a.Support)
			}
			sum, err := Summarize(list, question, Policy{Style: s})
			if err != nil {
				t.Fatal(err)
			}
			verbatim(t, sum.Citations, doc)
		}
		for _, e := range Entities(list) {
			if e.Count < len(e.Spans) || len(e.Spans) == 0 {
				t.Errorf("%+v", e)
			}
			for _, s := range e.Spans {
				if flattenText(doc[s.Start:s.End]) != e.Text || !whole(doc, s.Start, s.End) {
					t.Errorf("%+v: %q", e, doc[s.Start:s.End])
				}
			}
		}
		verbatim(t, Keep(ReadClaims(reply, list), question, list).Citations, doc)
	})
}

func verbatim(t *testing.T, cited []Citation, doc string) {
	t.Helper()
	for _, c := range cited {
		if err := Check(c, doc); err != nil || !whole(doc, c.Start, c.End) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// whole reports offsets that no character reaches over.
func whole(doc string, offsets ...int) bool {
	for _, at := range offsets {
		if at < len(doc) && !utf8.RuneStart(doc[at]) && utf8.ValidString(doc) {
			return false
		}
	}
	return true
}

// TestWhatStandsAroundASentence: an option is named by its heading alone, a passage
// may begin inside of code, a short list is one statement, and a table of contents
// answers nothing.
func TestWhatStandsAroundASentence(t *testing.T) {
	const doc = "  pool.close()\n}\n```\n\nA pool that was closed opens no connection again.\n\n" +
		"- [pool.linger](#pool-linger)\n- [Closing of pools](#closing-of-pools)\n\n" +
		"## pool.linger\n\n- **Type:** `number`\n- **Default:** `500`\n\nLimit for warnings about connections that are still open, in milliseconds.\n\n" +
		"## Stalled exports\n\nExports stall where the disk is slow. To solve it, try one of these:\n\n- Raise the quota of the disk.\n- Set `export.parts` to 4.\n- Wait for the night.\n"
	list := []Passage{{ID: "d", URI: "d.md", Text: doc, End: len(doc), Score: 1, Confidence: 0.6}}
	for _, c := range []struct{ question, says, not string }{
		{"How do I get rid of the warning about open connections?", "pool.linger", "](#"},
		{"Why do my exports stall on a slow disk?", "`export.parts`", "](#"},
		{"Does a closed pool open a connection again?", "A pool that was closed opens no connection again.", "```\n\nA pool"},
	} {
		a := compose(t, c.question, list, Policy{Support: -1})
		if !strings.Contains(a.Text, c.says) || strings.Contains(a.Text, c.not) {
			t.Errorf("%s\n%s", c.question, a.Text)
		}
		for _, cited := range a.Citations {
			if err := Check(cited, doc); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestInsideCode(t *testing.T) {
	for text, want := range map[string]bool{
		"# Title\n\n```\ncode\n```\n":                     false,
		"  x = 1;\n}\n```\n\nSaid.\n\n```js\ny()\n```\n":  true,
		"  x = 1;\n}\n```\n\nSaid in words.\n":            true,
		"Said in words.\n\n```\n  x = 1;\n":               false,
		"Said.\n\n```js\na()\n```\n\nMore.\n\n```\nb()\n": false,
		"no fence": false,
		"":         false,
	} {
		if got := insideCode(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestShortQuestionsInOtherWords: people ask in few words, and not in those of the
// documents.
func TestShortQuestionsInOtherWords(t *testing.T) {
	const doc = "# State in PostgreSQL\n\nWrites are batched.\n\n## Trouble\n\nWhere the server is unreachable, calls go on and writes wait. The tables have a schema of their own.\n\n" +
		"<h2 id=\"x\">\nHow are rows sorted?\n</h2>\n\nUse the flag `--order key`.\n\n" +
		"## Commands\n\n    state open      # begins to write\n    state export    # writes rows to a file\n    state purge     # deletes all rows\n\n" +
		"The file may say what differs:\n\n    limit: 3\n\n- Servers start when needed, and stop after five idle minutes.\n- Rows are kept for a week.\n\n" +
		"What does this have to do with pruning? Set `prune: false` to turn pruning off.\n"
	list := []Passage{{ID: "d", URI: "doc0.md", Title: "State in PostgreSQL", Text: doc, End: len(doc), Score: 1, Confidence: 0.5}}
	for _, c := range []struct{ question, says, not string }{
		{"what happens when postgresql is down", "calls go on", "--order"},
		{"sort rows", "`--order key`", "five idle"},
		{"get rid of rows", "state purge", "state open"},
		{"when do unused servers shut down", "five idle minutes", "what differs"},
		{"switch pruning off", "prune: false", "What does this"},
		{"disable pruning", "prune: false", "What does this"},
	} {
		a := compose(t, c.question, list, Policy{})
		if !strings.Contains(a.Text, c.says) || strings.Contains(a.Text, c.not) {
			t.Errorf("%s: support %.2f %+v\n%s", c.question, a.Support, a.Signs, a.Text)
		}
		held(t, a.Citations, doc)
	}
	for _, question := range []string{"replicate rows to mysql", "rotate the colours", "how much does a licence of postgresql cost"} {
		if a := compose(t, question, list, Policy{}); a.Abstained != NoSupport {
			t.Errorf("%s: support %.2f %+v\n%s", question, a.Support, a.Signs, a.Text)
		}
	}
}

// TestTheHeadingThatNamesTheSubjectIsSaid: a sentence that repeats all that is asked is
// still hard to place without the heading above it.
func TestTheHeadingThatNamesTheSubjectIsSaid(t *testing.T) {
	const doc = "# User guide\n\n## Working with flags\n\nFlags change what a command does.\n\n### Required flags\n\n" +
		"If a command has to fail without a flag, mark that flag as required:\n\n```go\ncmd.MarkFlagRequired(\"region\")\n```\n\n" +
		"### Overview\n\nPersistent flags of the root command are inherited by all others.\n"
	list := []Passage{{ID: "d", URI: "doc0.md", Title: "User guide", Text: doc, End: len(doc), Score: 1, Confidence: 0.5}}
	for _, c := range []struct{ question, says, not string }{
		{"how do I make a flag required?", "**Required flags**", "**Overview**"},
		{"required flags", "**Required flags**", "**Overview**"},
		{"are persistent flags inherited?", "Persistent flags", "**Overview**"},
	} {
		a := compose(t, c.question, list, Policy{})
		if !strings.Contains(a.Text, c.says) || strings.Contains(a.Text, c.not) {
			t.Errorf("%s: support %.2f\n%s", c.question, a.Support, a.Text)
		}
		held(t, a.Citations, doc)
	}
}

// TestTheFirstSentenceBelowAHeadingThatAsksIsSaid: "Yes, …" repeats none of the
// question's words.
func TestTheFirstSentenceBelowAHeadingThatAsksIsSaid(t *testing.T) {
	const doc = "# FAQ\n\n### Can the collector be made highly available?\n\nYes, run two identical ones on separate machines. A proxy in front of them takes out what comes twice.\n\n" +
		"The notifier supports high availability by itself: its instances elect one among them.\n\n" +
		"### Is batch work watched?\n\nOnly through the gate.\n\nSee also the advice on how batch work is watched elsewhere.\n"
	list := []Passage{{ID: "d", URI: "doc0.md", Title: "FAQ", Text: doc, End: len(doc), Score: 1, Confidence: 0.5}}
	for question, says := range map[string]string{
		"Can the collector be made highly available?": "Yes, run two identical ones",
		"is the collector highly available":           "Yes, run two identical ones",
		"is batch work watched":                       "Only through the gate.",
	} {
		a := compose(t, question, list, Policy{})
		if !strings.Contains(a.Text, says) {
			t.Errorf("%s: support %.2f\n%s", question, a.Support, a.Text)
		}
		held(t, a.Citations, doc)
	}
}

// TestLongQuestionsAreReadAsTheyStand: a synonym helps a question of two words; one of
// many has words of the documents among its own, and others lead astray.
func TestLongQuestionsAreReadAsTheyStand(t *testing.T) {
	list := passages("# Rules\n\nEach directory has rules of its own, and a parameter for them.\n")
	parts := splitUnits(list)
	countTerms(parts, list)
	for question, takes := range map[string]bool{
		"rules of a folder": true,
		"which rules hold for a folder on a mounted disk when the collector of nightly records restarts without its cache": false,
	} {
		if q := parseQuestion(question, parts); len(q.kin[termsOf("directory")[0]]) > 0 != takes {
			t.Errorf("%s: %d terms, %+v", question, len(q.terms), q.kin)
		}
	}
}

// TestLongQuestionsNeedLessOfThemInOnePlace holds support against the signs of what
// people asked.
func TestLongQuestionsNeedLessOfThemInOnePlace(t *testing.T) {
	for _, c := range []struct {
		name  string
		signs Signs
		says  bool
	}{
		{"how do I proxy api requests to a different backend, does it require a plugin", Signs{Best: 0.38, Own: 0.28, Known: 0.86, Paired: 0.33, Confidence: 0.43, Length: 0.4}, true},
		{"as little of a short question", Signs{Best: 0.38, Own: 0.28, Known: 0.86, Paired: 0.33, Confidence: 0.43, Length: 0.07}, false},
		{"a long question of something else", Signs{Best: 0.3, Own: 0.22, Known: 0.6, Paired: 0.1, Confidence: 0.15, Length: 0.6}, false},
	} {
		if got := c.signs.support(); got >= Threshold != c.says {
			t.Errorf("%s: %.2f", c.name, got)
		}
	}
}

// TestWordsWithoutTheFactAreNoHighConfidence: all words of a question stand together in
// documents that do not have what it asks for.
func TestWordsWithoutTheFactAreNoHighConfidence(t *testing.T) {
	const doc = "# SQLite in pure Go\n\nWhat must outlive a process is in SQLite through a Go library, pinned to a version. A file of it needs no server.\n\n" +
		"## Upgrading\n\nThe version of the schema stands in the file.\n"
	list := []Passage{{ID: "d", URI: "doc0.md", Title: "SQLite in pure Go", Text: doc, End: len(doc), Score: 1, Confidence: 0.6}}
	for _, question := range []string{"which go version do I need", "what version of go is needed"} {
		if a := compose(t, question, list, Policy{}); a.Confidence() == retrieval.High || a.Support < 0.8 {
			t.Errorf("%s: %s, support %.2f\n%s", question, a.Confidence(), a.Support, a.Text)
		}
	}
	list[0].Confidence = 1
	if a := compose(t, "SQLite in pure Go", list, Policy{}); a.Confidence() != retrieval.High {
		t.Errorf("%s, support %.2f\n%s", a.Confidence(), a.Support, a.Text)
	}
}
