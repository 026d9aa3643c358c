package redact

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/safety/redact/gitleaks"
)

var (
	update    = flag.Bool("update", false, "rewrite golden files")
	longTests = os.Getenv("COMPACTOR_LONG") != ""
)

// The list of rules is a golden, so that a new version of the data shows in review which rules came, went or changed.
func TestGitleaksRulesGolden(t *testing.T) {
	var b strings.Builder
	fmt.Fprintf(&b, "version %s\nglobal %s\n", gitleaks.Version, shortHash(gitleaks.Global()))
	for _, rule := range gitleaks.Rules() {
		fmt.Fprintf(&b, "%s %s\n", rule.ID, shortHash(rule))
	}
	const file = "testdata/gitleaks.golden"
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("rules changed (-golden +data); run with -update after review:\n%s", diff)
	}
}

func shortHash(v any) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", v)
	return fmt.Sprintf("%016x", h.Sum64())
}

func TestAllExpressionsCompile(t *testing.T) {
	ids := map[string]bool{}
	for _, d := range builtinDetectors() {
		if ids[d.id] || !validID(d.id) {
			t.Errorf("id %q is taken twice or not valid", d.id)
		}
		ids[d.id] = true
		for _, k := range d.keywords {
			if k == "" || k != strings.ToLower(k) || !isASCII(k) {
				t.Errorf("%s: keyword %q", d.id, k)
			}
		}
		if d.expr == "" {
			continue
		}
		if d.program().re().MatchString("") {
			t.Errorf("%s matches the empty text", d.id)
		}
		if d.path != nil {
			d.path.MatchString("")
		}
	}
	for _, rule := range gitleaks.Rules() {
		for _, a := range append(rule.Allow, gitleaks.Global()) {
			for _, expr := range append(a.Regexes, a.Paths...) {
				regexp.MustCompile(expr)
			}
		}
	}
}

// The engine runs an expression only at keywords and in windows. It must find all that the expression finds by itself
// in a whole text: texts are drawn from the expression, between others.
func TestEngineFindsWhatTheExpressionFinds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, rule := range gitleaks.Rules() {
		i := slices.IndexFunc(Default().detectors, func(d *detector) bool { return d.id == rule.ID })
		if doubts[rule.ID] != nil || slices.Contains(replaced, rule.ID) {
			continue
		}
		path := map[string]string{"hashicorp-tf-password": "a.tf"}[rule.ID]
		d := Default().detectors[i]
		re := regexp.MustCompile(rule.Regex)
		tree, err := syntax.Parse(rule.Regex, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			text := "x := 1\n" + strings.Repeat("lorem ipsum; ", 100) + rule.Keywords[rnd.IntN(len(rule.Keywords))] + " \n" +
				sample(rnd, tree) + "\n" + strings.Repeat("dolor sit amet, ", 100)
			s := scan{r: Default(), path: path, text: text, watch: newWatch(len(text))}
			s.run()
			for _, loc := range re.FindAllStringSubmatchIndex(text, -1) {
				plain := scan{r: Default(), path: path, text: text, watch: newWatch(len(text))}
				plain.acceptMatch(d, 0, text, loc)
				for _, want := range plain.found {
					if !slices.ContainsFunc(s.found, func(f finding) bool { return f.start <= want.start && f.end >= want.end }) {
						t.Errorf("%s: %q not found in %.200q", rule.ID, text[want.start:want.end], text[loc[0]:loc[1]])
					}
				}
			}
		}
	}
}

// sample draws a text that the expression matches.
func sample(rnd *rand.Rand, re *syntax.Regexp) string {
	var b strings.Builder
	draw(rnd, re, &b)
	return b.String()
}

func draw(rnd *rand.Rand, re *syntax.Regexp, b *strings.Builder) {
	times := func(low, high int) {
		if high < 0 || high > low+40 {
			high = low + 40
		}
		for range low + rnd.IntN(high-low+1) {
			draw(rnd, re.Sub[0], b)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		// ASCII only: the classes of (?i) hold a few exotic letters, beside which no keyword is found.
		for {
			i := 2 * rnd.IntN(len(re.Rune)/2)
			if lo, hi := re.Rune[i], min(re.Rune[i+1], '~'); lo <= hi {
				b.WriteRune(lo + rune(rnd.IntN(int(hi-lo)+1)))
				return
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte(mixedLetters[rnd.IntN(len(mixedLetters))])
	case syntax.OpCapture:
		draw(rnd, re.Sub[0], b)
	case syntax.OpStar:
		times(0, 3)
	case syntax.OpPlus:
		times(1, 40)
	case syntax.OpQuest:
		times(0, 1)
	case syntax.OpRepeat:
		times(re.Min, re.Max)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			draw(rnd, sub, b)
		}
	case syntax.OpAlternate:
		draw(rnd, re.Sub[rnd.IntN(len(re.Sub))], b)
	}
}
