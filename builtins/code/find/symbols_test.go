package find

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

var program = map[string]string{
	"pool/pool.go": `package pool

// Pool runs work on a fixed number of goroutines. It never grows.
type Pool struct{}

// New starts n workers.
func New(n int) *Pool { return &Pool{} }

// Close waits for all workers.
func (p *Pool) Close() {}
`,
	"queue/queue.go": "package queue\n\ntype Queue struct{}\n\nfunc (q *Queue) Close() {}\n\nfunc closeAll() { new(Queue).Close() }\n",
	"app.py":         "class Pool:\n    \"\"\"A pool.\"\"\"\n\n    def close(self):\n        pass\n\ndef Make(): pass\n",
	"queue/reset.go": "package queue\n\nfunc Reset() {}\n\nfunc (q *Queue) Reset() {}\n\nfunc Make() {}\n",
	"docs/pool.md":   "# Pool\n\n## Close\n",
	"notes.xyz":      "Close\n",
	"empty.go":       "",
}

func names(out SymbolsOutput) []string {
	list := []string{}
	for _, s := range out.Symbols {
		list = append(list, s.Ref+" "+s.Kind+" "+s.Name)
	}
	return list
}

func TestSymbolsOfAFile(t *testing.T) {
	env := codetest.NewEnv(t, program)
	got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"path": "pool/pool.go"})
	want := SymbolsOutput{Total: 3, Symbols: []Symbol{
		{Ref: "pool/pool.go:4", EndLine: 4, Kind: "struct", Name: "Pool", Signature: "type Pool struct", Doc: "Pool runs work on a fixed number of goroutines."},
		{Ref: "pool/pool.go:7", EndLine: 7, Kind: "function", Name: "New", Signature: "func New(n int) *Pool", Doc: "New starts n workers."},
		{Ref: "pool/pool.go:10", EndLine: 10, Kind: "method", Name: "Close", Container: "Pool", Signature: "func (p *Pool) Close()", Doc: "Close waits for all workers."},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	quoted := 0
	for _, s := range want.Symbols {
		quoted += len(s.Signature) + len(s.Doc)
	}
	if u := env.Ledger.Usage(); u.Files != 1 || u.Bytes != int64(quoted) {
		t.Errorf("usage %+v, want %d bytes of one file", u, quoted)
	}
	for in, want := range map[string]string{
		"kind: method": "pool/pool.go:10 method Close",
		"name: New":    "pool/pool.go:7 function New",
	} {
		key, value, _ := strings.Cut(in, ": ")
		got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"path": "pool/pool.go:7", key: value})
		if diff := cmp.Diff([]string{want}, names(got)); diff != "" {
			t.Errorf("%s:\n%s", in, diff)
		}
	}
}

func TestSymbolsOfAName(t *testing.T) {
	env := codetest.NewEnv(t, program)
	tests := []struct {
		name string
		in   map[string]any
		want []string
		note string
	}{
		{"whole tree", map[string]any{"name": "Close"}, []string{"docs/pool.md:3 heading Close", "pool/pool.go:10 method Close", "queue/queue.go:5 method Close"}, ""},
		{"one kind", map[string]any{"name": "Close", "kind": "method"}, []string{"pool/pool.go:10 method Close", "queue/queue.go:5 method Close"}, ""},
		{"of another kind", map[string]any{"name": "Close", "kind": "class", "under": "queue"}, []string{"queue/queue.go:5 method Close"}, "none is a class; other kinds are listed"},
		{"of another kind in a file", map[string]any{"path": "queue/queue.go", "name": "Close", "kind": "function"}, []string{"queue/queue.go:5 method Close"}, "none is a function; other kinds are listed"},
		{"of no kind", map[string]any{"name": "Nowhere", "kind": "class"}, []string{}, ""},
		{"in its container", map[string]any{"name": "Queue.Close"}, []string{"queue/queue.go:5 method Close"}, ""},
		{"in a container and not beside it", map[string]any{"name": "Queue.Reset"}, []string{"queue/reset.go:5 method Reset"}, ""},
		{"with its directory", map[string]any{"name": "queue.Make"}, []string{"queue/reset.go:7 function Make"}, ""},
		{"with its file", map[string]any{"name": "app.Make"}, []string{"app.py:7 function Make"}, ""},
		{"with a package that has no such place", map[string]any{"name": "pkg.Make"}, []string{"app.py:7 function Make", "queue/reset.go:7 function Make"}, ""},
		{"with its package", map[string]any{"name": "pool.New()"}, []string{"pool/pool.go:7 function New"}, ""},
		{"as another language writes it", map[string]any{"name": "Pool::close"}, []string{"app.py:4 method close"}, ""},
		{"under a directory", map[string]any{"name": "Close", "under": "queue"}, []string{"queue/queue.go:5 method Close"}, ""},
		{"in another case", map[string]any{"name": "CLOSEALL"}, []string{"queue/queue.go:7 function closeAll"}, "no definition is written exactly so; case was ignored"},
		{"not defined, only used", map[string]any{"name": "goroutines"}, []string{}, ""},
		{"nowhere", map[string]any{"name": "Nowhere"}, []string{}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, tt.in)
			if diff := cmp.Diff(tt.want, names(got)); diff != "" {
				t.Error(diff)
			}
			if got.Notes != tt.note || got.Total != len(tt.want) || got.Truncated {
				t.Errorf("total %d, truncated %v, notes %q", got.Total, got.Truncated, got.Notes)
			}
		})
	}
}

func TestSymbolsLimit(t *testing.T) {
	files := map[string]string{}
	for i := range 9 {
		files[fmt.Sprintf("f%d.go", i)] = "package f\n\nfunc Same() {}\n"
	}
	env := codetest.NewEnv(t, files)
	got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"name": "Same", "limit": 2})
	if diff := cmp.Diff([]string{"f0.go:3 function Same", "f1.go:3 function Same"}, names(got)); diff != "" || got.Total != 9 || !got.Truncated {
		t.Errorf("total %d, truncated %v\n%s", got.Total, got.Truncated, diff)
	}
	if u := env.Ledger.Usage(); u.Files != 2 {
		t.Errorf("%d files booked, want the 2 that are quoted", u.Files)
	}
}

func TestSymbolsUnderAnExhaustedLedger(t *testing.T) {
	env := codetest.NewEnv(t, program)
	env.Ledger = budget.New(budget.Limits{Files: 1})
	got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"name": "Close", "kind": "method"})
	want := SymbolsOutput{Total: 2, Truncated: true,
		Notes: "signatures left out of some files: budget: the limit of 1 files is reached; raise budget.files or ask a narrower question",
		Symbols: []Symbol{
			{Ref: "pool/pool.go:10", EndLine: 10, Kind: "method", Name: "Close", Container: "Pool", Signature: "func (p *Pool) Close()", Doc: "Close waits for all workers."},
			{Ref: "queue/queue.go:5", EndLine: 5, Kind: "method", Name: "Close", Container: "Queue"},
		}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"path": "queue/queue.go", "kind": "struct"})
	want = SymbolsOutput{Total: 1, Truncated: true, Notes: want.Notes, Symbols: []Symbol{{Ref: "queue/queue.go:3", EndLine: 3, Kind: "struct", Name: "Queue"}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSymbolsMaskSecrets(t *testing.T) {
	env := codetest.NewEnv(t, map[string]string{"a.go": "package a\n\n// Key is hunter2 by default.\nconst Key = \"hunter2\"\n\nfunc F() {}\n"})
	for _, in := range []map[string]any{{"path": "a.go"}, {"name": "Key"}} {
		got := codetest.MustCall[SymbolsOutput](t, Symbols(codetest.MaskWord), env, in).Symbols[0]
		want := Symbol{Ref: "a.go:4", EndLine: 4, Kind: "constant", Name: "Key", Signature: `const Key = "[REDACTED:word]"`, Doc: "Key is [REDACTED:word] by default."}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v:\n%s", in, diff)
		}
	}
}

func TestSymbolsErrors(t *testing.T) {
	env := codetest.NewEnv(t, program)
	tests := []struct {
		name, code, text string
		in               map[string]any
	}{
		{"nothing asked", "INVALID_INPUT", "give path, to list a file's definitions, or name", nil},
		{"not there", "PATH_NOT_FOUND", "code: pool/pol.go: not found; did you mean pool/pool.go?", map[string]any{"path": "pool/pol.go"}},
		{"a directory", "PATH_IS_DIRECTORY", "code: pool: a directory; name a file in it, or give name and under", map[string]any{"path": "pool"}},
		{"no such place to look", "PATH_NOT_FOUND", "code: nowhere/at/all: not found", map[string]any{"name": "x", "under": "nowhere/at/all"}},
		{"a name of two lines", "INVALID_INPUT", "code.symbols: input: name:", map[string]any{"name": "a\nb"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := codetest.Call[SymbolsOutput](t, Symbols(nil), env, tt.in)
			codetest.WantError(t, err, tt.code, tt.text)
		})
	}
	got := codetest.MustCall[SymbolsOutput](t, Symbols(nil), env, map[string]any{"path": "notes.xyz"})
	if got.Notes != "definitions are not read from files of this kind" || len(got.Symbols) != 0 || got.Truncated {
		t.Errorf("an unknown kind of file: %+v", got)
	}
}

func TestParseName(t *testing.T) {
	tests := map[string]SymbolName{
		"Close":           {Base: "Close"},
		" Pool.Close() ":  {Base: "Close", Container: "Pool"},
		"a.b.C":           {Base: "C", Container: "a.b"},
		"std::fs::read":   {Base: "read", Container: "std::fs"},
		"Foo#bar":         {Base: "bar", Container: "Foo"},
		`App\Http\Kernel`: {Base: "Kernel", Container: `App\Http`},
		"Getting started": {Base: "Getting started"},
		"v1. The start":   {Base: "v1. The start"},
		".hidden":         {Base: ".hidden"},
		"end.":            {Base: "end."},
	}
	for in, want := range tests {
		if got := ParseSymbolName(in); got != want {
			t.Errorf("ParseSymbolName(%q) = %+v, want %+v", in, got, want)
		}
	}
	for _, tt := range []struct {
		name, container string
		want            bool
	}{
		{"Pool.Close", "Pool", true}, {"engine.Pool.Close", "Pool", true}, {"Pool.Close", "engine.Pool", true},
		{"(*Pool).Close", "Pool", true}, {"Pool.Close", "Pool[T]", true}, {"Pool.Close", "Spool", false}, {"pool.Close", "Pool", false}, {"pool.Close", "", true},
	} {
		if got := ParseSymbolName(tt.name).matches(symbols.Def{Name: "Close", Container: tt.container}); got != tt.want {
			t.Errorf("%s is Close in %q: %v", tt.name, tt.container, got)
		}
	}
}

func FuzzSymbols(f *testing.F) {
	f.Add("pool/pool.go", "", "")
	f.Add("", "Pool.Close", "method")
	f.Add("", "a::b->c#d.e\\f", "heading")
	env := codetest.NewEnv(f, program)
	b := Symbols(codetest.MaskWord)
	f.Fuzz(func(t *testing.T, path, name, kind string) {
		got, err := b.Run(t.Context(), env, map[string]any{"path": path, "name": name, "kind": kind})
		if err == nil && len(got.(SymbolsOutput).Symbols) > got.(SymbolsOutput).Total {
			t.Fatalf("%+v", got)
		}
	})
}
