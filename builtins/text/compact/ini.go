package compact

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
)

// parseMembers reads YAML or INI. rest is what is neither, such as the error of the program that printed it.
func parseMembers(kind Kind, text string) (v *value, rest string) {
	if kind == INI {
		return parseINI(text)
	}
	return parseYAML(text), ""
}

// looksLikeINI reports whether lines are sections of keys, as in TOML and in files of systemd, git and Python programs.
func looksLikeINI(lines []string) bool {
	n, sections, keys, others := 0, 0, 0, 0
	open := 0 // brackets
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" || t[0] == '#' || t[0] == ';' {
			continue
		}
		n++
		if open > 0 {
			open += openBrackets(t)
			continue
		}
		key, value, ok := splitSetting(t)
		switch {
		case sectionOf(t) != "":
			sections++
		case ok && plainKey(key) && !strings.HasSuffix(value, ",") && !strings.HasSuffix(value, ";"): // not code
			keys++
			open = max(0, openBrackets(value))
		case isLineBlank(l[0]) && keys > 0: // continues the value before
		default:
			others++
		}
	}
	return sections > 0 && keys > 1 && sections+keys > 3 && others*12 <= n
}

// sectionOf returns the name of the section that a line begins, in brackets if it is an entry of a TOML list; "" for
// any other line.
func sectionOf(t string) string {
	t = strings.TrimSpace(t)
	end := strings.LastIndexByte(t, ']')
	if len(t) < 3 || t[0] != '[' || end < 2 {
		return ""
	}
	if rest := strings.TrimSpace(t[end+1:]); rest != "" && rest[0] != '#' && rest[0] != ';' {
		return ""
	}
	name := strings.TrimSpace(t[1:end])
	if strings.Trim(name, "[] ") == "" {
		return ""
	}
	return name
}

// isInList reports whether a line in brackets may be an item of a list rather than a section.
func isInList(line string) bool { return isLineBlank(line[0]) || strings.ContainsAny(line, `,"'`) }

// splitSetting splits "key = value" and "key: value".
func splitSetting(t string) (key, value string, ok bool) {
	i := strings.IndexByte(t, '=')
	if k := strings.Index(t, ": "); k >= 0 && (i < 0 || k < i) {
		i = k
	}
	if i <= 0 || t[0] == '[' || t[0] == ']' {
		return "", "", false
	}
	return strings.TrimSpace(t[:i]), strings.TrimSpace(t[i+1:]), true
}

// openBrackets returns the number of brackets that a text opens and does not close, ignoring quoted text and comments.
func openBrackets(t string) int {
	n := 0
	for i := 0; i < len(t); i++ {
		switch t[i] {
		case '[', '{':
			n++
		case ']', '}':
			n--
		case '#':
			return n
		case '"', '\'':
			end := strings.IndexByte(t[i+1:], t[i])
			if end < 0 {
				return n
			}
			i += end + 1
		}
	}
	return n
}

// parseINI reads sections of keys as an object of objects; repeated sections become lists. It is lenient: a line
// indented more than the key before continues its value, a bare name is a key that is set, any other line goes to rest.
func parseINI(text string) (v *value, rest string) {
	r := iniReader{root: &value{kind: rawjson.Object}, at: map[string]int{}, lines: strings.Split(unnumber(text), "\n")}
	r.into = r.root
	for r.i < len(r.lines) {
		r.line(r.lines[r.i])
		r.i++
	}
	if len(r.root.kids) == 0 {
		return nil, ""
	}
	return r.root, strings.Join(r.others, "\n")
}

type iniReader struct {
	lines  []string
	i      int
	root   *value
	into   *value         // the current section
	name   string         // of the section
	at     map[string]int // index of each section by its name
	indent int            // of the last key
	equals bool           // keys have equals signs after them
	others []string       // lines that are neither section nor setting
	lost   bool           // the line before was one of others
}

func (r *iniReader) line(line string) {
	t := strings.TrimSpace(line)
	if t == "" || t[0] == '#' || t[0] == ';' {
		return
	}
	indent := idents.Indent(line)
	n := len(r.into.kids)
	section := sectionOf(t)
	key, value, ok := splitSetting(t)
	lost := r.lost
	r.lost = false
	switch {
	case section != "" && (indent == 0 || n == 0 || strings.HasPrefix(section, r.name+".")):
		r.into, r.name = r.openSection(section), section
	case lost && indent > 0, indent == 0 && r.equals && isOfProgram(t):
		r.others, r.lost = append(r.others, t), true
	case n > 0 && (indent > r.indent || strings.HasSuffix(r.lines[r.i-1], "\\")):
		r.goOn(&r.into.kids[n-1], t)
	case ok:
		r.indent, r.equals = indent, r.equals || strings.Contains(t, "=")
		r.into.keys = append(r.into.keys, unquoted(key))
		r.into.kids = append(r.into.kids, settingOf(r.value(value)))
	case r.into != r.root && isBareKey(t):
		r.indent = indent
		r.into.keys = append(r.into.keys, t)
		r.into.kids = append(r.into.kids, settingOf("[set]"))
	default:
		r.others, r.lost = append(r.others, t), true
	}
}

// isOfProgram reports whether a line is not part of a file with equals signs, but a program's message about it.
func isOfProgram(t string) bool {
	return !strings.Contains(t, "=") && (tellsError(t) || strings.Count(t, ": ") > 1)
}

// isBareKey reports whether a line is only a key.
func isBareKey(t string) bool { return plainKey(t) && isAlnum(t[0]) && !strings.HasSuffix(t, ":") }

// goOn adds a line to a value of several lines.
func (r *iniReader) goOn(v *value, t string) {
	if v.kind == rawjson.String && len(v.text) < maxOfCell {
		v.text = strings.TrimSpace(v.text + " " + t)
	}
}

// value returns a value with the following lines that belong inside its brackets or quotation marks.
func (r *iniReader) value(first string) string {
	parts := []string{first}
	for open := openBrackets(first); open > 0 && r.i+1 < len(r.lines); {
		next := r.lines[r.i+1]
		if next != "" && sectionOf(next) != "" && !isInList(next) {
			break
		}
		open += openBrackets(next)
		parts = append(parts, strings.TrimSpace(next))
		r.i++
	}
	if q := opensText(first); len(q) == 3 {
		for r.i+1 < len(r.lines) {
			r.i++
			parts = append(parts, r.lines[r.i])
			if strings.Contains(r.lines[r.i], q) {
				break
			}
		}
	}
	return strings.Join(parts, "\n")
}

// openSection returns the object of a section. A repeated section, or one with its name in brackets, is a list; a section
// named below a list is part of the last item.
func (r *iniReader) openSection(name string) *value {
	inner, list := name, name[0] == '['
	if list {
		inner = strings.TrimSpace(strings.Trim(name, "[]"))
	}
	v := r.root
	if i := strings.LastIndexByte(inner, '.'); i > 0 {
		if k, ok := r.at[inner[:i]]; ok && v.kids[k].kind == rawjson.Array {
			items := v.kids[k].kids
			v, inner = &items[len(items)-1], inner[i+1:]
		}
	}
	k, again := r.at[inner]
	if v != r.root {
		k = slices.Index(v.keys, inner)
		again = k >= 0
	}
	if !again {
		k = len(v.kids)
		v.keys = append(v.keys, inner)
		v.kids = append(v.kids, value{kind: rawjson.Object})
		if v == r.root {
			r.at[inner] = k
		}
	}
	s := &v.kids[k]
	if s.kind == rawjson.Object {
		if !again && !list {
			return s
		}
		first := *s
		*s = value{kind: rawjson.Array}
		if again {
			s.kids = append(s.kids, first)
		}
	}
	if s.kind != rawjson.Array { // a key with that name
		*s = value{kind: rawjson.Array}
	}
	s.kids = append(s.kids, value{kind: rawjson.Object})
	return &s.kids[len(s.kids)-1]
}

// settingOf parses a value: a list of scalars as a list, everything else as its text.
func settingOf(t string) value {
	if t == "" {
		return value{kind: rawjson.String}
	}
	for _, q := range []string{`"""`, "'''"} {
		if in, ok := strings.CutPrefix(t, q); ok {
			return value{kind: rawjson.String, text: strings.TrimSpace(strings.TrimSuffix(in, q))}
		}
	}
	text := value{kind: rawjson.String, text: t}
	if c := t[0]; c == '"' || c == '\'' || isDigit(c) || hasPrefix(t, "true", "false") { // in other values a comment is part of the text
		text.text = unquoted(t)
	}
	end := strings.LastIndexByte(t, ']')
	if t[0] != '[' || end < 1 {
		return text
	}
	list := value{kind: rawjson.Array}
	for line := range strings.SplitSeq(t[1:end], "\n") {
		line = strings.Trim(line, ", \t\r")
		for line != "" && line[0] != '#' {
			n := strings.IndexByte(line, ',')
			switch c := line[0]; c {
			case '[', '{':
				return text
			case '"', '\'':
				if end := strings.IndexByte(line[1:], c); end >= 0 {
					n = end + 2
				}
			}
			if n < 0 {
				n = len(line)
			}
			list.kids = append(list.kids, value{kind: rawjson.String, text: unquoted(strings.TrimSpace(line[:n]))})
			line = strings.TrimLeft(line[n:], " ,")
		}
	}
	return list
}
