package page

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

const asHTML = "text/html; charset=utf-8"

// asIs masks nothing.
func asIs(s string) string { return s }

func texts(d Document) (out []string) {
	for _, b := range d.Blocks {
		out = append(out, b.Text)
	}
	return out
}

func TestHTML(t *testing.T) {
	got := Read([]byte(`<!doctype html><html><head><title> A
 page </title><style>p{}</style><script>var a = "<p>no</p>"</script></head>
<body><header><nav><a href="/guide">The guide</a> menu</nav></header>
<h1 id=top>Top<a href="#top">¶</a></h1>
<p>One <b>bold</b> line,<br>and&nbsp;more &amp; more &lt;x&gt;.<p>Two
<section id="deep"><h2>Deep</h2><ul><li>first</li><li>second <a href="b.html">and b</a></ul></section>
<table><tr><th>name<th>value<tr><td>a<td>1</table>
<pre><code>if a {
	b()
}</code></pre>
<h3><a name="old"></a>Old</h3><!-- a comment --><p hidden>hidden</p><span style="display : none">unseen</span><div aria-hidden=true>unread</div>
<p>Last`+"\u200b"+`one</p><noscript>no script</noscript>
<footer>foot</footer></body></html>`), asHTML, asIs)
	want := Document{Title: "A page",
		Blocks: []Block{
			{[]string{"Top"}, "top", "One bold line, and more & more <x>.", false}, {[]string{"Top"}, "top", "Two", false},
			{[]string{"Top", "Deep"}, "deep", "first", false}, {[]string{"Top", "Deep"}, "deep", "second and b", false},
			{[]string{"Top", "Deep"}, "deep", "name | value", false}, {[]string{"Top", "Deep"}, "deep", "a | 1", false},
			{[]string{"Top", "Deep"}, "deep", "if a {\n\tb()\n}", true},
			{[]string{"Top", "Deep", "Old"}, "old", "Lastone", false},
		},
		Links: []Link{{"/guide", "The guide"}, {"#top", "¶"}, {"b.html", "and b"}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestThePartThatIsMarkedIsThePage(t *testing.T) {
	text := strings.Repeat("Words of the page that say something. ", 10)
	got := Read([]byte("<div>banner</div><nav>never closed<main><h1>T</h1><p>"+text+"</p></main><div>beside</div>"), asHTML, asIs)
	if want := []string{strings.TrimSpace(text)}; !slices.Equal(texts(got), want) {
		t.Errorf("%q", texts(got))
	}
	// Where next to nothing is left, what stands around is the page.
	if got := Read([]byte("<form><p>"+text+"</p></form>"), asHTML, asIs); len(got.Blocks) != 1 {
		t.Errorf("%q", texts(got))
	}
	if got := Read([]byte("<p>a</p><nav>b</nav>"), asHTML, asIs); !slices.Equal(texts(got), []string{"a"}) {
		t.Errorf("%q", texts(got))
	}
}

func TestPlainTextAndMarkdown(t *testing.T) {
	got := Read([]byte("# Top\n\nOne\ntwo.\n\n- a\n- b\n## Deep ##\n```go\nx := 1\n\ny()\n```\nend\n"), "text/markdown", asIs)
	want := Document{Title: "Top", Blocks: []Block{{[]string{"Top"}, "", "One two.", false}, {[]string{"Top"}, "", "- a", false}, {[]string{"Top"}, "", "- b", false},
		{[]string{"Top", "Deep"}, "", "x := 1\n\ny()", true}, {[]string{"Top", "Deep"}, "", "end", false}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got := Read([]byte("# no heading\n\nb <p>c"), "text/plain", asIs); !slices.Equal(texts(got), []string{"# no heading", "b <p>c"}) {
		t.Errorf("%q", texts(got))
	}
}

func TestCharsets(t *testing.T) {
	const text = "<p>Größe über Straße</p>"
	latin, _ := charmap.ISO8859_1.NewEncoder().String(text)
	sixteen, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	sjis, _ := japanese.ShiftJIS.NewEncoder().String("<p>既定値は三十秒です。</p>")
	for name, c := range map[string]struct{ body, kind, want string }{
		"said by the type":   {latin, "text/html; charset=iso-8859-1", "Größe über Straße"},
		"said by the page":   {`<meta charset="latin1">` + latin, "text/html", "Größe über Straße"},
		"by its first bytes": {sixteen, "text/html", "Größe über Straße"},
		"not said":           {text, "text/html", "Größe über Straße"},
		"a mark before it":   {"\xef\xbb\xbf" + text, asHTML, "Größe über Straße"},
		"Shift JIS":          {sjis, "text/html; charset=Shift_JIS", "既定値は三十秒です。"},
		"unknown":            {text, "text/html; charset=klingon", "Größe über Straße"},
		"false":              {"<p>a\xff\xfeb</p>", asHTML, "a\ufffd\ufffdb"},
		"UTF-7":              {"<p>+ADw-script+AD4-</p>", "text/html; charset=utf-7", "+ADw-script+AD4-"},
	} {
		if got := texts(Read([]byte(c.body), c.kind, asIs)); len(got) != 1 || got[0] != c.want && name != "false" || !utf8.ValidString(got[0]) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestHostilePagesEndInTime: deep nesting, endless attributes, one long line.
func TestHostilePagesEndInTime(t *testing.T) {
	const size = 1 << 12
	for name := range hostilePages(1) {
		for _, kind := range []string{asHTML, "text/plain", "text/markdown"} {
			t.Run(name+" as "+kind, func(t *testing.T) {
				clocktest.Linear(t, size, func(n int) func() {
					body := []byte(hostilePages(n)[name])
					return func() {
						if d := Read(body, kind, asIs); len(d.Blocks) > maxBlocks || len(d.Links) > maxLinks || len(d.Title) > maxText {
							t.Errorf("%d blocks, %d links", len(d.Blocks), len(d.Links))
						}
					}
				})
			})
		}
	}
}

// hostilePages returns pages of about n bytes.
func hostilePages(n int) map[string]string {
	return map[string]string{
		"deep":               strings.Repeat("<div>", n/5),
		"deep and text":      strings.Repeat("<div>a", n/6),
		"deep lists":         strings.Repeat("<ul><li>", n/8),
		"formatting":         strings.Repeat("<a><b><font><i>", n/15) + strings.Repeat("</a></b>", 1000),
		"tables":             strings.Repeat("<table><tr><td>", n/15),
		"skipped":            strings.Repeat("<nav>", n/5),
		"open tags":          strings.Repeat("<", n),
		"open comment":       "<!--" + strings.Repeat("-", n),
		"open script":        "<script>" + strings.Repeat("</scrip", n/7),
		"attributes":         "<a " + strings.Repeat("a=b ", n/4) + ">",
		"entities":           strings.Repeat("&amp;&#x1F;&zzz", n/15),
		"one line":           "<p>" + strings.Repeat("x", n),
		"headings":           strings.Repeat("<h1 id=a>b</h1>c", n/16),
		"links":              strings.Repeat("<a href=/a>b</a>", n/16),
		"breaks":             strings.Repeat("<br>", n/4),
		"nul":                strings.Repeat("\x00", n),
		"escape sequences":   "<p>" + strings.Repeat("\x1b]0;", n/4),
		"ends without begin": strings.Repeat("</div></p></main>", n/17),
	}
}

func FuzzRead(f *testing.F) {
	for _, kind := range []string{asHTML, "text/html", "text/markdown", "text/plain", "application/xhtml+xml; charset=utf-16", ";;"} {
		f.Add([]byte("<main><h1 id=a>T</h1><p hidden>x<p>y<pre>\nz</pre><a href=b>c</a><nav><title>"), kind)
		f.Add([]byte("# a\n\n```\nb\n```\n- c\r\n\xff\xfe\x00"), kind)
	}
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		d := Read(body, kind, asIs)
		check := func(text string, most int, lines bool) {
			if !utf8.ValidString(text) || len(text) > most || strings.ContainsAny(text, "\x00\x1b\u202e\u200b") || !lines && strings.Contains(text, "\n") {
				t.Errorf("%q of %q (%s)", text, body, kind)
			}
		}
		check(d.Title, maxText, false)
		for _, b := range d.Blocks {
			check(b.Text, maxBlock, b.Code)
			check(b.Anchor, 3*maxText, true)
			for _, h := range b.Headings {
				check(h, maxText, false)
			}
			if strings.TrimSpace(b.Text) == "" {
				t.Errorf("an empty block of %q", body)
			}
		}
		for _, l := range d.Links {
			check(l.Text, maxText, false)
		}
	})
}
