package symbols

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCalls(t *testing.T) {
	for _, c := range []struct {
		file, src, name string
		want            []string // line:col caller
	}{
		{"a.go", "package a\n\nfunc run() {\n\t// run()\n\ts := \"run()\"\n\tp.run(s); run[int](1)\n}\n\nvar x = run()\n\ntype T struct{}\n\nfunc (t T) run() { run() }\n",
			"run", []string{"6:4 run", "6:12 run", "9:9 x", "13:20 T.run"}},
		{"a.py", "def load(x):\n    '''load(1)'''\n    return load(x)\n\nclass A:\n    def go(self):\n        self.load(load)\n\nload(2)\n",
			"load", []string{"3:12 load", "7:14 A.go", "9:1 -"}},
		{"a.ts", "function send(a) {}\nclass A {\n  send(x: number) { return this.send<T>(x) }\n}\nconst b = () => { send(`${send(1)}`) }\nif (send) {}\n",
			"send", []string{"3:33 A.send", "5:19 b", "5:27 b"}},
		{"A.java", "class A {\n  void run(int x) { run(1); new Runner(); this.run(2); }\n  abstract void run();\n}\n",
			"run", []string{"2:21 A.run", "2:48 A.run"}},
		{"a.rs", "fn go() { go(); x.go::<u8>(); go!{1}; }\nmod t { fn f() { super::go() } }\n",
			"go", []string{"1:11 go", "1:19 go", "1:31 go", "2:25 t.f"}},
		{"a.c", "int f(int);\nint f(int a) { return f(a) + g(f); }\n#define F f(1)\n", "f", []string{"2:23 f"}},
		{"a.rb", "def go(x); end\ndef b\n  go(1)\n  self.go\n  go = 2\nend\n", "go", []string{"3:3 b", "4:8 b"}},
		{"a.sh", "go() { :; }\nb() {\n  go 1 # go\n  x=\"go\"; if go; then go; fi\n}\n", "go", []string{"3:3 b", "4:14 b", "4:23 b"}},
		{"a.ipynb", "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\n\"def f():\\n\",\n\"    g()\\n\"\n]}]}", "g", []string{"3:5 f"}},
		{"a.go", "package a\n", "absent", nil},
		{"a.md", "go()", "go", nil},
	} {
		src := []byte(c.src)
		var got []string
		for _, call := range Calls(c.file, src, Scan(c.file, src), c.name) {
			got = append(got, fmt.Sprintf("%d:%d %s", call.Line, call.Col, caller(call)))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s: -want +got\n%s", c.file, c.name, diff)
		}
	}
}

func caller(c Call) string {
	switch {
	case !c.HasCaller:
		return "-"
	case c.Caller.Container == "":
		return c.Caller.Name
	}
	return c.Caller.Container + "." + c.Caller.Name
}

// TestCallsOfAll lists what a function calls when no name is given.
func TestCallsOfAll(t *testing.T) {
	src := []byte("package a\n\nfunc main() {\n\tif ok() {\n\t\tfmt.Println(one(), two)\n\t}\n\tfor range three() {\n\t}\n}\n")
	var got []string
	for _, c := range Calls("a.go", src, Scan("a.go", src), "") {
		got = append(got, c.Name)
	}
	if diff := cmp.Diff([]string{"ok", "Println", "one", "three"}, got); diff != "" {
		t.Error(diff)
	}
}
