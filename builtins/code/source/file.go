package source

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/notebook"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// A File is one file that was read as evidence.
type File struct {
	Ref   string // path as used in references
	Data  []byte // the portion that was read
	Defs  []symbols.Def
	Lang  symbols.Lang
	Spans []Span         // comments and strings
	read  *keylines.Text // built by Text on first use
}

// Text returns the file with its comments and strings separated, built on the first call.
func (f *File) Text() *keylines.Text {
	if f.read == nil {
		f.read = keylines.ReadSplit(f.Lang, f.Data, f.ForEachSpan)
	}
	return f.read
}

// ForEachSpan calls fn for each comment and string.
func (f *File) ForEachSpan(fn func(kind symbols.SpanKind, start, end int)) {
	for _, at := range f.Spans {
		fn(at.Kind, int(at.From), int(at.To))
	}
}

// Load reads a whole file and finds its definitions. Nothing of it is booked as evidence yet: see
// File.Book.
func Load(ctx context.Context, env *catalog.Env, path string) (*File, error) {
	root, rel, err := env.Roots.Resolve(path)
	if err != nil {
		return nil, err
	}
	key := loadedFile{root, rel}
	if src, ok := env.Memo.Get(key).(File); ok && ctx.Err() == nil {
		return &src, nil
	}
	data, v, err := ReadFile(ctx, env, root, rel, nil)
	if err != nil {
		return nil, err
	}
	src, err := newFile(env, env.Roots.Ref(root, rel), rel, data, v)
	if err == nil && len(data) <= maxKeptFile {
		env.Memo.Put(key, *src) // a copy, as its reader may set read: see File.Text
	}
	return src, err
}

// loadedFile is the memo key of a file as Load left it: several stages look at the same few files.
type loadedFile struct {
	root *sandbox.Root
	rel  string
}

// maxKeptFile is the maximum size in bytes of a file kept in the memo for later stages. A request
// loads a few dozen.
const maxKeptFile = 256 << 10

// newFile parses a file from its content.
func newFile(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version) (*File, error) {
	if sandbox.IsBinary(data) {
		return nil, fmt.Errorf("%s: %w", ref, sandbox.ErrBinary)
	}
	parse := NewParser(env)
	defs, spans := parse.Parse(v, rel, data)
	return &File{Ref: ref, Data: data, Defs: defs, Lang: symbols.Detect(rel, data), Spans: spans}, nil
}

// LoadAt loads the file that a reference names, and returns the line.
func LoadAt(ctx context.Context, env *catalog.Env, ref string) (*File, int, error) {
	var first error
	for _, r := range contract.Readings(ref) {
		src, err := Load(ctx, env, r.Path)
		if err == nil {
			return src, r.Line, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, 0, first
}

// Book books n bytes of the file on the ledger: the budget bounds the quotes in an answer, not the
// reading that found them.
func (f *File) Book(env *catalog.Env, n int) error {
	return env.Ledger.Read(f.Ref, int64(n))
}

// DefNear returns the definition that a line belongs to: the enclosing definition or, for a line in
// a comment above a definition, the following one.
func (f *File) DefNear(line int) (symbols.Def, bool) {
	if d, ok := f.DefAt(line); ok || line <= 0 {
		return d, ok
	}
	const comment = 25 // maximum lines of a comment above a definition
	for _, d := range f.Defs {
		if d.Line > line {
			return d, d.Line-line <= comment
		}
	}
	return symbols.Def{}, false
}

// DefAt returns the innermost function, method or type around a line, not a local constant. It
// finds none for line 0.
func (f *File) DefAt(line int) (symbols.Def, bool) {
	if line <= 0 {
		return symbols.Def{}, false
	}
	for _, d := range f.Defs { // a definition that begins on this line wins
		if d.Line == line {
			return d, true
		}
	}
	return symbols.Enclosing(f.Defs, line)
}

// RefTo returns the reference to a line of the file.
func (f *File) RefTo(line int) string {
	return contract.Reference{Path: f.Ref, Line: line}.String()
}

// CountLines returns the number of lines of the file.
func (f *File) CountLines() int {
	n := bytes.Count(f.Data, []byte{'\n'})
	if len(f.Data) > 0 && f.Data[len(f.Data)-1] != '\n' {
		n++
	}
	return n
}

// Line returns the text of a line, trimmed; "" past the end.
func (f *File) Line(n int) string {
	rest := f.Data
	for ; n > 1; n-- {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
	}
	text, _, _ := bytes.Cut(rest, []byte{'\n'})
	return strings.ReplaceAll(string(bytes.TrimSpace(text)), string(notebook.BreakMark), "\n")
}

// QualifiedName names a definition the way its language does: Pool.admit, fs::read.
func QualifiedName(d symbols.Def, lang symbols.Lang) string {
	if d.Container == "" || d.Kind == symbols.KindHeading {
		return d.Name
	}
	return d.Container + lang.Separator() + d.Name
}

// DocSentence shortens a doc comment so that it can follow the name: "admit lets a request in"
// becomes "lets a request in".
func DocSentence(d symbols.Def) string {
	doc := strings.TrimSpace(d.Doc)
	if rest, ok := strings.CutPrefix(doc, d.Name+" "); ok {
		doc = rest
	}
	return strings.TrimRight(strings.Join(strings.Fields(doc), " "), ".")
}

// Body returns the lines of a definition.
func (f *File) Body(d symbols.Def) string {
	lines := strings.SplitAfter(string(f.Data), "\n")
	from, to := max(d.Line-1, 0), min(d.EndLine, len(lines))
	if from >= to {
		return ""
	}
	return strings.Join(lines[from:to], "")
}

// maxSources bounds the files that LoadContaining reads per root.
const maxSources = 300

// LoadContaining loads the source files that contain least or more of the names, except tests,
// documents, vendored and generated code; of large ones a part.
func LoadContaining(ctx context.Context, env *catalog.Env, names []string, least int) ([]*File, error) {
	var out []*File
	share := ParseBudget{BytesLeft: MaxLeadBytes}
	for _, root := range env.Roots.Roots() {
		files, err := listContaining(ctx, env, root, names, least)
		if err != nil {
			return nil, err
		}
		read := 0
		var buf []byte
		for _, f := range files {
			ref := env.Roots.Ref(root, f.Path)
			if b := coderank.BucketOf(ref, nil); b == coderank.Test || b == coderank.Vendored || b == coderank.Generated || b == coderank.Docs {
				continue
			}
			if read++; read > maxSources {
				break
			}
			data, v, err := ReadFile(ctx, env, root, f.Path, buf)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil {
				continue
			}
			buf = data
			n := 0
			for _, name := range names {
				if bytes.Contains(data, []byte(name)) {
					if n++; n == least {
						break
					}
				}
			}
			if n < least {
				continue
			}
			if src, err := partOf(env, ref, f.Path, data, v, &share); err == nil {
				out = append(out, src)
				buf = nil // the file owns it now
			}
		}
	}
	return out, nil
}

// UnparsedNote explains why a file in an unsupported language has no definitions.
const UnparsedNote = "Files of this kind are searched as text; their definitions are not read."
