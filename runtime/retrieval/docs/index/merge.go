package index

import (
	"bytes"
	"errors"
	"fmt"
)

// Source is an input of Assemble: a Segment, or an Index that was assembled.
type Source interface{ source() *source }

func (s *Segment) source() *source {
	return &source{groups: s.groups, ids: s.ids, lengths: s.lengths, vectors: s.vectors,
		words: s.terms.walk, grams: s.grams.walk}
}

func (ix *Index) source() *source {
	s := &source{groups: ix.groups, ids: ix.ids, lengths: ix.lengths,
		words: func() keys { return ix.terms.walk(len(ix.ids)) }, grams: func() keys { return ix.grams.walk(len(ix.ids)) }}
	if ix.space != nil {
		s.vectors = ix.space.passages
	}
	return s
}

// source is one input of a merge.
type source struct {
	groups       []Group
	ids          []string
	lengths      []float32
	vectors      *vectors
	words, grams func() keys
	to           []int32 // numbers of its passages in the result, ascending; -1 if not wanted
	used         bool    // some passages are wanted
}

func wordsOf(s *source) keys { return s.words() }
func gramsOf(s *source) keys { return s.grams() }

// sourcesOf finds the wanted groups, each in the first source that has it, and numbers their
// passages in the order of the groups.
func sourcesOf[S Source](want []Group, from []S) ([]*source, error) {
	first := make(map[Name]int, len(want)) // number of their first passage
	n := 0
	for _, g := range want {
		if _, twice := first[g.Name]; twice {
			return nil, fmt.Errorf("index: %w: a group is wanted twice", ErrDamaged)
		}
		first[g.Name] = n
		n += g.Passages
	}
	if n > maxPassages {
		return nil, fmt.Errorf("index: %w: %d passages", ErrFull, n)
	}
	size := make(map[Name]int, len(want))
	for _, g := range want {
		size[g.Name] = g.Passages
	}
	var used []*source
	for _, f := range from {
		s := f.source()
		if err := s.placePassages(first, size); err != nil {
			return nil, err
		}
		if s.used {
			used = append(used, s)
		}
	}
	if len(size) > 0 {
		return nil, fmt.Errorf("index: %w: %d groups of passages are missing", ErrDamaged, len(size))
	}
	return used, nil
}

// placePassages determines where the passages of a source go, and removes its groups from left.
func (s *source) placePassages(first, left map[Name]int) error {
	s.to = make([]int32, len(s.ids))
	at, last := 0, -1
	for _, g := range s.groups {
		n, wanted := left[g.Name]
		if wanted && n != g.Passages || at+g.Passages > len(s.to) {
			return fmt.Errorf("index: %w: a group has %d passages, of %d", ErrDamaged, g.Passages, n)
		}
		to := first[g.Name]
		if wanted && g.Passages > 0 && to <= last {
			return fmt.Errorf("index: %w: groups are out of order", ErrDamaged)
		}
		for i := at; i < at+g.Passages; i++ {
			if !wanted {
				s.to[i] = -1
				continue
			}
			last = to + i - at
			s.to[i] = int32(last)
		}
		s.used = s.used || wanted
		delete(left, g.Name)
		at += g.Passages
	}
	return nil
}

// copyPassages sets the ids and lengths of the wanted passages.
func (s *source) copyPassages(ids []string, lengths []float32) {
	for i, to := range s.to {
		if to >= 0 {
			ids[to], lengths[to] = s.ids[i], s.lengths[i]
		}
	}
}

// gatherVectors puts the vectors of the sources into the order of n passages.
func gatherVectors(sources []*source, n int) (*vectors, error) {
	var all *vectors
	for _, s := range sources {
		if s.vectors == nil || all != nil && s.vectors.dims != all.dims || len(s.vectors.scales) != len(s.to) {
			return nil, fmt.Errorf("index: %w: vectors are missing", ErrDamaged)
		}
		if all == nil {
			all = newVectors(s.vectors.dims, n)
		}
		for i, to := range s.to {
			if to >= 0 {
				all.copy(int(to), s.vectors, i)
			}
		}
	}
	if all == nil {
		all = newVectors(0, 0)
	}
	return all, nil
}

// keys walks the keys of a table in the order of their names.
type keys interface {
	// next moves to the next key, at the first call to the first one; it returns false at the end.
	next() bool
	// name returns the name of the current key, valid until next.
	name() []byte
	// postings returns the postings of the key: as many as count, of passages below limit.
	postings() (data []byte, count, limit int)
	err() error
}

// packedKeys walks a packed table.
type packedKeys struct {
	table         packedTable
	r             reader
	rest          []byte // of the postings
	left          int
	key, previous []byte
	count         int
	data          []byte
	started       bool
}

func (t packedTable) walk() keys {
	if t.data == nil {
		return &packedKeys{r: reader{err: errors.New("index: a part of a segment was not read")}}
	}
	return &packedKeys{table: t, r: reader{data: t.keys}, rest: t.data, left: t.count}
}

func (k *packedKeys) next() bool {
	if k.r.err != nil || k.left == 0 {
		if k.r.err == nil && (len(k.r.data) > 0 || len(k.rest) > 0) {
			k.r.fail("there is more than the keys say")
		}
		return false
	}
	k.previous = append(k.previous[:0], k.key...)
	same := k.r.number(len(k.key))
	k.key = append(k.key[:same], k.r.bytes()...)
	k.count = k.r.number(k.table.passages)
	size := k.r.number(len(k.rest))
	if k.r.err == nil && k.started && bytes.Compare(k.key, k.previous) <= 0 {
		k.r.fail("the key %q is out of order", k.key)
	}
	if k.r.err != nil {
		return false
	}
	k.started = true
	k.left--
	k.data, k.rest = k.rest[:size], k.rest[size:]
	return true
}

func (k *packedKeys) name() []byte                 { return k.key }
func (k *packedKeys) postings() ([]byte, int, int) { return k.data, k.count, k.table.passages }
func (k *packedKeys) err() error                   { return k.r.err }

// tableKeys walks a table in memory.
type tableKeys struct {
	*table
	at, passages int
	buffer       []byte
}

func (t *table) walk(passages int) keys { return &tableKeys{table: t, at: -1, passages: passages} }

func (k *tableKeys) next() bool {
	if k.at++; k.at >= len(k.keys) {
		return false
	}
	k.buffer = append(k.buffer[:0], k.keys[k.at].name...)
	return true
}

func (k *tableKeys) name() []byte { return k.buffer }
func (k *tableKeys) err() error   { return nil }
func (k *tableKeys) postings() ([]byte, int, int) {
	e := k.keys[k.at]
	return k.data[e.at : e.at+e.size], e.passages, k.passages
}

// mergeKeys calls emit for each key that some wanted passage has, in the order of their names, with
// its postings in the new numbers of passages. The arguments are valid until emit returns. Each
// posting is checked.
func mergeKeys(sources []*source, of func(*source) keys, emit func(name []byte, passages int, postings []byte)) error {
	var walks []*walk
	for _, s := range sources {
		walks = append(walks, &walk{source: s, keys: of(s)})
	}
	for _, w := range walks {
		if err := w.advance(); err != nil {
			return err
		}
	}
	var name, data []byte
	var here []*walk
	for {
		here = here[:0]
		for _, w := range walks {
			switch {
			case w.done:
			case len(here) == 0 || bytes.Compare(w.name(), here[0].name()) < 0:
				here = append(here[:0], w)
			case bytes.Equal(w.name(), here[0].name()):
				here = append(here, w)
			}
		}
		if len(here) == 0 {
			return nil
		}
		name = append(name[:0], here[0].name()...)
		merged, count, err := mergePostings(here, data[:0])
		if err != nil {
			return fmt.Errorf("the key %q: %w", name, err)
		}
		if count > 0 {
			emit(name, count, merged)
		}
		data = merged
		for _, w := range here {
			if err := w.advance(); err != nil {
				return err
			}
		}
	}
}

// walk is a source at one of its keys.
type walk struct {
	*source
	keys
	done bool

	data    []byte // remaining postings
	left    int
	limit   int
	any     bool // one was read
	posting posting
	ended   bool
}

// advance moves to the next key.
func (w *walk) advance() error {
	w.done = !w.keys.next()
	return w.keys.err()
}

// begin moves to the key's first posting of a wanted passage.
func (w *walk) begin() error {
	w.data, w.left, w.limit = w.postings()
	w.posting, w.any, w.ended = posting{}, false, false
	return w.step()
}

// step moves to the next posting of a wanted passage.
func (w *walk) step() error {
	for len(w.data) > 0 {
		p, size := nextPosting(w.data, w.posting.passage)
		if size == 0 || int(p.passage) >= w.limit || w.any && p.passage == w.posting.passage || p.counts == (counts{}) || w.left == 0 {
			return fmt.Errorf("index: %w: a posting is none", ErrDamaged)
		}
		w.data, w.posting, w.any = w.data[size:], p, true
		w.left--
		if w.to[p.passage] >= 0 {
			return nil
		}
	}
	if w.left > 0 {
		return fmt.Errorf("index: %w: %d postings are missing", ErrDamaged, w.left)
	}
	w.ended = true
	return nil
}

func (w *walk) targetNumber() uint32 { return uint32(w.to[w.posting.passage]) }

// mergePostings appends the postings of one key, from all walks that have it.
func mergePostings(here []*walk, out []byte) (_ []byte, count int, err error) {
	for _, w := range here {
		if err := w.begin(); err != nil {
			return out, 0, err
		}
	}
	last := uint32(0)
	for {
		var least *walk // has the next passage
		until := ^uint32(0)
		for _, w := range here {
			switch {
			case w.ended:
			case least == nil:
				least = w
			case w.targetNumber() < least.targetNumber():
				until = least.targetNumber()
				least = w
			default:
				until = min(until, w.targetNumber())
			}
		}
		if least == nil {
			return out, count, nil
		}
		for !least.ended && least.targetNumber() < until {
			to := least.targetNumber()
			out = appendPosting(out, to-last, least.posting.counts)
			last = to
			count++
			if err := least.step(); err != nil {
				return out, 0, err
			}
		}
	}
}
