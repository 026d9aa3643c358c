package index

import (
	"slices"
	"strings"
)

// table maps keys, terms or sequences of characters, to their postings.
type table struct {
	keys []key // by name
	data []byte
}

// key is an entry of a table.
type key struct {
	name     string
	at, size int // its postings in the data
	passages int
}

// id returns the index of a key, or -1 if the table does not have it.
func (t *table) id(name string) int {
	i, found := slices.BinarySearchFunc(t.keys, name, func(k key, name string) int { return strings.Compare(k.name, name) })
	if !found {
		return -1
	}
	return i
}

// add adds a key, whose name must follow all others.
func (t *table) add(name []byte, passages int, postings []byte) {
	t.keys = append(t.keys, key{string(name), len(t.data), len(postings), passages})
	t.data = append(t.data, postings...)
}

// each calls visit for the postings of a key, in the order of the passages.
func (t *table) each(id int, visit func(posting)) {
	for c := t.cursor(id); c.next(); {
		visit(c.posting)
	}
}

// cursor walks the postings of a key.
type cursor struct {
	posting
	data []byte
}

func (t *table) cursor(id int) cursor {
	k := t.keys[id]
	return cursor{data: t.data[k.at : k.at+k.size]}
}

// next moves to the next posting, at the first call to the first one.
func (c *cursor) next() bool {
	if len(c.data) == 0 {
		return false
	}
	if b := c.data[0]; b < 0x80 && b&1 == 1 { // the most common case
		c.passage += uint32(b >> 1)
		c.counts = counts{Body: 1}
		c.data = c.data[1:]
		return true
	}
	p, n := nextPosting(c.data, c.passage)
	c.posting, c.data = p, c.data[n:]
	return true
}

// growing is a table to which passages are still being added.
type growing struct {
	ids   map[string]int32
	names []string
	lists []list
	here  []int32 // keys of the current passage, in the order of their first occurrence
	bytes int     // approximate memory
}

// list holds the postings of one key so far.
type list struct {
	data     []byte
	last     uint32
	passages int
	counts   counts // of the current passage
}

// overhead is about the memory of a key in addition to its name and its postings, in bytes.
const overhead = 150

func newGrowing() *growing { return &growing{ids: map[string]int32{}} }

// id returns the number of a key, and adds the key if it is new.
func (g *growing) id(name []byte) int32 {
	if id, ok := g.ids[string(name)]; ok {
		return id
	}
	id := int32(len(g.names))
	s := string(name)
	g.ids[s] = id
	g.names, g.lists = append(g.names, s), append(g.lists, list{})
	g.bytes += len(s) + overhead
	return id
}

// occur counts an occurrence in the current passage.
func (g *growing) occur(id int32, f Field) {
	l := &g.lists[id]
	if l.counts == (counts{}) {
		g.here = append(g.here, id)
	}
	l.counts[f]++
}

// endPassage writes the postings of the current passage.
func (g *growing) endPassage(passage uint32) {
	for _, id := range g.here {
		l := &g.lists[id]
		before := len(l.data)
		l.data = appendPosting(l.data, passage-l.last, l.counts)
		g.bytes += len(l.data) - before
		l.last, l.counts = passage, counts{}
		l.passages++
	}
	g.here = g.here[:0]
}

// each calls emit for the keys in the order of their names, so that the order in which they were
// added does not show. The growing table cannot be used afterwards.
func (g *growing) each(emit func(name []byte, passages int, postings []byte)) {
	order := make([]int32, len(g.names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(x, y int32) int { return strings.Compare(g.names[x], g.names[y]) })
	g.ids = nil
	var name []byte
	for _, i := range order {
		name = append(name[:0], g.names[i]...)
		l := &g.lists[i]
		emit(name, l.passages, l.data)
		l.data = nil
	}
}
