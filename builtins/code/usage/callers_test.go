package usage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

var shutdownTree = map[string]string{
	"app/__init__.py": "",
	"app/state.py":    "def maybe_stop():\n    return 1\n",
	"app/loop.py": "from .state import maybe_stop\nfrom .pool import Pool\n\ndef loop():\n    maybe_stop()\n    run(cb=maybe_stop)\n\ndef again():\n" +
		"    maybe_stop()\n    maybe_stop()\n\nclass Work:\n    def go(self, p: Pool, q):\n        p.stop()\n        q.stop()\n",
	"app/pool.py":        "class Pool:\n    def stop(self):\n        pass\n\nclass Gate:\n    def stop(self):\n        pass\n\ndef unused_here():\n    pass\n",
	"tests/test_loop.py": "from app.state import maybe_stop\n\ndef test_it():\n    maybe_stop()\n    'maybe_stop()'\n",
}

func TestCallersAreListed(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"Who calls maybe_stop?", "Callers of `maybe_stop`, 3 calls in 1 file:\napp/loop.py:5,9,10: `loop`, `again` (2)\n" +
			"Handed on as a value: `loop` at app/loop.py:6\nIn tests 1 call: tests/test_loop.py:4\n\nDefined in app/state.py:1"},
		{"where is Pool.stop called from?", "Callers of `Pool.stop`, 1 call in 1 file:\n`Work.go` at app/loop.py:14\n\nDefined in app/pool.py:2\n" +
			"1 place more may mean it, on a value whose type is not shown: app/loop.py:15"},
		{"who calls unused_here?", "`unused_here` (app/pool.py:9) is not called anywhere else in the tree."},
		{"who uses Pool?", "Users of `Pool`, 1 use in 1 file:\n`Work.go` at app/loop.py:13\n\nDefined in app/pool.py:1"},
		{"who calls Gate.stop?", "No place is certain to use `Gate.stop` (app/pool.py:6).\n" +
			"1 place may mean it, on a value whose type is not shown: app/loop.py:15"},
		{"who calls stop?", "Callers of `Pool.stop`, 1 call in 1 file:\n`Work.go` at app/loop.py:14\n\nDefined in app/pool.py:2\n\n" +
			"The name has 1 definition more, none of which is certain to be called outside of tests.\n" +
			"1 place more may mean one of them, on a value whose type is not shown: app/loop.py:15"},
		{"who calls stop of the gate?", "No place is certain to use `Gate.stop` (app/pool.py:6).\n" +
			"1 place may mean it, on a value whose type is not shown: app/loop.py:15"},
		{"who calls the stop method of Pool", "Callers of `Pool.stop`, 1 call in 1 file:\n`Work.go` at app/loop.py:14\n\nDefined in app/pool.py:2\n" +
			"1 place more may mean it, on a value whose type is not shown: app/loop.py:15"},
		{"who calls what_is_not_there?", "Nothing in the code is called `what_is_not_there`."},
		{"who calls?", "The question names nothing whose callers could be listed."},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, shutdownTree), map[string]any{"question": c.question})
		if d := cmp.Diff(c.want, got.Summary); d != "" {
			t.Errorf("%s\n%s", c.question, d)
		}
	}
}

// TestCallersAreBounded asks for a name with thousands of calls: all are counted, and
// the text says that it is cut.
func TestCallersAreBounded(t *testing.T) {
	files := map[string]string{"state.py": "def maybe_stop():\n    return 1\n"}
	for i := range 60 {
		files[fmt.Sprintf("d%02d/use.py", i)] = "from state import maybe_stop\n\ndef f():\n" + strings.Repeat("    maybe_stop()\n", 50)
	}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls maybe_stop?", "tokens": 200})
	if len(got.Summary) > 900 || len(got.References) > maxSiteRefs+4 {
		t.Errorf("%d bytes and %d references", len(got.Summary), len(got.References))
	}
	for _, want := range []string{"3000 calls in 60 files", "and 34 more there", "more: d", "elsewhere ("} {
		if !strings.Contains(got.Summary, want) {
			t.Errorf("no %q in\n%s", want, got.Summary)
		}
	}
}

// TestCallersInBigFilesAreBounded has more of big files than are parsed: what defines the
// name is among those that are, and the reply says that some are not.
func TestCallersInBigFilesAreBounded(t *testing.T) {
	pad := strings.Repeat("# a line that says nothing at all, as there are so many of them\n", 45_000) // 2.9 MB
	files := map[string]string{"use.py": "from zz import maybe_stop\nmaybe_stop()\n", "zz.py": pad + "def maybe_stop():\n    return 1\n"}
	for i := range 4 {
		files[fmt.Sprintf("big%d.py", i)] = pad + "from zz import maybe_stop\nmaybe_stop()\n"
	}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls maybe_stop?"})
	if !strings.Contains(got.Summary, "4 calls in 4 files") || !strings.Contains(got.Summary, "Defined in zz.py:45001") {
		t.Error(got.Summary)
	}
	if got.Notes == nil || !strings.Contains(*got.Notes, "not all") {
		t.Errorf("notes are %v", got.Notes)
	}
}

// TestCallersFitSmallReplies asks in few tokens: the first caller stands in the text.
func TestCallersFitSmallReplies(t *testing.T) {
	env := codetest.NewEnv(t, shutdownTree)
	env.Tokens = 200
	got := codetest.MustCall[contract.Result](t, CallersOf(), env, map[string]any{"question": "who calls maybe_stop?"})
	if len(got.Summary) > source.MaxAnswerBytes(200)+80 || !strings.Contains(got.Summary, "app/loop.py:5") {
		t.Errorf("%d bytes: %s", len(got.Summary), got.Summary)
	}
}

// TestAPronounIsNoName: who asks for the callers of "it" means what was found before,
// though a test may have a function of that name.
func TestAPronounIsNoName(t *testing.T) {
	files := map[string]string{"state.py": "def maybe_stop():\n    return 1\n\ndef loop():\n    maybe_stop()\n", "tests/test_it.py": "def it():\n    pass\n\nit()\n"}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls it?", "references": []string{"state.py:1"}})
	if want := "Callers of `maybe_stop`, 1 call in 1 file:\n`loop` at state.py:5\n\nDefined in state.py:1"; got.Summary != want {
		t.Errorf("got %s", got.Summary)
	}
}

// TestCodeBelowDirectoriesOfDocuments has code where the name of the directory sounds like
// documents and examples: it is read, and stands behind the other callers.
func TestCodeBelowDirectoriesOfDocuments(t *testing.T) {
	lib := "class Pool:\n    def admit_all(self):\n        pass\n"
	use := "from pool import Pool\n\ndef main(p: Pool, q):\n    p.admit_all()\n"
	for _, c := range []struct {
		files          map[string]string
		question, want string
	}{
		{map[string]string{"src/demo/a.py": "def pack():\n    pass\n\ndef run():\n    pack()\n"}, "who calls pack?", "Callers of `pack`, 1 call in 1 file:\n`run` at src/demo/a.py:5\n\nDefined in src/demo/a.py:1"},
		{map[string]string{"docs/a.go": "package docs\n\nfunc pack() {}\n", "docs/b.go": "package docs\n\nfunc run() { pack() }\n"}, "who calls pack?", "Callers of `pack`, 1 call in 1 file:\n`run` at docs/b.go:3\n\nDefined in docs/a.go:3"},
		{map[string]string{"pool.py": lib, "examples/a.py": use, "serve.py": use, "docs/a.md": "Call `admit_all()`.\n"}, "who calls admit_all?", "Callers of `Pool.admit_all`, 2 calls in 2 files:\n`main` at serve.py:4\n`main` at examples/a.py:4\n\nDefined in pool.py:2"},
		{map[string]string{"pool.py": lib, "serve.py": "def main(q):\n    q.admit_all()\n", "examples/a.py": "class Other:\n    def admit_all(self):\n        pass\n\ndef main(q):\n    q.admit_all()\n"}, "who calls Pool.admit_all?",
			"Callers of `Pool.admit_all`, 1 call in 1 file:\n`main` at serve.py:2\n\nDefined in pool.py:2\n1 place more may mean it, on a value whose type is not shown: examples/a.py:6"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question})
		if d := cmp.Diff(c.want, got.Summary); d != "" {
			t.Errorf("%s\n%s", c.question, d)
		}
	}
}

// TestAnElementOfMarkupCallsItsComponent has components in JSX, Vue and Svelte; ends of
// elements, comparisons and type arguments are no elements.
func TestAnElementOfMarkupCallsItsComponent(t *testing.T) {
	const badge = "export function Badge(p: any) { return null; }\n"
	for _, c := range []struct{ file, text, want string }{
		{"a.tsx", "import { Badge } from './badge';\nexport const A = (on: boolean) => on ? <Badge x=\"1\"/> : <p>text <Badge\n  y=\"2\"></Badge></p>;\n", "`A` at a.tsx:2"},
		{"a.jsx", "import { Badge } from './badge';\nexport function A() {\n  return <Badge>text</Badge>;\n}\n", "`A` at a.jsx:3"},
		{"a.tsx", "import * as ui from './badge';\nexport const A = () => <><ui.Badge /></>;\n", "`A` at a.tsx:2"},
		{"a.vue", "<template>\n  <p>hi</p> <Badge x=\"1\" />\n</template>\n<script setup>\nimport { Badge } from './badge';\n</script>\n", "a.vue:2"},
		{"a.svelte", "<script>\nimport { Badge } from './badge';\n</script>\n{#if on}<Badge/>{/if}\n", "a.svelte:4"},
		{"a.tsx", "import { Badge } from './badge';\ntype P = Array<Badge>;\nconst no = (a: number) => a <Badge;\n", ""},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{"badge.tsx": badge, c.file: c.text}), map[string]any{"question": "who renders Badge?"})
		want := "Callers of `Badge`, 1 call in 1 file:\n" + c.want + "\n\nDefined in badge.tsx:1"
		if c.want == "" {
			want = "No place is certain to use `Badge` (badge.tsx:1)."
		}
		if d := cmp.Diff(want, got.Summary); d != "" {
			t.Errorf("%s: %s\n%s", c.file, c.text, d)
		}
	}
}

// TestCallsByTheNameOfAnImport calls what an import gives another name.
func TestCallsByTheNameOfAnImport(t *testing.T) {
	for _, c := range []struct{ file, text, user, use, want string }{
		{"a.py", "def pack(n):\n    return n\n", "b.py", "from a import pack as _p\n\ndef one():\n    return _p(1)\n\nlater = partial(_p, 2)\n", "`one` at b.py:4\nHanded on as a value: `later` at b.py:6"},
		{"a.ts", "export function pack(n: number) { return n; }\n", "b.ts", "import { spare, pack as p } from './a';\nexport const one = () => p(1);\n", "`one` at b.ts:2"},
		{"a.js", "exports.pack = function pack() {}\n", "b.js", "const { pack: p } = require('./a');\nfunction one() { p(1); }\n", "`one` at b.js:2"},
		{"src/a.rs", "pub fn pack() {}\n", "src/main.rs", "mod a;\nuse crate::a::{pack as p};\nfn main() { p(); }\n", "`main` at src/main.rs:3"},
		{"a.kt", "package x\nfun pack(n: Int) = n\n", "b.kt", "package y\nimport x.pack as p\nfun one() = p(1)\n", "`one` at b.kt:3"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{c.file: c.text, c.user: c.use}), map[string]any{"question": "who calls pack?"})
		if !strings.HasPrefix(got.Summary, "Callers of `pack`, 1 call in 1 file:\n"+c.want) || got.Confidence != contract.High {
			t.Errorf("%s: %s [%s]", c.user, got.Summary, got.Confidence)
		}
	}
	files := map[string]string{"a.py": "def pack(n):\n    return n\n", "c.py": "def pack(n):\n    return n\n", "b.py": "from c import pack as _p\n_p(1)\n"}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls pack in a.py?"})
	if strings.Contains(got.Summary, "Callers of `pack`, 1 call in 1 file:\nb.py:2\n\nDefined in a.py") {
		t.Errorf("the other module's: %s", got.Summary)
	}
}

// TestCallsInHolesOfStrings has code inside strings; formats, escaped braces and strings without
// holes hold none.
func TestCallsInHolesOfStrings(t *testing.T) {
	for _, c := range []struct{ file, text, question, want string }{
		{"a.py", "def pack(n):\n    return n\n\ndef one(n):\n    return f\"total {pack(n)} {pack(n):>8}\"\n", "who calls pack?", "Callers of `pack`, 1 call in 1 file:\n`one` at a.py:5"},
		{"b.py", "def pack(n):\n    return n\n\ndef one(n):\n    return rf'''{n:{pack(3)}} {{pack(4)}}\n{[\n        pack(5)]!r}''' + '{pack(6)}' + f\"{n:pack}\"\n\ndef two(n):\n    return pack(n)\n", "who calls pack?", "Callers of `pack`, 3 calls in 1 file:\nb.py:5,7,10: `one` (2), `two`"},
		{"c.sh", "branch() {\n  git status\n}\ntag=\"build-$(branch)\"\necho \"on `branch`\" '$(branch)'\ndeploy() {\n  push \"$(branch | tr '\"' x)\"\n}\n", "who calls branch?", "Callers of `branch`, 3 calls in 1 file:\nc.sh:4,5,7: `deploy`, top level (2)"},
		{"d.php", "<?php\nclass Page {\n    function title() { return 1; }\n    function show() { return \"a {$this->title()} b\"; }\n    function hide() { return '{$this->title()}'; }\n}\n", "who calls Page::title?", "Callers of `Page::title`, 1 call in 1 file:\n`Page::show` at d.php:4"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{c.file: c.text}), map[string]any{"question": c.question})
		if !strings.HasPrefix(got.Summary, c.want) {
			t.Errorf("%s: %s\nwant %s", c.file, got.Summary, c.want)
		}
	}
}

// TestCallsInShells has a function called, named by others, and handed on.
func TestCallsInShells(t *testing.T) {
	const head = "build() {\n  make\n}\n"
	for name, c := range map[string]struct{ text, want string }{
		"a command": {`build
build all | tee log
cd x && build; true || build &
out=$(build all)
echo "$(date)" ` + "`date` `build x`" + `
CC=gcc DIR="a b" N=$((1 + 2)) build
if ! build; then build; else build x; fi
while build 2>&1 >log; do :; done
deploy() { build; }
{ build
}
case $1 in
  a | b) build ;;
  c) echo; build;;
esac
long -a \
  -b | build
`, "Callers of `build`, 13 calls in 1 file:\na.sh:4,5,6,7,8,9,10,11,12,13,16,17,20: `deploy`, top level (12)"},
		"something else": {`git build
echo "x" build $build ${build} "$build"
./build.sh build/x x/build --build make-build build-x build.sh
build=1
(( build++ ))
echo hi >build
>build
cat $(<build)
echo hi > build 2>&1
[[ $1 == build ]]
long -a \
  build
case $1 in
  build) ;;
  a | build | b) ;;
esac
for x in build; do :; done
# build
cat <<X
build
X
`, "No place is certain to use `build`"},
		"handed on": {`trap build EXIT
steps=(test build)
all=(
  test
  build
)
retry() { "$@"; }
retry -n 3 build
export -f build
`, "Users of `build`, 5 uses in 1 file:\na.sh:4,5,8,11,12"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{"a.sh": head + c.text}), map[string]any{"question": "who calls build?"})
		if !strings.HasPrefix(got.Summary, c.want) {
			t.Errorf("%s: %s\nwant %s", name, got.Summary, c.want)
		}
	}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{"bin/tool": "#!/usr/bin/env bash\n" + head + "build all\n", "NOTES": "build (this)\n"}), map[string]any{"question": "who calls build?"})
	if want := "Callers of `build`, 1 call in 1 file:\nbin/tool:5\n"; !strings.HasPrefix(got.Summary, want) {
		t.Errorf("without an ending: %s\nwant %s", got.Summary, want)
	}
	files := map[string]string{"a.sh": head, "a.bats": "@test \"it\" {\n  build\n  run build x\n}\n"}
	got = codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls build?"})
	if want := "`build` (a.sh:1) is called in tests alone.\nIn tests 2 calls: a.bats:2 and 1 more there"; !strings.HasPrefix(got.Summary, want) {
		t.Errorf("bats: %s\nwant %s", got.Summary, want)
	}
}

// TestUsesByAnotherName has a module that imports something and hands it on by another name.
func TestUsesByAnotherName(t *testing.T) {
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"Python": {map[string]string{"pkg/gate.py": "class Guard:\n    pass\n", "pkg/__init__.py": "from .gate import Guard as PublicGuard\n",
			"use.py": "from pkg import PublicGuard\nfrom pkg.gate import Guard\n\none = Guard()\ntwo = PublicGuard()\n", "far.py": "from pkg import PublicGuard as P\n\nthree = P()\n",
			"other.py": "from elsewhere import PublicGuard\n\nfour = PublicGuard()\n"},
			"who uses Guard?", "Users of `Guard`, 3 uses in 2 files:\n`three` at far.py:3\nuse.py:4,5: `one`, `two`\n\nDefined in pkg/gate.py:1, used as `PublicGuard` (pkg/__init__.py:1) too"},
		"TypeScript": {map[string]string{"pack.ts": "export function pack(n: number) { return n; }\n", "index.ts": "export { pack as squeeze } from './pack';\n",
			"use.ts": "import { squeeze } from './index';\nexport const one = () => squeeze(1);\n"},
			"who calls pack?", "Callers of `pack`, 1 call in 1 file:\n`one` at use.ts:2\n\nDefined in pack.ts:1, used as `squeeze` (index.ts:1) too"},
		"many names for one file each": {map[string]string{"a.py": "class Guard:\n    pass\n", "b1.py": "from a import Guard as One\n", "b2.py": "from a import Guard as Two\n",
			"b3.py": "from a import Guard as Three\n", "b4.py": "from a import Guard as Four\n", "c.py": "from a import Guard as Public\n", "d.py": "from c import Public\n\nPublic()\n"},
			"who uses Guard?", "Users of `Guard`, 1 use in 1 file:\nd.py:3\n\nDefined in a.py:1, used as `Public` (c.py:1) too"},
		"for one file": {map[string]string{"a.py": "def pack(n):\n    return n\n", "b.py": "from a import pack as _p\n\n_p(1)\n", "c.py": "def _p(n):\n    return n\n\n\n_p(2)\n"},
			"who calls pack?", "Callers of `pack`, 1 call in 1 file:\nb.py:3\n\nDefined in a.py:1"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question})
		if got.Summary != c.want {
			t.Errorf("%s: %s\nwant %s", name, got.Summary, c.want)
		}
	}
}

// TestLinesOutsideOfDefinitions has a decorator between two definitions: it stands in neither.
func TestLinesOutsideOfDefinitions(t *testing.T) {
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, map[string]string{"a.py": "def timed(fn):\n    return fn\n\n@timed\ndef load(day):\n    return day\n\nclass Rate:\n    @timed\n    def read(self):\n        return 1\n"}), map[string]any{"question": "who uses timed?"})
	if want := "a.py:4,9: `Rate`, top level"; !strings.Contains(got.Summary, want) {
		t.Errorf("%s\nlacks %s", got.Summary, want)
	}
}

// Of how many files import something by another name, each costs about the same.
func TestManyAliases(t *testing.T) {
	def := relation.Def{Def: symbols.Def{Name: "pack", Kind: symbols.KindFunction, Line: 1, EndLine: 2}, Path: "a.py", Lang: symbols.Python}
	clocktest.Linear(t, 500, func(n int) func() {
		u := &Uses{heads: map[string]relation.Heads{}}
		u.files = append(u.files, rootUse{"", &fileUse{lang: symbols.Python, defs: [][]relation.Def{{def}}}})
		for i := range n {
			path := fmt.Sprintf("b%d.py", i)
			u.files = append(u.files, rootUse{"", &fileUse{lang: symbols.Python, defs: [][]relation.Def{nil},
				aliases: [][]relation.Alias{{{Name: "squeeze", Path: path, Line: 1, From: relation.Import{Spec: "elsewhere", Member: "pack"}}}}}})
		}
		return func() {
			if found, cut := u.aliasesOf(0, []rooted{{"", def}}); len(found) > 0 || cut {
				t.Errorf("%d are found", len(found))
			}
		}
	})
}

// TestNamesInFilesThatAreNotRead asks for callers of what stands in a language that is searched as
// text alone.
func TestNamesInFilesThatAreNotRead(t *testing.T) {
	files := map[string]string{"lib/a.nim": "proc fetchToken(user: string): string =\n  user\n", "lib/b.nim": "echo fetchToken(\"x\")\n"}
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": "who calls fetchToken?"})
	for _, want := range []string{"in the code that is read", "as text at lib/a.nim:1, lib/b.nim:1"} {
		if !strings.Contains(got.Summary, want) || got.Confidence != contract.Low {
			t.Errorf("%s [%s] lacks %s", got.Summary, got.Confidence, want)
		}
	}
}
