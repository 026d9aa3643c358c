package index

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// ErrFull is returned when a builder takes no more passages: its postings have reached the limit in
// the settings.
var ErrFull = errors.New("the index is full")

// Builder takes passages and makes an index of them, or one segment after the other. It keeps their
// postings, compressed, and never their text. It may be used by one goroutine at a time.
type Builder struct {
	set     Settings
	groups  []Group
	ids     []string
	seen    map[string]bool
	lengths []float32
	terms   *growing
	grams   *growing
	stems   map[string]int32 // a word as it is written → its term
	bytes   int
	plain   plain
}

// NewBuilder returns an empty builder.
func NewBuilder(set Settings) (*Builder, error) {
	if err := set.Check(); err != nil {
		return nil, err
	}
	return newBuilder(set), nil
}

func newBuilder(set Settings) *Builder {
	return &Builder{set: set, seen: map[string]bool{}, terms: newGrowing(), grams: newGrowing(), stems: map[string]int32{}}
}

// Begin names the group of the passages that are added from now on.
func (b *Builder) Begin(name Name) { b.groups = append(b.groups, Group{Name: name}) }

// Kept returns about how much memory the postings take, in bytes.
func (b *Builder) Kept() int { return b.bytes + b.terms.bytes + b.grams.bytes }

// Len returns the number of passages added since the last segment.
func (b *Builder) Len() int { return len(b.ids) }

// Add indexes a passage; its number is the number of passages added before it. If the error is
// ErrFull, the builder is unchanged.
func (b *Builder) Add(p Passage) error {
	if b.seen[p.ID] {
		return fmt.Errorf("index: passage %q is there already", p.ID)
	}
	if kept := b.Kept(); kept >= b.set.Bytes || len(b.ids) == math.MaxInt32 {
		return fmt.Errorf("index: %w: %d passages take %d bytes, of %d; leave files out (exclude), or split the collection", ErrFull, len(b.ids), kept, b.set.Bytes)
	}
	number := uint32(len(b.ids))
	b.seen[p.ID], b.ids = true, append(b.ids, p.ID)
	b.bytes += len(p.ID) + overhead
	b.plain = append(b.plain[:0], ' ')
	var length counts
	for f, text := range [fields]string{p.Title, p.Section, p.Body} {
		eachWord(text, func(w string) {
			b.terms.occur(b.termID(w), Field(f))
			b.plain = b.plain.withWord(w)
			length[f]++
		})
	}
	eachGram(b.plain, func(gram []byte) { b.grams.occur(b.grams.id(gram), Body) })
	b.terms.endPassage(number)
	b.grams.endPassage(number)
	b.lengths = append(b.lengths, float32(b.set.Fields.weigh(length)))
	if n := len(b.groups); n > 0 {
		b.groups[n-1].Passages++
	}
	return nil
}

// termID returns the number of a word's term.
func (b *Builder) termID(word string) int32 {
	if id, ok := b.stems[word]; ok {
		return id
	}
	id := b.terms.id(words.Stem([]byte(word)))
	b.stems[word] = id
	b.bytes += len(word) + overhead/2
	return id
}

// Build returns the index of the passages added. The same passages in the same order give the same
// index. The builder cannot be used afterwards.
func (b *Builder) Build(ctx context.Context) (*Index, error) {
	ix := &Index{set: b.set, groups: b.groups, ids: b.ids, lengths: b.lengths}
	b.terms.each(ix.terms.add)
	b.grams.each(ix.grams.add)
	*b = Builder{}
	ix.prepare()
	learnt, err := learnSpace(ctx, ix.set, ix.Len(), ix.words)
	if err != nil {
		return nil, err
	}
	if learnt.dims() > 0 {
		v, err := learnt.fold(ix.set, ix.Len(), ix.words)
		if err != nil {
			return nil, err
		}
		ix.enterSpace(learnt, v)
	}
	return ix, ctx.Err()
}

// Segment packs the passages added, and empties the builder.
func (b *Builder) Segment() Packed {
	var terms, grams tablePacker
	b.terms.each(terms.add)
	words := packWords(b.ids, b.lengths, &terms)
	b.terms, terms = nil, tablePacker{}
	b.grams.each(grams.add)
	p := Packed{Groups: packGroups(b.groups), Words: words, Grams: packGrams(&grams)}
	*b = *newBuilder(b.set)
	return p
}
