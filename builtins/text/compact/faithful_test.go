package compact

import (
	"slices"
	"strings"
	"testing"
)

func TestFaithful(t *testing.T) {
	const source = `{"id": "acct-1042", "amount": 1204, "rate": 1.10, "path": "/srv/data/main.go", "note": "said \"not today\" to all\nof them",
"user": {"name": "Ada"}, "url": "https://example.org/a?b=c", "when": "2026-01-02T10:11:12Z"} The café — “at noon” – runs fooBar… and src/app.ts:12 (30%). commit 3f2a9c10e7b4d5a6978812345678900aabbccdde`
	for _, c := range []struct {
		name, summary string
		want          []string
	}{
		{"nothing", "", nil},
		{"plain words are not looked at", "The weather was fine and/or well-known, e.g. today.", nil},
		{"what stands there", "acct-1042 at /srv/data/main.go, rate 1.10 on 2026-01-02T10:11:12Z.", nil},
		{"another identifier", "acct-1043 has it", []string{"acct-1043"}},
		{"part of a number", "104 of them", []string{"104"}},
		{"a number spelled anew", "rate 1.1", []string{"1.1"}},
		{"a number with commas", "an amount of 1,204", nil},
		{"another number with commas", "an amount of 1,205", []string{"1,205"}},
		{"a path", "see /srv/data/main.go and main.go", nil},
		{"a hash in short", "in 3f2a9c1 and 3f2a9c10e7b4", nil},
		{"another hash in short", "in 3f2a9c2", []string{"3f2a9c2"}},
		{"another path", "see /srv/data/util.go", []string{"/srv/data/util.go"[1:]}},
		{"a place that stands", "src/app.ts:12", nil},
		{"a line that does not", "src/app.ts:99", []string{"src/app.ts:99"}},
		{"members of JSON", "user.name=Ada; items[0].id=acct-1042", nil},
		{"members that are none", "user.email=Ada", []string{"user.email"}},
		{"capitals in another case", "Foobar, FooBar", nil},
		{"capitals of nothing", "fooBaz", []string{"fooBaz"}},
		{"a quotation", `it said "not today" and "at noon"`, nil},
		{"a quotation over lines", `"to all of them"`, nil},
		{"a quotation made up", `it said "not tomorrow"`, []string{"not tomorrow"}},
		{"a quotation with an omission", `"The café … runs"`, nil},
		{"code", "call `fooBar` or `bazQux`", []string{"bazQux"}},
		{"a quoted line", "> said something else", []string{"said something else"}},
		{"a fence", "```\nrm -rf all\n```", []string{"rm -rf all"}},
		{"our counts", "[… 1,204 more lines like it] [40 rows] [… 7 paths: main.go (3)]", nil},
		{"another count in a note", "[… 5 servers down]", []string{"5"}},
		{"a name in a note", "[… 5 paths: util.go (3)]", []string{"util.go"}},
		{"a note in a fence", "```\nfooBar [… 5 more lines]\n```", nil},
		{"JSON of parts", `{"id":"acct-1042","note":"said \"not … of\nthem","x":"acct-1043"}`, []string{"acct-1043"}},
		{"an ordered list", "1. Ada\n2. fooBar\n", nil},
		{"cut tokens", "acct…042, /srv/da… and …ple.org", nil},
		{"cut tokens of nothing", "acct-9…042", []string{"acct-9", "042"}[:1]},
		{"marks beyond ASCII", "• fooBar → café", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Faithful(source, c.summary); !slices.Equal(got, c.want) {
				t.Errorf("Faithful(%q) = %q, want %q", c.summary, got, c.want)
			}
		})
	}
}

func FuzzFaithful(f *testing.F) {
	f.Add(`{"id": "a-1", "p": "/x/y.go"}`, "a-1 `b` \"c d\" [… 5 more lines] /x/…go 1. 1,000")
	f.Add("Ƿ0", "ƿ0")
	f.Add("a…b — c", "> a b\n```\nc\n```")
	f.Fuzz(func(t *testing.T, source, summary string) {
		for _, x := range Faithful(source, summary) {
			if strings.TrimSpace(x) == "" {
				t.Errorf("an empty claim in %q", summary)
			}
		}
		if got := Faithful(source, source); len(got) > 0 && !strings.ContainsAny(source, "`\"“>…\\") && !strings.Contains(source, "...") {
			t.Errorf("%q is not faithful to itself: %q", source, got)
		}
	})
}
