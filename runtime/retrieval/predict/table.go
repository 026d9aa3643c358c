package predict

// interner numbers names.
type interner struct {
	names []string
	index map[string]int32
}

func (in *interner) find(name string) (int32, bool) {
	i, ok := in.index[name]
	return i, ok
}

func (in *interner) add(name string) int32 {
	if i, ok := in.index[name]; ok {
		return i
	}
	if in.index == nil {
		in.index = map[string]int32{}
	}
	i := int32(len(in.names))
	in.names = append(in.names, name)
	in.index[name] = i
	return i
}

// table counts which things follow which.
type table[K comparable] struct {
	rows map[K]*row
	size *int // followers in all rows
}

// row holds the followers of one thing.
type row struct {
	total float64
	to    map[int32]cell
}

// cell records how often something followed, at what distance, and when last.
type cell struct {
	count    float64
	distance float64 // sum over the sessions; mean is distance/count
	last     int64   // Unix seconds, 0 if unknown
}

func newTable[K comparable]() table[K] { return table[K]{map[K]*row{}, new(int)} }

func (t table[K]) cells() int { return *t.size }

// put adds to the counts of a follower.
func (t table[K]) put(from K, to int32, add cell) {
	r := t.rows[from]
	if r == nil {
		r = &row{to: map[int32]cell{}}
		t.rows[from] = r
	}
	c, there := r.to[to]
	if !there {
		*t.size++
	}
	r.to[to] = cell{c.count + add.count, c.distance + add.distance, max(c.last, add.last)}
	r.total += add.count
}

// drop removes a follower.
func (t table[K]) drop(from K, to int32) {
	r := t.rows[from]
	r.total -= r.to[to].count
	delete(r.to, to)
	*t.size--
	if len(r.to) == 0 {
		delete(t.rows, from)
	}
}

func (t table[K]) scale(by float64) {
	for _, r := range t.rows {
		r.total *= by
		for k, c := range r.to {
			r.to[k] = cell{c.count * by, c.distance * by, c.last}
		}
	}
}
