package code

import (
	"context"
	"slices"
	"unsafe"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// parser finds definitions and spans, or takes them from the cache or from an earlier stage. It
// serves one goroutine. Callers must not modify what it returns, as it is shared.
type parser struct {
	cache *cache.Cache
	memo  *catalog.Memo // nil if no earlier stage can have parsed the file
	buf   []span
}

func newParser(env *catalog.Env) parser { return parser{cache: env.Cache, memo: env.Memo} }

// span is a range of a file that is not code.
type span struct {
	kind     symbols.SpanKind
	from, to int32
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
func (p *parser) defs(v sandbox.Version, path string, data []byte) []symbols.Def {
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

// both returns the definitions and the spans of a file. The spans are valid until the next call.
func (p *parser) both(v sandbox.Version, path string, data []byte) ([]symbols.Def, []span) {
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
			p.buf = append(p.buf, span{k, int32(from), int32(to)})
		}
	})
	return defs, p.buf
}

// parseAndKeep calls both, and memoizes the result for later stages of the request.
func (p *parser) parseAndKeep(v sandbox.Version, path string, data []byte) ([]symbols.Def, []span) {
	defs, spans := p.both(v, path, data)
	if p.memo != nil && (p.cache == nil || v.IsZero()) && len(data) <= keptSource {
		spans = slices.Clone(spans)
		p.memo.Put(parsedKeyOf(path, data), parsed{defs, spans})
	}
	return defs, spans
}

// spans returns the comments and strings of a file, valid until the next call.
func (p *parser) spans(v sandbox.Version, path string, data []byte) []span {
	keep := p.cache != nil && !v.IsZero()
	key := spansKey{v, symbols.Language(path)}
	if keep {
		if kept, ok := p.cache.Get(key); ok {
			return kept.([]span)
		}
	}
	p.buf = p.buf[:0]
	symbols.Split(symbols.Detect(path, data), data, func(k symbols.SpanKind, from, to int) {
		if k != symbols.SpanCode {
			p.buf = append(p.buf, span{k, int32(from), int32(to)})
		}
	})
	if keep {
		p.cache.Put(key, slices.Clone(p.buf), int64(len(p.buf))*int64(unsafe.Sizeof(span{})))
	}
	return p.buf
}

// readFile reads a file, with its version if there is a cache.
func readFile(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string, buf []byte) ([]byte, sandbox.Version, error) {
	if env.Cache == nil {
		data, err := root.ReadFile(ctx, rel, buf)
		return data, sandbox.Version{}, err
	}
	return root.ReadVersion(ctx, rel, buf)
}
