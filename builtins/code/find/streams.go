package find

import (
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// streams serves the first step of a ranking from the cache, and fills it. A stream holds what that
// step knows of a content independently of the question.
type streams struct {
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

// newStreams returns the streams of a ranking; refs are the files by number, and each collector
// belongs to one worker.
func newStreams(env *catalog.Env, r *coderank.Ranker, refs []string, collectors []*coderank.Collector) *streams {
	s := &streams{refs: refs, collectors: collectors}
	if r.Replays() {
		s.cache = env.Cache
	}
	return s
}

func (s *streams) key(i int, v sandbox.Version) streamKey {
	return streamKey{v, symbols.Language(s.refs[i]) != ""}
}

// enabled reports whether streams can be replayed and kept.
func (s *streams) enabled() bool { return s.cache != nil }

// replayKnown counts a file from its cached stream; false if no stream is cached.
func (s *streams) replayKnown(w, i int, v sandbox.Version) (coderank.Words, bool) {
	kept, _ := s.cache.Get(s.key(i, v))
	st, ok := kept.(*coderank.Stream)
	if !ok {
		return nil, false
	}
	return s.collectors[w].Replay(s.refs[i], st), true
}

// collect counts a file that was read, and caches its stream if possible.
func (s *streams) collect(w, i int, data []byte, v sandbox.Version) coderank.Words {
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
func (s *streams) makeStream(i int, data []byte, v sandbox.Version) *coderank.Stream {
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
