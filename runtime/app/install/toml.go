package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// tomlFile edits TOML line by line: expressions begin lines, and the parser reports
// which ones. The servers are the tables below key.
type tomlFile struct{ key string }

// expression is a table header, or a key with its value, and the lines that it occupies.
type expression struct {
	path       []string // from the top of the document
	table      bool
	start, end int // byte offsets of whole lines, excluding comments and blank lines after them
}

func (x expression) isWithin(path []string) bool {
	return len(x.path) >= len(path) && slices.Equal(x.path[:len(path)], path)
}

func (f tomlFile) put(old []byte, name string, e Entry) ([]byte, error) {
	list, err := parseExpressions(old)
	if err != nil {
		return nil, err
	}
	ours := []string{f.key, name}
	header := slices.IndexFunc(list, func(x expression) bool { return x.table && slices.Equal(x.path, ours) })
	end := newline(old)
	if header >= 0 {
		return fillTable(old, list, header, e, end)
	}
	if slices.ContainsFunc(list, func(x expression) bool { return x.isWithin(ours) }) {
		return nil, fmt.Errorf("has %s already, but not as a table of its own", strings.Join(ours, "."))
	}
	out := bytes.Clone(old)
	if len(out) > 0 && !bytes.HasSuffix(out, []byte("\n")) {
		out = append(out, end...)
	}
	if len(out) > 0 {
		out = append(out, end...)
	}
	return append(out, tomlTable(ours, e, end)...), nil
}

// fillTable changes the lines of an existing table, and adds missing ones right below
// its header.
func fillTable(old []byte, list []expression, header int, e Entry, end string) ([]byte, error) {
	doc := map[string]any{}
	if err := toml.Unmarshal(old, &doc); err != nil {
		return nil, plainTOML(err)
	}
	table := tableAt(doc, list[header].path)
	out, added := old, ""
	// backward, so that earlier offsets stay valid
	for _, w := range slices.Backward(e.fields()) {
		have, there := table[w.name]
		if there && sameValue(have, w.value) {
			continue
		}
		line := tomlLine(w, end)
		path := append(slices.Clone(list[header].path), w.name)
		at := slices.IndexFunc(list, func(x expression) bool { return x.isWithin(path) })
		switch {
		case !there:
			added = line + added
		case !w.gives && list[at].table:
			return nil, fmt.Errorf("has %s as a table", strings.Join(path, "."))
		case !w.gives:
			out = slices.Concat(out[:list[at].start], []byte(line), out[list[at].end:])
			list, _ = parseExpressions(out)
		}
	}
	at := list[header].end
	return slices.Concat(out[:at], []byte(added), out[at:]), nil
}

func tableAt(doc map[string]any, path []string) map[string]any {
	for _, p := range path {
		doc, _ = doc[p].(map[string]any)
	}
	return doc
}

func (f tomlFile) remove(old []byte, name string) ([]byte, error) {
	list, err := parseExpressions(old)
	if err != nil {
		return nil, err
	}
	out := old
	for _, x := range slices.Backward(list) {
		if x.isWithin([]string{f.key, name}) {
			out = cutExpression(out, x)
		}
	}
	return out, nil
}

// cutExpression removes an expression and, for a table, one of the blank lines around it.
func cutExpression(text []byte, x expression) []byte {
	before, after := text[:x.start], text[x.end:]
	if x.table && (len(after) == 0 || isBlank(firstLine(after))) {
		if line := before[lineStart(before, len(before)-1):]; len(line) > 0 && isBlank(line) {
			before = before[:len(before)-len(line)]
		}
	}
	return slices.Concat(before, after)
}

// parseExpressions returns the expressions of a document in order.
func parseExpressions(text []byte) ([]expression, error) {
	var doc map[string]any
	if err := toml.Unmarshal(text, &doc); err != nil {
		return nil, plainTOML(err)
	}
	var p unstable.Parser
	p.Reset(text)
	var out []expression
	var table []string
	for p.NextExpression() {
		e := p.Expression()
		x := expression{table: e.Kind != unstable.KeyValue, start: -1}
		for keys := e.Key(); keys.Next(); {
			if x.start < 0 {
				x.start = lineStart(text, int(keys.Node().Raw.Offset))
			}
			x.path = append(x.path, string(keys.Node().Data))
		}
		if x.table {
			table = x.path
		} else {
			x.path = slices.Concat(table, x.path)
		}
		out = append(out, x)
	}
	for i := range out {
		end := len(text)
		if i+1 < len(out) {
			end = out[i+1].start
		}
		out[i].end = trimLines(text, out[i].start, end)
	}
	return out, plainTOML(p.Error())
}

// trimLines drops lines at the end that hold at most a comment, and returns the new end.
func trimLines(text []byte, start, end int) int {
	for end > start {
		at := lineStart(text, end-1)
		line := bytes.TrimSpace(text[at:end])
		if at <= start || len(line) > 0 && line[0] != '#' {
			break
		}
		end = at
	}
	return end
}

// lineStart returns the offset at which the line containing at begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:max(at, 0)], '\n') + 1 }

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

func isBlank(line []byte) bool { return len(bytes.TrimSpace(line)) == 0 }

func plainTOML(err error) error {
	var d *toml.DecodeError
	if errors.As(err, &d) {
		row, column := d.Position()
		return fmt.Errorf("is not TOML: line %d, column %d: %s", row, column, strings.TrimPrefix(err.Error(), "toml: "))
	}
	return err
}

func (f tomlFile) decode(text []byte) (map[string]any, error) {
	out := map[string]any{}
	return out, plainTOML(toml.Unmarshal(text, &out))
}

// tomlTable formats the entry as a table with a header.
func tomlTable(path []string, e Entry, end string) string {
	var names []string
	for _, p := range path {
		if !bareKey.MatchString(p) {
			p = tomlValue(p)
		}
		names = append(names, p)
	}
	out := "[" + strings.Join(names, ".") + "]" + end
	for _, w := range e.fields() {
		out += tomlLine(w, end)
	}
	return out
}

var bareKey = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

func tomlLine(w field, end string) string { return w.name + " = " + tomlValue(w.value) + end }

// tomlValue formats strings, numbers and lists of strings, whose syntax TOML shares
// with JSON.
func tomlValue(v any) string {
	if list, ok := v.([]string); ok {
		var items []string
		for _, s := range list {
			items = append(items, tomlValue(s))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // cannot fail for a string or number
	return strings.TrimSpace(b.String())
}
