package errormsg

import (
	"bytes"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// literalsOf are those of a source that overlap a word.
func literalsOf(lang symbols.Lang, src, word string) []Literal {
	var at []int
	for i := 0; ; {
		n := strings.Index(src[i:], word)
		if n < 0 {
			break
		}
		at = append(at, i+n)
		i += n + 1
	}
	var out []Literal
	Literals(lang, []byte(src), at, func(l Literal) { out = append(out, l) })
	return out
}

// TestExplained lays what languages write on what users see of it.
func TestExplained(t *testing.T) {
	tests := map[string]struct {
		lang    symbols.Lang
		src     string
		message string
	}{
		"printf":          {symbols.Go, `return fmt.Errorf("pool %q is closed after %d jobs: %w", name, n, err)`, `pool "io" is closed after 12 jobs: EOF`},
		"concatenated":    {symbols.Java, "throw new E(\"pool \" + name +\n   \" is closed\"\n  + \" already\");", "pool io is closed already"},
		"f-string":        {symbols.Python, "raise E(f\"pool {name!r} is closed\"\n        f\" after {len(jobs)} jobs\")", "pool 'io' is closed after 12 jobs"},
		"implicit":        {symbols.Python, "raise E(\n    \"pool is closed\"\n    \" already\"\n    \" and gone\"\n)", "pool is closed already and gone"},
		"template":        {symbols.TypeScript, "throw new Error(`pool '${name}' is closed after ${jobs[\"n\"]} jobs`)", "pool 'io' is closed after 12 jobs"},
		"ruby":            {symbols.Ruby, `raise E, "pool [#{env['POOL_NAME']}] is closed"`, "pool [io] is closed"},
		"php":             {symbols.PHP, `<?php throw new E("Pool [{$name}] is closed."); `, "Pool [io] is closed."},
		"php dots":        {symbols.PHP, `<?php throw new E('Pool '.$name.' is closed.'); `, "Pool io is closed."},
		"csharp":          {symbols.CSharp, `throw new E("Pool {0} is closed after {1} jobs.".With(a, b));`, "Pool io is closed after 12 jobs."},
		"csharp, filled":  {symbols.CSharp, `throw new E($"Pool {name} is closed after {n} jobs.");`, "Pool io is closed after 12 jobs."},
		"rust":            {symbols.Rust, `panic!("pool {name} is closed after {} jobs", n);`, "pool io is closed after 12 jobs"},
		"swift":           {symbols.Swift, `fatalError("Pool \(name) is closed after \(jobs.count) jobs.")`, "Pool io is closed after 12 jobs."},
		"kotlin":          {symbols.Kotlin, `throw E("pool $name is closed after ${jobs.size} jobs")`, "pool io is closed after 12 jobs"},
		"c":               {symbols.C, `log(W,"pool %.40s is closed " "after %llu jobs", a, b);`, "pool io is closed after 12 jobs"},
		"scala":           {symbols.Scala, `throw new E(s"pool $name is closed after ${jobs.size} jobs")`, "pool io is closed after 12 jobs"},
		"line of many":    {symbols.Python, "GONE = \"\"\"\\\npool is closed already\n\nOpen another one, or wait, or read the manual.\n\"\"\"", "pool is closed already"},
		"properties":      {"", "pool.closed=Pool {0} is closed after {1} jobs\npool.open=x\n", "Pool io is closed after 12 jobs"},
		"yaml":            {symbols.YAML, "en:\n  pool:\n    closed: \"Pool %{name} is closed already\"\n", "Pool io is closed already"},
		"laravel":         {symbols.PHP, `<?php return ['closed' => 'The :pool is closed already.'];`, "The :pool is closed already."},
		"escaped":         {symbols.Go, `errors.New("pool \"io\" is closed\n")`, `pool "io" is closed`},
		"with a tail off": {symbols.Go, `errors.New("pool is closed and will not open again before the restart")`, "pool is closed and will not open again before"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			best := Fit{}
			var pieces []string
			for _, l := range literalsOf(tt.lang, tt.src, "closed") {
				if f := l.Explain(tt.message); f.Score() > best.Score() {
					best, pieces = f, l.Pieces
				}
			}
			if best.Of < .7 || best.Whole < .7 {
				t.Errorf("%q explains %q by %+v", pieces, tt.message, best)
			}
		})
	}
}

func TestExplainsNot(t *testing.T) {
	for _, literal := range []string{"queue is full", "pool", "%s %s", ": ", "the connection is closed by the peer on the other side"} {
		f := Literal{Pieces: splitGaps(nil, literal)}.Explain("pool io is closed already")
		if f.Of > .6 && f.Whole > .6 {
			t.Errorf("%q explains it by %+v", literal, f)
		}
	}
}

func TestManyLiterals(t *testing.T) {
	clocktest.Linear(t, 1<<13, func(size int) func() {
		src := []byte("package p\nvar x = []string{\n" + strings.Repeat("\t\"pool is closed\" + name +\n", size) + "}\n")
		var at []int
		for i := 0; i < len(src) && len(at) < size/32; i++ {
			if bytes.HasPrefix(src[i:], []byte("closed")) {
				at = append(at, i)
			}
		}
		return func() {
			n := 0
			Literals(symbols.Go, src, at, func(l Literal) {
				n++
				l.Explain("pool io is closed already")
			})
			if n == 0 {
				t.Error("no literals")
			}
		}
	})
}

func FuzzExplain(f *testing.F) {
	f.Add("raise E(f\"a {b['c']} d\" 'e')", "a x d e", byte(0))
	f.Add("`a ${`b ${c}`} d` + \"e", "a x d", byte(1))
	f.Add("k: v\n\"a\"=\n", "v", byte(2))
	langs := []symbols.Lang{symbols.Python, symbols.TypeScript, symbols.YAML, symbols.Ruby, symbols.PHP, symbols.Swift, symbols.CSharp, symbols.Go, ""}
	f.Fuzz(func(t *testing.T, src, message string, n byte) {
		at := make([]int, 0, len(src))
		for i := range len(src) {
			at = append(at, i)
		}
		Literals(langs[int(n)%len(langs)], []byte(src), at, func(l Literal) {
			if l.Start < 0 || l.End > len(src) || l.Start > l.End {
				t.Errorf("literal %d-%d of %d", l.Start, l.End, len(src))
			}
			if fit := l.Explain(message); fit.Of < 0 || fit.Of > 1 || fit.Whole < 0 {
				t.Errorf("%q in %q: %+v", l.Pieces, message, fit)
			}
		})
	})
}
