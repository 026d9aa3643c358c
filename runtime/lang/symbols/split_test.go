package symbols

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spans writes a source with its comments in <…> and its strings in […].
func spans(lang Lang, src string) string {
	var b strings.Builder
	new(Scanner).Split(lang, []byte(src), func(kind SpanKind, start, end int) {
		switch kind {
		case SpanComment:
			b.WriteString("<" + src[start:end] + ">")
		case SpanString:
			b.WriteString("[" + src[start:end] + "]")
		default:
			b.WriteString(src[start:end])
		}
	})
	return b.String()
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		lang      Lang
		src, want string
	}{
		{Go, "a := `x // y` // z\n", "a := [`x // y`] <// z>\n"},
		{Go, "/* a */ b /* c */", "</* a */> b </* c */>"},
		{Python, "def f():\n    '''Doc.'''\n    x = 'a' # c\n", "def f():\n    <'''Doc.'''>\n    x = ['a'] <# c>\n"},
		{Python, "\"Module.\"\nx = [\n  'a',\n]\n", "<\"Module.\">\nx = [\n  ['a'],\n]\n"},
		{Python, "x = rb'\\'#' + f\"{a}#\"", "x = [rb'\\'#'] + [f\"]{a}[#\"]"},
		{Python, "f\"{a!r:>{w}} {{b}} {d[1:2]} {f(c=3)} \\N{DASH} {x != y} {t:%d}\" # z", "[f\"]{a![r:>]{w}[} {{b}} ]{d[1:2]}[ ]{f(c=3)}[ \\N{DASH} ]{x != y}[ ]{t:[%d}\"] <# z>"},
		{Python, "f'''{\n  a({'b': 1})\n}c'''\nd = '{e}'\n", "[f''']{\n  a({['b']: 1})\n}[c''']\nd = ['{e}']\n"},
		{JavaScript, "a = `x${ b /* c */ }y` / 2 // d", "a = [`x$]{ b </* c */> }[y`] / 2 <// d>"},
		{JavaScript, "a = /['\"]/g; b = 1 / 2 / '3'", "a = [/['\"]/g]; b = 1 / 2 / ['3']"},
		{JavaScript, "a = <p>it's // {b /* c */}</p>", "a = <p>[it's // ]{b </* c */>}</p>"},
		{Rust, "r#\"a // b\"# 'a' '\\'' \"c\" /* /* */ */", "[r#\"a // b\"#] 'a' '\\'' [\"c\"] </* /* */ */>"},
		{CPP, "R\"x(a )\" b)x\" // c", "[R\"x(a )\" b)x\"] <// c>"},
		{CSharp, "@\"a\"\"b\" + $\"{c + \"d\"}e\" // f", "[@\"a\"\"b\"] + [$\"]{c + [\"d\"]}[e\"] <// f>"},
		{Kotlin, "\"a ${b + \"c\"} d\" /* e */", "[\"a $]{b + [\"c\"]}[ d\"] </* e */>"},
		{Swift, "\"a \\(b + \"c\") d\" // e", "[\"a \\](b + [\"c\"])[ d\"] <// e>"},
		{Ruby, "a = <<~X # y\n  z\nX\nb # c\n", "a = <<~X <# y>\n[  z\nX]\nb <# c>\n"},
		{Ruby, "%w[a b] =~ /#x/ # c", "[%w[a b]] =~ [/#x/] <# c>"},
		{Shell, "a=${b#c} # d\necho \"#\" '#' x#y\n", "a=${b#c} <# d>\necho [\"#\"] ['#'] x#y\n"},
		{Shell, "a=\"$(f \"x)\" b) ${c} `g \"d\"`\" # e\nb='$(h)' `i`\n", "a=[\"$](f [\"x)\"] b)[ ${c} ]`g [\"d\"]`[\"] <# e>\nb=['$(h)'] `i`\n"},
		{PHP, "<?php \"a {$b->c('d')} $e {f}\" # g", "<?php [\"a ]{$b->c(['d'])}[ $e {f}\"] <# g>"},
		{PHP, "<p>'</p><?php 'a'; # b ?>\n'c'", "<p>'</p><?php ['a']; <# b >?>\n'c'"},
		{SQL, "select 'it''s' -- x\n$$ y $$", "select ['it''s'] <-- x>\n[$$ y $$]"},
		{Dart, "a = 'x ${b['c']} $d' + r'${e' // f\n", "a = ['x $]{b[['c']]}[ $d'] + [r'${e'] <// f>\n"},
		{Lua, "a = [[x\n]] .. [=[y]]]=] --[[ z\n]] .. 'b' -- c", "a = [[[x\n]]] .. [[=[y]]]=]] <--[[ z\n]]> .. ['b'] <-- c>"},
		{Elixir, "a = \"x#{b(\"c\")}\" <> ~s(d \"e) <> ?\" # f", "a = [\"x#]{b([\"c\"])}[\"] <> [~s(d \"e)] <> ?\" <# f>"},
		{Elixir, "@doc \"\"\"\nHelps #{x}.\n\"\"\"\ndef a, do: ~S\"\"\"\nb\n\"\"\"\n", "@doc <\"\"\"\nHelps #>{x}[.\n\"\"\"]\ndef a, do: [~S\"\"\"\nb\n\"\"\"]\n"},
		{Perl, "$a{q} =~ s/#/x/; print qw(b c), 'd'; # e\n=pod\nf\n=cut\n", "$a{q} =~ [s/#/x/]; print [qw(b c)], ['d']; <# e>\n<=pod\nf\n=cut>\n"},
		{PowerShell, "$a = \"b `\" # c\" + 'd''e' <# f #> + @'\ng\n'@ # h", "$a = [\"b `\" # c\"] + ['d''e'] <<# f #>> + [@'\ng\n'@] <# h>"},
		{R, "a <- 'b # c' # d", "a <- ['b # c'] <# d>"},
		{Haskell, "a' = 'b' {- c {- d -} -} \"e -- f\" -- g", "a' = 'b' <{- c {- d -} -}> [\"e -- f\"] <-- g>"},
		{Zig, "a = \n  \\\\b // c\n; // d", "a = \n  [\\\\b // c]\n; <// d>"},
		{HCL, "a = \"b ${c[\"d\"]}\" // e\nf = <<-G # h\n  i\n  G\n/* j */", "a = [\"b $]{c[[\"d\"]]}[\"] <// e>\nf = <<-G <# h>\n[  i\n  G]\n</* j */>"},
		{Make, "a = 'b' # c\nd:\n\techo it's # e\n", "a = ['b'] <# c>\nd:\n\techo it['s # e]\n"},
		{YAML, "a: 'x # y' # z\nb: it's # c\n", "a: 'x # y' <# z>\nb: it's <# c>\n"},
		{Markdown, "# A\n```go\nx\n```\ntext\n", "<# A\n>```go\nx\n```\n<text\n>"},
		{"", "anything // at all", "anything // at all"},
		{Go, "", ""},
	} {
		if diff := cmp.Diff(c.want, spans(c.lang, c.src)); diff != "" {
			t.Errorf("%s %q: -want +got\n%s", c.lang, c.src, diff)
		}
	}
}

// TestSplitNotebook takes outputs and text cells for comments, also where lines of a cell share one of the file.
func TestSplitNotebook(t *testing.T) {
	src := "# notebook: r\r#' Text\rx <- \"1\"\r#> 1\nx # y\rz"
	want := "<# notebook: r>\r<#' Text>\rx <- [\"1\"]\r<#> 1>\nx <# y>\rz"
	if diff := cmp.Diff(want, spans(Detect("a.ipynb", []byte(src)), src)); diff != "" {
		t.Error(diff)
	}
}

func TestSpanKindString(t *testing.T) {
	if got := SpanCode.String() + SpanComment.String() + SpanString.String(); got != "codecommentstring" {
		t.Error(got)
	}
}
