package code

import (
	"context"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/match"
	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// useFinder finds what a file uses of the targets. Each worker has one.
type useFinder struct {
	lines   *match.Scanner
	parser  parser
	version sandbox.Version // of the file at hand
	silent  []span          // its comments and strings
	defs    []symbols.Def
	parsed  bool
	callees definer
}

func (u *useFinder) find(ctx context.Context, ref string, data []byte, v sandbox.Version, targets []target) []fileUse {
	bucket := rank.BucketOf(ref, data[:min(len(data), 1024)])
	if bucket == rank.Docs || bucket == rank.Vendored || bucket == rank.Generated {
		return nil // a manual mentions a name, it does not use it
	}
	u.parsed, u.version, u.defs = false, v, nil
	found := map[int]*fileUse{}
	_ = u.lines.Lines(ctx, data, func(l match.Line) bool { // an ended context is seen by the scan itself
		text := data[l.Start:l.End]
		u.callees.line(text, l.Number)
		for i := range targets {
			at := wordIndex(text, targets[i].name)
			if at < 0 || commentLine(text) || bucket != rank.Test && u.says(ref, data, l.Start+at) {
				continue
			}
			if found[i] == nil {
				found[i] = &fileUse{target: i}
			}
			u.note(found[i], &targets[i], use{path: ref, line: l.Number, bucket: bucket}, text, at)
		}
		return true
	})
	var out []fileUse
	for i := range targets {
		if f := found[i]; f != nil {
			out = append(out, *f)
		}
	}
	return out
}

// says reports that the word at an offset stands in a comment or a string. The
// file is parsed when the first name turns up in it, which in most it does not;
// tests, which are many and shown last, are not parsed.
func (u *useFinder) says(ref string, data []byte, offset int) bool {
	if !u.parsed {
		u.parsed = true
		u.silent, u.defs = u.parser.spans(u.version, ref, data), nil
		switch symbols.Detect(ref, data) {
		case symbols.Go, symbols.Python, symbols.Rust, symbols.Ruby, symbols.Kotlin, symbols.Scala, symbols.PHP:
			// A keyword tells their definitions: see definesHere.
		default:
			u.defs = u.parser.defs(u.version, ref, data)
		}
	}
	_, in := slices.BinarySearchFunc(u.silent, offset, func(s span, at int) int {
		switch {
		case int(s.to) <= at:
			return -1
		case int(s.from) > at:
			return 1
		}
		return 0
	})
	return in
}

// note books a line as a definition, an import or a use.
func (u *useFinder) note(f *fileUse, t *target, at use, text []byte, col int) {
	if at.path == t.ref.Path && at.line == t.ref.Line || definesHere(text[:col]) || u.declares(t.name, at.line) {
		f.define++
		return
	}
	if importLine(text) {
		return
	}
	f.total++
	if len(f.uses) < usesPerFile {
		after := text[col+len(t.name):]
		at.call = len(after) > 0 && (after[0] == '(' || after[0] == '<' || after[0] == '!')
		f.uses = append(f.uses, at)
	}
}

// declares reports a definition of that name on a line, a prototype among them.
func (u *useFinder) declares(name string, line int) bool {
	return slices.ContainsFunc(u.defs, func(d symbols.Def) bool { return d.Line == line && d.Name == name })
}

// wordIndex finds name as a whole word.
func wordIndex(text []byte, name string) int {
	for from := 0; ; {
		i := strings.Index(string(text[from:]), name)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return i
		}
		from = i + 1
	}
}

func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// definesHere reports whether the text before a name ends in a word that
// defines it. It is a guess by line, good enough to tell a name with one
// definition from one that half the tree defines.
func definesHere(before []byte) bool {
	fields := strings.FieldsFunc(string(before), func(r rune) bool { return r == ' ' || r == '\t' })
	if len(fields) == 0 {
		return false
	}
	switch last := strings.TrimRight(fields[len(fields)-1], "*&"); last {
	case "func", "def", "fn", "fun", "function", "class", "struct", "interface", "enum", "trait", "type", "macro_rules!",
		"#define", "record", "protocol", "object", "module", "function*":
		return true
	default: // a Go method: func (p *Pool) admit
		return fields[0] == "func" && strings.HasSuffix(last, ")")
	}
}

// commentLine tells most comments by their first characters.
func commentLine(text []byte) bool {
	s := strings.TrimLeft(string(text[:min(len(text), 64)]), " \t")
	return strings.HasPrefix(s, "//") || strings.HasPrefix(s, "* ") || strings.HasPrefix(s, "/*") ||
		strings.HasPrefix(s, "# ") || strings.HasPrefix(s, "--")
}

// importLine tells lines that name a thing without using it.
func importLine(text []byte) bool {
	s := strings.TrimLeft(string(text[:min(len(text), 64)]), " \t")
	for _, p := range []string{"package ", "import ", "from ", "use ", "pub use ", "require ", "#include", "export {", "export * ", "using "} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
