package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Call is a tool call that a model wrote into its text.
type Call struct {
	Name      string         // one of the known names
	Arguments map[string]any // as written; Fit makes them fit a schema
}

// Found is the result of FindCalls.
type Found struct {
	Calls   []Call
	Rest    string   // the text without the calls
	Unknown []string // names that were called but are not known
}

// maxCalls limits the number of calls taken from one text.
const maxCalls = 32

// Calls finds the tool calls that a model wrote as text, and the text around them. It is
// FindCalls without the unknown names.
func Calls(text string, known []string) ([]Call, string) {
	f := FindCalls(text, known)
	return f.Calls, f.Rest
}

// FindCalls finds tool calls in the notations of Hermes, LM Studio, Mistral, Llama, Qwen, GLM,
// DeepSeek, Kimi and gpt-oss, as fenced or bare JSON, or as name(key="value"). Calls inside thoughts
// count only if nothing follows the thoughts. Names match regardless of case and punctuation.
func FindCalls(text string, known []string) Found {
	text = bound(text)
	f := findOutside(text, known)
	if len(f.Calls) == 0 && len(f.Unknown) == 0 && doubled.MatchString(text) {
		if again := findOutside(doubled.ReplaceAllString(text, "{$1"), known); len(again.Calls) > 0 {
			return again
		}
	}
	return f
}

// doubled matches the beginning of an object with a doubled brace: the template of
// Qwen2.5-Coder shows calls that way, and the model copies it.
var doubled = lazyregexp.New(`\{\s*\{\s*(["'])`)

// findOutside prefers calls outside thoughts to those inside.
func findOutside(text string, known []string) Found {
	outside := cutThoughts(text)
	f := findCalls(outside, known)
	if len(f.Calls) > 0 || outside == text || strip(outside) != "" {
		return f
	}
	return findCalls(text, known)
}

func findCalls(s string, known []string) Found {
	c := &caller{s: s, known: known}
	c.readMarked()
	for _, next := range []func(){c.readBare, c.readSpoken} {
		if len(c.calls) == 0 && len(c.unknown) == 0 {
			c.spans = nil
			next()
		}
	}
	return Found{Calls: c.calls, Rest: strip(c.textAround()), Unknown: c.unknown}
}

// caller collects the calls of one text.
type caller struct {
	s       string
	known   []string
	calls   []Call
	unknown []string
	spans   []span // of the calls in s
	ends    map[string]int
}

func (c *caller) isFull() bool { return len(c.calls)+len(c.unknown) >= maxCalls }

func (c *caller) textAround() string {
	var out strings.Builder
	from := 0
	for _, sp := range c.spans {
		if sp.start < from { // nested in another
			continue
		}
		out.WriteString(c.s[from:sp.start])
		from = sp.end
	}
	out.WriteString(c.s[from:])
	return out.String()
}

// add adds a call if its name is known, and reports whether it was.
func (c *caller) add(name string, args node) bool {
	if c.isFull() {
		return true
	}
	name = strings.TrimSpace(name)
	got := c.resolve(name)
	if got == "" {
		if name != "" && len(name) <= look {
			c.unknown = append(c.unknown, name)
		}
		return false
	}
	c.calls = append(c.calls, Call{Name: got, Arguments: argumentsOf(args)})
	return true
}

// resolve returns the known name that is meant, or "".
func (c *caller) resolve(name string) string {
	for _, k := range c.known {
		if k == name {
			return k
		}
	}
	name, _, _ = strings.Cut(name, ":") // functions.grep:0
	for _, prefix := range []string{"", "functions.", "default_api.", "tools.", "tool.", "function."} {
		after, ok := strings.CutPrefix(name, prefix)
		for _, k := range c.known {
			if ok && fold(after) != "" && fold(k) == fold(after) {
				return k
			}
		}
	}
	return ""
}

// argumentsOf returns the arguments as an object, also if n is null or JSON in a string.
func argumentsOf(n node) map[string]any {
	if n.kind == text {
		if o, ok := nextObject(n.text, 0); ok && !o.deep {
			n = o.value
		}
	}
	if m, ok := n.toValue().(map[string]any); ok {
		return m
	}
	return map[string]any{}
}

var (
	nameKeys = []string{"name", "tool", "tool_name", "function", "function_name", "action"}
	argKeys  = []string{"arguments", "parameters", "args", "input", "params", "action_input", "tool_input", "kwargs"}
)

// addFromObject reads a call from an object; after a mark, arguments are optional. It reports
// whether the object was a call, known or not.
func (c *caller) addFromObject(n node, marked bool) bool {
	if n.kind == list {
		any := false
		for _, item := range n.items {
			any = c.addFromObject(item, marked) || any
		}
		return any
	}
	if n.kind != object {
		return false
	}
	for _, key := range []string{"tool_calls", "tool_call", "function_call", "calls", "function"} {
		if inner, ok := member(n, key); ok && !inner.isScalar() {
			return c.addFromObject(inner, marked)
		}
	}
	name, hasName := firstOf(n, nameKeys)
	args, hasArgs := firstOf(n, argKeys)
	switch {
	case hasName && name.kind == text && (hasArgs || marked):
	case len(n.keys) == 1 && n.items[0].kind == object && c.resolve(n.keys[0]) != "":
		name, args = node{kind: text, text: n.keys[0]}, n.items[0]
	default:
		return false
	}
	if !hasArgs && marked && len(n.keys) > 1 { // arguments at the same level as the name
		args = withoutKeys(n, nameKeys)
	}
	c.add(name.text, args)
	return true
}

func firstOf(n node, keys []string) (node, bool) {
	for _, key := range keys {
		if v, ok := member(n, key); ok && (!v.half || !v.isScalar()) {
			return v, true
		}
	}
	return node{}, false
}

func withoutKeys(n node, keys []string) node {
	out := node{kind: object}
	for i, k := range n.keys {
		if !contains(keys, k) {
			out.keys, out.items = append(out.keys, k), append(out.items, n.items[i])
		}
	}
	return out
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// readBare reads calls that are written as JSON without a mark.
func (c *caller) readBare() {
	if len(c.known) == 0 {
		return
	}
	for from, n := 0, 0; n < maxObjects && !c.isFull(); n++ {
		i := strings.IndexAny(c.s[from:], "{[")
		if i < 0 {
			return
		}
		start := from + i
		o := readAt(c.s, start)
		if o.deep {
			return
		}
		before := len(c.unknown)
		if c.addFromObject(o.value, false) && len(c.unknown) == before {
			c.spans = append(c.spans, includeFence(c.s, o.span))
			from = o.end
			continue
		}
		from = o.end
		if c.s[start] == '[' { // brackets are as often prose as a list
			from = start + 1
		}
	}
}

// includeFence extends the span of a call to the fence around it, if any.
func includeFence(s string, sp span) span {
	before := strings.TrimRight(s[:sp.start], " \t\r\n")
	line := strings.LastIndexByte(before, '\n') + 1
	if !strings.HasPrefix(before[line:], "```") {
		return sp
	}
	after := strings.TrimLeft(s[sp.end:], " \t\r\n")
	if !strings.HasPrefix(after, "```") {
		return sp
	}
	return span{line, len(s) - len(after) + 3}
}
