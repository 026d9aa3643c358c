package redact

import (
	"fmt"
	"regexp/syntax"
	"strings"
	"testing"
	"time"
)

// costly are expressions that a configuration may use to keep every text busy, each as large as the limits allow or
// larger.
var costly = []struct {
	name    string
	rule    Rule
	text    string // repeated
	refused bool
}{
	{"nested counts", Rule{Regex: `(?:[a-z]{1,50}){1,50}#`}, "abcdefgh", true},
	{"nested counts below the limit", Rule{Regex: `(?:[a-z]{1,20}){1,20}#`}, "abcdefgh", false},
	{"one long count", Rule{Regex: `[a-z]{900}#`}, "abcdefgh", false},
	{"any characters counted", Rule{Regex: `a(?s:.){900}#`}, "aaaaaaaa", false},
	{"captures counted", Rule{Regex: `(((([a-z]{1,3}){1,4}){1,4}){1,4})#`}, "abcdefgh", false},
	{"captures counted, with a keyword", Rule{Regex: `(((([a-z]{1,3}){1,4}){1,4}){1,4})#`, Keywords: []string{"a"}}, "abcdefgh", false},
	{"alternatives", Rule{Regex: strings.Repeat("[a-z]+b|", 200) + "zzz#"}, "abcdefgh", false},
	{"classes of many ranges", Rule{Regex: strings.Repeat(`\pL?`, 40) + "#"}, "äöüßéñ", false},
	{"anchored at each character", Rule{Regex: `a[a-z]{1,20}(?:[a-z]{1,20}){1,20}#`, Keywords: []string{"a"}}, "aaaaaaaa", false},
	{"a match at each character", Rule{Regex: `[a-z]`, Replace: "~"}, "abcdefgh", false},
	{"a keyword at each character", Rule{Regex: `[a-z]#[0-9]`, Keywords: []string{"a", "b", "c", "d"}}, "abcd abcd ", false},
	{"stars", Rule{Regex: `(?:a*)*(?:a*)*(?:a*)*(?:a*)*b`}, "aaaaaaaa", false},
	{"a case for each letter", Rule{Regex: `(?i)` + strings.Repeat(`k{1,40}`, 12) + "#"}, "kKkKkKkK", false},
}

// Whether other texts are searched or withheld is said by their work alone.
func init() { hardStop = time.Hour }

// However costly the rules are, a text is searched or withheld soon after the hard stop, and never passed as it is.
func TestCostlyRules(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds of the processor")
	}
	size, many, stop := 100<<10, []int{300}, 200*time.Millisecond
	if longTests {
		size, many, stop = 800<<10, []int{1, 300}, 2*time.Second
	}
	for _, tt := range costly {
		for _, n := range many {
			t.Run(fmt.Sprintf("%s, %d times", tt.name, n), func(t *testing.T) {
				text := "token gh" + "p_" + drawn(36, mixedLetters) + "\n" + strings.Repeat(tt.text, size/len(tt.text))
				var rules []Rule
				for i := range n {
					rule := tt.rule
					rule.ID = fmt.Sprint("r", i)
					rule.Regex += fmt.Sprintf("|never%d", i)
					rules = append(rules, rule)
				}
				r, errs := Compile(rules)
				if tt.refused != (len(errs) == n) {
					t.Errorf("%d of %d refused: %v", len(errs), n, errs)
				}
				w := newWatch(len(text))
				w.stop = time.Now().Add(stop)
				spans := r.findSpans("", text, w)
				if out := replaceSpans(text, spans); strings.Contains(out, "gh"+"p_") {
					t.Errorf("the token is there: %.100q", out)
				}
				t.Logf("%d refused; withheld: %v", len(errs), spans[0].by.id == withheldID)
			})
		}
	}
}

// The size that is reckoned from the tree must not fall behind the program's.
func TestProgramSize(t *testing.T) {
	for _, expr := range []string{
		"a", "abc", "(?i)abc", "a|b|cd", "[a-z]+", "(a)(b)?", "a{5}", "a{2,}", "(?:ab){3,7}", "(?:[a-z]{1,5}){1,5}", "(?:(?:a|b){2}c*){10}", `\bx\d+\b`,
		"a{0,3}", "(?:a{0,20}){0,20}", "^$", ".", "(?:)",
	} {
		tree, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		prog, err := syntax.Compile(tree.Simplify())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := programSize(tree), len(prog.Inst)-2; got < want*2/3 || got > 3*want+2 { // "fail" and "match" are in every program
			t.Errorf("%s: reckoned %d, compiled %d", expr, got, want)
		}
	}
	for _, expr := range []string{"(?:(?:a{100}){100}){100}", strings.Repeat("(?:a{1,9}", 3) + strings.Repeat("){1,9}", 3), strings.Repeat("a", maxSteps+1)} {
		if _, _, problem := parseExpr(expr); !strings.Contains(problem, "costly") && !strings.Contains(problem, "repeat") {
			t.Errorf("%.30s: %q", expr, problem)
		}
	}
}

// A configuration that asks for more than all rules together may cost is told where.
func TestCostOfAllRules(t *testing.T) {
	var rules []Rule
	for i := range 40 {
		rules = append(rules, Rule{ID: fmt.Sprint("r", i), Regex: fmt.Sprintf("[a-z]{900}#%d", i)})
	}
	r, errs := Compile(rules)
	if len(errs) == 0 || len(errs) == len(rules) {
		t.Fatalf("%d of %d refused", len(errs), len(rules))
	}
	for i, e := range errs {
		if e.Index != len(rules)-len(errs)+i || e.Field != "regex" || !strings.Contains(e.Problem, "all patterns together have") {
			t.Errorf("got %+v", e)
		}
	}
	if want := len(Default().detectors) + len(rules) - len(errs); len(r.detectors) != want {
		t.Errorf("%d detectors, want %d", len(r.detectors), want)
	}
}
