package index

import "fmt"

// Name is a digest that distinguishes a group of passages from all others, of any version.
type Name [16]byte

// Group is a number of passages that enter and leave an index together.
type Group struct {
	Name     Name
	Passages int
}

// Packed is the stored form of a segment: three parts, each with a checksum.
type Packed struct {
	Groups []byte // which groups of passages it has
	Words  []byte // their passages, and the postings of words
	Grams  []byte // the postings of sequences of characters
}

// Bytes returns the size of the parts in bytes.
func (p Packed) Bytes() int { return len(p.Groups) + len(p.Words) + len(p.Grams) }

// Segment is an immutable part of an index: the postings of some groups, numbered from 0. Which of
// the groups are still wanted is up to the caller that assembles an index of segments.
type Segment struct {
	groups  []Group
	ids     []string
	lengths []float32
	terms   packedTable
	grams   packedTable
	vectors *vectors // nil before SetVectors
}

// ReadGroups reads the list of the groups of a segment.
func ReadGroups(data []byte) ([]Group, error) {
	r, err := unpack(magicGroups, data)
	if err != nil {
		return nil, err
	}
	groups := make([]Group, r.count(len(Name{})+1))
	for i := range groups {
		copy(groups[i].Name[:], r.take(len(Name{})))
		groups[i].Passages = r.number(maxPassages)
	}
	return groups, r.end()
}

// maxPassages limits the passages of an index.
const maxPassages = 1 << 30

func packGroups(groups []Group) []byte {
	p := pack(magicGroups)
	p.number(len(groups))
	for _, g := range groups {
		p = append(p, g.Name[:]...)
		p.number(g.Passages)
	}
	return p.sealed()
}

// ReadSegment reads a packed segment, without the sequences of characters if their part is nil. It
// keeps the parts, which must not change afterwards. Postings are only checked when they are used.
func ReadSegment(p Packed) (*Segment, error) {
	groups, err := ReadGroups(p.Groups)
	if err != nil {
		return nil, err
	}
	s := &Segment{groups: groups}
	r, err := unpack(magicWords, p.Words)
	if err != nil {
		return nil, err
	}
	n := r.count(5)
	s.ids, s.lengths = make([]string, n), make([]float32, n)
	for i := range n {
		s.ids[i], s.lengths[i] = string(r.bytes()), r.float()
		if s.lengths[i] < 0 {
			r.fail("a passage has no length")
		}
	}
	s.terms = readPacked(r, n)
	if err := r.end(); err != nil {
		return nil, err
	}
	if sum := passagesOf(groups); sum != n {
		return nil, fmt.Errorf("index: %w: %d passages, and groups of %d", ErrDamaged, n, sum)
	}
	if p.Grams == nil {
		return s, nil
	}
	if r, err = unpack(magicGrams, p.Grams); err != nil {
		return nil, err
	}
	s.grams = readPacked(r, n)
	return s, r.end()
}

// Groups returns the groups of the segment, in the order of their passages.
func (s *Segment) Groups() []Group { return s.groups }

// SetVectors sets the vectors of the passages, which Fold computed.
func (s *Segment) SetVectors(data []byte) error {
	r, err := unpack(magicVectors, data)
	if err != nil {
		return err
	}
	s.vectors = r.vectors(r.number(maxDimensions), len(s.ids))
	return r.end()
}

func passagesOf(groups []Group) (sum int) {
	for _, g := range groups {
		sum += g.Passages
	}
	return sum
}

// packedTable is the stored form of keys with postings.
type packedTable struct {
	count    int
	keys     []byte // each without the prefix that it shares with the one before
	data     []byte // postings, in the order of the keys
	passages int    // limit of the passages' numbers
}

func readPacked(r *reader, passages int) packedTable {
	t := packedTable{count: r.number(len(r.data)), keys: r.bytes(), data: r.bytes(), passages: passages}
	if t.data == nil {
		t.data = []byte{}
	}
	return t
}

// packWords writes the passages and the words of a segment.
func packWords(ids []string, lengths []float32, terms *tablePacker) []byte {
	p := make(pack, 0, len(magicWords)+24*len(ids)+len(terms.keys)+len(terms.data)+64)
	p = append(p, magicWords...)
	p.number(len(ids))
	for i, id := range ids {
		p.text(id)
		p.float(lengths[i])
	}
	terms.into(&p)
	return p.sealed()
}

func packGrams(grams *tablePacker) []byte {
	p := make(pack, 0, len(magicGrams)+len(grams.keys)+len(grams.data)+64)
	p = append(p, magicGrams...)
	grams.into(&p)
	return p.sealed()
}

// tablePacker packs keys, which must be added in the order of their names.
type tablePacker struct {
	count      int
	keys, data []byte
	before     []byte
}

func (t *tablePacker) add(name []byte, passages int, postings []byte) {
	same := sharedPrefix(t.before, name)
	k := (*pack)(&t.keys)
	k.number(same)
	k.bytes(name[same:])
	k.number(passages)
	k.number(len(postings))
	t.before = append(t.before[:0], name...)
	t.data = append(t.data, postings...)
	t.count++
}

func (t *tablePacker) into(p *pack) {
	p.number(t.count)
	p.bytes(t.keys)
	p.bytes(t.data)
}

// sharedPrefix returns the length of the common prefix.
func sharedPrefix(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Merge makes one segment of the wanted groups of some segments, in their order.
func Merge(want []Group, from ...*Segment) (Packed, error) {
	sources, err := sourcesOf(want, from)
	if err != nil {
		return Packed{}, err
	}
	n := passagesOf(want)
	ids, lengths := make([]string, n), make([]float32, n)
	var terms, grams tablePacker
	for _, s := range sources {
		s.copyPassages(ids, lengths)
	}
	if err := mergeKeys(sources, wordsOf, terms.add); err != nil {
		return Packed{}, err
	}
	if err := mergeKeys(sources, gramsOf, grams.add); err != nil {
		return Packed{}, err
	}
	return Packed{Groups: packGroups(want), Words: packWords(ids, lengths, &terms), Grams: packGrams(&grams)}, nil
}
