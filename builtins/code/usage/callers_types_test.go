package usage

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/notebook"
)

// TestCallersByType tells calls of one name apart by the types that the text shows and by what the
// calls hand over.
func TestCallersByType(t *testing.T) {
	swift := map[string]string{
		"Billing.swift": "final class Billing {\n    func charge(card: String, retry: Bool = false) {}\n    func charge(invoice: Int) {}\n    func charge(_ n: Int) {}\n}\n",
		"Shop.swift":    "final class Shop {\n    let billing = Billing()\n    func now() { billing.charge(card: \"x\") }\n    func later() { billing.charge(invoice: 7) }\n    func none() { billing.charge(1) }\n    func again() { billing.charge(card: \"x\", retry: true) }\n}\n",
	}
	java := map[string]string{
		"Words.java": "class Words {\n  String glue(String a, String b) {\n    return glue(a, b, \"-\");\n  }\n  String glue(String a, String b, String mid) {\n    return a;\n  }\n  String many(Map<String, Integer> m, String... rest) { return glue(\"x\", \"y\"); }\n  void all() { many(null, \"a\", \"b\", \"c\"); }\n}\n",
	}
	kotlin := map[string]string{
		"Ports.kt": "interface Visits { fun insert(v: String): Int }\ninterface Holidays { fun insert(h: String): Int }\nclass AddVisit(private val repository: Visits) {\n    fun execute(v: String) = repository.insert(v)\n}\nclass AddHoliday(private val repository: Holidays) {\n    fun execute(h: String): Int {\n        return repository.insert(h)\n    }\n}\n",
	}
	csharp := map[string]string{
		"A.cs": "interface IA { void Save(int n); }\ninterface IB { void Save(int n); }\nclass UsesA {\n  private readonly IA _store;\n  public void Run() { _store.Save(1); }\n}\nclass UsesB {\n  private readonly IB _store;\n  public void Run() { _store.Save(1); }\n}\n",
	}
	golang := map[string]string{
		"a/a.go": "package a\n\ntype Base struct{}\n\nfunc (b *Base) Flush() {}\n\ntype Other struct{}\n\nfunc (o *Other) Flush() {}\n\ntype Store struct {\n\t*Base\n\tname string `json:\"name\"`\n}\n\ntype Outer struct{ Store }\n\ntype Pair[K comparable] struct{ k K }\n\nfunc (p *Pair[K]) Swap() {}\n",
		"a/b.go": "package a\n\nfunc Run(s *Store, o Outer) {\n\ts.Flush()\n\to.Flush()\n\tp := Pair[string]{}\n\tp.Swap()\n\t(&p).Swap()\n\tx := &Other{}\n\tx.Flush()\n}\n",
	}
	cpp := map[string]string{
		"a.hpp": "class Gauges { public: static Gauges& instance(); void writeLine(int); };\nclass Journal { public: static Journal& instance(); void writeLine(int); };\n",
		"a.cpp": "#include \"a.hpp\"\nvoid Gauges::writeLine(int s) {}\nvoid Journal::writeLine(int s) {}\nvoid tick() { Gauges::instance().writeLine(1); }\nvoid tock() { auto& g = Journal::instance(); g.writeLine(1); }\n",
	}
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"a label of Swift": {swift, "who calls Billing.charge(card:)?", "Callers of `Billing.charge`, 2 calls in 1 file:\nShop.swift:3,6: `Shop.now`, `again`"},
		"no label":         {swift, "who calls charge(_:)?", "Callers of `Billing.charge`, 1 call in 1 file:\n`Shop.none` at Shop.swift:5"},
		"all overloads":    {swift, "who calls charge?", "Callers of `Billing.charge`, 4 calls in 1 file:\nShop.swift:3,4,5,6"},
		"types of Java":    {java, "who calls glue(String, String, String)?", "Callers of `Words.glue`, 1 call in 1 file:\n`Words.glue` at Words.java:3"},
		"names of Java":    {java, "who calls glue(a, b)?", "Callers of `Words.glue`, 1 call in 1 file:\n`Words.many` at Words.java:8"},
		"any number":       {java, "who calls many?", "Callers of `Words.many`, 1 call in 1 file:\n`Words.all` at Words.java:9"},
		"what none takes":  {java, "who calls glue(int)?", "Callers of `Words.glue`, 2 calls in 1 file:"},
		"a field of Kotlin": {kotlin, "who calls Holidays.insert?",
			"Callers of `Holidays.insert`, 1 call in 1 file:\n`AddHoliday.execute` at Ports.kt:8"},
		"a field of C#": {csharp, "who calls IA.Save?", "Callers of `IA.Save`, 1 call in 1 file:\n`UsesA.Run` at A.cs:5"},
		"embedded":      {golang, "who calls Base.Flush?", "Callers of `Base.Flush`, 2 calls in 1 file:\n`Run` at a/b.go:4,5"},
		"not embedded":  {golang, "who calls Other.Flush?", "Callers of `Other.Flush`, 1 call in 1 file:\n`Run` at a/b.go:10"},
		"generic":       {golang, "who calls Swap?", "Callers of `Pair.Swap`, 2 calls in 1 file:\n`Run` at a/b.go:7,8"},
		"singleton":     {cpp, "who calls Gauges::writeLine?", "Callers of `Gauges::writeLine`, 1 call in 1 file:\n`tick` at a.cpp:4"},
		"singleton that is kept": {cpp, "who calls Journal::writeLine?",
			"Callers of `Journal::writeLine`, 1 call in 1 file:\n`tock` at a.cpp:5"},
		"singleton of Java": {map[string]string{
			"A.java": "class A {\n  static A getInstance() { return null; }\n  void send() {}\n}\nclass B {\n  static B getInstance() { return null; }\n  void send() {}\n}\nclass C {\n  void run() {\n    A.getInstance().send();\n    B b = B.getInstance(); b.send();\n  }\n}\n",
		}, "who calls A.send?", "Callers of `A.send`, 1 call in 1 file:\n`C.run` at A.java:11"},
		"singleton of Swift": {map[string]string{
			"A.swift": "class A {\n  static let shared = A()\n  func send() {}\n}\nclass B {\n  static let shared = B()\n  func send() {}\n}\nfunc run() {\n  A.shared.send()\n  let b = B.shared\n  b.send()\n}\n",
		}, "who calls B.send?", "Callers of `B.send`, 1 call in 1 file:\n`run` at A.swift:12"},
		"singleton of PHP": {map[string]string{
			"a.php": "<?php\nclass A {\n  static function getInstance() {}\n  function send() {}\n}\nclass B {\n  function send() {}\n}\nfunction run() {\n  A::getInstance()->send();\n}\n",
		}, "who calls A::send?", "Callers of `A::send`, 1 call in 1 file:\n`run` at a.php:10"},
		"handlers of Vue": {map[string]string{
			"About.vue": "<script>\nexport default {\n  methods: {\n    reload() {\n    },\n    close() {},\n  },\n};\n</script>\n<template>\n  <a @click=\"reload\" v-on:keyup.enter=\"reload\">reload</a>\n  <b title=\"close\" @close=\"closed\">close</b>\n</template>\n",
		}, "who calls reload?", "Users of `methods.reload`, 1 use in 1 file:\nAbout.vue:11"},
		"text of Vue": {map[string]string{
			"About.vue": "<script>\nexport default {\n  methods: {\n    close() {},\n  },\n};\n</script>\n<template>\n  <b title=\"close\" @close=\"closed\">close</b>\n</template>\n",
		}, "who calls close?", "No place is certain to use `methods.close`"},
		"handlers of Svelte": {map[string]string{
			"A.svelte": "<script>\n  function add() {}\n</script>\n<button on:click={add}>add</button>\n",
		}, "who calls add?", "Users of `add`, 1 use in 1 file:\nA.svelte:4"},
		"functions that macros of C make": {map[string]string{
			"a.c": "#define HOOK(kind, name) kind name(void) { }\nHOOK(int, on_start)\nHOOK(int, on_stop)\nint main(void) { return on_start(); }\n",
		}, "who calls on_start?", "Callers of `on_start`, 1 call in 1 file:\n`main` at a.c:4"},
		"overloads of one number": {map[string]string{
			"W.java": "class W {\n  String glue(String a) { return a; }\n  String glue(int n) { return \"\"; }\n  void all() {\n    glue(\"x\");\n  }\n}\n",
		}, "who calls glue(int)?", "No place is certain to use `W.glue`"},
		"types of arguments": {map[string]string{
			"W.java": "class W {\n  void glue(Map<String, Integer> m, String s) {}\n  void glue(String a, String b, String c) {}\n  void all() {\n    glue(new HashMap<String, Integer>(), \"x\");\n  }\n}\n",
		}, "who calls glue(String, String, String)?", "No place is certain to use `W.glue`"},
		"a label that is missing": {map[string]string{
			"A.swift": "class A {\n  func charge(card: String) {}\n  func charge(card: String, amount: Int) {}\n  func run() { charge(card: \"x\") }\n}\n",
		}, "who calls charge(card:amount:)?", "No place is certain to use `A.charge` (A.swift:3)."},
		"defaults in prototypes": {map[string]string{
			"a.hpp": "class A {\npublic:\n  void draw(int x, int y = 0);\n  void draw(const char* s);\n  void run();\n};\n",
			"a.cpp": "#include \"a.hpp\"\nvoid A::draw(int x, int y) {}\nvoid A::draw(const char* s) {}\nvoid A::run() { draw(1); }\n",
		}, "who calls A::draw?", "Callers of `A::draw`, 1 call in 1 file:\n`A::run` at a.cpp:4"},
		"what is embedded": {map[string]string{
			"a.go": "package a\n\nimport \"sync\"\n\ntype pool struct {\n\tsync.Mutex\n\tn int\n}\n\nfunc (p *pool) admit() {}\n",
		}, "who calls pool.admit?", "`pool.admit` (a.go:10) is not called anywhere else in the tree"},
		"types of one name in two packages": {map[string]string{
			"a/a.go": "package a\n\ntype base struct{}\n\nfunc (b *base) Close() {}\n\ntype Server struct{ *base }\n",
			"b/b.go": "package b\n\nimport \"net/http\"\n\ntype Server struct{ *http.Server }\n\nfunc run(s *Server) { s.Close() }\n",
		}, "who calls base.Close?", "No place is certain to use `base.Close`"},
		"nested types of one name": {map[string]string{
			"A.java": "class A {\n  static class Builder {\n    X conn;\n    void f() { conn.close(); }\n  }\n}\nclass B {\n  static class Builder {\n    Y conn;\n    void f() { conn.close(); }\n  }\n}\nclass X { void close() {} }\nclass Y { void close() {} }\n",
		}, "who calls Y.close?", "Callers of `Y.close`, 1 call in 1 file:\n`Builder.f` at A.java:10"},
		"what a singleton holds": {map[string]string{
			"A.kt": "interface Api { fun createUser(n: String) }\nobject RetrofitClient { val instance: Api by lazy { build() } }\n",
			"B.kt": "fun run() {\n    RetrofitClient.instance.createUser(\"x\")\n}\n",
		}, "who calls createUser?", "createUser`"},
		"watchers of Vue": {map[string]string{
			"A.vue": "<script>\nexport default {\n  data() { return { visible: true } },\n  watch: {\n    visible(v) {},\n  },\n};\n</script>\n<template>\n  <p v-if=\"visible\">a</p>\n</template>\n",
		}, "who calls watch.visible?", "No "},
		"a template on the first line": {map[string]string{
			"About.vue": "<template><a @click=\"reload\">a</a></template>\n<script>\nexport default {\n  methods: {\n    reload() {},\n  },\n};\n</script>\n",
		}, "who calls reload?", "Users of `methods.reload`, 1 use in 1 file:\nAbout.vue:1"},
		"components that a framework imports": {map[string]string{
			"BaseButton.vue": "<template>\n  <b class=\"BaseButton\"><slot /></b>\n</template>\n",
			"pages/home.vue": "<script setup>\nimport { ref } from 'vue'\n</script>\n<template>\n  <BaseButton>ok</BaseButton>\n</template>\n",
		}, "who renders BaseButton?", "pages/home.vue:5"},
		"comments at the end of bodies of SQL": {map[string]string{
			"a.sql": "create function base_rate() returns int language sql as $$ select 1 -- first $$;\ncreate function twice() returns int language sql as $$ select base_rate() $$;\n",
		}, "who calls base_rate?", "Callers of `base_rate`, 1 call in 1 file:\n`twice` at a.sql:2"},
		"macros of C at the end": {map[string]string{
			"a.c": "#define TEST(t) static void t(void) { }\n#define N(n) int n(void) { return 1; }\nint main(void) { return last(); }\nTEST(first)\nN(last)\n",
		}, "who calls last?", "Callers of `last`, 1 call in 1 file:\n`main` at a.c:3"},
		"letters and marks apart": {map[string]string{
			"a.py": norm.NFD.String("def café_open():\n    return 1\n\n\ndef caller():\n    return café_open()\n"),
		}, "who calls café_open?", norm.NFD.String("Callers of `café_open`, 1 call in 1 file:\n`caller` at a.py:6")},
		"a name with blanks": {map[string]string{
			"a.kt": "fun `order is cancelled`(id: Int) = id\nfun run() = `order is cancelled`(3)\nfun cancelled() {}\n",
		}, "who calls `order is cancelled`?", "Callers of `order is cancelled`, 1 call in 1 file:\n`run` at a.kt:2"},
		"a name with blanks in other letters": {map[string]string{
			"a.kt": "fun `주문 취소`(id: Int) = id\nfun run() = `주문 취소`(3)\n",
		}, "who calls 주문 취소?", "Callers of `주문 취소`, 1 call in 1 file:\n`run` at a.kt:2"},
		"a component and a global of its name": {map[string]string{
			"Map.vue": "<template>\n  <b class=\"Map\" />\n</template>\n",
			"a.ts":    "import x from 'y'\nexport const m = new Map<string, number>()\n",
			"b.vue":   "<script setup>\nimport x from 'y'\nconst m = new Map()\n</script>\n<template>\n  <Map />\n</template>\n",
		}, "who renders Map?", "1 file:\nb.vue:6"},
		"what a builder builds": {map[string]string{
			"a.py": "class ConfigLoader:\n    def load(self):\n        return Config()\n\n\nclass Config:\n    def validate(self):\n        pass\n\n\ndef run(path):\n    config = ConfigLoader(path).load()\n    config.validate()\n",
		}, "who calls Config.validate?", "a.py:13"},
		"what a builder of Go builds": {map[string]string{
			"a.go": "package a\n\ntype Server struct{}\n\nfunc (s *Server) Close() {}\nfunc (s *Server) Listener() *Listener { return nil }\n\ntype Listener struct{}\n\nfunc (l *Listener) Close() {}\n\nfunc run() {\n\tl := NewServer(1).Listener()\n\tl.Close()\n}\n",
		}, "who calls Server.Close?", "No place is certain to use `Server.Close`"},
		"the same field of nested types": {map[string]string{
			"A.java": "class A {\n  static class Builder {\n    X conn;\n    void f() { this.conn.close(); }\n  }\n}\nclass B {\n  static class Builder {\n    Y conn;\n    void f() { this.conn.close(); }\n  }\n}\nclass X { void close() {} }\nclass Y { void close() {} }\n",
		}, "who calls Y.close?", "Callers of `Y.close`, 1 call in 1 file:\n`Builder.f` at A.java:10"},
		"a field of a type above": {map[string]string{
			"Base.kt": "abstract class Base(protected val repo: Users)\ninterface Users { fun save() }\ninterface Orders { fun save() }\n",
			"A.kt":    "class A : Base() {\n    fun f() { repo.save() }\n}\nclass B(private val repo: Orders) {\n    fun g() {\n        repo.save()\n    }\n}\n",
		}, "who calls Orders.save?", "Callers of `Orders.save`, 1 call in 1 file:\n`B.g` at A.kt:6"},
		"an extension of Swift": {map[string]string{
			"A.swift": "class A {\n    let conn: X\n}\nextension A {\n    func f() { conn.close() }\n}\nclass B {\n    let conn: Y\n}\nclass X { func close() {} }\nclass Y { func close() {} }\n",
		}, "who calls X.close?", "Callers of `X.close`, 1 call in 1 file:\n`A.f` at A.swift:5"},
		"styles and comments of Vue": {map[string]string{
			"A.vue": "<template>\n  <!-- <a @click=\"rotate()\"> -->\n  <a @click=\"rotate\">a</a>\n</template>\n<script setup>\nfunction rotate() {}\n</script>\n<style>\n.a { transform: rotate(90deg); }\n</style>\n",
		}, "who calls rotate?", "Users of `rotate`, 1 use in 1 file:\nA.vue:3"},
		"computed values of Vue": {map[string]string{
			"A.vue": "<script>\nexport default {\n  computed: {\n    isValid() { return true },\n  },\n};\n</script>\n<template>\n  <a :disabled=\"!isValid\">a</a>\n</template>\n",
		}, "who uses isValid?", "A.vue:9"},
		"a closure behind the brackets": {map[string]string{
			"A.swift": "class A {\n    func load(url: URL) -> Data { Data() }\n    func load(url: URL, completion: @escaping Completion) {}\n    func run() { load(url: u) { r in } }\n}\n",
		}, "who calls load(url:completion:)?", "A.swift:4"},
		"characters among arguments": {map[string]string{
			"A.java": "class A {\n  void cut(String s, char c) {}\n  void cut(String s, char c, int max) {}\n  void run() {\n    cut(line, ',');\n    cut(line, ')', 3);\n  }\n}\n",
		}, "who calls cut(String, char, int)?", "Callers of `A.cut`, 1 call in 1 file:\n`A.run` at A.java:6"},
		"fields of other types of Python": {map[string]string{
			"a.py": "class Widget:\n    def process(self):\n        pass\n\n\nclass Cart:\n    item: Widget\n\n\nclass Order:\n    def process(self):\n        pass\n\n\ndef run(orders):\n    for item in orders:\n        item.process()\n",
		}, "who calls Widget.process?", "No place is certain to use `Widget.process`"},
		"a field of a type above behind this": {map[string]string{
			"Base.kt": "abstract class Base(protected val repo: Users)\ninterface Users { fun save() }\ninterface Orders { fun save() }\n",
			"A.kt":    "class A : Base() {\n    fun f() { this.repo.save() }\n}\nclass B(private val repo: Orders) {\n    fun g() {\n        repo.save()\n    }\n}\n",
		}, "who calls Orders.save?", "Callers of `Orders.save`, 1 call in 1 file:\n`B.g` at A.kt:6"},
		"types of a script of Vue": {map[string]string{
			"Map.vue": "<template>\n  <b class=\"Map\" />\n</template>\n",
			"b.vue":   "<script setup>\nimport { ref } from 'vue'\nconst m = ref<Map<string, number>>(0)\n</script>\n",
		}, "who renders Map?", "No "},
		"values that styles of Vue read": {map[string]string{
			"A.vue": "<template>\n  <style-guide />\n  <a @click=\"paint\">a</a>\n</template>\n<script setup>\nfunction paint() {}\nconst themeColor = 'red'\n</script>\n<style>\n.a { color: v-bind(themeColor); b: paint(1) }\n</style>\n",
		}, "who calls paint?", "Users of `paint`, 1 use in 1 file:\nA.vue:3"},
		"type parameters of Python": {map[string]string{
			"a.py": "class Base:\n    def save(self):\n        pass\n\n\nclass Repo[T](Base):\n    def f(self):\n        self.save()\n",
		}, "who calls Base.save?", "Callers of `Base.save`, 1 call in 1 file:\n`Repo.f` at a.py:8"},
		"quoted bodies of SQL": {map[string]string{
			"a.sql": "create function close_day() returns void language plpgsql as $$ begin\n  -- it's noted\n  return; end; $$;\ncreate function twice() returns void as $f$\n  select close_day(), 'close_day()';\n$f$ language sql;\ndo $$ begin perform close_day(); end $$;\ncreate function other() returns int as $$\n  # it's close_day()\n$$ language plpython3u;\n",
		}, "who calls close_day?", "Callers of `close_day`, 2 calls in 1 file:\na.sql:5,7: `twice`, top level"},
	} {
		t.Run(name, func(t *testing.T) {
			got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question, "tokens": 400}).Summary
			if !strings.Contains(got, c.want) {
				t.Errorf("%s\nis:\n%s\nwant:\n%s", c.question, got, c.want)
			}
		})
	}
}

// TestCallersInNotebooks follows names into the cells of notebooks, however the file is laid out.
func TestCallersInNotebooks(t *testing.T) {
	files := map[string]string{
		"loss.py": "def wall_loss(a):\n    return a\n",
		"a.ipynb": "{\"cells\": [\n{\"cell_type\": \"code\",\n \"source\": [\n  \"from loss import wall_loss\\n\",\n  \"%matplotlib inline\\n\",\n  \"wall_loss(1)\"\n ]}]}\n",
		"b.ipynb": `{"cells": [{"cell_type": "code", "source": "def roof_loss(a):\n    return a\n\nroof_loss(1)\n"}]}`,
	}
	files["c.ipynb"] = `{"cells": [{"cell_type": "code", "source": "from loss import wall_loss\nwall_loss(2)\n\ndef helper(a):\n    return a\n\ndef run():\n    helper(1)\n"}, {"cell_type": "code", "source": "%%memit\nroof_loss(2)"}]}`
	files["d.ipynb"] = `{"cells": [{"cell_type": "code", "source": "model.train()\n\ndef train(epoch):\n    pass\n"}]}`
	for question, want := range map[string]string{
		"who calls train?":     "No place is certain to use `train`",
		"who calls helper?":    "No place is certain to use `helper`",
		"who calls wall_loss?": "Callers of `wall_loss`, 2 calls in 2 files:\na.ipynb:6\nc.ipynb:1",
		"who calls roof_loss?": "Callers of `roof_loss`, 1 call in 1 file:\nb.ipynb:1",
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": question, "tokens": 400}).Summary
		if !strings.Contains(got, want) || strings.ContainsRune(got, notebook.BreakMark) {
			t.Errorf("%s\nis:\n%q\nwant:\n%q", question, got, want)
		}
	}
}

// TestCallersOfWhatIsSetTwice wants no denial of a call on a value that may be of the type, and
// none of what is certain.
func TestCallersOfWhatIsSetTwice(t *testing.T) {
	const nowhere = "No place is certain to use `Smtp.send`"
	classes := "class Console:\n    def send(self):\n        pass\n\n\nclass Smtp:\n    def send(self):\n        pass\n\n\n"
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"a branch that does not tell": {map[string]string{
			"a.py": classes + "def notify(debug):\n    if debug:\n        m = Console()\n    else:\n        m = build()\n    m.send()\n",
		}, "who calls Smtp.send?", "a.py:16"},
		"nor denies the one that tells": {map[string]string{
			"a.py": classes + "def notify(debug):\n    if debug:\n        m = Console()\n    else:\n        m = build()\n    m.send()\n",
		}, "who calls Console.send?", "Callers of `Console.send`, 1 call in 1 file:\n`notify` at a.py:16"},
		"nothing at first": {map[string]string{
			"a.py": classes + "def notify(debug):\n    m = None\n    m = Console()\n    log(m=build())\n    m.send()\n",
		}, "who calls Smtp.send?", nowhere},
		"calls in tests, and what hides the name": {map[string]string{
			"src/a.ts":       "export function item(n) {\n  return n\n}\nexport function run(items) {\n  items.forEach((item) => {\n    item(1)\n  })\n}\n",
			"test/a.test.ts": "import { item } from '../src/a'\ntest('a', () => {\n  item(2)\n})\n",
		}, "who calls item?", "Outside of tests no place is certain to use `item` (src/a.ts:1)."},
		"a class called like one of Java": {map[string]string{
			"Entity.java": "package game;\npublic class Entity {\n  void move() {}\n}\n", "Character.java": "package game;\npublic class Character extends Entity {\n}\n",
			"Run.java": "package app;\nimport game.Character;\nclass Run {\n  void run(Character c) {\n    c.move();\n  }\n}\n",
		}, "who calls Entity.move?", "Run.java:5"},
		"a file called like a module of Node": {map[string]string{
			"src/url.ts": "export function formatUrl(a) {\n  return a\n}\n", "src/run.ts": "import { formatUrl } from 'url'\nexport function run(a) {\n  return formatUrl(a)\n}\n",
		}, "who calls formatUrl?", "src/run.ts:3"},
		"calls in tests alone": {map[string]string{
			"a.py": classes, "b.py": "def run(x):\n    x.send()\n", "tests/test_a.py": "from a import Console\n\n\ndef test_a():\n    m = Console()\n    m.send()\n",
		}, "who calls Console.send?", "Outside of tests no place is certain to use `Console.send` (a.py:2)."},
		"a parameter that is set anew": {map[string]string{
			"a.py": classes + "def notify(m: Console):\n    m = wrap(m)\n    m.send()\n",
		}, "who calls Smtp.send?", "a.py:13"},
		"a parameter of a closure": {map[string]string{
			"a.go": "package a\n\ntype A struct{}\n\nfunc (a *A) Send() {}\n\ntype B struct{}\n\nfunc (b *B) Send() {}\n\nfunc run() {\n\tm := build()\n\teach(func(m *A) {})\n\tm.Send()\n}\n",
		}, "who calls B.Send?", "a.go:14"},
		"one value or another": {map[string]string{
			"a.py": classes + "def notify(debug):\n    m = Console() if debug else Smtp()\n    m.send()\n",
		}, "who calls Smtp.send?", "a.py:13"},
		"a type of TypeScript or another": {map[string]string{
			"a.ts": "export class User {\n  save() {}\n}\nexport function run(id: number) {\n  const user = find(id);\n  log(id ? user : undefined);\n  user.save();\n}\n",
		}, "who calls User.save?", "a.ts:7"},
		"an injected function": {map[string]string{
			"a.py": "def get_db():\n    return 1\n\n\ndef read(db: Session = Depends(get_db)):\n    return db\n",
		}, "who uses get_db?", "a.py:5"},
		"a module of the library": {map[string]string{
			"app/utils/json/encoder.py": "def dumps(x):\n    return x\n", "app/other.py": "def dumps(x):\n    return x\n",
			"app/run.py": "import json\n\n\ndef run(x):\n    return json.dumps(x)\n",
		}, "who calls dumps?", "No place is certain to use `dumps`"},
		"what a context is entered with": {map[string]string{
			"a.py": classes + "def notify(debug):\n    with lock, Console(\n        debug,\n    ) as m:\n        m.send()\n",
		}, "who calls Console.send?", "Callers of `Console.send`, 1 call in 1 file:\n`notify` at a.py:15"},
		"what a package hands on": {map[string]string{
			"pkg/__init__.py": "from ._client import *\nfrom ._helpers import build_url as build_url\n", "pkg/_client.py": "class Client:\n    def get(self):\n        pass\n",
			"pkg/_other.py": "class Other:\n    def get(self):\n        pass\n\n    def build_url(self):\n        pass\n", "pkg/_helpers.py": "def build_url():\n    pass\n",
			"t.py": "import pkg\n\n\ndef run():\n    c = pkg.Client()\n    c.get()\n    pkg.build_url()\n",
		}, "who calls Client.get?", "Callers of `Client.get`, 1 call in 1 file:\n`run` at t.py:6"},
		"variables called parent": {map[string]string{
			"a.py": classes + "def notify():\n    parent = Console()\n    base = Console()\n    parent.send()\n    base.send()\n",
		}, "who calls Console.send?", "Callers of `Console.send`, 2 calls in 1 file:\n`notify` at a.py:14,15"},
		"an object of the package": {map[string]string{
			"pkg/__init__.py": "from lib import App\n\napp = App()\n", "lib.py": "class App:\n    def route(self):\n        pass\n",
			"pkg/views.py": "from . import app\n\n\n@app.route()\ndef view():\n    pass\n",
		}, "who calls App.route?", "pkg/views.py:4"},
		"two blocks of Go": {map[string]string{
			"a.go": "package a\n\ntype A struct{}\n\nfunc (a *A) Send() {}\n\ntype B struct{}\n\nfunc (b *B) Send() {}\n\nfunc run(x bool) {\n\tif x {\n\t\tm := &A{}\n\t\tm.Send()\n\t} else {\n\t\tm := build()\n\t\tm.Send()\n\t}\n}\n",
		}, "who calls B.Send?", "1 place may mean it, on a value whose type is not shown: a.go:17"},
		"a variable of JavaScript": {map[string]string{
			"a.js": "class A { send() {} }\nclass B { send() {} }\nfunction run(x) {\n  let m = new A();\n  if (x) m = pick(x);\n  m.send();\n}\n",
		}, "who calls B.send?", "a.js:6"},
		"a builder with type arguments": {map[string]string{
			"A.java": "class Builder<T> { void close() {} Pool build() { return null; } }\nclass Pool { void close() {} }\nclass R {\n  void run() {\n    var p = new Builder<String>().build();\n    p.close();\n  }\n}\n",
		}, "who calls Pool.close?", "A.java:6"},
		"two links of Rust": {map[string]string{
			"a.rs": "struct Client;\nimpl Client {\n    fn new() -> Client { Client }\n    fn close(&self) {}\n    fn listen(&self) -> Server { Server }\n}\nstruct Server;\nimpl Server { fn close(&self) {} }\nfn run() {\n    let c = Client::new().clone().listen();\n    c.close();\n}\n",
		}, "who calls Server::close?", "a.rs:11"},
		"an element of a singleton": {map[string]string{
			"A.swift": "class Cache {\n  static let shared = Cache()\n  func clear() {}\n}\nclass Entry {\n  func clear() {}\n}\nfunc run() {\n  let e = Cache.shared[\"k\"]\n  e.clear()\n}\n",
		}, "who calls Entry.clear?", "A.swift:10"},
		"apply of JavaScript": {map[string]string{
			"a.js": "class A { send() {} apply() { return new B(); } }\nclass B { send() {} }\nfunction run(x) {\n  const m = new A().apply();\n  m.send();\n}\n",
		}, "who calls B.send?", "a.js:5"},
	} {
		t.Run(name, func(t *testing.T) {
			got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question, "tokens": 400}).Summary
			if !strings.Contains(got, c.want) || c.want == nowhere && strings.Contains(got, "may mean it") {
				t.Errorf("%s\nis:\n%s\nwant:\n%s", c.question, got, c.want)
			}
		})
	}
}

// TestCallersOfInheritedMethods follows types whose files do not name what is called.
func TestCallersOfInheritedMethods(t *testing.T) {
	java := map[string]string{
		"Element.java":  "package a;\nclass Element {\n  Element pick(String q) { return null; }\n}\n",
		"Elements.java": "package a;\nclass Elements {\n  Element pick(String q) { return null; }\n}\n",
		"Middle.java":   "package a;\nclass Middle extends Element {\n}\n",
		"Document.java": "package a;\npublic class Document extends Middle {\n}\n",
		"Run.java":      "package b;\nimport other.Document;\nclass Run {\n  void run(a.Document doc, String name) {\n    doc.pick(\"x\");\n    name.pick(\"x\");\n    each(name -> name.pick(\"y\"));\n  }\n}\n",
	}
	python := map[string]string{
		"base.py": "class Base:\n    def route(self):\n        pass\n", "other.py": "class Other:\n    def route(self):\n        pass\n",
		"app.py": "from base import Base\n\n\nclass App(Base):\n    pass\n",
		"run.py": "from app import App\n\n\ndef run(s: str):\n    app = App()\n    app.route()\n    s.route()\n",
	}
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"two types above":  {java, "who calls Element.pick?", "Callers of `Element.pick`, 1 call in 1 file:\n`Run.run` at Run.java:5"},
		"a type beside":    {java, "who calls Elements.pick?", "No place is certain to use `Elements.pick` (Elements.java:3).\n2 places may mean it, on a value whose type is not shown: Run.java:5"},
		"a type above":     {python, "who calls Base.route?", "2 places may mean it, on a value whose type is not shown: run.py:6"},
		"a type beside it": {python, "who calls Other.route?", "No place is certain to use `Other.route`"},
	} {
		t.Run(name, func(t *testing.T) {
			got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question, "tokens": 400}).Summary
			if !strings.Contains(got, c.want) {
				t.Errorf("%s\nis:\n%s\nwant:\n%s", c.question, got, c.want)
			}
		})
	}
}
