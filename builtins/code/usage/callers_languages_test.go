package usage

import (
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/codetest"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// TestCallersInLanguages has in each language a definition that is called in all the ways that it
// allows, beside what only looks like a call.
func TestCallersInLanguages(t *testing.T) {
	for name, c := range map[string]struct {
		files          map[string]string
		question, want string
	}{
		"a name that begins with an underscore": {map[string]string{
			"a.py": "def _to_client(e):\n    return e\n\n\ndef run(x):\n    return _to_client(x)\n",
		}, "who calls _to_client?", "Callers of `_to_client`, 1 call in 1 file:\n`run` at a.py:6"},
		"a name that is emphasized": {map[string]string{
			"a.py": "def to_client(e):\n    return e\n\n\ndef run(x):\n    return to_client(x)\n",
		}, "who calls _to_client_?", "Callers of `to_client`, 1 call in 1 file:\n`run` at a.py:6"},
		"Dart": {map[string]string{
			"lib/session.dart": "class Keeper {\n  Future<void> renew(String a) async {\n    await fetchToken(a);\n  }\n}\n\n/// Like fetchToken().\nFuture<String> fetchToken(String a) async {\n  return 'fetchToken($a)';\n}\n",
			"lib/main.dart":    "import 'session.dart' as s;\nimport 'session.dart';\n\nvoid main() {\n  print('got ${fetchToken('b')}');\n  s.fetchToken('c');\n  all.map(fetchToken);\n  final k = Keeper();\n  k.renew('x');\n}\n",
		}, "who calls fetchToken?", "Callers of `fetchToken`, 3 calls in 2 files:\n`main` at lib/main.dart:5,6\n`Keeper.renew` at lib/session.dart:3\nHanded on as a value: `main` at lib/main.dart:7"},
		"Dart method": {map[string]string{
			"a.dart": "class Keeper {\n  void renew(String a) {}\n  void again() {\n    renew('a');\n    this.renew('b');\n  }\n}\n\nclass Other {\n  void renew(String a) {}\n}\n\nvoid main() {\n  final Keeper k = Keeper();\n  k.renew('x');\n  Other o = Other();\n  o.renew('y');\n}\n",
		}, "who calls Keeper.renew?", "Callers of `Keeper.renew`, 3 calls in 1 file:\na.dart:4,5,15: `Keeper.again` (2), `main`"},
		"Lua": {map[string]string{
			"cart.lua": "local M = {}\nfunction M.add_item(c, i)\n  return c\nend\nlocal function helper()\n  return M.add_item({}, 1)\nend\nreturn M\n",
			"main.lua": "local cart = require('cart')\ncart.add_item({}, 2)\nlocal s = 'add_item()'\n-- add_item()\ncart.add_item { 1 }\ncart.add_item \"x\"\n",
		}, "who calls add_item?", "Callers of `M.add_item`, 4 calls in 2 files:\n`helper` at cart.lua:6\nmain.lua:2,5,6"},
		"Lua method": {map[string]string{
			"job.lua": "local Job = {}\nfunction Job:add_callback(f)\n  return f\nend\nfunction Job:start()\n  self:add_callback(print)\n  make(1):add_callback(print)\n  Job.add_callback(self, 1)\nend\nreturn Job\n",
		}, "who calls add_callback?", "Callers of `Job.add_callback`, 3 calls in 1 file:\n`Job.start` at job.lua:6,7,8"},
		"Elixir": {map[string]string{
			"cart.ex": "defmodule Shop.Cart do\n  @doc \"Adds with add_item(x).\"\n  def add_item(c, i) when i > 0 do\n    c\n  end\n\n  def add_item(c, _), do: c\n\n  def both(c), do: add_item(c, 1) |> add_item(2)\nend\n",
			"web.ex":  "defmodule Shop.Web do\n  alias Shop.Cart\n  alias Shop.Cart, as: Basket\n  def post(c) do\n    Cart.add_item(c, 1)\n    Basket.add_item c, 2\n    \"#{Shop.Cart.add_item(c, 3)}\"\n    [add_item: 1]\n  end\nend\n",
		}, "who calls add_item?", "Callers of `Cart.add_item`, 4 calls in 2 files:\n`Cart.both` at cart.ex:9\n`Web.post` at web.ex:5,6,7"},
		"Elixir with a mark": {map[string]string{
			"a.ex": "defmodule A do\n  def put!(c), do: c\n  def full?(c), do: c\n  def put(c), do: c\n  def run(c) do\n    put!(c)\n    put(c)\n    full?(c) && A.put!(c)\n  end\nend\n",
		}, "who calls put!?", "Callers of `A.put!`, 2 calls in 1 file:\n`A.run` at a.ex:6,8"},
		"a name that ends with a question mark": {map[string]string{
			"a.rb": "class A\n  def full?\n    true\n  end\n\n  def run\n    full?\n  end\nend\n",
		}, "who calls full?", "Callers of `A::full?`, 1 call in 1 file:\n`A::run` at a.rb:7"},
		"Ruby": {map[string]string{
			"a.rb": "class A\n  def check_stock\n    1\n  end\n\n  def run(list)\n    check_stock\n    total = check_stock\n    list.each { |x| x } if check_stock == 1\n    check_stock\n  end\n\n  def other(check_stock)\n    check_stock\n  end\n\n  def third\n    check_stock = 1\n    check_stock\n  end\n\n  def fourth\n    list.each do |check_stock|\n      check_stock\n    end\n    a, check_stock = 1, 2\n  end\nend\n",
		}, "who calls check_stock?", "Callers of `A::check_stock`, 4 calls in 1 file:\n`A::run` at a.rb:7,8,9,10"},
		"callbacks of Ruby": {map[string]string{
			"a.rb": "class A\n  before_save :set_total, if: :open?\n  def set_total\n    1\n  end\nend\n",
		}, "who calls set_total?", "Callers of `A::set_total`, 1 call in 1 file:\n`A` at a.rb:2"},
		"marks at the end in Scala": {map[string]string{
			"a.scala": "class Tower:\n  def hoist(n: Int): Int =\n    n + 1\n  end hoist\n  def lift(n: Int): Int = hoist(n)\nend Tower\n",
		}, "who calls hoist?", "Callers of `Tower.hoist`, 1 call in 1 file:\n`Tower.lift` at a.scala:5"},
		"procedures of SQL": {map[string]string{
			"a.sql": "CREATE PROCEDURE [dbo].[GetBuyer] @Id INT\nAS\nBEGIN\n    SELECT 1;\nEND\nGO\nCREATE PROC dbo.LoadBuyers\nAS\n    EXEC [dbo].[GetBuyer] @Id = 3;\n    execute @r = dbo.GetBuyer 4;\nGO\n",
		}, "who calls GetBuyer?", "Callers of `dbo.GetBuyer`, 2 calls in 1 file:\n`dbo.LoadBuyers` at a.sql:9,10"},
		"Make, in lists": {map[string]string{
			"Makefile": "ALL := lint pack\nall: pack \\\n\tlint\nother: $(ALL)\nlint:\n\tgo lint ./...\n\t$(MAKE) -C docs lint\n\tmake all && echo lint\n\tcmake lint\n",
		}, "who calls lint?", "Callers of `lint`, 1 call in 1 file:\n`all` at Makefile:3\nHanded on as a value: `ALL` at Makefile:1"},
		"variables of Elixir": {map[string]string{
			"a.ex": "defmodule A do\n  def total(c), do: c\n  def show(c) do\n    total = total(c)\n    total + 1\n    if total do\n      c.total\n    end\n    c |> total\n    Enum.map(c, &total/1)\n  end\nend\n",
		}, "who calls total?", "Callers of `A.total`, 2 calls in 1 file:\n`A.show` at a.ex:4,9\nHanded on as a value: `A.show` at a.ex:10"},
		"variables of Perl": {map[string]string{
			"A.pm": "package A;\nuse List::Util qw(first);\nsub items { return 1 }\nsub trim($) { return $_[0] }\nsub run { my @items = items(); return @items; }\nsub late { for (@items) { print @items if $x } items; }\n1;\n",
		}, "who calls items?", "Callers of `A::items`, 2 calls in 1 file:\nA.pm:5,6: `A::run`, `late`"},
		"lists of Haskell": {map[string]string{
			"A.hs": "module A where\n\nclass Priced a where\n  price :: a -> Int\n\ninstance Priced Cart where\n  price = sum\n\ntotal :: Cart -> Int\ntotal c = price c\n",
			"B.hs": "module B where\n\nimport A\n  ( Cart (..)\n  , price\n  )\n\nhalf c = price c / 2\n",
		}, "who calls price?", "Callers of `Priced.price`, 2 calls in 2 files:\n`total` at A.hs:10\n`half` at B.hs:8"},
		"what callbacks of Ruby are limited to": {map[string]string{
			"a.rb": "class A\n  before_action :load, only: [:show, :edit]\n  def show\n    1\n  end\n  def run(list)\n    list.map { |show| show }\n    @show = 1\n  end\nend\n",
		}, "who calls show?", "No place is certain to use `A::show`"},
		"locals of Ruby": {map[string]string{
			"a.rb": "class A\n  def member\n    1\n  end\n  scope :by, ->(member) { where(member: member) }\n  def find(\n    a,\n    member\n  )\n    return member if a\n  end\n  def other\n    @member = member\n    x if member\n  end\nend\n",
		}, "who calls member?", "Callers of `A::member`, 2 calls in 1 file:\n`A::other` at a.rb:13,14"},
		"PowerShell, handed on": {map[string]string{
			"a.ps1": "function Deploy { 1 }\n$x = @{ Deploy = 1 }\nWrite-Host a, Deploy\n$cfg.Deploy\nDeploy | Out-Null\nif (Deploy) { }\n",
		}, "who calls Deploy?", "Callers of `Deploy`, 2 calls in 1 file:\na.ps1:5,6"},
		"two names": {map[string]string{
			"a.go": "package a\n\nfunc Step1() {}\n\nfunc Step2() {}\n\nfunc All() {\n\tStep1()\n\tStep2()\n}\n", "go.mod": "module a\n",
		}, "what calls Step1 and Step2?", "Callers of `Step1`, 1 call in 1 file:\n`All` at a.go:8\n\nDefined in a.go:3\n\nCallers of `Step2`, 1 call in 1 file:\n`All` at a.go:9"},
		"an overload that calls another": {map[string]string{
			"Words.java": "public class Words {\n  String glue(String a, String b) {\n    return glue(a, b, \"-\");\n  }\n\n  String glue(String a, String b, String mid) {\n    return mid.isEmpty() ? glue(a, b, \"(,\") : a + mid + b;\n  }\n\n  String banner() {\n    return glue(\"x\", \"y\");\n  }\n}\n",
		}, "who calls glue?", "Callers of `Words.glue`, 2 calls in 1 file:\nWords.java:3,11: `Words.glue`, `banner`"},
		"Perl": {map[string]string{
			"Cart.pm": "package Shop::Cart;\nuse Exporter;\nour @EXPORT_OK = qw(add_item);\nsub add_item {\n  return 1;\n}\nsub both { add_item(1); add_item 2; &add_item; }\n1;\n",
			"main.pl": "use Shop::Cart qw(add_item);\nadd_item(3);\nShop::Cart::add_item(4);\nmy %h = (add_item => 1);\nprint $h{add_item}, $add_item;\n",
		}, "who calls add_item?", "Callers of `Cart::add_item`, 3 calls in 2 files:\n`Cart::both` at Cart.pm:7\nmain.pl:2,3"},
		"PowerShell": {map[string]string{
			"a.ps1": "function Get-First {\n  1\n}\nfunction Get-Second {\n  $x = Get-First -Name 'Get-First'\n  Get-First | Out-Null\n  Get-First-Of\n}\n",
		}, "who calls Get-First?", "Callers of `Get-First`, 2 calls in 1 file:\n`Get-Second` at a.ps1:5,6"},
		"Haskell": {map[string]string{
			"Cart.hs": "module Cart (addItem, both) where\n\naddItem :: Int -> Int\naddItem n = n\n\nboth :: Int -> Int\nboth n = addItem n + addItem' 2\n",
			"Main.hs": "import Cart (addItem)\nimport qualified Cart as C\n\nmain :: IO ()\nmain = do\n  print (addItem 1)\n  print $ map addItem [C.addItem 2]\n  -- addItem 3\n",
		}, "who calls addItem?", "Callers of `addItem`, 3 calls in 2 files:\n`both` at Cart.hs:7\n`main` at Main.hs:6,7"},
		"R": {map[string]string{
			"a.R": "add_item <- function(x) {\n  x\n}\nboth <- function(x) {\n  add_item(x)\n  lapply(x, add_item)\n  pkg::add_item(x)\n  add_item.default(x)\n}\n",
		}, "who calls add_item?", "Callers of `add_item`, 2 calls in 1 file:\n`both` at a.R:5,7\nHanded on as a value: `both` at a.R:6"},
		"Zig": {map[string]string{
			"a.zig": "const b = @import(\"b.zig\");\npub fn main() void {\n    b.addItem(1);\n    const c = b.Cart{};\n    c.grow();\n}\n",
			"b.zig": "pub fn addItem(x: i32) void {\n    _ = x;\n}\npub const Cart = struct {\n    pub fn grow(self: *Cart) void {\n        addItem(2);\n        _ = self;\n    }\n};\n",
		}, "who calls addItem?", "Callers of `addItem`, 2 calls in 2 files:\n`main` at a.zig:3\n`Cart.grow` at b.zig:6"},
		"Make": {map[string]string{
			"Makefile": ".PHONY: lint pack\npack: lint\n\tgo lint ./...\n\t$(MAKE) lint\nall: pack lint\nlint:\n\tgolangci-lint run\n",
		}, "who calls lint?", "Callers of `lint`, 3 calls in 1 file:\nMakefile:2,4,5: `pack` (2), `all`"},
		"Terraform": {map[string]string{
			"main.tf": "variable \"region\" {\n  default = \"x\"\n}\nresource \"aws_sqs_queue\" \"orders\" {\n  name = \"orders-${var.region}\"\n}\noutput \"url\" { value = aws_sqs_queue.orders.url }\n",
		}, "who uses aws_sqs_queue.orders?", "Users of `aws_sqs_queue.orders`, 1 use in 1 file:\n`output.url` at main.tf:7"},
		"Astro": {map[string]string{
			"price.ts":    "export function formatPrice(n: number) {\n  return n;\n}\n",
			"index.astro": "---\nimport { formatPrice } from './price';\n\nfunction heading(n: number) {\n  return formatPrice(n);\n}\nconst top = formatPrice(5);\n---\n<h1>{formatPrice(3)}</h1>\n",
		}, "who calls formatPrice?", "Callers of `formatPrice`, 3 calls in 1 file:\n"},
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, c.files), map[string]any{"question": c.question})
		if !strings.HasPrefix(got.Summary, c.want) {
			t.Errorf("%s: %s\nwant %s", name, got.Summary, c.want)
		}
	}
}

// TestImplementers asks for the types below another.
func TestImplementers(t *testing.T) {
	files := map[string]string{
		"a.rs":    "pub trait Singer { fn sing(&self); }\npub struct Robin;\nimpl Singer for Robin { fn sing(&self) {} }\nimpl Singer for Wren { fn sing(&self) {} }\npub fn show(s: &dyn Singer) { s.sing(); }\n",
		"a.go":    "package a\n\ntype Flyer interface {\n\tFly(n int) error\n\tLand() error\n}\n\ntype Kite struct{}\n\nfunc (k *Kite) Fly(n int) error { return nil }\nfunc (k *Kite) Land() error     { return nil }\n\ntype Stone struct{}\n\nfunc (s Stone) Fly(n int) error { return nil }\n",
		"a.py":    "class Swimmer:\n    def swim(self):\n        pass\n\n\nclass Fish(Swimmer):\n    pass\n\n\nclass Shark(Fish):\n    pass\n\n\ndef retry(n):\n    pass\n",
		"A.java":  "interface Digger { void dig(); }\nclass Mole implements Digger { public void dig() {} }\nabstract class Worm implements Runnable, Digger { }\nclass Pit { void go(Digger d) { d.dig(); } }\n",
		"a.dart":  "abstract class Shape {}\nclass Box extends Shape {}\nclass Disc with Round implements Shape {}\nclass Log with Shape {}\n",
		"b.rs":    "impl<T: Singer> Display for Wrapper<T> {}\nimpl From<Singer> for Err {}\n",
		"lone.py": "class Lone:\n    pass\n",
	}
	for question, want := range map[string]string{
		"who implements Singer?":                    "2 types implement `Singer` (a.rs:1):\n`Robin` at a.rs:3\n`Wren` at a.rs:4",
		"which types implement Flyer?":              "1 type implements `Flyer` (a.go:3):\n`Kite` at a.go:8",
		"which classes inherit from Swimmer?":       "1 type extends `Swimmer` (a.py:1):\n`Fish` at a.py:6\n\nThrough them, 1 more:\n`Shark` at a.py:10",
		"what are the subclasses of the class Fish": "1 type extends `Fish` (a.py:6):\n`Shark` at a.py:10",
		"List all implementations of Digger.":       "2 types implement `Digger` (A.java:1):\n`Mole` at A.java:2\n`Worm` at A.java:3",
		"what extends Shape?":                       "3 types extend `Shape` (a.dart:1):\n`Box` at a.dart:2\n`Disc` at a.dart:3\n`Log` at a.dart:4",
		"who implements Runnable?":                  "1 type extends `Runnable`:\n`Worm` at A.java:3",
		"what extends Lone?":                        "Nothing was found that extends `Lone` (lone.py:1), outside of tests.",
		"what implements retry?":                    "",
	} {
		got := codetest.MustCall[contract.Result](t, CallersOf(), codetest.NewEnv(t, files), map[string]any{"question": question})
		if got.Summary != want {
			t.Errorf("%s\n%s\nwant %s", question, got.Summary, want)
		}
	}
}
