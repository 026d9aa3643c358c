package source

import (
	"context"
	"hash/maphash"
	"slices"
	"unsafe"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Parser finds definitions and spans, or takes them from the cache or from an earlier stage. It
// serves one goroutine. Callers must not modify what it returns, as it is shared.
type Parser struct {
	cache *cache.Cache
	memo  *catalog.Memo // nil if no earlier stage can have parsed the file
	buf   []Span
}

// NewParser returns a parser for one goroutine.
func NewParser(env *catalog.Env) Parser { return Parser{cache: env.Cache, memo: env.Memo} }

// Span is a range of a file that is not code.
type Span struct {
	Kind     symbols.SpanKind
	From, To int32
}

// The cache keys of what is known of a content. Its name matters only for the language.
type (
	defsKey struct {
		version sandbox.Version
		lang    symbols.Lang
	}
	spansKey defsKey
)

// defs returns the definitions of a file.
func (p *Parser) defs(v sandbox.Version, path string, data []byte) []symbols.Def {
	if p.cache == nil || v.IsZero() {
		return symbols.Scan(path, data)
	}
	key := defsKey{v, symbols.Language(path)}
	if kept, ok := p.cache.Get(key); ok {
		return kept.([]symbols.Def)
	}
	defs := symbols.Scan(path, data)
	p.cache.Put(key, defs, sizeOf(defs))
	return defs
}

func sizeOf(defs []symbols.Def) int64 {
	size := cap(defs) * int(unsafe.Sizeof(symbols.Def{}))
	for i := range defs {
		d := &defs[i]
		size += len(d.Name) + len(d.Container) + len(d.Signature) + len(d.Doc)
	}
	return int64(size)
}

// Parse returns the definitions and the spans of a file. The spans are valid until the next call.
func (p *Parser) Parse(v sandbox.Version, path string, data []byte) ([]symbols.Def, []Span) {
	if p.cache != nil && !v.IsZero() {
		return p.defs(v, path, data), p.spans(v, path, data)
	}
	if known, ok := parsedBefore(p.memo, path, data); ok {
		return known.defs, known.spans
	}
	s := symbols.Borrow()
	defer s.Release()
	p.buf = p.buf[:0]
	defs := s.ScanAndSplit(path, data, func(k symbols.SpanKind, from, to int) {
		if k != symbols.SpanCode {
			p.buf = append(p.buf, Span{k, int32(from), int32(to)})
		}
	})
	return defs, p.buf
}

// ParseAndKeep calls Parse, and memoizes the result for later stages of the request.
func (p *Parser) ParseAndKeep(v sandbox.Version, path string, data []byte) ([]symbols.Def, []Span) {
	defs, spans := p.Parse(v, path, data)
	if p.memo != nil && (p.cache == nil || v.IsZero()) && len(data) <= maxKeptFile {
		spans = slices.Clone(spans)
		p.memo.Put(parsedKeyOf(path, data), parsed{defs, spans})
	}
	return defs, spans
}

// spans returns the comments and strings of a file, valid until the next call.
func (p *Parser) spans(v sandbox.Version, path string, data []byte) []Span {
	keep := p.cache != nil && !v.IsZero()
	key := spansKey{v, symbols.Language(path)}
	if keep {
		if kept, ok := p.cache.Get(key); ok {
			return kept.([]Span)
		}
	}
	p.buf = p.buf[:0]
	symbols.Split(symbols.Detect(path, data), data, func(k symbols.SpanKind, from, to int) {
		if k != symbols.SpanCode {
			p.buf = append(p.buf, Span{k, int32(from), int32(to)})
		}
	})
	if keep {
		p.cache.Put(key, slices.Clone(p.buf), int64(len(p.buf))*int64(unsafe.Sizeof(Span{})))
	}
	return p.buf
}

// ReadFile reads a file, with its version if there is a cache.
func ReadFile(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string, buf []byte) ([]byte, sandbox.Version, error) {
	if env.Cache == nil {
		data, err := root.ReadFile(ctx, rel, buf)
		return data, sandbox.Version{}, err
	}
	return root.ReadVersion(ctx, rel, buf)
}

// parsed holds what a stage found in a content, for later stages.
type parsed struct {
	defs  []symbols.Def
	spans []Span
}

// parsedKey identifies a content in the memo. If the file changes, its key changes.
type parsedKey struct {
	lang symbols.Lang
	size int
	hash uint64
}

var parsedSeed = maphash.MakeSeed()

func parsedKeyOf(path string, data []byte) parsedKey {
	return parsedKey{symbols.Detect(path, data), len(data), maphash.Bytes(parsedSeed, data)}
}

// parsedBefore returns what an earlier stage found in a content.
func parsedBefore(memo *catalog.Memo, path string, data []byte) (parsed, bool) {
	if memo == nil || len(data) > maxKeptFile {
		return parsed{}, false
	}
	known, ok := memo.Get(parsedKeyOf(path, data)).(parsed)
	return known, ok
}
