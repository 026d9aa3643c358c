package symbols

import (
	"bytes"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// readMacros adds the macros that have a value or parameters; others are only switches.
func (s cScan) readMacros() {
	for i := range s.toks {
		if s.toks[i].kind == tokDirective {
			s.readMacro(i)
		}
	}
}

// maxMacroHead limits the length of a macro before its first brace, in bytes.
const maxMacroHead = 1 << 10

// findMakers records the macros that define a function, with the index of the parameter that is its name.
func (s cScan) findMakers() {
	clear(s.makers)
	for _, t := range s.toks {
		if t.kind != tokDirective {
			continue
		}
		line := s.src[t.off:t.end]
		body := bytes.IndexByte(line, '{')
		if body < 0 || body > maxMacroHead {
			continue
		}
		m := macroHead.FindStringSubmatch(string(line[:body]))
		if m == nil {
			continue
		}
		for i, param := range strings.Split(m[2], ",") {
			if param = strings.TrimSpace(param); param != "" && namesFunction(m[3], param) {
				if s.makers == nil {
					s.makers = map[string]int{}
				}
				s.makers[m[1]] = i
				break
			}
		}
	}
}

var macroHead = lazyregexp.New(`^#\s*define\s+(\w+)\(([\w\s,]*)\)((?s).*)$`)

// namesFunction reports whether a parameter of a macro is between a type and a parenthesis.
func namesFunction(body, param string) bool {
	for {
		before, after, ok := strings.Cut(body, param)
		if !ok {
			return false
		}
		typed := strings.TrimRight(before, " \t*")
		if typed != "" && len(typed) < len(before) && isWord(typed[len(typed)-1]) && strings.HasPrefix(strings.TrimLeft(after, " \t"), "(") {
			return true
		}
		body = after
	}
}

// readMacro adds the macro that the directive at i defines, if any.
func (s cScan) readMacro(i int) {
	t := s.toks[i]
	line := s.src[t.off:t.end]
	rest := bytes.TrimLeft(line[1:], " \t")
	rest, ok := bytes.CutPrefix(rest, []byte("define"))
	rest = bytes.TrimLeft(rest, " \t")
	n := 0
	for n < len(rest) && isWord(rest[n]) {
		n++
	}
	if !ok || n == 0 || s.isFull() || s.onLongLine(t.off) {
		return
	}
	value := bytes.TrimSpace(rest[n:])
	if len(value) == 0 || bytes.HasPrefix(value, []byte("/*")) {
		return
	}
	d := rawDef{kind: KindMacro, line: t.line, end: s.lastLine(i), pos: t.off, exported: true}
	d.name = s.put(clip(rest[:n], maxName))
	d.sig = s.writeMacroSignature(line)
	if d.doc = s.writeDocBefore(i); d.doc.n == 0 {
		d.doc = s.writeMacroDoc(i)
	}
	s.defs = append(s.defs, d)
}

// writeMacroSignature writes a directive on one line, without its comment.
func (s cScan) writeMacroSignature(line []byte) span {
	line = line[:min(len(line), 4*maxSignature)]
	if n := bytes.Index(line, []byte("/*")); n >= 0 {
		line = line[:n]
	}
	start := len(s.buf)
	for _, word := range bytes.Fields(line) {
		if string(word) == `\` {
			continue
		}
		if len(s.buf) > start {
			s.buf = append(s.buf, ' ')
		}
		s.buf = append(s.buf, word...)
		if len(s.buf)-start > maxSignature {
			break
		}
	}
	text := clip(s.buf[start:], maxSignature)
	s.buf = s.buf[:start+len(text)]
	return span{uint32(start), uint32(len(text))}
}

// writeMacroDoc writes the comment after a macro's value on the same line.
func (s cScan) writeMacroDoc(i int) span {
	t := s.toks[i]
	if n := bytes.Index(s.src[t.off:t.end], []byte("/*")); n >= 0 {
		return s.writeDoc([]comment{{off: t.off + uint32(n), end: t.end}})
	}
	return s.writeDocBehind(i)
}
