package config

import (
	"sort"
	"strings"
	"unicode/utf8"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// file is one input: its text, and its syntax in the current state.
type file struct {
	name   string // as messages show it
	text   []byte // without a byte order mark
	side   side
	syntax *ast.File // nil before it is parsed, and after it was built from
	bad    bool      // has a syntax error
	cuts   []cutting // declarations taken out because CUE refused them
	lines  []int     // offset of each line's first byte, computed when first needed
}

// cutting is one removed declaration: the offset that found it and the bytes it covered.
type cutting struct{ at, from, to int }

// span is a range of bytes in a file. The zero span is nowhere.
type span struct {
	file     *file
	from, to int
}

// position returns the line and the column in characters, both from 1.
func (f *file) position(offset int) (line, col int) {
	if f.lines == nil {
		f.lines = append(f.lines, 0)
		for i, c := range f.text {
			if c == '\n' {
				f.lines = append(f.lines, i+1)
			}
		}
	}
	offset = max(0, min(offset, len(f.text)))
	line = sort.SearchInts(f.lines, offset+1)
	start := f.lines[line-1]
	return line, utf8.RuneCount(f.text[start:offset]) + 1
}

// rng converts the span for diagnostics.
func (s span) rng() diag.Range {
	if s.file == nil {
		return diag.Range{}
	}
	r := diag.Range{File: s.file.name}
	r.Line, r.Col = s.file.position(s.from)
	r.EndLine, r.EndCol = s.file.position(max(s.to, s.from))
	return r
}

// startRange returns the beginning of a file, for problems that concern all of it.
func (f *file) startRange() diag.Range {
	return diag.Range{File: f.name, Line: 1, Col: 1, EndLine: 1, EndCol: 1}
}

// files maps CUE positions to files.
type files struct {
	all     []*file
	byToken map[*token.File]*file
	syntax  map[*token.File]*ast.File
}

// parse parses a file, including comments: they are the docs of types.
func (fs *files) parse(f *file) error {
	syntax, err := parser.ParseFile(f.name, f.text, parser.ParseComments)
	if err != nil {
		return err
	}
	f.syntax = syntax
	fs.addTokens(f)
	return nil
}

// addTokens must be called after each parse, because positions belong to one.
func (fs *files) addTokens(f *file) {
	if fs.byToken == nil {
		fs.byToken, fs.syntax = map[*token.File]*file{}, map[*token.File]*ast.File{}
	}
	if tf := f.syntax.Pos().File(); tf != nil {
		fs.byToken[tf], fs.syntax[tf] = f, f.syntax
	}
}

// span returns the span of the syntax that begins at pos.
func (fs *files) span(pos token.Pos) span {
	f := fs.byToken[pos.File()]
	if f == nil {
		return span{}
	}
	from := pos.Offset()
	to := from + 1
	if n := nodeAt(fs.syntax[pos.File()], from); n != nil {
		to = max(to, n.End().Offset())
	}
	return span{f, from, min(to, len(f.text))}
}

// nodeSpan returns the span of a piece of syntax.
func (fs *files) nodeSpan(n ast.Node) span {
	if n == nil {
		return span{}
	}
	f := fs.byToken[n.Pos().File()]
	if f == nil {
		return span{}
	}
	return span{f, n.Pos().Offset(), n.End().Offset()}
}

// nodeAt returns the largest operand, label or import that begins at an offset. It
// descends into fields and binary expressions: a caret should mark one value or one name.
func nodeAt(f *ast.File, offset int) (found ast.Node) {
	if f == nil {
		return nil
	}
	ast.Walk(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field, *ast.File, *ast.CommentGroup, *ast.Comment, *ast.EmbedDecl, *ast.ImportDecl, *ast.Package, *ast.BinaryExpr:
			return found == nil
		case *ast.StructLit:
			if !n.Lbrace.IsValid() { // a: b: 1 holds a struct without braces
				return found == nil
			}
		}
		if found == nil && n.Pos().IsValid() && n.Pos().Offset() == offset {
			found = n
		}
		return found == nil
	}, nil)
	return found
}

// place is where a field is written: its label and its value.
type place struct {
	key, value span
	expr       ast.Expr
}

// joinKey makes a map key of a path.
func joinKey(path []string) string { return strings.Join(path, "\x00") }
