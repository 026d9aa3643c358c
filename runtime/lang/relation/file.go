package relation

import (
	"bytes"
	"slices"
	"sort"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Source is a file as a Reader needs it.
type Source struct {
	Path string
	Lang symbols.Lang
	Data []byte
	Defs []symbols.Def
	// Quiet lists the byte ranges that are not code, in order.
	Quiet [][2]int
}

// Reader resolves what the names of a file refer to. It serves one goroutine and one file at a time.
type Reader struct {
	src     Source
	family  symbols.Lang // of the language
	profile *profile
	code    []byte // the file, with blanks in place of what is not code
	lines   []int  // offset at which each line starts
	imports map[string]Import
	stars   []string
	script  bool
	calls   map[int]*Called
	depth   int  // of nested reads of calls whose results are used
	joined  bool // lines of a notebook's cells share lines of the file
	pathEnd int  // where the path of the value read last ended
	read    bool // imports have been read
	types   map[scoped]kept
	locals  map[scoped][]local
	steps   int // bytes left for the search for declarations
}

type scoped struct {
	name string
	from int
}

// kept is what is known about a name in a scope.
type kept struct {
	typed
	found bool // it has a declaration
}

// maxSteps limits the bytes searched for the declarations of one file.
const maxSteps = 16 << 20

// Open switches the reader to another file.
func (r *Reader) Open(s Source) {
	r.src, r.family, r.profile, r.read, r.imports, r.stars, r.script = s, family(s.Lang), profileOf(s.Lang), false, nil, nil, false
	r.types, r.locals, r.calls, r.steps = nil, nil, nil, maxSteps
	r.code = append(r.code[:0], s.Data...)
	for _, q := range s.Quiet {
		blank := r.code[max(q[0], 0):min(q[1], len(r.code))]
		for i, c := range blank {
			if c != '\n' {
				blank[i] = ' '
			}
		}
	}
	if r.joined = joinsLines(s.Data); r.joined {
		for i, c := range r.code {
			if c == notebook.BreakMark {
				r.code[i] = '\n'
			}
		}
	}
	r.lines = append(r.lines[:0], 0)
	for at := 0; ; {
		i := bytes.IndexByte(s.Data[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
		r.lines = append(r.lines, at)
	}
}

// joinsLines reports whether data is a notebook in which lines of cells share lines of the file. Its first line always
// ends with a mark.
func joinsLines(data []byte) bool {
	if notebook.Language(data) == "" {
		return false
	}
	_, rest, _ := bytes.Cut(data, []byte{notebook.BreakMark})
	return len(rest) > 0 && rest[0] != '\n' || bytes.IndexByte(rest, notebook.BreakMark) >= 0
}

// IsQuiet reports whether a byte of the file is not code.
func (s *Source) IsQuiet(at int) bool {
	i := sort.Search(len(s.Quiet), func(i int) bool { return s.Quiet[i][1] > at })
	return i < len(s.Quiet) && s.Quiet[i][0] <= at
}

// lineStart returns the offset at which a line starts. Lines count from 1.
func (r *Reader) lineStart(line int) int {
	if line < 1 {
		return 0
	}
	if line > len(r.lines) {
		return len(r.code)
	}
	return r.lines[line-1]
}

// enclosingDef returns the innermost function or type around a line.
func (r *Reader) enclosingDef(line int) (symbols.Def, bool) {
	d, ok := symbols.Enclosing(r.src.Defs, line)
	return d, ok && d.Kind != symbols.KindComponent // a component is the whole file
}

// typesAround lists the types around a line, innermost first: those whose bodies contain it, and the type that an
// enclosing method belongs to.
func (r *Reader) typesAround(line int) []string {
	var out []string
	for i := len(r.src.Defs) - 1; i >= 0; i-- {
		d := &r.src.Defs[i]
		if d.Line > line || d.EndLine < line {
			continue
		}
		switch {
		case d.Kind.IsType(), d.Kind == symbols.KindModule && r.profile.modulesLikeTypes:
			out = addNew(out, d.Name)
		case d.Kind == symbols.KindMethod, d.Kind == symbols.KindFunction && r.src.Lang == symbols.Kotlin, d.Kind == symbols.KindField:
			out = addNew(out, lastIdent(d.Container))
		}
	}
	if out == nil { // an impl, an extension or a module
		for i := range r.src.Defs {
			d := &r.src.Defs[i]
			if d.Line <= line && d.EndLine >= line && d.Container != "" {
				out = addNew(out, lastIdent(d.Container))
			}
		}
	}
	return out
}

func addNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
