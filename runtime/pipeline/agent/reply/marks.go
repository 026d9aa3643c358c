package reply

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// mark is the text that precedes a call, and the text that ends it.
type mark struct{ open, end string }

// marks lists the marks in the order in which they are tried at one position.
var marks = []mark{
	{"<tool_call>", "</tool_call>"},
	{"<function_call>", "</function_call>"},
	{"<tool_use>", "</tool_use>"},
	{"<function=", "</function>"},
	{"<invoke name=", "</invoke>"},
	{"<|tool_call|>", "<|/tool_call|>"},
	{"<|tool_call_begin|>", "<|tool_call_end|>"},
	{"<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"},
	{"<|python_tag|>", "<|eom_id|>"},
	{"<|channel|>commentary to=", "<|call|>"},
	{"[TOOL_REQUEST]", "[END_TOOL_REQUEST]"},
	{"[TOOL_CALLS]", ""},
	{"```tool_code", "```"},
	{"```tool_call", "```"},
}

// readMarked reads calls that follow a mark.
func (c *caller) readMarked() {
	for i := 0; i < len(c.s) && !c.isFull(); {
		next := strings.IndexAny(c.s[i:], "<[`")
		if next < 0 {
			return
		}
		i += next
		m, ok := markAt(c.s[i:])
		if !ok {
			i++
			continue
		}
		end := c.readBody(i, m)
		c.spans = append(c.spans, span{i, end})
		i = end
	}
}

func markAt(s string) (mark, bool) {
	for _, m := range marks {
		if strings.HasPrefix(s, m.open) {
			return m, true
		}
	}
	return mark{}, false
}

// readBody reads the calls between a mark and its end. If the end is missing, the next mark ends the calls.
func (c *caller) readBody(i int, m mark) int {
	from := i + len(m.open)
	end, after := c.bodyEnd(from, m)
	text := c.s[from:end]
	if m.open == "<function=" || m.open == "<invoke name=" || m.open == "<|channel|>commentary to=" {
		c.readNamed(text)
		return after
	}
	if j := strings.Index(text, "<function="); j >= 0 { // inside <tool_call>
		c.readNamed(text[j+len("<function="):])
		return after
	}
	if !c.readJSON(text) && !c.readGLM(text) && !c.readPythonic(text) {
		c.readNamed(text)
	}
	return after
}

func (c *caller) bodyEnd(from int, m mark) (end, after int) {
	next := len(c.s)
	if j := strings.Index(c.s[from:], m.open); j >= 0 {
		next = from + j
	}
	if end := c.nextEnd(from, m.end); end < next {
		return end, end + len(m.end)
	}
	return next, next
}

// nextEnd returns the position of an end mark at or after from, or the end of the text. It
// caches the position, so that many marks do not each search all of the remaining text.
func (c *caller) nextEnd(from int, end string) int {
	if at, ok := c.ends[end]; ok && at >= from {
		return at
	}
	at := len(c.s)
	if j := strings.Index(c.s[from:], end); end != "" && j >= 0 {
		at = from + j
	}
	if c.ends == nil {
		c.ends = map[string]int{}
	}
	c.ends[end] = at
	return at
}

// readJSON reads calls from a text that begins with JSON; several may follow each other.
func (c *caller) readJSON(text string) bool {
	taken := false
	for from := 0; from < len(text) && !c.isFull(); {
		i := strings.IndexAny(text[from:], "{[")
		if i < 0 || strings.ContainsFunc(text[from:from+i], isLetter) {
			return taken
		}
		o := readAt(text, from+i)
		if o.deep || !c.addFromObject(o.value, true) {
			return taken
		}
		taken = true
		from = o.end
	}
	return taken
}

func isLetter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }

// callName matches a name and what may come between it and its arguments.
var callName = lazyregexp.New(`^(?:function<｜tool▁sep｜>)?\s*["']?([A-Za-z_][\w.\-]*(?::\d+)?)["']?`)

// readNamed reads a call that begins with its name, followed by a JSON object of arguments,
// or by parameters in tags.
func (c *caller) readNamed(text string) {
	m := callName.FindStringSubmatchIndex(text)
	if m == nil {
		return
	}
	name, rest := text[m[2]:m[3]], text[m[1]:]
	if args, ok := readParameters(rest); ok {
		c.add(name, args)
		return
	}
	args := node{kind: object}
	if o, ok := nextObject(rest, 0); ok && !o.deep {
		args = o.value
	}
	c.add(name, args)
}

var parameter = lazyregexp.New(`<(?:parameter|param)(?:=| name=)["']?([\w.\-]+)["']?\s*>`)

// readParameters reads <parameter=key>value</parameter>. A missing end tag is assumed before
// the next parameter.
func readParameters(s string) (node, bool) {
	tags := parameter.FindAllStringSubmatchIndex(s, -1)
	if tags == nil {
		return node{}, false
	}
	out := node{kind: object}
	for i, t := range tags {
		end := len(s)
		if i+1 < len(tags) {
			end = tags[i+1][0]
		}
		value := s[t[1]:end]
		for _, stop := range []string{"</parameter>", "</param>", "</function>"} {
			value, _, _ = strings.Cut(value, stop)
		}
		out.keys = append(out.keys, s[t[2]:t[3]])
		out.items = append(out.items, readLiteral(value))
	}
	return out, true
}

// readLiteral reads an unquoted value: JSON if it is valid, otherwise text.
func readLiteral(s string) node {
	s = strings.TrimSpace(s)
	if s != "" && (s[0] == '{' || s[0] == '[' || s[0] == '"') {
		if o := readAt(s, 0); !o.deep && !o.mended && o.end == len(s) {
			return o.value
		}
		return node{kind: text, text: s}
	}
	if n, ok := literals[s]; ok {
		return n
	}
	if strictNumber(s) {
		return node{kind: number, text: s}
	}
	return node{kind: text, text: s}
}

var glmArg = lazyregexp.New(`(?s)<arg_key>\s*(.*?)\s*</arg_key>\s*<arg_value>(.*?)(?:</arg_value>|$)`)

// readGLM reads a name and <arg_key>, <arg_value> pairs.
func (c *caller) readGLM(text string) bool {
	pairs := glmArg.FindAllStringSubmatch(text, -1)
	if pairs == nil {
		return false
	}
	name, _, _ := strings.Cut(text, "<")
	args := node{kind: object}
	for _, p := range pairs {
		args.keys, args.items = append(args.keys, p[1]), append(args.items, readLiteral(p[2]))
	}
	c.add(name, args)
	return true
}
