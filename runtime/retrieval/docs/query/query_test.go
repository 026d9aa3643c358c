package query

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func TestParse(t *testing.T) {
	for in, want := range map[string]Query{
		"how are roots opened?":                   {Text: "how are roots opened?"},
		"retry path:guide/** kind:MD":             {Text: "retry", Path: "guide/**", Kind: "MD", Read: []string{"path:guide/**", "kind:MD"}},
		`limits section:"getting started"`:        {Text: "limits", Section: "getting started", Read: []string{`section:"getting started"`}},
		`"connection  pool" size`:                 {Text: "connection pool size", Phrases: []string{"connection pool"}, Read: []string{`"connection  pool"`}},
		"what is “back-off”":                      {Text: "what is back-off", Phrases: []string{"back-off"}, Read: []string{"“back-off”"}},
		"cache -redis":                            {Text: "cache", Not: []string{"redis"}, Read: []string{"-redis"}},
		"after:2026-02 before:2026-03-05 x":       {Text: "x", After: day("2026-02-01"), Before: day("2026-03-05"), Read: []string{"after:2026-02", "before:2026-03-05"}},
		"collection:manual tls":                   {Text: "tls", Collection: "manual", Read: []string{"collection:manual"}},
		`"how many connections are kept"`:         {Text: "how many connections are kept"},
		`"how many connections are kept" kind:md`: {Text: "how many connections are kept", Kind: "md", Read: []string{"kind:md"}},
		// what is no filter is asked
		"what does -v do":              {Text: "what does -v do"},
		"--no-expand -1 -":             {Text: "--no-expand -1 -"},
		`an "unclosed quote`:           {Text: `an "unclosed quote`},
		"std::vector http://x/y C:\\z": {Text: "std::vector http://x/y C:\\z"},
		"path: of a file":              {Text: "path: of a file"},
		"after:dinner":                 {Text: "after:dinner"},
		"path:a path:b":                {Text: "path:b", Path: "a", Read: []string{"path:a"}},
		`""`:                           {Text: `""`},
		"":                             {},
	} {
		if got := Parse(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q is read as\n%+v, want\n%+v", in, got, want)
		}
	}
}

func TestParseBoundsFilters(t *testing.T) {
	q := Parse(strings.Repeat("-word ", 40))
	if len(q.Not) != maxFilters || strings.Count(q.Text, "-word") != 40-maxFilters {
		t.Errorf("%d excluded, and %q is left", len(q.Not), q.Text)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`"a b" -cde path:x`, `section:"`, "after:2026-99-99", "“x” -", `kind:"a"b`, "\xff:\xfe"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := Operators(s)
		if len(q.Read) > maxFilters {
			t.Errorf("%d filters", len(q.Read))
		}
		if !q.Filters() && !strings.ContainsAny(s, "\"“”") && strings.Join(strings.Fields(s), " ") != strings.Join(strings.Fields(q.Text), " ") {
			t.Errorf("%q without filters is %q", s, q.Text)
		}
		for _, r := range q.Read {
			if !strings.Contains(s, r) {
				t.Errorf("%q was never written in %q", r, s)
			}
		}
		if slices.Contains(q.Phrases, "") || slices.Contains(q.Not, "") {
			t.Errorf("%q: an empty filter: %+v", s, q)
		}
	})
}

// A question of a client's is read in one pass, whatever it opens and never closes.
func TestAQuestionOfQuotesIsReadAtOnce(t *testing.T) {
	for _, text := range []string{"“ ", "“a ", `x:“ `, `path:“ `, `" `, "-\" ", `"" `, "“” ", "\"a\" "} {
		t.Run(text, func(t *testing.T) {
			clocktest.Linear(t, 1<<11, func(size int) func() {
				open := strings.Repeat(text, size)
				closed := open + "”\""
				return func() {
					Parse(open)
					Parse(closed)
				}
			})
		})
	}
}

// What is no pattern is no filter, and a question about one finds something.
func TestAPathThatIsNoPatternIsWords(t *testing.T) {
	for _, text := range []string{"path:[ pools", "path:{a,b pools", `path:"[a" pools`, "path:[[:x:]] pools", "path:/ pools", "path:./ pools", "path:" + strings.Repeat("{a,b}", 9) + " pools"} {
		if q := Parse(text); q.Filters() || !strings.Contains(q.Text, "pools") {
			t.Errorf("%s: %+v", text, q)
		}
	}
	if q := Parse("path:{a,b}/*.md pools"); q.Path != "{a,b}/*.md" || q.Text != "pools" {
		t.Errorf("%+v", q)
	}
}
