package chunk

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
	"go.yaml.in/yaml/v3"
)

// layout is what is known of a document beside its text.
type layout struct {
	title    string
	tags     []string
	body     int // where the text begins, behind front matter
	headings []heading
	solid    []span // whose empty lines end no paragraph: code
}

// heading is a line that names what follows it.
type heading struct {
	at    int
	level int // 1..6
	text  string
}

type span struct{ start, end int }

// blocks reads the blocks that hold headings, or what looks like one and is none.
// Those that nest are left out: a heading in a quote names no section.
var blocks = parser.NewParser(parser.WithBlockParsers(
	util.Prioritized(parser.NewSetextHeadingParser(), 100),
	util.Prioritized(parser.NewThematicBreakParser(), 200),
	util.Prioritized(parser.NewCodeBlockParser(), 500),
	util.Prioritized(parser.NewATXHeadingParser(), 600),
	util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
	util.Prioritized(parser.NewHTMLBlockParser(), 900),
	util.Prioritized(parser.NewParagraphParser(), 1000),
))

// lines reads what stands in a heading.
var lines = goldmark.DefaultParser()

// outline finds the headings and the code of Markdown.
func outline(d Document) layout {
	l := layout{title: d.Name}
	var named string
	l.body, named, l.tags = frontMatter(d.Source)
	source := []byte(d.Source[l.body:])
	top := ""
	for n := blocks.Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			h := heading{at: l.body + lineStart(source, n.Pos()), level: n.Level, text: words(n, source)}
			if h.text == "" {
				continue
			}
			if top == "" && n.Level == 1 {
				top = h.text
			}
			l.headings = append(l.headings, h)
		case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
			if in := n.Lines(); in.Len() > 0 {
				l.solid = append(l.solid, span{l.body + in.At(0).Start, l.body + in.At(in.Len()-1).Stop})
			}
		}
	}
	for _, title := range []string{top, named} {
		if title != "" {
			l.title = title
		}
	}
	return l
}

func lineStart(source []byte, at int) int {
	for at > 0 && source[at-1] != '\n' {
		at--
	}
	return at
}

// maxTitle is how much of a heading is kept, in bytes.
const maxTitle = 200

// anchor is the id that some write behind a heading.
var anchor = regexp.MustCompile(`\s*\{#[^}]*\}\s*$`)

// words returns the text of a heading without its marks.
func words(n *ast.Heading, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
		if b.Len() > maxTitle {
			break
		}
	}
	return inline(anchor.ReplaceAllString(short(b.String()), ""))
}

// short cuts a text to maxTitle bytes, between two characters.
func short(s string) string {
	if len(s) <= maxTitle {
		return s
	}
	end := maxTitle
	for end > 0 && s[end]&0xC0 == 0x80 {
		end--
	}
	return s[:end]
}

// inline returns the text of a line of Markdown on one line.
func inline(line string) string {
	source := []byte(strings.TrimSpace(line))
	var b strings.Builder
	_ = ast.Walk(lines.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	said := strings.Join(strings.Fields(b.String()), " ")
	if said == "" { // a list's mark or a rule: what a heading may be made of
		said = strings.Join(strings.Fields(string(source)), " ")
	}
	return strings.ToValidUTF8(said, "�")
}

// maxMatter is the longest front matter that is read, in bytes.
const maxMatter = 16 << 10

// frontMatter returns where the text behind YAML front matter begins, and the
// title and the tags that it gives. What is no YAML is text.
func frontMatter(source string) (end int, title string, tags []string) {
	first, rest, ok := strings.Cut(source, "\n")
	if !ok || strings.TrimRight(first, " \r") != "---" {
		return 0, "", nil
	}
	at := len(first) + 1
	for line := range strings.Lines(rest[:min(len(rest), maxMatter)]) {
		if mark := strings.TrimRight(line, " \r\n"); mark == "---" || mark == "..." {
			var matter struct {
				Title string `yaml:"title"`
				Tags  any    `yaml:"tags"` // a list, or a text; another form is none
			}
			if yaml.Unmarshal([]byte(source[len(first)+1:at]), &matter) != nil {
				return 0, "", nil
			}
			return at + len(line), strings.Join(strings.Fields(short(matter.Title)), " "), tagsOf(matter.Tags)
		}
		at += len(line)
	}
	return 0, "", nil
}

// tagsOf are the tags of front matter: a list, or a text with commas or spaces between them.
func tagsOf(v any) (out []string) {
	switch v := v.(type) {
	case string:
		split := strings.Fields
		if strings.Contains(v, ",") {
			split = func(s string) []string { return strings.Split(s, ",") }
		}
		return split(v)
	case []any:
		for _, e := range v {
			switch e := e.(type) {
			case string:
				out = append(out, e)
			case int:
				out = append(out, strconv.Itoa(e))
			}
		}
	}
	return out
}
