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

// layout describes a document in addition to its text.
type layout struct {
	title    string
	tags     []string
	body     int // where the text begins, after front matter
	headings []heading
	solid    []span // code: its empty lines end no paragraph
}

// heading is a line that names the text after it.
type heading struct {
	at    int
	level int // 1..6
	text  string
}

type span struct{ start, end int }

// blocks parses the blocks that hold headings, or that only look like headings. Nested blocks are
// left out: a heading in a quote names no section.
var blocks = parser.NewParser(parser.WithBlockParsers(
	util.Prioritized(parser.NewSetextHeadingParser(), 100),
	util.Prioritized(parser.NewThematicBreakParser(), 200),
	util.Prioritized(parser.NewCodeBlockParser(), 500),
	util.Prioritized(parser.NewATXHeadingParser(), 600),
	util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
	util.Prioritized(parser.NewHTMLBlockParser(), 900),
	util.Prioritized(parser.NewParagraphParser(), 1000),
))

// lines parses the contents of a heading.
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
			h := heading{at: l.body + lineStart(source, n.Pos()), level: n.Level, text: headingText(n, source)}
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

// maxTitle limits the part of a heading that is kept, in bytes.
const maxTitle = 200

// anchor matches the id that some authors write after a heading.
var anchor = regexp.MustCompile(`\s*\{#[^}]*\}\s*$`)

// headingText returns the text of a heading without its marks.
func headingText(n *ast.Heading, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		s := n.Lines().At(i)
		b.Write(s.Value(source))
		if b.Len() > maxTitle {
			break
		}
	}
	return inlineText(anchor.ReplaceAllString(truncateTitle(b.String()), ""))
}

// truncateTitle truncates a text to maxTitle bytes, between two characters.
func truncateTitle(s string) string {
	if len(s) <= maxTitle {
		return s
	}
	end := maxTitle
	for end > 0 && s[end]&0xC0 == 0x80 {
		end--
	}
	return s[:end]
}

// inlineText returns the text of a line of Markdown on one line.
func inlineText(line string) string {
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
	if said == "" { // a list's mark or a rule, which a heading may consist of
		said = strings.Join(strings.Fields(string(source)), " ")
	}
	return strings.ToValidUTF8(said, "�")
}

// maxMatter limits the front matter that is read, in bytes.
const maxMatter = 16 << 10

// frontMatter returns where the text after YAML front matter begins, and the title and the tags
// that it gives. Front matter that is not YAML is text.
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
				Tags  any    `yaml:"tags"` // a list, or a text; other forms are ignored
			}
			if yaml.Unmarshal([]byte(source[len(first)+1:at]), &matter) != nil {
				return 0, "", nil
			}
			return at + len(line), strings.Join(strings.Fields(truncateTitle(matter.Title)), " "), tagsOf(matter.Tags)
		}
		at += len(line)
	}
	return 0, "", nil
}

// tagsOf returns the tags of front matter: a list, or a text with commas or spaces between them.
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
