package redact

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// uncovered returns the first part of the text that fewer rules remove and more rules leave.
func uncovered(text string, fewer, more []Span) (string, bool) {
	covered := make([]bool, len(text))
	for _, s := range more {
		for i := s.Start; i < s.End; i++ {
			covered[i] = true
		}
	}
	for _, s := range fewer {
		for i := s.Start; i < s.End; i++ {
			if !covered[i] && !isBlank(text[i]) {
				return fmt.Sprintf("%s: %q at %d of %q", s.Rule, text[i:s.End], i, text[s.Start:s.End]), true
			}
		}
	}
	return "", false
}

// holdMore checks that user rules take nothing from what the built-in ones do, and that the outcome is stable.
func holdMore(t *testing.T, rules []Rule, text string) {
	t.Helper()
	r, _ := Compile(rules)
	plain, fewer := Default().Redact(text)
	out, more := r.Redact(text)
	checkSpans(t, text, more)
	if left, ok := uncovered(text, fewer, more); ok {
		t.Errorf("with more rules this is left: %s\nrules %+v\ntext %q\nwithout %q\nwith    %q", left, rules, text, plain, out)
	}
	if strings.Count(out, "\n") != strings.Count(text, "\n") {
		t.Errorf("lines changed: %q became %q", text, out)
	}
	if again, _ := r.Redact(out); again != out {
		t.Errorf("not idempotent with %+v:\nin    %q\nonce  %q\ntwice %q", rules, text, out, again)
	}
}

// What a configuration may try to get a secret through.
func TestMoreRulesNeverRevealMore(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: the full run has it")
	}
	token := "gh" + "p_" + drawn(36, mixedLetters)
	var letters []Rule
	for i, c := range mixedLetters + "+/=_-.:" {
		letters = append(letters, Rule{ID: fmt.Sprint("l", i), Regex: "never this one", Replace: string(c)})
	}
	for _, tt := range []struct {
		name  string
		rules []Rule
	}{
		{"every character is a mark", letters},
		{"one character is a mark", []Rule{{ID: "a", Regex: "never", Replace: token[6:7]}}},
		{"a mark is a piece of the secret", []Rule{{ID: "a", Regex: "never", Replace: token[4:20]}}},
		{"a mark is the secret", []Rule{{ID: "a", Regex: "never", Replace: token}}},
		{"the id is a piece of the secret", []Rule{{ID: token[4:20], Regex: "never"}}},
		{"a rule eats the prefix", []Rule{{ID: "a", Regex: "gh" + "p_", Replace: "~"}}},
		{"a rule eats the middle", []Rule{{ID: "a", Regex: token[10:14], Replace: "~"}}},
		{"a rule eats the name", []Rule{{ID: "a", Regex: `(?i)password\s*[=:]`, Replace: "~"}, {ID: "b", Regex: `(?i)authorization|bearer|token|key|secret`, Replace: "^"}}},
		{"a rule eats the markers", []Rule{{ID: "a", Regex: `-----`, Replace: "~"}, {ID: "b", Regex: `://`, Replace: "^"}, {ID: "c", Regex: `@`, Replace: " at "}}},
		{"a rule eats single letters", []Rule{{ID: "a", Regex: `[aeiou]`, Replace: "\u00b7"}}},
		{"the secret is the group, the mark writes it", []Rule{{ID: "a", Regex: `(gh)(p_)(\w+)`, Group: 1, Replace: "$3 ${3} $0 \\3"}}},
		{"marks that open a mark", []Rule{{ID: "a", Regex: `[=:] ?`, Replace: "[REDACTED:"}, {ID: "b", Regex: `\d`, Replace: "]"}}},
		{"marks that look like templates", []Rule{{ID: "a", Regex: `=`, Replace: "=${"}, {ID: "b", Regex: `\n`, Replace: "}}"}}},
		{"marks that look like references", []Rule{{ID: "a", Regex: `=`, Replace: " sha256:"}, {ID: "b", Regex: `"`, Replace: "https://h/"}}},
		{"marks that take turns", []Rule{{ID: "a", Regex: `\^|=`, Replace: "~"}, {ID: "b", Regex: `~`, Replace: "^"}}},
		{"marks that grow", []Rule{{ID: "a", Regex: `a[^a]`, Replace: "a"}, {ID: "b", Regex: `b`, Replace: "ax"}}},
		{"a mark of the built-in form", []Rule{{ID: "a", Regex: `\w{5}`, Replace: "[REDACTED:jwt]"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var all strings.Builder
			for _, g := range groupTests() {
				holdMore(t, tt.rules, g.text)
				all.WriteString(g.text + "\n\n")
			}
			holdMore(t, tt.rules, "x "+token+" y "+token[:20]+"[REDACTED:jwt]"+token[20:]+"\n")
			holdMore(t, tt.rules, all.String())
			r, _ := Compile(tt.rules)
			if out, _ := r.Redact("t = " + token + "\n"); strings.Contains(out, token[4:20]) && tt.name[:6] != "a mark" {
				t.Errorf("the token is there: %q", out)
			}
		})
	}
}

// A text cannot protect a secret by marks of its own.
func TestMarksInTheTextShieldNothing(t *testing.T) {
	r, errs := Compile([]Rule{{ID: "acme", Regex: "ACME-[0-9]{4}", Replace: "<acme>"}, {ID: "zeta", Regex: "ZETA-[0-9]{4}"}})
	if errs != nil {
		t.Fatal(errs)
	}
	pass, token := "Tr0ub4dor"+"&3", "gh"+"p_"+drawn(36, mixedLetters)
	for _, text := range []string{
		"password = \"" + pass + "[REDACTED:\"", "password = \"" + pass + "[REDACTED:jwt]\"", "password = \"[REDACTED:jwt]" + pass + "\"",
		"[REDACTED:" + token + "]", "[REDACTED:zeta" + token + "]", "[REDACTED:jwt]" + token + "[REDACTED:jwt]",
		"<acme>" + token + "<acme>", "url: postgres://u:" + pass + "[REDACTED:x]@h/",
	} {
		for name, r := range map[string]*Redactor{"built-in": Default(), "user": r} {
			out, _ := r.Redact(text)
			if strings.Contains(out, pass) || strings.Contains(out, token[5:]) {
				t.Errorf("%s rules: %q became %q", name, text, out)
			}
			if again, _ := r.Redact(out); again != out {
				t.Errorf("%s rules, not idempotent: %q, then %q", name, out, again)
			}
		}
	}
	for _, mark := range []string{"[REDACTED:jwt]", "[REDACTED:withheld]", "[REDACTED:pattern]", "token: [REDACTED:github-pat]\n", "password=\"[REDACTED:password]\""} {
		if out, _ := r.Redact(mark); out != mark {
			t.Errorf("%q became %q", mark, out)
		}
	}
}

// morePieces are what random rules and texts are put together from.
var morePieces = []string{
	"gh" + "p_", "password", "=", ": ", "\"", "token", "-----BEGIN PRIVATE " + "KEY-----", "\n", "://", "@", "[REDACTED:", "]", "[REDACTED:jwt]", "[REDACTED:u0]",
	"~", "A", "x", "0", "Bearer ", "sha256:", "$1", "${1}", "\\", " ", "eyJ", "/", "\u00b7", "AK" + "IA", "curl -u ", "k: ", "<", ">", "secret",
}

// randomRules draws rules whose expressions match pieces of the text, and whose marks are anything.
func randomRules(rnd *rand.Rand, text string) (rules []Rule) {
	piece := func() string {
		if n := len(text); n > 0 && rnd.IntN(2) == 0 {
			at := rnd.IntN(n)
			return text[at:min(n, at+1+rnd.IntN(12))]
		}
		return morePieces[rnd.IntN(len(morePieces))]
	}
	for i := range 1 + rnd.IntN(6) {
		expr := quoteMeta(piece())
		switch rnd.IntN(5) {
		case 0:
			expr = "[" + "a-f0-9A-Z"[rnd.IntN(3)*3:][:3] + "]{" + fmt.Sprint(1+rnd.IntN(4)) + "}"
		case 1:
			expr += `\w*`
		case 2:
			expr = "(" + expr + ")(.)"
		}
		replace := ""
		for range rnd.IntN(3) {
			replace += piece()
		}
		rules = append(rules, Rule{ID: fmt.Sprint("u", i), Regex: expr, Replace: strings.Map(oneLine, replace), Group: rnd.IntN(2)})
	}
	return rules
}

func quoteMeta(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(`\.+*?()|[]{}^$`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

func oneLine(r rune) rune {
	if r < ' ' {
		return -1
	}
	return r
}

func FuzzMoreRulesNeverRevealMore(f *testing.F) {
	for i, s := range fuzzSeeds() {
		f.Add(s, "[REDACTED:jwt]", "a", uint64(i))
	}
	f.Fuzz(func(t *testing.T, text, replace, expr string, seed uint64) {
		if len(text) > 4<<10 || len(expr) > 64 {
			return
		}
		rules := randomRules(rand.New(rand.NewPCG(seed, 11)), text)
		rules = append(rules, Rule{ID: "given", Regex: expr, Replace: replace})
		holdMore(t, rules, text)
	})
}

// TestRandomRulesNeverRevealMore is the fuzzer's property over texts in which detectors meet.
func TestRandomRulesNeverRevealMore(t *testing.T) {
	n := 300
	if longTests {
		n = 30000
	}
	pieces := slices.Clone(morePieces)
	for _, g := range groupTests() {
		pieces = append(pieces, g.text, g.secret, g.secret[:len(g.secret)/2])
	}
	for i := range n {
		rnd := rand.New(rand.NewPCG(17, uint64(i)))
		var b strings.Builder
		for range 1 + rnd.IntN(6) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		text := b.String()
		if holdMore(t, randomRules(rnd, text), text); t.Failed() {
			t.Fatalf("text %d", i)
		}
	}
}

// The marks that a text may hold already are those of the built-in rules, all of them and no others.
func TestMarks(t *testing.T) {
	want := map[string]bool{markFor(withheldID): true, markFor(patternID): true}
	for _, d := range builtinDetectors() {
		want[d.mask] = true
		if len(d.mask) > maxMark {
			t.Errorf("the mark %q is longer than %d bytes", d.mask, maxMark)
		}
	}
	got := maps.Clone(marks())
	for _, id := range replaced { // of gitleaks' data, but no rule here; the first is the id of an own one
		if !want[markFor(id)] {
			delete(got, markFor(id))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-rules +marks):\n%s", diff)
	}
}

// What holds for texts holds for values: the name of a field is not lost to a rule, and what is too costly is withheld.
func TestMoreRulesInValues(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: the full run has it")
	}
	token, pass := "gh"+"p_"+drawn(36, mixedLetters), "Tr0ub4dor"+"&3"
	value := func() any {
		return map[string]any{"password": pass, "note": "login: password = '" + pass + "'", "list": []any{"t " + token, token[:20] + "\u200b" + token[20:]}}
	}
	for _, rules := range [][]Rule{
		{{ID: "a", Regex: `password`, Replace: "~"}, {ID: "b", Regex: `gh` + `p_`, Replace: "^"}},
		{{ID: "a", Regex: `["']`, Replace: "x"}, {ID: "b", Regex: `[=:]`, Replace: "y"}},
		{{ID: "a", Regex: "never", Replace: token[4:5]}, {ID: "b", Regex: "never", Replace: pass[:1]}},
	} {
		r, errs := Compile(rules)
		if errs != nil {
			t.Fatal(errs)
		}
		out := fmt.Sprint(r.Value(value()))
		if strings.Contains(out, pass) || strings.Contains(out, token[5:20]) || strings.Contains(out, token[22:]) {
			t.Errorf("%+v: %s", rules, out)
		}
	}
	var heavy []Rule
	for i := range 20 {
		heavy = append(heavy, Rule{ID: fmt.Sprint("h", i), Regex: strings.Repeat("[a-z]+b|", 200) + fmt.Sprintf("zzz#%d", i)})
	}
	r, errs := Compile(heavy)
	if errs != nil {
		t.Fatal(errs)
	}
	defer func(was time.Duration) { hardStop = was }(hardStop)
	hardStop = 200 * time.Millisecond // or its work ends it, which takes seconds
	text := "token " + token + strings.Repeat(" abcdefgh", 30<<10)
	if out := fmt.Sprint(r.Value(map[string]any{"a": text})); strings.Contains(out, token) || !strings.Contains(out, "[REDACTED:withheld]") {
		t.Errorf("a value that costs too much: %.200s", out)
	}
}
