package usage

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// askCallers holds what is said of callers against a part of it, or all where that ends with $.
func askCallers(t *testing.T, files map[string]string, question, want string) {
	t.Helper()
	got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": question, "tokens": 400}).Summary
	if whole, ok := strings.CutSuffix(want, "$"); ok && got != whole || !ok && !strings.Contains(got, want) {
		t.Errorf("%s\nis:\n%s\nwant:\n%s", question, got, want)
	}
}

// TestCallersThroughTypesAbove wants a call on an interface or on a type above to be told as one
// that may mean what a type below has.
func TestCallersThroughTypesAbove(t *testing.T) {
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"an interface of Go": {map[string]string{
			"a.go": "package a\n\ntype Sender interface {\n\tSend()\n}\n\ntype Mail struct{}\n\nfunc (m *Mail) Send() {}\n\nfunc run(s Sender) {\n\ts.Send()\n}\n",
		}, "who calls Mail.Send?", "1 place may mean it, on a value whose type is not shown: a.go:12"},
		"another struct of Go": {map[string]string{
			"a.go": "package a\n\ntype Post struct{}\n\nfunc (p *Post) Send() {}\n\ntype Mail struct{}\n\nfunc (m *Mail) Send() {}\n\nfunc run(s *Post) {\n\ts.Send()\n}\n",
		}, "who calls Mail.Send?", "No place is certain to use `Mail.Send` (a.go:9)."},
		"an interface of Java, two types up": {map[string]string{
			"Sender.java": "interface Sender {\n  void send();\n}\n", "Base.java": "abstract class Base implements Sender {\n}\n",
			"Mail.java": "class Mail extends Base {\n  public void send() {}\n}\n", "Run.java": "class Run {\n  void run(Sender s) {\n    s.send();\n  }\n}\n",
		}, "who calls Mail.send?", "1 place may mean it, on a value whose type is not shown: Run.java:3"},
		"an interface of the library of Java": {map[string]string{
			"Mail.java": "import java.util.function.Supplier;\nclass Mail implements Supplier<String> {\n  public String get() { return \"\"; }\n}\n",
			"Run.java":  "import java.util.function.Supplier;\nclass Run {\n  void run(Supplier<String> s) {\n    s.get();\n  }\n}\n",
		}, "who calls Mail.get?", "1 place may mean it, on a value whose type is not shown: Run.java:4"},
		"a step that a class leaves open": {map[string]string{
			"Base.java": "abstract class Base {\n  void run() {\n    step();\n  }\n  abstract void step();\n}\n", "Sub.java": "class Sub extends Base {\n  void step() {}\n}\n",
		}, "who calls Sub.step?", "1 place may mean it, on a value whose type is not shown: Base.java:3"},
		"a mixin of Python": {map[string]string{
			"a.py": "class Mixin:\n    def run(self):\n        self.step()\n\n\nclass Sub(Mixin):\n    def step(self):\n        pass\n\n\nclass Other:\n    def step(self):\n        pass\n",
		}, "who calls Sub.step?", "1 place may mean it, on a value whose type is not shown: a.py:3"},
		"a protocol of Python": {map[string]string{
			"a.py": "from typing import Protocol\n\n\nclass Sender(Protocol):\n    def send(self): ...\n\n\nclass Mail:\n    def send(self):\n        pass\n\n\ndef run(s: Sender):\n    s.send()\n",
		}, "who calls Mail.send?", "1 place may mean it, on a value whose type is not shown: a.py:14"},
		"an interface of TypeScript": {map[string]string{
			"a.ts": "export interface Sender {\n  send(): void\n}\nexport class Mail {\n  send() {}\n}\nexport function run(s: Sender) {\n  s.send()\n}\n",
		}, "who calls Mail.send?", "1 place may mean it, on a value whose type is not shown: a.ts:8"},
		"a trait of Rust": {map[string]string{
			"a.rs": "trait Shape {\n    fn area(&self) -> f64;\n}\nstruct Circle;\nimpl Shape for Circle {\n    fn area(&self) -> f64 { 1.0 }\n}\nfn run(s: &dyn Shape) {\n    s.area();\n}\n",
		}, "who calls Circle::area?", "1 place may mean it, on a value whose type is not shown: a.rs:9"},
		"a protocol of Swift": {map[string]string{
			"a.swift": "protocol Sender {\n  func send()\n}\nclass Mail {\n  func send() {}\n}\nextension Mail: Sender {}\nfunc run(s: Sender) {\n  s.send()\n}\n",
		}, "who calls Mail.send?", "1 place may mean it, on a value whose type is not shown: a.swift:9"},
	} {
		t.Run(name, func(t *testing.T) { askCallers(t, c.files, c.question, c.want) })
	}
}

// TestCallersInBlocks wants the variable to be told that is in sight where something is called on
// it.
func TestCallersInBlocks(t *testing.T) {
	golang := "package a\n\ntype A struct{}\n\nfunc (a *A) Send() {}\n\ntype B struct{}\n\nfunc (b *B) Send() {}\n\n"
	script := "export class A {\n  send() {}\n}\nexport class B {\n  send() {}\n}\n"
	python := "class A:\n    def send(self):\n        pass\n\n\nclass B:\n    def send(self):\n        pass\n\n\n"
	java := "class A { void send() {} }\nclass B { void send() {} }\n"
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"two blocks of Go": {map[string]string{
			"a.go": golang + "func run(x bool) {\n\tif x {\n\t\tm := &A{}\n\t\tm.Send()\n\t} else {\n\t\tm := build()\n\t\tm.Send()\n\t}\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 1 call in 1 file:\n`run` at a.go:14\n"},
		"an if of Go": {map[string]string{
			"a.go": golang + "func run(m *A) {\n\tif m := (&B{}); m != nil {\n\t\tm.Send()\n\t} else {\n\t\tm.Send()\n\t}\n\tm.Send()\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 1 call in 1 file:\n`run` at a.go:17"},
		"two values of Go": {map[string]string{
			"a.go": golang + "func run() {\n\ta, b := &A{}, make()\n\ta.Send()\n\tb.Send()\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 1 call in 1 file:\n`run` at a.go:13"},
		"a closure of Go": {map[string]string{
			"a.go": golang + "func run(m *B) {\n\teach(func(m *A) {\n\t\tm.Send()\n\t})\n\tm.Send()\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 1 call in 1 file:\n`run` at a.go:13"},
		"tests of TypeScript": {map[string]string{
			"a.ts": script, "a.test.ts": "import { A, B } from './a'\ndescribe('x', () => {\n  it('a', () => {\n    const m = new A()\n    m.send()\n  })\n  it('b', () => {\n    const m = new B()\n    m.send()\n  })\n})\n",
		}, "who calls A.send?", "In tests 1 call: a.test.ts:5\n"},
		"a parameter of an arrow": {map[string]string{
			"a.ts": script + "export function run(xs) {\n  const m = new A()\n  xs.forEach(m => m.send())\n  xs.map((m, i) => {\n    m.send()\n  })\n  m.send()\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.ts:13"},
		"a loop of TypeScript": {map[string]string{
			"a.ts": script + "export function run(xs) {\n  const m = new A()\n  m.send()\n  for (const m of xs) {\n    m.send()\n  }\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.ts:9"},
		"what is taken apart": {map[string]string{
			"a.ts": script + "export function run(x) {\n  const m = new A()\n  m.send()\n  if (x) {\n    const { m, n } = x\n    m.send()\n  }\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.ts:9"},
		"one of two values of Python": {map[string]string{
			"a.py": python + "def run(x):\n    ok, m = A(), x\n    m.send()\n",
		}, "who calls A.send?", "1 place may mean it, on a value whose type is not shown: a.py:13"},
		"set with another": {map[string]string{
			"a.py": python + "def run(x):\n    m = A()\n    ok, m = x()\n    m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:14"},
		"a loop of Python": {map[string]string{
			"a.py": python + "def run(xs):\n    m = A()\n    for m in xs:\n        m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:14"},
		"an argument by name": {map[string]string{
			"a.py": python + "def run(x):\n    m = A()\n    log(\n        x,\n        m=build(),\n    )\n    m.send()\n",
		}, "who calls B.send?", "No place is certain to use `B.send` (a.py:7).$"},
		"set in an expression": {map[string]string{
			"a.py": python + "def run(x):\n    if m := A():\n        m.send()\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.py:13"},
		"blocks of Java": {map[string]string{
			"R.java": java + "class R {\n  void run(A m) {\n    m.send();\n    xs.forEach(m -> m.send());\n    for (B b : bs) { b.send(); }\n    try (B b = open()) { b.send(); }\n  }\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`R.run` at R.java:5"},
		"if let of Rust": {map[string]string{
			"a.rs": "struct A;\nimpl A { fn new() -> A { A } fn send(&self) {} }\nstruct B;\nimpl B { fn send(&self) {} }\nfn run(x: Option<B>) {\n    let m = A::new();\n    if let Some(m) = x {\n        m.send();\n    }\n    xs.iter().map(|m| m.send());\n    m.send();\n}\n",
		}, "who calls A::send?", "Callers of `A::send`, 1 call in 1 file:\n`run` at a.rs:11"},
		"a lambda of Kotlin": {map[string]string{
			"a.kt": "class A { fun send() {} }\nclass B { fun send() {} }\nfun run(xs: List<B>) {\n    val m = A()\n    xs.forEach { m ->\n        m.send()\n    }\n    m.send()\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.kt:8"},
		"one of two types": {map[string]string{
			"a.ts": script + "export function run(m: A | B, n: A | undefined) {\n  m.send()\n  n?.send()\n}\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.ts:8"},
	} {
		t.Run(name, func(t *testing.T) { askCallers(t, c.files, c.question, c.want) })
	}
}

// TestCallersOfResults follows what functions return, by their heads.
func TestCallersOfResults(t *testing.T) {
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"functions and methods of Go": {map[string]string{
			"go.mod":      "module x\n",
			"db/db.go":    "package db\n\ntype DB struct{}\n\nfunc Open(path string) (*DB, error) { return nil, nil }\n\nfunc (d *DB) Begin(write bool) (tx *Tx, err error) { return nil, nil }\n\nfunc (d *DB) Close() {}\n",
			"db/tx.go":    "package db\n\ntype Tx struct{}\n\nfunc (t *Tx) Close() {}\n\nfunc (t *Tx) Bucket(name string) *Bucket { return nil }\n\ntype Bucket struct{}\n\nfunc (b *Bucket) Close() {}\n",
			"cmd/main.go": "package main\n\nimport \"x/db\"\n\nfunc main() {\n\td, err := db.Open(\"a\")\n\td.Close()\n\ttx, err := d.Begin(true)\n\ttx.Close()\n\ttx.Bucket(\"b\").Close()\n}\n",
		}, "who calls Bucket.Close?", "Callers of `Bucket.Close`, 1 call in 1 file:\n`main` at cmd/main.go:10\n"},
		"the result of a result": {map[string]string{
			"go.mod":      "module x\n",
			"db/db.go":    "package db\n\ntype DB struct{}\n\nfunc Open(path string) (*DB, error) { return nil, nil }\n\nfunc (d *DB) Begin(write bool) (tx *Tx, err error) { return nil, nil }\n\nfunc (d *DB) Close() {}\n",
			"db/tx.go":    "package db\n\ntype Tx struct{}\n\nfunc (t *Tx) Close() {}\n",
			"cmd/main.go": "package main\n\nimport \"x/db\"\n\nfunc main() {\n\td, err := db.Open(\"a\")\n\ttx, err := d.Begin(true)\n\ttx.Close()\n}\n",
		}, "who calls Tx.Close?", "Callers of `Tx.Close`, 1 call in 1 file:\n`main` at cmd/main.go:8"},
		"methods of Java": {map[string]string{
			"Doc.java": "class Doc {\n  Element body() { return null; }\n  void clear() {}\n}\n", "Element.java": "class Element {\n  void clear() {}\n}\n",
			"Run.java": "class Run {\n  void run(Doc doc) {\n    doc.body().clear();\n    Element e = doc.body();\n    var f = doc.body();\n    f.clear();\n  }\n}\n",
		}, "who calls Element.clear?", "Callers of `Element.clear`, 2 calls in 1 file:\n`Run.run` at Run.java:3,6"},
		"functions of TypeScript": {map[string]string{
			"a.ts": "export class App {\n  use() {}\n}\nexport class Other {\n  use() {}\n}\nexport function createApp(): App {\n  return new App()\n}\n",
			"b.ts": "import { createApp } from './a'\nconst app = createApp()\napp.use()\n",
		}, "who calls App.use?", "Callers of `App.use`, 1 call in 1 file:\nb.ts:3"},
		"functions of Python": {map[string]string{
			"a.py": "class App:\n    def use(self):\n        pass\n\n\nclass Other:\n    def use(self):\n        pass\n\n\ndef create_app(name) -> App:\n    return App()\n",
			"b.py": "from a import create_app\n\n\ndef run():\n    app = create_app('x')\n    app.use()\n",
		}, "who calls App.use?", "Callers of `App.use`, 1 call in 1 file:\n`run` at b.py:6"},
		"functions of one name": {map[string]string{
			"a.py": "class App:\n    def use(self):\n        pass\n\n    def child(self) -> App:\n        pass\n\n\nclass Other:\n    def use(self):\n        pass\n\n    def child(self) -> Other:\n        pass\n",
			"b.py": "def run(x):\n    x.child().use()\n",
		}, "who calls App.use?", "1 place may mean it, on a value whose type is not shown: b.py:2"},
		"a builder": {map[string]string{
			"a.rs": "struct A;\nimpl A {\n    fn start(self) -> Self { self }\n    fn send(&self) {}\n}\nstruct B;\nimpl B { fn send(&self) {} }\nfn make() -> A { A }\nfn run() {\n    make().start().send();\n}\n",
		}, "who calls A::send?", "Callers of `A::send`, 1 call in 1 file:\n`run` at a.rs:10"},
		"a big file that defines the function too": {map[string]string{
			"a.py": "class App:\n    def use(self):\n        pass\n\n\nclass Other:\n    def use(self):\n        pass\n\n\ndef create_app(name) -> App:\n    return App()\n",
			"c.py": "def create_app(name) -> Other:\n    pass\n" + strings.Repeat("# more\n", bigFile/7+1), "b.py": "def run(x):\n    x.create_app().use()\n",
		}, "who calls App.use?", "1 place may mean it, on a value whose type is not shown: b.py:2"},
		"a list of what a function returns": {map[string]string{
			"a.go": "package a\n\ntype A struct{}\n\nfunc (a *A) Send() {}\n\ntype B struct{}\n\nfunc (b *B) Send() {}\n\nfunc list() []*A { return nil }\n\nfunc run() {\n\tm := list()[0]\n\tm.Send()\n}\n",
		}, "who calls B.Send?", "1 place may mean it, on a value whose type is not shown: a.go:15"},
		"a type that embeds one of its name": {map[string]string{
			"go.mod":  "module x\n",
			"db/a.go": "package db\n\ntype DB struct{}\n\nfunc (d *DB) Update() {}\n", "db/b.go": "package db\n\ntype Tx struct{}\n\nfunc (t *Tx) Update() {}\n",
			"test/a.go": "package test\n\nimport \"x/db\"\n\ntype DB struct {\n\t*db.DB\n}\n", "run/a.go": "package run\n\nimport \"x/test\"\n\nfunc run(d *test.DB) {\n\td.Update()\n}\n",
		}, "who calls DB.Update?", "1 place may mean it, on a value whose type is not shown: run/a.go:6"},
		"a type of its name in another package": {map[string]string{
			"a/a.go": "package a\n\ntype Server struct{}\n\nfunc (s *Server) Close() {}\n", "b/b.go": "package b\n\ntype Server struct{}\n\nfunc (s *Server) Close() {}\n\nfunc New() *Server { return nil }\n\nfunc run() {\n\ts := New()\n\ts.Close()\n}\n",
		}, "who calls a.Server.Close?", "Callers of `Server.Close`, 1 call in 1 file:\n`run` at b/b.go:11\n\nDefined in b/b.go:5\n\nThe name has 1 definition more, none of which is certain"},
	} {
		t.Run(name, func(t *testing.T) { askCallers(t, c.files, c.question, c.want) })
	}
}

// TestCallersOfVariables has cases in which what stands beside a variable was taken for its
// declaration.
func TestCallersOfVariables(t *testing.T) {
	python := "class A:\n    def send(self):\n        pass\n\n\nclass B:\n    def send(self):\n        pass\n\n\n"
	script := "export class A {\n  send() {}\n}\nexport class B {\n  send() {}\n}\n"
	golang := "package a\n\ntype A struct{}\n\nfunc (a *A) Send() {}\n\ntype B struct{}\n\nfunc (b *B) Send() {}\n\n"
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"a package of Go that a variable hides": {map[string]string{
			"go.mod": "module x\n", "config/a.go": "package config\n\nfunc Load() int { return 1 }\n",
			"a.go": "package main\n\nimport \"x/config\"\n\nfunc main() {\n\tconfig := config.Load()\n\tprintln(config)\n}\n",
		}, "who calls Load?", "Callers of `Load`, 1 call in 1 file:\n`main` at a.go:6"},
		"a module of Rust that a variable hides": {map[string]string{
			"src/config.rs": "pub fn load() -> u32 { 1 }\npub fn other() {}\n", "src/main.rs": "mod config;\nfn main() {\n    let config = config::load();\n    config::other();\n}\n",
		}, "who calls other?", "Callers of `other`, 1 call in 1 file:\n`main` at src/main.rs:4"},
		"a module of CommonJS": {map[string]string{
			"a.js": "function open() {}\nmodule.exports = { open }\n", "b.js": "const db = require('./a')\ndb.open()\n",
		}, "who calls open?", "b.js:2"},
		"an import of the file of a function": {map[string]string{
			"a/__init__.py": "", "a/app.py": "class App:\n    def use(self):\n        pass\n", "a/factory.py": "from .app import App\n\n\ndef create_app() -> App:\n    return App()\n",
			"b/__init__.py": "", "b/app.py": "class App:\n    def use(self):\n        pass\n", "b/main.py": "from a.factory import create_app\n\n\ndef run():\n    create_app().use()\n",
		}, "who calls App.use?", "b/main.py:5"},
		"a value that is set from another of its name": {map[string]string{
			"a.rs": "struct A;\nimpl A { fn new() -> A { A } fn send(&self) {} }\nstruct B;\nimpl B { fn new(n: ()) -> B { B } fn send(&self) {} }\nfn run() {\n    let m = A::new();\n    let m = B::new(m.send());\n    m.send();\n}\n",
		}, "who calls A::send?", "Callers of `A::send`, 1 call in 1 file:\n`run` at a.rs:7\n"},
		"a label of Swift": {map[string]string{
			"a.swift": "class A { func send() {} }\nclass B { func send() {} }\nfunc run(m: B) {\n  configure(m: A())\n  m.send()\n}\n",
		}, "who calls B.send?", "Callers of `B.send`, 1 call in 1 file:\n`run` at a.swift:5"},
		"a result that is a struct": {map[string]string{
			"a.go": golang + "func run(m *A) chan struct{} {\n\tm.Send()\n\treturn nil\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 1 call in 1 file:\n`run` at a.go:12"},
		"a result that is an object": {map[string]string{
			"a.ts": script + "export async function run(m: A): Promise<{ ok: boolean }> {\n  m.send()\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.ts:8"},
		"what is there for sure": {map[string]string{
			"a.kt": "class Element { fun child(): Child? { return null }\n  fun clear() {} }\nclass Child { fun clear() {} }\nfun find(x: Int): Element? { return null }\nfun run() {\n    val m = find(1)!!.child()\n    m.clear()\n}\n",
		}, "who calls Child.clear?", "Callers of `Child.clear`, 1 call in 1 file:\n`run` at a.kt:7"},
		"a value of another type": {map[string]string{
			"a.ts": script + "export function find(x): A {}\nexport function run(x) {\n  const m = find(x) as B\n  m.send()\n}\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.ts:10"},
		"a field": {map[string]string{
			"a.py": python + "class C:\n    def __init__(self, m):\n        self.m = A(m)\n        m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:14"},
		"an argument by name": {map[string]string{
			"a.py": python + "def run(m):\n    log(m=A())\n    m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:13"},
		"a parameter of the name of a variable": {map[string]string{
			"a.py": python + "m = A()\n\n\ndef run(m):\n    m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:15"},
		"one part of an object": {map[string]string{
			"a.ts": script + "export function run(x) {\n  const m = new A()\n  if (x) {\n    const { m } = x\n    m.send()\n  }\n  xs.map(({ m }) => m.send())\n  return (m) => m.send()\n}\n",
		}, "who calls B.send?", "3 places may mean it, on a value whose type is not shown: a.ts:11"},
		"an arrow without an end": {map[string]string{
			"a.ts": script + "export function run(m: B) {\n  const f = (m: A) => m.send()\n  m.send()\n}\n",
		}, "who calls B.send?", "Callers of `B.send`, 1 call in 1 file:\n`run` at a.ts:9"},
		"a member that is set": {map[string]string{
			"a.py": python + "def run(x):\n    m = A()\n    m.name = x(1, 2)\n    m.send()\n",
		}, "who calls B.send?", "No place is certain to use `B.send` (a.py:7).$"},
		"a parameter of PHP": {map[string]string{
			"a.php": "<?php\nclass A { function send() {} }\nclass B { function send() {} }\nfunction run(A $m) {\n  $m = build();\n  $m->send();\n}\n",
		}, "who calls B::send?", "1 place may mean it, on a value whose type is not shown: a.php:6"},
		"an interface above an interface": {map[string]string{
			"a.ts": "export interface Closer {\n  close(): void\n}\nexport interface Conn extends Closer {\n  read(): void\n}\nexport class Mail {\n  close() {}\n}\nexport function run(c: Conn) {\n  c.close()\n}\n",
		}, "who calls Mail.close?", "1 place may mean it, on a value whose type is not shown: a.ts:11"},
		"a type of TypeScript": {map[string]string{
			"a.ts": "export type Sender = { send(): void }\n", "b.ts": "import { Sender } from './a'\nexport class Mail {\n  send() {}\n}\nexport function run(s: Sender) {\n  s.send()\n}\n",
		}, "who calls Mail.send?", "1 place may mean it, on a value whose type is not shown: b.ts:6"},
		"an interface of the library of Go": {map[string]string{
			"go.mod": "module x\n", "a.go": "package a\n\nimport \"io\"\n\ntype Mail struct{}\n\nfunc (m *Mail) Close() error { return nil }\n\nfunc run(c io.Closer) {\n\tc.Close()\n}\n",
		}, "who calls Mail.Close?", "1 place may mean it, on a value whose type is not shown: a.go:10"},
		"a module of Ruby": {map[string]string{
			"a.rb": "module Walks\n  def step\n  end\n\n  def run\n    step\n  end\nend\n\nclass Dog\n  include Walks\n\n  def step\n  end\nend\n",
		}, "who calls Dog#step?", "1 place may mean it, on a value whose type is not shown: a.rb:6"},
		"a class in a class": {map[string]string{
			"a.java": "abstract class Base {\n  abstract void step();\n  class Task {\n    void go() {\n      step();\n    }\n  }\n}\nclass Sub extends Base {\n  void step() {}\n}\n",
		}, "who calls Sub.step?", "1 place may mean it, on a value whose type is not shown: a.java:5"},
		"what a type below has": {map[string]string{
			"A.java": "class Element {}\nclass Document extends Element {\n  Element body() { return null; }\n}\nclass R {\n  void run(Document d) {\n    d.body();\n  }\n}\n",
		}, "who calls Element.body?", "No `body` of `Element` is defined in this tree; others have that name.\nCallers of `Document.body`, 1 call in 1 file:\n`R.run` at A.java:7"},
		"an arrow that has the name": {map[string]string{
			"a.ts": script + "export const createApp = (): A => new A()\n", "c.ts": "import { B } from './a'\nexport function createApp(): B {\n  return new B()\n}\n",
			"b.ts": "import { createApp } from './a'\nconst app = createApp()\napp.send()\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\nb.ts:3"},
		"a type of the library of the same name": {map[string]string{
			"go.mod": "module x\n", "a.go": "package a\n\nimport \"net/http\"\n\ntype ResponseWriter struct{}\n\nfunc (w *ResponseWriter) WriteHeader(n int) {}\n\nfunc run(w http.ResponseWriter) {\n\tw.WriteHeader(1)\n}\n",
		}, "who calls WriteHeader?", "1 place may mean it, on a value whose type is not shown: a.go:10"},
		"cases of C#": {map[string]string{
			"a.cs": "class A { public void Send() {} }\nclass B { public void Send() {} }\nclass R {\n  void Run(object x) {\n    switch (x) {\n      case A m:\n        m.Send(); break;\n      case B m:\n        m.Send(); break;\n    }\n    if (x is not A n) return;\n    n.Send();\n  }\n}\n",
		}, "who calls A.Send?", "Callers of `A.Send`, 2 calls in 1 file:\n`R.Run` at a.cs:7,12"},
		"what holds a result in Rust": {map[string]string{
			"a.rs": "use diesel::QueryResult;\nstruct A;\nimpl A { fn send(&self) {} }\nstruct B;\nimpl B { fn send(&self) {} }\nfn find(id: i32) -> QueryResult<A> { todo!() }\nfn run() {\n    let u = find(1)?;\n    u.send();\n    find(2)?.send();\n    find(3).unwrap().send();\n}\n",
		}, "who calls A::send?", "3 places may mean it, on a value whose type is not shown: a.rs:9"},
		"an interface of Go of the same name": {map[string]string{
			"go.mod": "module x\n", "api/a.go": "package api\n\ntype Store interface {\n\tGet()\n}\n\nfunc run(s Store) {\n\ts.Get()\n}\n", "db/a.go": "package db\n\ntype Store struct{}\n\nfunc (s *Store) Get() {}\n",
		}, "who calls Store.Get?", "api/a.go:8"},
		"a choice on the next line": {map[string]string{
			"a.ts": script + "function find(k): A {\n  return new A()\n}\nexport function run(k) {\n  const m = find(k)\n    ? new B()\n    : new C()\n  m.send()\n}\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.ts:14"},
		"arms of a match": {map[string]string{
			"a.rs": "struct A;\nimpl A { fn send(&self) {} }\nstruct B;\nimpl B { fn send(&self) {} }\nfn run(m: A, x: Option<B>) {\n    match x {\n        Some(m) => m.send(),\n        None => m.send(),\n    }\n}\n",
		}, "who calls A::send?", "Callers of `A::send`, 1 call in 1 file:\n`run` at a.rs:8\n"},
		"a variable with the name of a package": {map[string]string{
			"go.mod": "module x\n", "user/a.go": "package user\n\ntype User struct{}\n\nfunc (u *User) Save() {}\n", "b/a.go": "package b\n\ntype B struct{}\n\nfunc (b *B) Save() {}\n",
			"a.go": "package main\n\nimport \"x/user\"\n\nfunc run(users []*user.User) {\n\tfor _, user := range users {\n\t\tuser.Save()\n\t}\n}\n",
		}, "who calls User.Save?", "1 place may mean it, on a value whose type is not shown: a.go:7"},
		"a parameter that need not be there": {map[string]string{
			"a.py": python + "def run(m: Optional[B] = None, n=1):\n    if m is None:\n        m = A()\n    m.send()\n",
		}, "who calls B.send?", "1 place may mean it, on a value whose type is not shown: a.py:14"},
		"what a condition sets": {map[string]string{
			"a.php": "<?php\nclass A { function send() {} }\nclass B { function send() {} }\nfunction run() {\n  $m = new B();\n  if($m = new A()) {\n    $m->send();\n  }\n}\n",
		}, "who calls A::send?", "1 place may mean it, on a value whose type is not shown: a.php:7"},
		"an arrow beside a call": {map[string]string{
			"a.ts": script + "export function run(m: A) {\n  on(wrap(m), () => { m.send() })\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`run` at a.ts:8"},
		"a bound of Rust": {map[string]string{
			"a.rs": "trait Shape { fn area(&self) -> f64; }\ntrait Plot { fn area(&self) -> f64; }\nfn run<S: Shape>(s: &S) {\n    s.area();\n}\n",
		}, "who calls Shape::area?", "Callers of `Shape::area`, 1 call in 1 file:\n`run` at a.rs:4"},
		"an expression of Kotlin": {map[string]string{
			"a.kt": "class A { fun send() {} }\nclass B { fun send() {} }\nfun run(m: A, x: Boolean) = if (x) {\n    m.send()\n} else {\n    m.send()\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 2 calls in 1 file:\n`run` at a.kt:4,6"},
		"an interface that nobody calls": {map[string]string{
			"A.java": "interface Sender {\n  void send();\n}\n",
		}, "who calls Sender.send?", "`Sender.send` (A.java:2) is not called anywhere else in the tree."},
		"what a class below hands on": {map[string]string{
			"a.php": "<?php\nclass Query {\n  function where(): static {}\n  function get() {}\n}\nclass UserQuery extends Query {\n  function get() {}\n}\nfunction run() {\n  $u = new UserQuery;\n  $u->where()->get();\n}\n",
		}, "who calls UserQuery::get?", "a.php:11"},
		"a pattern of Scala": {map[string]string{
			"a.scala": "class A { def send(): Unit = {} }\nclass B { def send(): Unit = {} }\nobject R {\n  def run(x: Option[B]): Unit = {\n    val m = new A()\n    x match {\n      case Some(m) => m.send()\n    }\n    for (m <- x) m.send()\n  }\n}\n",
		}, "who calls B.send?", "2 places may mean it, on a value whose type is not shown: a.scala:7"},
	} {
		t.Run(name, func(t *testing.T) { askCallers(t, c.files, c.question, c.want) })
	}
}
