package within

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// PathForms describes the ways to write a path.
const PathForms = `"items[3].name", "$.items[*].id", "$..id", "items[0:10]" or "/items/3"`

// step is one step of a path.
type step struct {
	name     string // of a member
	index    int
	from, to int  // of a slice; to is open for the end
	kind     byte // 'n' name, 'i' index, 's' slice, '*' all, 'd' name at any depth, 'p' name or index
}

// maxSteps limits the length of a path.
const maxSteps = 64

var errPath = errors.New("no path")

// parsePath parses a path in the forms that small models write.
func parsePath(text string) ([]step, error) {
	text = strings.TrimSpace(text)
	for _, q := range []string{"`", `"`, "'"} {
		if len(text) > 1 && strings.HasPrefix(text, q) && strings.HasSuffix(text, q) {
			text = text[1 : len(text)-1]
		}
	}
	if rest, ok := strings.CutPrefix(text, "#"); ok && (rest == "" || rest[0] == '/') {
		text = rest
	}
	if strings.HasPrefix(text, "/") {
		return parsePointer(text)
	}
	if text == "" {
		return nil, errPath
	}
	p := pathParser{rest: text}
	if strings.HasPrefix(text, "$") && (len(text) == 1 || text[1] == '.' || text[1] == '[') {
		p.rest = text[1:]
	} else if text == "." {
		p.rest = ""
	} else if text[0] != '.' && text[0] != '[' {
		p.rest = "." + text
	}
	var out []step
	for p.rest != "" {
		s, err := p.step()
		if err != nil || len(out) == maxSteps {
			return nil, errPath
		}
		out = append(out, s)
	}
	return out, nil
}

// parsePointer parses a JSON pointer.
func parsePointer(text string) ([]step, error) {
	parts := strings.Split(strings.TrimSuffix(text, "/"), "/")[1:]
	if len(parts) > maxSteps {
		return nil, errPath
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	var out []step
	for _, part := range parts {
		if part == "*" {
			out = append(out, step{kind: '*'})
			continue
		}
		out = append(out, namedStep(unescape.Replace(part)))
	}
	return out, nil
}

// namedStep returns a step for a name, or for a number that may be a name.
func namedStep(name string) step {
	if n, err := strconv.Atoi(name); err == nil && len(name) <= maxDigits {
		return step{kind: 'p', name: name, index: n}
	}
	return step{kind: 'n', name: name}
}

type pathParser struct{ rest string }

func (p *pathParser) step() (step, error) {
	if p.rest[0] == '[' {
		return p.bracket()
	}
	if p.rest[0] != '.' {
		return step{}, errPath
	}
	p.rest = p.rest[1:]
	if strings.HasPrefix(p.rest, "[") { // jq writes .[3]
		return p.bracket()
	}
	deep := strings.HasPrefix(p.rest, ".")
	if deep {
		p.rest = p.rest[1:]
	}
	end := strings.IndexAny(p.rest, ".[")
	if end < 0 {
		end = len(p.rest)
	}
	name := strings.Trim(strings.TrimSpace(p.rest[:end]), `"'`)
	p.rest = p.rest[end:]
	switch {
	case name == "" || strings.ContainsAny(name, "?()|]"):
		return step{}, errPath
	case name == "*" && !deep:
		return step{kind: '*'}, nil
	case deep:
		return step{kind: 'd', name: name}, nil
	}
	return namedStep(name), nil
}

// bracket parses a step in brackets.
func (p *pathParser) bracket() (step, error) {
	inner, err := p.takeBracket()
	if err != nil {
		return step{}, err
	}
	if inner == "*" || inner == "" { // jq writes []
		return step{kind: '*'}, nil
	}
	if c := inner[0]; c == '"' || c == '\'' {
		if c == '\'' {
			inner = `"` + strings.ReplaceAll(strings.ReplaceAll(inner[1:max(1, len(inner)-1)], `\'`, `'`), `"`, `\"`) + `"`
		}
		name, err := rawjson.Text([]byte(inner))
		if err != nil {
			return step{}, errPath
		}
		return step{kind: 'n', name: name}, nil
	}
	from, to, ranged := strings.Cut(inner, ":")
	from, to = strings.TrimSpace(from), strings.TrimSpace(to)
	if !ranged {
		n, err := strconv.Atoi(from)
		if err != nil && (strings.ContainsAny(inner, "?@(),|") || len(from) > maxDigits && strings.Trim(from, "-0123456789") == "") {
			return step{}, errPath
		}
		if err != nil {
			return step{kind: 'n', name: inner}, nil
		}
		return step{kind: 'i', index: n}, nil
	}
	s := step{kind: 's', to: open}
	if s.from, err = strconv.Atoi(from); err != nil && from != "" {
		return step{}, errPath
	}
	if s.to, err = strconv.Atoi(to); to == "" {
		s.to, err = 1<<31-1, nil
	}
	if err != nil {
		return step{}, errPath
	}
	return s, nil
}

// takeBracket removes the leading bracket and returns its contents.
func (p *pathParser) takeBracket() (string, error) {
	var q byte
	for i := 1; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case q != 0 && c == '\\':
			i++
		case q != 0 && c == q:
			q = 0
		case q != 0:
		case c == '"' || c == '\'':
			q = c
		case c == ']':
			inner := strings.TrimSpace(p.rest[1:i])
			p.rest = p.rest[i+1:]
			return inner, nil
		}
	}
	return "", errPath
}

// node is a value and its path.
type node struct {
	path string
	raw  json.RawMessage
}

// maxNodes limits the values that a path may lead to.
const maxNodes = 10_000

// maxShown limits the total of several values, in bytes.
const maxShown = 1 << 20

// maxPath limits a path in messages, in characters.
const maxPath = 80

// Path returns the value at a path: a single value unchanged, a string without its quotes, or one line for each of
// several values.
func (s *Source) Path(text string) (Part, error) {
	steps, err := parsePath(text)
	if err != nil {
		return Part{}, fmt.Errorf("path %q cannot be read; write %s, and use query to find records by what is in them", brief(text), PathForms)
	}
	if s.value == nil {
		return Part{Text: "The original is no JSON, so no path leads into it: use range or query. " + s.Describe()}, nil
	}
	at := []node{{"$", s.value}}
	more := false
	for i, st := range steps {
		var next []node
		for _, n := range at {
			next = append(next, st.applyStep(n, i == 0)...)
			if len(next) > maxNodes {
				next, more = next[:maxNodes], true
				break
			}
		}
		if len(next) == 0 {
			return Part{Text: describeMiss(st, at)}, nil
		}
		at = next
	}
	return nodesPart(at, more), nil
}

// nodesPart returns the output for the nodes that a path leads to.
func nodesPart(at []node, more bool) Part {
	if len(at) == 1 {
		n := at[0]
		text := string(n.raw)
		if rawjson.Of(n.raw) == rawjson.String {
			text, _ = rawjson.Text(n.raw)
		}
		return Part{Text: text, Note: sanitize.Cut(n.path, maxPath) + ": " + describe(n.path, n.raw)}
	}
	var b strings.Builder
	for i, n := range at {
		if b.WriteString(n.path + ": "); b.Len()+len(n.raw) > maxShown && i > 0 { // they may be nested in one another
			more = true
			b.WriteString("…\n")
			break
		}
		b.Write(rawjson.Line(n.raw))
		b.WriteByte('\n')
	}
	note := words.Count(len(at), "value")
	if more {
		note += ", and more that are not shown: narrow the path"
	}
	return Part{Text: b.String(), Note: note}
}

// describeMiss says where a path ends, and what there is instead.
func describeMiss(st step, at []node) string {
	what := map[byte]string{'n': "no member " + strconv.Quote(brief(st.name)), 'd': "no member " + strconv.Quote(brief(st.name)) + " at any depth",
		'p': "nothing named " + strconv.Quote(brief(st.name)), 'i': "no item " + strconv.Itoa(st.index), 's': "no item in that slice", '*': "nothing"}[st.kind]
	where := sanitize.Cut(at[0].path, maxPath)
	text := fmt.Sprintf("There is %s at %s, which is %s", what, where, describe(where, at[0].raw))
	if len(at) > 1 {
		text = fmt.Sprintf("There is %s at any of %d places; the first, %s, is %s", what, len(at), where, describe(where, at[0].raw))
	}
	if st.kind == 'n' && rawjson.Of(at[0].raw) == rawjson.Array {
		text += "; for the member of each item write " + where + "[*]" + member(st.name)
	}
	return text + "."
}

func brief(text string) string { return sanitize.Brief(text, 60) }
