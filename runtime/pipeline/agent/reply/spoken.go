package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

var (
	funcCall = lazyregexp.New(`([A-Za-z_][\w.]*)\(`)
	action   = lazyregexp.New(`(?m)^[ \t*]*Action[ \t*]*:[ \t*]*` + "`?" + `([\w.\-]+)` + "`?" + `[^\n]*\n+[ \t*]*Action Input[ \t*]*:[ \t]*`)
)

// readPythonic reads calls written as name(key="value"), alone or in a list.
func (c *caller) readPythonic(text string) bool {
	taken := false
	for _, m := range funcCall.FindAllStringSubmatchIndex(text, maxCalls) {
		if name := strings.TrimSuffix(text[m[2]:m[3]], ".call"); c.resolve(name) != "" {
			args, _, ok := readKeywords(text, m[1])
			taken = ok && c.add(name, args) || taken
		}
	}
	return taken
}

// readSpoken reads calls of known tools written on a line of their own as name(key="value"),
// or as Action and Action Input.
func (c *caller) readSpoken() {
	if !strings.Contains(c.s, "Action") && !strings.Contains(c.s, "(") {
		return
	}
	for _, m := range action.FindAllStringSubmatchIndex(c.s, maxCalls) {
		o := readAt(c.s+" ", m[1])
		if o.value.kind == object && c.resolve(c.s[m[2]:m[3]]) != "" {
			c.add(c.s[m[2]:m[3]], o.value)
			c.spans = append(c.spans, span{m[0], min(o.end, len(c.s))})
		}
	}
	if len(c.calls) > 0 {
		return
	}
	end := 0
	for _, m := range funcCall.FindAllStringSubmatchIndex(c.s, maxObjects) {
		if m[0] < end {
			continue
		}
		line := max(end, strings.LastIndexByte(c.s[:m[0]], '\n')+1)
		if strings.Trim(c.s[line:m[0]], " \t`[,") != "" || c.resolve(c.s[m[2]:m[3]]) == "" {
			continue
		}
		args, stop, ok := readKeywords(c.s, m[1])
		if !ok {
			continue
		}
		c.add(c.s[m[2]:m[3]], args)
		for stop < len(c.s) && c.s[stop] == ']' {
			stop++
		}
		c.spans = append(c.spans, span{line, stop})
		end = stop
	}
}

// readKeywords reads key=value, … up to the closing parenthesis, and returns where it ended.
// It does not accept values without a key.
func readKeywords(s string, from int) (args node, stop int, ok bool) {
	r := newReader(s, from)
	r.open = append(r.open, '(')
	n := node{kind: object}
	for !r.atEnd() {
		r.skipSpace()
		if r.atEnd() {
			break
		}
		switch c := r.s[r.i]; {
		case c == ')':
			return n, r.i + 1, true
		case c == ',':
			r.i++
			continue
		case c == '{': // name({…})
			o := r.readObject()
			return o, min(len(s), r.i+1), true
		}
		m := keyword.FindStringSubmatch(r.s[r.i:min(len(r.s), r.i+look)])
		if m == nil {
			return n, r.i, false
		}
		r.i += len(m[0])
		r.skipSpace()
		if r.atEnd() {
			break
		}
		n.keys, n.items = append(n.keys, m[1]), append(n.items, r.readArgument())
	}
	return n, r.i, false
}

var keyword = lazyregexp.New(`^([A-Za-z_]\w*)\s*[=:]`)

// readArgument reads a value that ends at a comma or parenthesis.
func (r *reader) readArgument() node {
	if strings.IndexByte("{[\"'", r.s[r.i]) >= 0 {
		return r.readValue(inCall)
	}
	from := r.i
	for r.i < len(r.s) && strings.IndexByte(",)\n", r.s[r.i]) < 0 {
		r.i++
	}
	return readLiteral(r.s[from:r.i])
}
