package rules

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

func yes() *bool { v := true; return &v }
func no() *bool  { v := false; return &v }

func mustCompile(t testing.TB, list ...Rule) *Set {
	t.Helper()
	s, errs := Compile(list)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return s
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, server, tool string
		want                  bool
	}{
		{"create_issue", "github", "create_issue", true},
		{"create_issue", "github", "create_issues", false},
		{"*delete*", "s3", "bulkDelete", true},
		{"*DELETE*", "s3", "delete_bucket", true},
		{"*delete*", "git", "repo/branch.delete", true},
		{"**", "git", "a/b", true},
		{"get_?", "x", "get_a", true},
		{"get_?", "x", "get_", false},
		{"get_?", "x", "get_é", true},
		{"[gs]et", "x", "set", true},
		{"[gs]et", "x", "bet", false},
		{"[!gs]et", "x", "set", false},
		{"[^gs]et", "x", "bet", true},
		{"v[0-9]", "x", "v7", true},
		{"[A-C]x", "x", "bx", true},
		{`[\]]`, "x", "]", true},
		{"[a-]", "x", "-", true},
		{"{read,list}_*", "x", "list_files", true},
		{"{read,list}_*", "x", "write_files", false},
		{"file{,s}", "x", "file", true},
		{"{a,{b,c}d}e", "x", "cde", true},
		{`a\*`, "x", "a*", true},
		{`a\*`, "x", "ab", false},
		{`\!x`, "x", "!x", true},
		{`\/x`, "x", "/x", true},
		{"*a*b*c", "x", "xxaxxbxxabc", true},
		{"*a*b*c", "x", "xxaxxbxxabcd", false},

		{"/delete/", "x", "undelete_all", true},
		{"/^delete/", "x", "undelete_all", false},
		{"/Delete/", "x", "delete", false},
		{"/Delete/i", "x", "delete", true},
		{`/\b(read|list)\b/i`, "x", "List files", true},
		{"/a/b/", "x", "a/b", true},
		{"/^a.b$/s", "x", "a\nb", true},

		{"github.create_*", "github", "create_issue", true},
		{"github__create_*", "github", "create_issue", true},
		{"GitHub.*", "github", "create_issue", true},
		{"github.*", "gitlab", "create_issue", false},
		{`/^github\.create/`, "github", "create_issue", true},
		{`/^github__/`, "github", "create_issue", true},
		// Without a separator a pattern does not see the server.
		{"*issue*", "issues", "list", false},
		{"/issue/", "issues", "list", false},
		{"*.list", "issues", "list", true},
		{"files.read", "x", "files.read", true},
	} {
		s := mustCompile(t, Rule{Pattern: []string{c.pattern}, Enabled: no()})
		if got := !s.Decide(c.server, c.tool).Enabled; got != c.want {
			t.Errorf("%q against %s, %s: %v", c.pattern, c.server, c.tool, got)
		}
	}
}

func TestServers(t *testing.T) {
	for _, c := range []struct {
		field, server string
		want          bool
	}{
		{"", "anything", true}, {"github", "github", true}, {"github", "github2", false}, {"git*", "gitlab", true},
		{"GitHub", "github", true}, {"{a,b}", "b", true}, {"{a,b}", "c", false}, {"my server", "my server", true},
	} {
		s := mustCompile(t, Rule{Pattern: []string{"*"}, Server: c.field, Enabled: no()})
		if got := !s.Decide(c.server, "x").Enabled; got != c.want {
			t.Errorf("server %q against %q: %v", c.field, c.server, got)
		}
	}
}

func TestNegationsExcludeWhereverTheyStand(t *testing.T) {
	for _, list := range [][]string{{"*", "!*delete*"}, {"!*delete*", "*"}, {"!/delete/i", "*"}} {
		s := mustCompile(t, Rule{Pattern: list, Enabled: yes()})
		if d := s.Decide("x", "delete_all"); d.Enabled || d.Rule != -1 {
			t.Errorf("%q lets delete_all through: %+v", list, d)
		}
		if !s.Decide("x", "read").Enabled {
			t.Errorf("%q stops read", list)
		}
	}
	// The exclusion is from this rule only.
	s := mustCompile(t, Rule{Pattern: []string{"*", "!delete_*"}, Enabled: yes()}, Rule{Pattern: []string{"delete_draft"}, Enabled: yes()})
	if d := s.Decide("x", "delete_draft"); !d.Enabled || d.Rule != 1 {
		t.Errorf("a later rule does not count: %+v", d)
	}
}

func TestDecisions(t *testing.T) {
	s := mustCompile(t,
		Rule{Pattern: []string{"*"}, Tags: []string{"all"}},
		Rule{Pattern: []string{"!*force*", "delete_*"}, Enabled: no(), Tags: []string{"danger"}},
		Rule{Pattern: []string{"*_repo"}, Server: "git*", Enabled: yes(), Tags: []string{"git", "all"}},
		Rule{Pattern: []string{"/./"}, Tags: []string{"last"}},
	)
	for _, c := range []struct {
		server, tool string
		enabled      bool
		rule         int
		pattern      string
		tags         string
		why          string
	}{
		{"github", "delete_repo", false, 1, "delete_*", "all danger git last", `toolRules[1] pattern "delete_*" disables it`},
		{"github", "get_repo", true, 2, "*_repo", "all git last", `toolRules[2] pattern "*_repo" enables it`},
		{"s3", "get_repo", false, -1, "", "all last", "no rule enables it, and toolRules[2] makes a whitelist"},
		{"github", "delete_force_repo", true, 2, "*_repo", "all git last", `toolRules[2] pattern "*_repo" enables it`},
	} {
		d := s.Decide(c.server, c.tool)
		if d.Enabled != c.enabled || d.Rule != c.rule || d.Pattern != c.pattern || strings.Join(d.Tags, " ") != c.tags || d.Why != c.why {
			t.Errorf("%s.%s: %v rule %d %q tags %v: %s", c.server, c.tool, d.Enabled, d.Rule, d.Pattern, d.Tags, d.Why)
		}
	}
	var trace []string
	for _, step := range s.Decide("github", "delete_repo").Trace {
		trace = append(trace, step.String())
	}
	want := []string{
		`toolRules[0] matched by "*": tags it all`,
		`toolRules[1] matched by "delete_*": disables it; tags it danger`,
		`toolRules[2] matched by "*_repo": enables it, but an earlier rule decided; tags it git, all`,
		`toolRules[3] matched by "/./": tags it last`,
	}
	if !reflect.DeepEqual(trace, want) {
		t.Errorf("trace:\n%s", strings.Join(trace, "\n"))
	}
	steps := s.Decide("s3", "delete_force").Trace
	if got := steps[1].String(); got != `toolRules[1] not matched: excluded by "!*force*"` {
		t.Error(got)
	}
	if got := steps[2].String(); got != `toolRules[2] not matched: it is for server "git*"` {
		t.Error(got)
	}
}

func TestWhyNamesTheNegationThatKeptAToolOffTheWhitelist(t *testing.T) {
	s := mustCompile(t, Rule{Pattern: []string{"*", "!*delete*"}, Enabled: yes()})
	want := `no rule enables it, and toolRules[0] makes a whitelist (toolRules[0] would, but for "!*delete*")`
	if got := s.Decide("x", "delete").Why; got != want {
		t.Error(got)
	}
}

func TestNoWhitelist(t *testing.T) {
	s := mustCompile(t, Rule{Pattern: []string{"rm"}, Enabled: no()})
	if d := s.Decide("x", "ls"); !d.Enabled || d.Why != "no rule disables it" || s.Whitelist() {
		t.Errorf("%+v", d)
	}
	var none *Set
	for _, s := range []*Set{none, mustCompile(t)} {
		if d := s.Decide("x", "ls"); !d.Enabled || d.Rule != -1 {
			t.Errorf("%+v", d)
		}
	}
}

func TestUnused(t *testing.T) {
	s := mustCompile(t,
		Rule{Pattern: []string{"read*"}, Enabled: yes()},
		Rule{Pattern: []string{"raed*"}, Enabled: yes()},
		Rule{Pattern: []string{"*"}, Server: "gone", Enabled: yes()},
		Rule{Pattern: []string{"read*", "!*"}, Enabled: yes()},
	)
	if got := s.Unused([][2]string{{"a", "read_file"}, {"b", "write"}}); !reflect.DeepEqual(got, []int{1, 2, 3}) {
		t.Error(got)
	}
}

func TestMistakes(t *testing.T) {
	for _, c := range []struct {
		rule    Rule
		pattern int
		message string
	}{
		{Rule{Pattern: []string{"*"}}, -1, "says nothing"},
		{Rule{Enabled: yes()}, -1, `write pattern: ["*"]`},
		{Rule{Pattern: []string{"!a", "!b"}, Enabled: yes()}, -1, `put "*" before them`},
		{Rule{Pattern: []string{"*"}, Tags: []string{""}}, -1, "empty tag"},
		{Rule{Pattern: []string{"a", ""}, Enabled: yes()}, 1, "is empty"},
		{Rule{Pattern: []string{"*", "!"}, Enabled: yes()}, 1, "excludes nothing"},
		{Rule{Pattern: []string{"!!a"}, Enabled: yes()}, 0, `write "a"`},
		{Rule{Pattern: []string{" a"}, Enabled: yes()}, 0, "blanks"},
		{Rule{Pattern: []string{"a\xff"}, Enabled: yes()}, 0, "UTF-8"},
		{Rule{Pattern: []string{strings.Repeat("a", 1001)}, Enabled: yes()}, 0, "1001 bytes"},
		{Rule{Pattern: []string{"/a"}, Enabled: yes()}, 0, `write "/a/", or "\\/a"`},
		{Rule{Pattern: []string{"//"}, Enabled: yes()}, 0, "empty regular expression"},
		{Rule{Pattern: []string{"/a/x"}, Enabled: yes()}, 0, `the flag 'x' is not known; there are i (ignore case), s, m and U`},
		{Rule{Pattern: []string{"/a/g"}, Enabled: yes()}, 0, "leave it out"},
		{Rule{Pattern: []string{"/(/"}, Enabled: yes()}, 0, "missing closing )"},
		{Rule{Pattern: []string{"/^(?!x)/"}, Enabled: yes()}, 0, `use a second pattern that begins with "!"`},
		{Rule{Pattern: []string{"/(?=x)/"}, Enabled: yes()}, 0, "no look-around"},
		{Rule{Pattern: []string{"[ab"}, Enabled: yes()}, 0, "a [ is not closed"},
		{Rule{Pattern: []string{`[a\`}, Enabled: yes()}, 0, "a [ is not closed"},
		{Rule{Pattern: []string{"[a-"}, Enabled: yes()}, 0, "a [ is not closed"},
		{Rule{Pattern: []string{"[]"}, Enabled: yes()}, 0, "the brackets are empty"},
		{Rule{Pattern: []string{"[z-a]"}, Enabled: yes()}, 0, "write a-z"},
		{Rule{Pattern: []string{"{a,b"}, Enabled: yes()}, 0, "a { is not closed"},
		{Rule{Pattern: []string{"a}"}, Enabled: yes()}, 0, "a } closes no {"},
		{Rule{Pattern: []string{`a\`}, Enabled: yes()}, 0, "nothing follows the last backslash"},
		{Rule{Pattern: []string{strings.Repeat("{a,b}", 20)}, Enabled: yes()}, 0, "more than 256 patterns"},
		{Rule{Pattern: []string{"*"}, Server: "!x", Enabled: yes()}, -1, `put "!x.*" into pattern`},
		{Rule{Pattern: []string{"*"}, Server: "/x/", Enabled: yes()}, -1, "not a regular expression"},
		{Rule{Pattern: []string{"*"}, Server: "[x", Enabled: yes()}, -1, "server"},
	} {
		s, errs := Compile([]Rule{{Pattern: []string{"*"}, Enabled: yes()}, c.rule})
		if len(errs) != 1 {
			t.Errorf("%+v: %v", c.rule, errs)
			continue
		}
		e := errs[0]
		if e.Rule != 1 || e.Pattern != c.pattern || !strings.Contains(e.Message, c.message) {
			t.Errorf("%+v: %v", c.rule, e)
		}
		if s.Decide("x", "read").Enabled || !s.Whitelist() {
			t.Errorf("%+v: a set with mistakes enables tools", c.rule)
		}
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, errs := Compile([]Rule{{Pattern: []string{"[", "/x"}, Server: "!"}, {}})
	if len(errs) != 6 {
		t.Errorf("%d: %v", len(errs), errs)
	}
}

// TestCallersMayChangeTheirRules: a set is its own copy.
func TestCallersMayChangeTheirRules(t *testing.T) {
	list := []Rule{{Pattern: []string{"*"}, Enabled: no(), Tags: []string{"a"}}}
	s := mustCompile(t, list...)
	*list[0].Enabled, list[0].Tags[0] = true, "b"
	if d := s.Decide("x", "y"); d.Enabled || d.Tags[0] != "a" {
		t.Errorf("%+v", d)
	}
}

// Hostile names and patterns do not make a decision explode.
func TestLongNames(t *testing.T) {
	s := mustCompile(t, Rule{Pattern: []string{strings.Repeat("*a", 100) + "*b", "{a,aa}*{a,aa}*{a,aa}*{a,aa}*c", "/(a|aa)+$x/"}, Enabled: no()})
	clocktest.Linear(t, 5_000, func(size int) func() {
		name := strings.Repeat("a", size)
		return func() {
			if d := s.Decide("x", name); !d.Enabled {
				t.Errorf("a name of %d letters is disabled: %+v", size, d)
			}
		}
	})
}

func BenchmarkDecide(b *testing.B) {
	var list []Rule
	for i := range 100 {
		list = append(list, Rule{Pattern: []string{fmt.Sprintf("*tool_%d_*", i), "!*delete*", fmt.Sprintf("srv%d.get_*", i)}, Enabled: yes()})
	}
	s := mustCompile(b, list...)
	for b.Loop() {
		for i := range 1200 {
			s.Decide(fmt.Sprintf("srv%d", i%40), fmt.Sprintf("search_tool_%d_things", i))
		}
	}
}
