package match

import (
	"bytes"
	"context"
	"errors"
)

// Line is a line that matched. Offsets are into the text that was scanned.
type Line struct {
	Number     int    // from 1
	Start, End int    // without the newline, with a carriage return
	Match      [2]int // start and end of the first match
}

// Scanner runs a Matcher over one text after another. It keeps the states that it built, at most a
// few MiB, and must not be used by two goroutines at once.
type Scanner struct {
	m     *Matcher
	cache *cache
}

// NewScanner returns a scanner for one goroutine.
func (m *Matcher) NewScanner() *Scanner { return &Scanner{m: m} }

// Lines calls fn for each matching line of buf, in order, until fn returns false. It returns ctx's error if ctx ends
// first.
func (s *Scanner) Lines(ctx context.Context, buf []byte, fn func(Line) bool) error {
	r := s.startReading(ctx, buf)
	line, counted := Line{Number: 1}, 0
	for pos := 0; pos < len(buf); pos = line.End + 1 {
		h, err := r.nextHit(pos)
		if err != nil || h.none {
			return err
		}
		line.Number += bytes.Count(buf[counted:h.start], newline)
		counted = h.start
		line.Start, line.End = h.start, h.end
		if line.Match, err = r.locateMatch(h); err != nil {
			return err
		}
		if !fn(line) {
			return nil
		}
	}
	return nil
}

// Count returns the number of matching lines. It is faster than Lines, as it does not locate matches.
func (s *Scanner) Count(ctx context.Context, buf []byte) (n int, err error) {
	r := s.startReading(ctx, buf)
	for pos := 0; pos < len(buf); n++ {
		h, err := r.nextHit(pos)
		if err != nil || h.none {
			return n, err
		}
		pos = h.end + 1
	}
	return n, nil
}

var newline = []byte{'\n'}

// reading is one text being scanned.
type reading struct {
	*Scanner
	buf   []byte
	meter meter

	crowded bool // the automaton does not fit this text: regexp decides
	word    int  // position of the finder's next word, len(buf) if there is none
	fold    int  // position of the next U+017F or U+212A, if that matters
}

func (s *Scanner) startReading(ctx context.Context, buf []byte) *reading {
	if s.cache == nil && !s.m.exact {
		s.cache = newCache(s.m.auto)
	}
	return &reading{Scanner: s, buf: buf, meter: meter{ctx: ctx}, word: -1, fold: -1}
}

// hit is a line that matches. word is the position of a matcher's word that is known to be the match, or -1.
type hit struct {
	start, end int
	word       int
	none       bool // there is no further line
}

// nextHit returns the first matching line from pos on, which begins a line.
func (r *reading) nextHit(pos int) (hit, error) {
	if r.m.finder == nil {
		return r.walkLines(pos)
	}
	for pos < len(r.buf) {
		at := r.nextCandidate(pos)
		if at == len(r.buf) {
			break
		}
		h := hit{start: lineStart(r.buf, pos, at), end: lineEnd(r.buf, at), word: -1}
		if r.m.exact && r.fold >= h.end {
			h.word = at
			return h, nil
		}
		ok, err := r.lineMatches(h)
		if ok || err != nil {
			return h, err
		}
		pos = h.end + 1
	}
	return hit{none: true}, nil
}

// nextCandidate returns the next position whose line may match, or len(buf).
func (r *reading) nextCandidate(pos int) int {
	if r.word < pos {
		if r.word = r.m.finder.next(r.buf, pos); r.word < 0 {
			r.word = len(r.buf)
		}
	}
	if r.fold < pos {
		r.fold = len(r.buf)
		if r.m.folds {
			r.fold = nextFold(r.buf, pos)
		}
	}
	return min(r.word, r.fold)
}

// walkLines returns the first matching line from pos on by reading every line.
func (r *reading) walkLines(pos int) (hit, error) {
	if !r.crowded {
		i, err := r.cache.find(r.buf, pos, &r.meter)
		switch {
		case errors.Is(err, errCrowded):
			r.crowded = true
			pos = lineStart(r.buf, pos, i)
		case err != nil:
			return hit{}, err
		case i < 0:
			return hit{none: true}, nil
		default:
			return hit{start: lineStart(r.buf, pos, i), end: lineEnd(r.buf, i), word: -1}, nil
		}
	}
	for pos < len(r.buf) {
		h := hit{start: pos, end: lineEnd(r.buf, pos), word: -1}
		ok, err := r.lineMatches(h)
		if ok || err != nil {
			return h, err
		}
		pos = h.end + 1
	}
	return hit{none: true}, nil
}

// lineMatches reports whether the line of h matches.
func (r *reading) lineMatches(h hit) (bool, error) {
	if err := r.meter.spend(h.end - h.start + 16); err != nil {
		return false, err
	}
	if r.cache == nil {
		r.cache = newCache(r.m.auto)
	}
	if !r.crowded {
		i, err := r.cache.find(r.buf[:min(h.end+1, len(r.buf))], h.start, &r.meter)
		if !errors.Is(err, errCrowded) {
			return i >= 0, err
		}
		r.crowded = true
	}
	_, ok, err := r.m.matchRegexp(&r.meter, r.buf[h.start:h.end])
	return ok, err
}

// locateMatch returns the start and end of a hit's first match.
func (r *reading) locateMatch(h hit) (loc [2]int, err error) {
	if h.word >= 0 {
		loc[0], loc[1] = r.m.finder.leftmost(r.buf, h.start, h.word)
		return loc, nil
	}
	loc, _, err = r.m.matchRegexp(&r.meter, r.buf[h.start:h.end])
	loc[0] += h.start
	loc[1] += h.start
	return loc, err
}
