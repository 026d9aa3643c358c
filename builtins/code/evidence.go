package code

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

// source is one file that was read as evidence.
type source struct {
	ref  string // path as used in references
	data []byte
	defs []symbols.Def
	lang symbols.Lang
	read *keylines.Text // built by text on first use

	spans []span // comments and strings
}

// text returns the file with its comments and strings separated, built on the first call.
func (s *source) text() *keylines.Text {
	if s.read == nil {
		s.read = keylines.ReadSplit(s.lang, s.data, s.split)
	}
	return s.read
}

// split calls fn for each comment and string.
func (s *source) split(fn func(kind symbols.SpanKind, start, end int)) {
	for _, at := range s.spans {
		fn(at.kind, int(at.from), int(at.to))
	}
}

// load reads a whole file and finds its definitions. Nothing of it is booked as evidence yet: see
// quote.
func load(ctx context.Context, env *catalog.Env, path string) (*source, error) {
	root, rel, err := env.Roots.Resolve(path)
	if err != nil {
		return nil, err
	}
	key := loadedFile{root, rel}
	if src, ok := env.Memo.Get(key).(source); ok && ctx.Err() == nil {
		return &src, nil
	}
	data, v, err := readFile(ctx, env, root, rel, nil)
	if err != nil {
		return nil, err
	}
	src, err := sourceOf(env, env.Roots.Ref(root, rel), rel, data, v)
	if err == nil && len(data) <= keptSource {
		env.Memo.Put(key, *src) // a copy, as its reader may set read: see source.text
	}
	return src, err
}

// loadedFile is the memo key of a file as load left it: several stages look at the same few files.
type loadedFile struct {
	root *sandbox.Root
	rel  string
}

// keptSource is the maximum size in bytes of a file kept in the memo for later stages. A request
// loads a few dozen.
const keptSource = 256 << 10

// sourceOf builds the source of a file from its content.
func sourceOf(env *catalog.Env, ref, rel string, data []byte, v sandbox.Version) (*source, error) {
	if sandbox.IsBinary(data) {
		return nil, fmt.Errorf("%s: %w", ref, sandbox.ErrBinary)
	}
	parse := newParser(env)
	defs, spans := parse.both(v, rel, data)
	return &source{ref: ref, data: data, defs: defs, lang: symbols.Detect(rel, data), spans: spans}, nil
}

// loadAt loads the file that a reference names, and returns the line.
func loadAt(ctx context.Context, env *catalog.Env, ref string) (*source, int, error) {
	var first error
	for _, r := range contract.Readings(ref) {
		src, err := load(ctx, env, r.Path)
		if err == nil {
			return src, r.Line, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, 0, first
}

// quote books n bytes of the file on the ledger: the budget bounds the quotes in an answer, not the
// reading that found them.
func (s *source) quote(env *catalog.Env, n int) error {
	return env.Ledger.Read(s.ref, int64(n))
}

// near returns the definition that a line belongs to: the enclosing definition or, for a line in a
// comment above a definition, the following one.
func (s *source) near(line int) (symbols.Def, bool) {
	if d, ok := s.at(line); ok || line <= 0 {
		return d, ok
	}
	const comment = 25 // maximum lines of a comment above a definition
	for _, d := range s.defs {
		if d.Line > line {
			return d, d.Line-line <= comment
		}
	}
	return symbols.Def{}, false
}

// at returns the innermost function, method or type around a line, not a local constant. It finds
// none for line 0.
func (s *source) at(line int) (symbols.Def, bool) {
	if line <= 0 {
		return symbols.Def{}, false
	}
	for _, d := range s.defs { // a definition that begins on this line wins
		if d.Line == line {
			return d, true
		}
	}
	return symbols.Enclosing(s.defs, line)
}

func (s *source) refTo(line int) string {
	return contract.Reference{Path: s.ref, Line: line}.String()
}

// countLines returns the number of lines of the file.
func (s *source) countLines() int {
	n := bytes.Count(s.data, []byte{'\n'})
	if len(s.data) > 0 && s.data[len(s.data)-1] != '\n' {
		n++
	}
	return n
}

// line returns the text of a line, trimmed; "" past the end.
func (s *source) line(n int) string {
	rest := s.data
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

// title names a definition the way its language does: Pool.admit, fs::read.
func title(d symbols.Def, lang symbols.Lang) string {
	if d.Container == "" || d.Kind == symbols.KindHeading {
		return d.Name
	}
	return d.Container + lang.Separator() + d.Name
}

// sentence shortens a doc comment so that it can follow the name: "admit lets a request in" becomes
// "lets a request in".
func sentence(d symbols.Def) string {
	doc := strings.TrimSpace(d.Doc)
	if rest, ok := strings.CutPrefix(doc, d.Name+" "); ok {
		doc = rest
	}
	return strings.TrimRight(strings.Join(strings.Fields(doc), " "), ".")
}

// window returns the lines that show a place best: the definition around it from its first line or,
// if the place is too far down for that, from slightly above the place.
func (s *source) window(line, most int) (first, last int) {
	const above = 3
	line = max(line, 1)
	first, last = max(1, line-above), s.countLines()
	if d, ok := s.near(line); ok {
		last = d.EndLine
		if first = d.Line; line-first >= most {
			first = line - above
		}
	}
	return first, min(last, first+most-1)
}

// maxSources bounds the files that sourcesWith reads per root.
const maxSources = 300

// sourcesWith loads the files that contain least or more of the names.
func sourcesWith(ctx context.Context, env *catalog.Env, names []string, least int) ([]*source, error) {
	var out []*source
	share := portions{room: leadBytes}
	for _, root := range env.Roots.Roots() {
		files, err := filesWithSeveral(ctx, env, root, names, least)
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
			data, v, err := readFile(ctx, env, root, f.Path, buf)
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
				buf = nil // the source owns it now
			}
		}
	}
	return out, nil
}
