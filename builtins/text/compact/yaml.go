package compact

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// YAML is read by its indentation, leniently: a line that is not a key, an item or a comment continues the value before
// it. Values stay as they are written; flow style is text.

// yamlLine is a line that is not blank.
type yamlLine struct {
	indent int
	text   string // without surrounding space
}

type yamlReader struct {
	lines  []yamlLine
	i      int
	left   int // values that may still be read
	nested int // depth of literal blocks
}

// parseYAML reads a text as one value; several documents become a list. It returns nil if there is no key or item.
func parseYAML(text string) *value { return parseYAMLIn(text, 0) }

func parseYAMLIn(text string, nested int) *value {
	text = unnumber(strings.TrimRight(text, " \r\n"))
	var docs []value
	left := maxValues
	for doc := range eachDocument(text) {
		r := &yamlReader{lines: yamlLines(doc), left: left, nested: nested}
		if len(r.lines) == 0 {
			continue
		}
		v := r.block(r.lines[0].indent, 0)
		for r.i < len(r.lines) && r.left > 0 { // indented less than the first line
			more := r.block(r.lines[r.i].indent, 0)
			if v.kind == rawjson.Object && more.kind == rawjson.Object {
				v.keys, v.kids = append(v.keys, more.keys...), append(v.kids, more.kids...)
			}
		}
		left = r.left
		docs = append(docs, v)
	}
	switch {
	case len(docs) == 0 || len(docs) == 1 && docs[0].kind != rawjson.Object && docs[0].kind != rawjson.Array:
		return nil
	case len(docs) == 1:
		return &docs[0]
	}
	return &value{kind: rawjson.Array, kids: docs}
}

// eachDocument yields the documents of a text.
func eachDocument(text string) func(func(string) bool) {
	return func(yield func(string) bool) {
		from := 0
		for i := 0; i <= len(text); {
			end := strings.IndexByte(text[i:], '\n')
			if end < 0 {
				end = len(text) - i
			}
			if line := strings.TrimRight(text[i:i+end], " \r"); line == "---" || line == "..." || strings.HasPrefix(line, "--- ") {
				if !yield(text[from:i]) {
					return
				}
				from = min(i+end+1, len(text))
			}
			i += end + 1
		}
		yield(text[from:])
	}
}

// yamlLines returns the lines of a text that are not blank or comments. Lines of a literal block get the indent -1.
func yamlLines(text string) []yamlLine {
	out := make([]yamlLine, 0, strings.Count(text, "\n")+1)
	literal, base := -1, -1 // indentation of the line that opened a block, and of its first line
	for line := range strings.SplitSeq(text, "\n") {
		t := strings.Trim(line, " \t\r")
		if t == "" {
			continue
		}
		indent := 0
		for indent < len(line) && line[indent] == ' ' {
			indent++
		}
		if literal >= 0 && indent > literal {
			if base < 0 {
				base = indent
			}
			out = append(out, yamlLine{-1, strings.Repeat(" ", max(0, indent-base)) + t})
			continue
		}
		literal, base = -1, -1
		if t[0] == '#' || t[0] == '%' && indent == 0 {
			continue
		}
		if opensLiteral(t) {
			literal = indent
			for t[indent-literal] == '-' && strings.HasPrefix(t[indent-literal:], "- ") { // its key is indented more
				indent += 2
			}
			indent, literal = literal, indent
		}
		out = append(out, yamlLine{indent, t})
	}
	return out
}

// opensLiteral reports whether a line ends with the indicator of a literal or folded block.
func opensLiteral(t string) bool {
	t = strings.TrimRight(t, "+-0123456789")
	n := len(t)
	return n > 1 && (t[n-1] == '|' || t[n-1] == '>') && (t[n-2] == ' ')
}

// block reads the block of lines with the same indentation that begins at the current line.
func (r *yamlReader) block(indent, depth int) value {
	r.left--
	l := r.lines[r.i]
	switch {
	case depth > maxDepth || r.left <= 0:
	case isItem(l.text):
		return r.items(indent, depth)
	default:
		if _, _, ok := splitKey(l.text); ok {
			return r.members(indent, depth)
		}
	}
	r.i++
	return r.scalar(l.text, indent-1)
}

func isItem(t string) bool { return t == "-" || strings.HasPrefix(t, "- ") }

func (r *yamlReader) items(indent, depth int) value {
	v := value{kind: rawjson.Array}
	for r.i < len(r.lines) && r.left > 0 {
		l := &r.lines[r.i]
		if l.indent != indent || !isItem(l.text) {
			break
		}
		rest := strings.TrimLeft(l.text[1:], " ")
		if rest == "" {
			r.i++
			v.kids = append(v.kids, r.readBelow(indent, depth))
			continue
		}
		l.indent += len(l.text) - len(rest)
		l.text = rest
		v.kids = append(v.kids, r.block(l.indent, depth+1))
	}
	return v
}

func (r *yamlReader) members(indent, depth int) value {
	v := value{kind: rawjson.Object}
	for r.i < len(r.lines) && r.left > 0 {
		l := r.lines[r.i]
		key, rest, ok := splitKey(l.text)
		if l.indent != indent || !ok || isItem(l.text) {
			break
		}
		r.i++
		for rest != "" && (rest[0] == '&' || rest[0] == '!') { // an anchor, a tag
			_, rest, _ = strings.Cut(rest, " ")
		}
		var item value
		if rest == "" {
			item = r.readBelow(indent, depth)
		} else {
			item = r.scalar(rest, indent)
		}
		r.left--
		v.keys, v.kids = append(v.keys, key), append(v.kids, item)
	}
	return v
}

// readBelow reads what is indented more than a key or an item; items of a key may have the same indentation.
func (r *yamlReader) readBelow(indent, depth int) value {
	if r.i < len(r.lines) {
		if l := r.lines[r.i]; l.indent > indent || l.indent == indent && isItem(l.text) && !r.afterItem() {
			return r.block(l.indent, depth+1)
		}
	}
	return value{kind: rawjson.Null}
}

// afterItem reports whether the line before is an empty item: then the next item is its sibling, not its child.
func (r *yamlReader) afterItem() bool { return r.i > 0 && r.lines[r.i-1].text == "-" }

// longBlock is the length, in bytes, from which a literal block is itself read as YAML.
const longBlock = 120

// scalar returns a value with the lines that continue it: those of its literal block, and more indented ones.
func (r *yamlReader) scalar(first string, indent int) value {
	var parts []string
	if !(len(first) < 4 && opensLiteral(" "+first)) {
		parts = append(parts, unquoted(first))
	}
	between := " "
	for open := opensText(first); len(open) == 1 && r.i < len(r.lines); r.i++ { // up to the closing quotation mark
		parts = append(parts, r.lines[r.i].text)
		if strings.Contains(r.lines[r.i].text, open) {
			open = ""
		}
	}
	for r.i < len(r.lines) {
		l := r.lines[r.i]
		if l.indent >= 0 && l.indent <= indent {
			break
		}
		if l.indent < 0 {
			between = "\n"
		}
		parts = append(parts, l.text)
		r.i++
	}
	text := strings.Join(parts, between)
	if between == "\n" && len(text) > longBlock && r.nested < maxNested && looksLikeYAML(parts) { // a file in a ConfigMap
		if v := parseYAMLIn(text, r.nested+1); v != nil {
			return *v
		}
	}
	if text == "~" || text == "null" {
		return value{kind: rawjson.Null}
	}
	return value{kind: rawjson.String, text: text}
}

// unquoted returns a scalar without its quotation marks and the comment after it.
func unquoted(t string) string {
	if t == "" {
		return ""
	}
	if c := t[0]; c == '"' || c == '\'' {
		if end := strings.LastIndexByte(t, c); end > 0 && (end == len(t)-1 || strings.HasPrefix(trimBlanks(t[end+1:]), "#")) {
			return t[1:end]
		}
		return t
	}
	for _, mark := range []string{" #", "\t#"} {
		if i := strings.Index(t, mark); i > 0 {
			t = strings.TrimRight(t[:i], " \t")
		}
	}
	return t
}

const longKey = 200 // bytes

// splitKey splits a line after its key.
func splitKey(t string) (key, rest string, ok bool) {
	if c := t[0]; c == '"' || c == '\'' {
		end := strings.IndexByte(t[1:], c)
		if end < 0 || end+2 >= len(t) || t[end+2] != ':' {
			return "", "", false
		}
		return t[1 : end+1], strings.TrimLeft(t[end+3:], " "), end+3 == len(t) || t[end+3] == ' '
	}
	if c := t[0]; c == '{' || c == '[' || c == '`' || c == '|' || c == '>' {
		return "", "", false
	}
	for i := 0; i < min(len(t), longKey); i++ {
		if t[i] != ':' || i+1 < len(t) && t[i+1] != ' ' {
			continue
		}
		return t[:i], strings.TrimLeft(t[i+1:], " "), i > 0
	}
	return "", "", false
}

// looksLikeYAML reports whether most lines are keys, items and comments, and some keys have members below them.
func looksLikeYAML(lines []string) bool {
	n, keys, others, nested := 0, 0, 0, 0
	literal, opened := -1, -1
	for _, l := range lines {
		_, l = cutLineNumber(l)
		t := strings.Trim(l, " \r")
		if t == "" || t[0] == '#' || t == "---" {
			continue
		}
		indent := len(l) - len(strings.TrimLeft(l, " "))
		if literal >= 0 && indent > literal {
			continue
		}
		literal = -1
		if n == 0 && indent > 0 {
			return false
		}
		n++
		item := isItem(t)
		if opened >= 0 && (indent > opened || item && indent == opened) {
			nested++
		}
		opened = -1
		for isItem(t) {
			t = strings.TrimLeft(t[1:], " ")
			if t == "" {
				break
			}
		}
		key, rest, ok := "", "", false
		if t != "" {
			key, rest, ok = splitKey(t)
		}
		switch {
		case ok && plainKey(key):
			keys++
			if rest == "" {
				opened = indent
			}
			if opensLiteral(t) {
				literal = indent
			}
		case !item:
			others++
		}
	}
	return n > 4 && keys*2 >= n && others*8 <= n && nested >= 2
}

// plainKey reports whether a key is a name rather than a sentence.
func plainKey(key string) bool {
	return len(key) <= 80 && strings.Count(key, " ") <= 2 && !strings.ContainsAny(key, "(){};,*`<>|")
}
