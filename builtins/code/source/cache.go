package source

import (
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Streams serves the first step of a ranking from the cache, and fills it. A stream holds what that
// step knows of a content independently of the question.
type Streams struct {
	cache      *cache.Cache // nil without a cache, or if the ranker cannot replay streams
	refs       []string
	collectors []*coderank.Collector
}

// streamKey identifies the stream of a content. A word filter is part of the stream only if the
// language is known.
type streamKey struct {
	version sandbox.Version
	code    bool
}

// noStream is cached for a content that has no stream, to avoid trying again for every question.
type noStream struct{}

// OpenStreams returns the streams of a ranking; refs are the files by number, and each collector
// belongs to one worker.
func OpenStreams(env *catalog.Env, r *coderank.Ranker, refs []string, collectors []*coderank.Collector) *Streams {
	s := &Streams{refs: refs, collectors: collectors}
	if r.Replays() {
		s.cache = env.Cache
	}
	return s
}

func (s *Streams) key(i int, v sandbox.Version) streamKey {
	return streamKey{v, symbols.Language(s.refs[i]) != ""}
}

// Enabled reports whether streams can be replayed and kept.
func (s *Streams) Enabled() bool { return s.cache != nil }

// Replay counts a file from its cached stream; false if no stream is cached.
func (s *Streams) Replay(w, i int, v sandbox.Version) (coderank.Words, bool) {
	kept, _ := s.cache.Get(s.key(i, v))
	st, ok := kept.(*coderank.Stream)
	if !ok {
		return nil, false
	}
	return s.collectors[w].Replay(s.refs[i], st), true
}

// Collect counts a file that was read, and caches its stream if possible.
func (s *Streams) Collect(w, i int, data []byte, v sandbox.Version) coderank.Words {
	if s.cache != nil && !v.IsZero() {
		if st := s.makeStream(i, data, v); st != nil {
			return s.collectors[w].Replay(s.refs[i], st)
		}
	}
	return s.collectors[w].Scan(s.refs[i], data)
}

// streamShare is the approximate size of a stream relative to its text.
const streamShare = 1.5

// makeStream builds and caches the stream of a content; nil if that failed before or now, or the
// cache is full.
func (s *Streams) makeStream(i int, data []byte, v sandbox.Version) *coderank.Stream {
	key := s.key(i, v)
	if _, tried := s.cache.Get(key); tried || !s.cache.Room(int64(streamShare*float64(len(data)))) {
		return nil
	}
	w := writers.Get().(*coderank.StreamWriter)
	defer writers.Put(w)
	st := w.Make(s.refs[i], data)
	if st == nil {
		s.cache.Put(key, noStream{}, 0)
		return nil
	}
	s.cache.Put(key, st, st.Size())
	return st
}

// writers are reused: each holds a table of up to three megabytes.
var writers = sync.Pool{New: func() any { return new(coderank.StreamWriter) }}
