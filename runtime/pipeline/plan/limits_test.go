package plan

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// limitsEnv is an environment with what a client and the files may bring.
var limitsEnv = &schema.Schema{Type: schema.Object, Fields: []schema.Field{
	{Name: "input", Schema: &schema.Schema{Type: schema.Object, Fields: []schema.Field{
		{Name: "question", Schema: str("")}, {Name: "text", Schema: str("")}, {Name: "any", Schema: &schema.Schema{}}, {Name: "n", Schema: &schema.Schema{Type: schema.Integer}},
		{Name: "words", Schema: &schema.Schema{Type: schema.Array, Items: str("")}}, {Name: "list", Schema: &schema.Schema{Type: schema.Array, Items: &schema.Schema{}}}}}}}}

func limitsInput() map[string]any {
	words, list := make([]any, 2_000), make([]any, 2_000)
	for i := range words {
		words[i], list[i] = fmt.Sprintf("word%d", i), map[string]any{"n": i, "s": "x"}
	}
	return map[string]any{"input": map[string]any{"question": "where is the pool built?", "text": strings.Repeat("lorem ipsum ", 40_000), "any": "text", "n": 7,
		"words": words, "list": list}}
}

// exprBombs are sources that would take a server's memory or time.
var exprBombs = map[string]string{
	"text doubled in a loop":       `reduce(1..60, #acc + #acc, input.question)`,
	"text doubled by let":          strings.Repeat(``, 1) + lets(40, `x%d + x%d`, `input.question`),
	"untyped text doubled":         `reduce(1..60, #acc + #acc, input.any)`,
	"list doubled":                 `reduce(1..60, concat(#acc, #acc), [1])`,
	"list that shares":             `reduce(1..60, [#acc, #acc], [1])`,
	"list that shares, by let":     lets(40, `[x%d, x%d]`, `[1]`),
	"map that shares":              `reduce(1..60, {a: #acc, b: #acc}, {a: 1})`,
	"sharing list as JSON":         `toJSON(reduce(1..60, [#acc, #acc], [1]))`,
	"sharing list as text":         `string(reduce(1..60, [#acc, #acc], [1]))`,
	"sharing list compared":        `reduce(1..60, [#acc, #acc], [1]) == reduce(1..60, [#acc, #acc], [1])`,
	"sharing list looked for":      `reduce(1..60, [#acc, #acc], [1]) in [reduce(1..60, [#acc, #acc], [1])]`,
	"sharing list flattened":       `flatten(reduce(1..60, [#acc, #acc], [1]))`,
	"sharing list as index":        `input.any[reduce(1..60, [#acc, #acc], input.list)]`,
	"sharing list as key":          `get(input.any, reduce(1..60, [#acc, #acc], input.list))`,
	"sharing list, largest of":     `max(reduce(1..60, [#acc, #acc], [1]))`,
	"sharing list, different ones": `uniq([reduce(1..60, [#acc, #acc], [1]), reduce(1..60, [#acc, #acc], [1])])`,
	"nested deep":                  `reduce(1..90000, [#acc], [1])`,
	"nested deep as JSON":          `toJSON(reduce(1..90000, [#acc], [1]))`,
	"nested deep compared":         `reduce(1..90000, [#acc], [1]) == reduce(1..90000, [#acc], [1])`,
	"nested deep from JSON":        `fromJSON(repeat("[", 9000) + repeat("]", 9000))`,
	"slice":                        `input.any[reduce(1..60, [#acc, #acc], input.list):2]`,
	"message":                      `input.any[repeat("x", 1000000)]`,
	"range":                        `1..1000000000`,
	"range counted":                `count(1..1000000000, true)`,
	"ranges":                       `[` + strings.Repeat(`1..900000, `, 40) + `1]`,
	"ranges in a loop":             `map(1..10000, 1..10000)`,
	"loops within loops":           `count(input.words, any(input.words, none(input.words, # == "x")))`,
	"loops within loops, untyped":  `all(input.list, all(input.list, all(input.list, true)))`,
	"loops of one":                 `any(input.list, any(input.list, any(input.list, false)))`,
	"finding":                      `find(input.words, any(input.words, find(input.words, # == "") != nil))`,
	"sums":                         `sum(input.words, sum(input.words, sum(input.words, 1)))`,
	"sums without a body":          `let b = 1..200000; reduce(1..200000, sum(b), 0)`,
	"counts without a body":        `let b = map(1..100000, false); reduce(1..200000, count(b), 0)`,
	"a method in a loop":           `let s = repeat("aaaaaaaaaaaaaaaaaaaa", 100000); let t = date("2020-01-01"); map(1..1000, t.Format(s))`,
	"a method of an element":       `let s = repeat("aaaaaaaaaaaaaaaaaaaa", 100000); let t = [date("2020-01-01"), 1]; map(1..1000, t[0].Format(s))`,
	"a method by name":             `let s = repeat("aaaaaaaaaaaaaaaaaaaa", 100000); let f = date("2020-01-01").Format; map(1..1000, f(s))`,
	"groups":                       `groupBy(input.words, reduce(input.words, #acc + #, ""))`,
	"sorts":                        `sortBy(input.words, len(sortBy(input.words, len(sort(input.words)))))`,
	"repeat":                       `repeat(input.text, 1000000)`,
	"repeat often":                 `map(1..1000, repeat("x", 1000000))`,
	"repeat repeated":              `repeat(repeat(repeat("x", 100000), 100000), 100000)`,
	"repeat negative":              `repeat("x", -9223372036854775807)`,
	"repeat a fraction":            `repeat(input.text, int(1e300))`,
	"replace":                      `replace(input.text, "", input.text)`,
	"replace often":                `replace(replace(replace(input.text, "o", repeat("o", 1000)), "o", repeat("o", 1000)), "o", repeat("o", 1000))`,
	"replace some":                 `replace(input.text, "o", input.text, 100000)`,
	"join":                         `join(input.words, input.text)`,
	"join in a loop":               `reduce(1..60, join([#acc, #acc], #acc), input.question)`,
	"split":                        `map(input.words, split(input.text, ""))`,
	"split and joined":             `reduce(1..60, join(split(#acc, ""), "--"), input.question)`,
	"trim":                         `map(input.words, trim(input.text, input.text))`,
	"letters":                      `map(input.words, upper(input.text))`,
	"length of a text in a loop":   `map(input.words, map(input.words, len(input.text)))`,
	"text compared in a loop":      `count(input.words, any(input.words, input.text + "a" == input.text + "b"))`,
	"text searched in a loop":      `count(input.words, any(input.words, input.text contains "zzz"))`,
	"text ordered in a loop":       `count(input.words, any(input.words, input.text + "a" < input.text + "b"))`,
	"index in a loop":              `count(input.words, any(input.words, indexOf(input.text, "zzz") > 0))`,
	"regex in a loop":              `count(input.words, input.text matches "(a|b|ab)*c")`,
	"regex of a text":              `input.text matches repeat("(a|b|ab)*", 1000)`,
	"regex made in a loop":         `count(1..100000, input.question matches ("x{" + string(#) + "}"))`,
	"regex of many repeats":        `input.question matches (repeat("(x{999})", 200))`,
	"base64":                       `reduce(1..60, toBase64(#acc + #acc), input.question)`,
	"JSON of JSON":                 `reduce(1..60, toJSON(#acc + #acc), "\"\\")`,
	"JSON parsed":                  `map(input.words, fromJSON(toJSON(input.list)))`,
	"reversed":                     `map(1..10000, reverse(input.list))`,
	"uniq":                         `map(1..100, uniq(1..10000))`,
	"medians":                      `map(1..1000, median(1..1000))`,
	"pairs":                        `map(1..10000, toPairs({a: 1, b: input.text}) )[0] == map(input.list, toPairs(#)) or any(1..100000, len(toPairs(input.list[0])) + len(input.list | filter(.n > 3)) > 100000)`,
	"dates":                        `count(input.words, any(input.words, date("2020-01-01").Format(input.text) == ""))`,
	"everything":                   `toJSON($env) + toJSON([$env, $env]) | repeat(1000)`,
}

// lets is a chain of declarations of which each uses the one before it twice.
func lets(n int, step, first string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "let x0 = %s; ", first)
	for i := range n {
		fmt.Fprintf(&b, "let x%d = "+step+"; ", i+1, i, i)
	}
	fmt.Fprintf(&b, "x%d", n)
	return b.String()
}

// TestExpressionsEnd evaluates each bomb: it is ended by its account, and counts
// what was allocated in all.
func TestExpressionsEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	env := limitsInput()
	for name, source := range exprBombs {
		t.Run(name, func(t *testing.T) {
			p, problem := compileExpr(source, limitsEnv, false)
			if problem != nil {
				t.Logf("refused when it is compiled: %s", problem.Message)
				return
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := p.Eval(env)
			runtime.ReadMemStats(&after)
			allocated := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%d MiB: %.120v", allocated, err)
			if allocated > 256 {
				t.Errorf("took %d MiB", allocated)
			}
			var e *EvalError
			switch {
			case err == nil:
				t.Errorf("it has a value of %T", v)
			case !errors.As(err, &e) || e.Code() != "EXPRESSION_LIMIT":
				if name != "message" {
					t.Errorf("%v", err)
				}
			}
			if len(err.Error()) > 1_000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
		})
	}
}

// TestOrdinaryExpressionsHaveRoom holds what a pipeline may well do with what it has.
func TestOrdinaryExpressionsHaveRoom(t *testing.T) {
	env := limitsInput()
	for source, want := range map[string]any{
		"`meter`": "meter",
		`findLast(input.words, # == "none") == nil`:                                    true,
		`date("2020-01-01").Format("2006")`:                                            "2020",
		`len(filter(input.list, .n > 10 and .s == "x"))`:                               1989,
		`count(input.words, # matches "^word[0-9]+5$")`:                                199,
		`join(map(input.words, upper(#)), ", ") contains "WORD1999"`:                   true,
		`input.text contains "ipsum" and input.text != input.question`:                 true,
		`len(uniq(input.words[:500]))`:                                                 500,
		`input.question + " " + string(input.n)`:                                       "where is the pool built? 7",
		`first(sortBy(input.list, -.n)).n`:                                             1999,
		`sum(input.list, .n)`:                                                          1999000,
		`sum(map(input.list, .n)) + count(map(input.words, # == "word5"))`:             1999001,
		`len(groupBy(input.list, .n % 7))`:                                             7,
		`len(fromJSON(toJSON(input.list)))`:                                            2000,
		`reduce(1..100, #acc + #, 0)`:                                                  5050,
		`any(input.list, let m = .n; any(input.words[:100], # == "word" + string(m)))`: true,
		`input.question matches input.any`:                                             false,
		`len(repeat("-", 1000))`:                                                       1000,
		`replace(input.question, "pool", "queue")`:                                     "where is the queue built?",
		`trim("  x ") + trim("--y--", "-")`:                                            "xy",
		`max(1, 7, 3) + min([4, 2])`:                                                   9,
		`get(input, "n") == 7 ? "a" : "b"`:                                             "a",
		`input?.any ?? "none"`:                                                         "text",
		`split("a,b,c", ",")[1]`:                                                       "b",
		`len(1..1000)`:                                                                 1000,
	} {
		p, problem := compileExpr(source, limitsEnv, false)
		if problem != nil {
			t.Errorf("%s: %s", source, problem.Message)
			continue
		}
		if got, err := p.Eval(env); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v (%T), %v; want %v", source, got, got, err, want)
		}
	}
}

// TestSourcesThatAreRefused are too large for the parser or the checker.
func TestSourcesThatAreRefused(t *testing.T) {
	for name, source := range map[string]string{
		"brackets":       strings.Repeat("(", 1<<20) + "1" + strings.Repeat(")", 1<<20),
		"lists":          strings.Repeat("[", 4000) + strings.Repeat("]", 4000),
		"signs":          strings.Repeat("-", 1<<20) + "1",
		"terms":          strings.Repeat("1+", 1<<20) + "1",
		"a pattern":      `input.question matches "` + strings.Repeat("(a{999})|", 400) + `b"`,
		"nested pattern": `input.question matches "((((a{30}){30}){30}){1})b"`,
		"the clock":      "now()",
		"a time zone":    `timezone("Europe/Zurich")`,
		"a guard":        `$env[" meter"](1)`,
	} {
		if p, problem := compileExpr(source, limitsEnv, false); problem == nil {
			if _, err := p.Eval(limitsInput()); err == nil {
				t.Errorf("%s: is taken", name)
			}
		}
	}
}

// TestTheReadsOfAnExpressionAreItsOwn: guards are not among them.
func TestTheReadsOfAnExpressionAreItsOwn(t *testing.T) {
	p, problem := compileExpr(`upper(input.question) + join(map(input.words, # + "x"), "") matches input.any`, limitsEnv, true)
	if problem != nil || !reflect.DeepEqual(p.Reads, []string{"input"}) || p.Type.Type != schema.Boolean {
		t.Errorf("%v %+v", problem, p)
	}
}

// FuzzEval evaluates whatever compiles: it ends, and what it makes can be written.
func FuzzEval(f *testing.F) {
	for _, source := range exprBombs {
		f.Add(source)
	}
	env := limitsInput()
	f.Fuzz(func(t *testing.T, source string) {
		hang := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("does not end: %q", source)) })
		defer hang.Stop()
		p, problem := compileExpr(source, limitsEnv, false)
		if problem != nil {
			return
		}
		if v, err := p.Eval(env); err == nil {
			_, _ = Plain(v, nil)
		}
	})
}
