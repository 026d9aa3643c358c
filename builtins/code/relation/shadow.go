package relation

import (
	"bytes"
	"regexp"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// maxBlock bounds the lines above a name that are looked at for a variable of its name.
const maxBlock = 400

// isShadowed reports whether a name that stands alone is, or is that of, a variable or a parameter of a block around, which
// hides the function or type of the file. Blocks are told by how far lines are indented, so that in code without
// indentation nothing is hidden.
func isShadowed(r *Reader, name string, at int) bool {
	declares := declarationsOf(r.src.Lang)
	if declares == nil {
		return false
	}
	line := r.lineOf(at)
	own := lineText(r, line)
	if i := at - r.start(line); i+len(name) <= len(own) {
		before, behind := bytes.TrimLeft(own[:i], " \t"), bytes.TrimRight(own[i+len(name):], " \t")
		if declares(before, behind, true, false) || declares(before, behind, false, false) { // the variable itself
			return !definesOn(r, name, line)
		}
	}
	b := block{indent: indentOf(own)}
	for n := line - 1; n > 0 && n > line-maxBlock && (b.indent > 0 || b.header); n-- {
		text := lineText(r, n)
		if r.steps -= len(text); r.steps < 0 {
			return false
		}
		body := bytes.TrimSpace(text)
		opens, around := b.enter(indentOf(text), body)
		if !around {
			continue
		}
		if declaresOn(declares, body, name, opens, b.header) {
			return !definesOn(r, name, n)
		}
		if r.src.Lang == symbols.Python && pythonFunction.Match(body) {
			return false // what stands around may be a class, whose names its functions do not see
		}
	}
	return false
}

// block is how far the lines of the blocks around a place are indented, from within.
type block struct {
	indent int
	header bool // in the lines of a header of several lines
}

// enter takes a line above. around says that it is one of a block around the place, and opens that it opens one.
func (b *block) enter(indent int, body []byte) (opens, around bool) {
	if len(body) == 0 || indent > b.indent && !b.header {
		return false, false
	}
	opens = indent < b.indent || b.header
	if indent < b.indent {
		b.indent, b.header = indent, body[0] == ')' || body[0] == '}' && bytes.IndexByte(body, ')') > 0
	} else if indent == b.indent {
		b.header = false
	}
	return opens, true
}

// lineText returns a line of the code.
func lineText(r *Reader, line int) []byte {
	from := r.start(line)
	return bytes.TrimRight(r.code[from:max(from, r.start(line+1))], "\r\n")
}

func indentOf(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// definesOn reports whether a definition of a name begins on a line.
func definesOn(r *Reader, name string, line int) bool {
	for i := range r.src.Defs {
		if d := &r.src.Defs[i]; d.Line == line && d.Name == name {
			return true
		}
	}
	return false
}

// declaresOn reports whether a line declares a variable or a parameter of a name.
func declaresOn(declares declarer, line []byte, name string, opens, header bool) bool {
	for from := 0; ; {
		i := indexWord(line[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
		if declares(line[:i], line[from:], opens, header) {
			return true
		}
	}
}

// A declarer reports whether a name between two parts of a line is declared there. opens says that the line opens a block
// around, whose parameters count, and header that it is one of a list of parameters, one to a line.
type declarer func(before, behind []byte, opens, header bool) bool

func declarationsOf(lang symbols.Lang) declarer {
	switch family(lang) {
	case symbols.Go:
		return declaresInGo
	case symbols.JavaScript:
		return declaresInScript
	case symbols.Python:
		return declaresInPython
	case symbols.Rust:
		return func(before, _ []byte, _, _ bool) bool { return rustLet.Match(before) }
	}
	return nil
}

var (
	goNames     = regexp.MustCompile(`(^|[;{]|\b(if|for|switch|case)\s)\s*(\w+\s*,\s*)*$`)
	goAssigns   = regexp.MustCompile(`^\s*(,\s*\w+\s*)*:=`)
	goVariable  = regexp.MustCompile(`\bvar\s+$`)
	goParameter = regexp.MustCompile(`\bfunc\b[^{]*[(,]\s*$`)
	goType      = regexp.MustCompile(`^\s+[\w*\[(.<]`)

	scriptVariable  = regexp.MustCompile(`\b(const|let|var)\s+$`)
	scriptCatch     = regexp.MustCompile(`\bcatch\s*\(\s*$`)
	scriptPattern   = regexp.MustCompile(`\b(const|let|var)\s*[{\[][^=;]*[{\[,:.\s]$`)
	scriptPart      = regexp.MustCompile(`^\s*[,}\]=]`)
	scriptArrow     = regexp.MustCompile(`^\s*=>|^[^()]*\)\s*(:[^=;{}]+)?=>`)
	scriptArguments = regexp.MustCompile(`(^|[=(,:?]|\basync)\s*$|\(([^()]*[,{\[])?\s*(\.\.\.)?$`)
	scriptFunction  = regexp.MustCompile(`\bfunction\b[^)]*\(([^)]*[,{\[])?\s*(\.\.\.)?$`)
	scriptMethod    = regexp.MustCompile(`^((public|private|protected|static|async|override|get|set)\s+|\*\s*)*#?(\w+)(<[^>]*>)?\(([^()]*[,{\[])?\s*(\.\.\.)?$`)
	scriptHeader    = regexp.MustCompile(`^(\.\.\.|((public|private|protected|readonly)\s+)*)$`)
	parameterEnd    = regexp.MustCompile(`^\s*\??\s*([:,=)]|$)`)

	pythonFunction = regexp.MustCompile(`^(async\s+)?def\b`)
	pythonNames    = regexp.MustCompile(`^(\w+\s*,\s*)*$`)
	pythonAssigns  = regexp.MustCompile(`^\s*(,\s*\w+\s*)*(:[^=]+)?=([^=]|$)`)
	pythonFor      = regexp.MustCompile(`^(async\s+)?for\s+(\w+\s*,\s*)*$`)
	pythonAs       = regexp.MustCompile(`^((async\s+)?with|except)\b.*\bas\s+$`)
	pythonArgument = regexp.MustCompile(`^(async\s+)?def\b.*[(,*]\s*$`)
	pythonHeader   = regexp.MustCompile(`^\*{0,2}$`)

	rustLet = regexp.MustCompile(`\blet\s+(mut\s+)?$`)
)

func declaresInGo(before, behind []byte, opens, header bool) bool {
	switch {
	case goAssigns.Match(behind):
		m := goNames.FindSubmatch(before)
		return m != nil && opens == (len(m[2]) > 0) // else it stands in the value, which does not see it
	case !goType.Match(behind):
		return goVariable.Match(before)
	}
	return goVariable.Match(before) || opens && goParameter.Match(before) || header && len(before) == 0
}

func declaresInScript(before, behind []byte, opens, header bool) bool {
	switch {
	case bytes.HasPrefix(before, []byte("for")) && !opens:
		return false
	case scriptVariable.Match(before), scriptPattern.Match(before) && scriptPart.Match(behind):
		return true
	case !opens:
		return false
	case scriptArrow.Match(behind) && scriptArguments.Match(before), scriptCatch.Match(before):
		return true
	case !scriptPart.Match(behind) && (!parameterEnd.Match(behind) || openBracket(before) == '{'):
		return false
	case header && scriptHeader.Match(before), scriptFunction.Match(before):
		return true
	}
	m := scriptMethod.FindSubmatch(before)
	return m != nil && !isControl(string(m[3])) && bytes.HasSuffix(behind, []byte("{")) && !bytes.Contains(behind, []byte("=>")) &&
		!bytes.Contains(behind, []byte("function"))
}

// openBracket returns the last bracket of a text that is not closed in it, or 0.
func openBracket(text []byte) byte {
	depth := 0
	for i := len(text) - 1; i >= 0; i-- {
		switch text[i] {
		case ')', ']', '}':
			depth++
		case '(', '[', '{':
			if depth--; depth < 0 {
				return text[i]
			}
		}
	}
	return 0
}

// isControl reports a word that stands before brackets and calls nothing.
func isControl(word string) bool {
	switch word {
	case "if", "for", "while", "switch", "with", "return", "await":
		return true
	}
	return false
}

func declaresInPython(before, behind []byte, opens, header bool) bool {
	switch {
	case !header && pythonAssigns.Match(behind) && pythonNames.Match(before):
		return true
	case pythonFor.Match(before), pythonAs.Match(before):
		return true
	}
	return opens && parameterEnd.Match(behind) && (pythonArgument.Match(before) || header && pythonHeader.Match(before))
}
