package rank

import (
	"bytes"
	"math"
	"sort"

	"compactor/builtins/code/symbols"
)

type field uint8

const (
	fBody field = iota
	fComment
	fSig
	fName
	nDef // fields of a definition end here
)

const (
	fDir field = nDef + iota
	fBase
	nFields
)

type fieldTF struct {
	unit unit
	tf   [nFields]uint16
}

// segment is a definition, or a block of lines outside all of them.
type segment struct {
	def   symbols.Def // zero Name for a block
	len   int
	tfs   []fieldTF
	score float64
	exact float64
	focus int
}

type document struct {
	path   string
	bucket Bucket
	lens   [nFields]int
	tfs    []fieldTF
	segs   []segment
	baseN  int
	lines  int
	score  float64

	fileS, defS, named, exactS float64
	top                        [3]float64
	segSum                     float64
	pre                        []float64
	feat                       []float64
}

// reader holds the buffers of a collector for reading in depth.
type reader struct {
	syms     symbols.Scanner
	comments [][2]int
	starts   []int
	owner    []int32
	segs     []segment
	counts   []fieldTF
	touched  []unit
	keys     []segHit
}

type segHit struct {
	seg   int32
	unit  unit
	field field
	line  int32
}

// Read takes a candidate in depth.
func (c *Collector) Read(path string, data []byte) {
	d := &c.r
	head := data[:min(len(data), 1024)]
	doc := &document{path: path, bucket: BucketOf(path, head)}
	defs := d.syms.Scan(path, data)
	d.comments = d.comments[:0]
	d.syms.Split(symbols.Detect(path, data), data, func(k symbols.SpanKind, s, e int) {
		if k == symbols.SpanComment {
			d.comments = append(d.comments, [2]int{s, e})
			doc.lens[fComment] += (e - s) / 6
		}
	})
	doc.lens[fBody] = c.m.find(data)
	doc.lens[fName] = 2 * len(defs)
	doc.lens[fSig] = 6 * len(defs)
	d.lineStarts(data)
	doc.lines = len(d.starts)
	d.segments(defs, data)
	if d.counts == nil {
		d.counts = make([]fieldTF, c.m.units)
	}
	d.place(data, c.m.hits)
	d.count(doc)
	dir, base := pathParts(path)
	c.m.find([]byte(dir))
	for _, h := range c.m.hits {
		d.add(h.unit, fDir)
	}
	doc.baseN = c.m.find([]byte(base))
	for _, h := range c.m.hits {
		d.add(h.unit, fBase)
	}
	doc.tfs = d.take()
	c.deep = append(c.deep, doc)
}

func (d *reader) add(u unit, f field) {
	t := &d.counts[u]
	if *t == (fieldTF{}) {
		d.touched = append(d.touched, u)
	}
	if t.tf[f] < math.MaxUint16 {
		t.tf[f]++
	}
}

// take empties the counters into a sorted list.
func (d *reader) take() []fieldTF {
	sort.Slice(d.touched, func(i, j int) bool { return d.touched[i] < d.touched[j] })
	out := make([]fieldTF, len(d.touched))
	for i, u := range d.touched {
		out[i] = d.counts[u]
		out[i].unit = u
		d.counts[u] = fieldTF{}
	}
	d.touched = d.touched[:0]
	return out
}

// place finds the line, the segment and the field of each hit.
func (d *reader) place(data []byte, hits []hit) {
	d.keys = d.keys[:0]
	ci, line := 0, 0
	for _, h := range hits {
		for line < len(d.starts) && d.starts[line] <= int(h.off) {
			line++
		}
		for ci < len(d.comments) && d.comments[ci][1] <= int(h.off) {
			ci++
		}
		k := segHit{seg: d.owner[line], unit: h.unit, field: fBody, line: int32(line)}
		s := &d.segs[k.seg]
		if ci < len(d.comments) && d.comments[ci][0] <= int(h.off) {
			k.field = fComment
		} else if s.def.Name != "" && line == s.def.Line {
			k.field = fSig
			if inName(data, h, s.def.Name) {
				k.field = fName
			}
		}
		d.keys = append(d.keys, k)
	}
}

func inName(data []byte, h hit, name string) bool {
	s, e := int(h.off), int(h.end)
	for s > 0 && class[data[s-1]] != sep {
		s--
	}
	for e < len(data) && class[data[e]] != sep {
		e++
	}
	return string(data[s:e]) == name
}

// count fills the document's segments; the file's counters stay for the path.
func (d *reader) count(doc *document) {
	sort.SliceStable(d.keys, func(i, j int) bool { return d.keys[i].seg < d.keys[j].seg })
	for i := 0; i < len(d.keys); {
		j := i
		for ; j < len(d.keys) && d.keys[j].seg == d.keys[i].seg; j++ {
			d.add(d.keys[j].unit, d.keys[j].field)
		}
		s := d.segs[d.keys[i].seg]
		s.tfs = d.take()
		doc.segs = append(doc.segs, s)
		i = j
	}
	for _, s := range doc.segs {
		for _, t := range s.tfs {
			for f, n := range t.tf {
				for k := 0; k < int(n); k++ {
					d.add(t.unit, field(f))
				}
			}
		}
	}
}

func (d *reader) lineStarts(data []byte) {
	d.starts = append(d.starts[:0], 0)
	for i := 0; ; {
		j := bytes.IndexByte(data[i:], '\n')
		if j < 0 {
			return
		}
		i += j + 1
		d.starts = append(d.starts, i)
	}
}

const blockLines = 40

// small kinds are one line of their container rather than a place of their own.
func small(k symbols.Kind) bool {
	return k == symbols.KindField || k == symbols.KindMember || k == symbols.KindPrototype
}

// segments cuts the file in definitions and the blocks between them; owner maps
// a line to its segment, which is the innermost definition.
func (d *reader) segments(defs []symbols.Def, data []byte) {
	lines := len(d.starts)
	d.segs = d.segs[:0]
	d.owner = append(d.owner[:0], make([]int32, lines+2)...)
	for i := range d.owner {
		d.owner[i] = -1
	}
	for _, def := range defs {
		if def.Line < 1 || def.Line > lines || small(def.Kind) && MergeSmall && def.EndLine-def.Line < 3 {
			continue
		}
		def.EndLine = min(max(def.EndLine, def.Line), lines)
		k := len(d.segs)
		d.segs = append(d.segs, segment{def: def})
		for l := d.docStart(def.Line, data); l <= def.EndLine; l++ {
			if o := d.owner[l]; o >= 0 {
				d.segs[o].len--
			}
			d.owner[l] = int32(k)
			d.segs[k].len++
		}
	}
	d.blocks()
	for i := range d.segs {
		d.segs[i].len *= 8
	}
}

// MergeSmall is an experiment.
var MergeSmall = false

// docStart is the first line of the comment, decorators and attributes above line.
func (d *reader) docStart(line int, data []byte) int {
	for l := line - 1; l >= 1 && line-l < 60; l-- {
		t := bytes.TrimSpace(data[d.starts[l-1]:d.starts[l]])
		if len(t) == 0 {
			return l + 1
		}
		if t[0] != '@' && t[0] != '#' && t[0] != '*' && !bytes.HasPrefix(t, []byte("//")) && !bytes.HasPrefix(t, []byte("/*")) && !bytes.HasPrefix(t, []byte("--")) {
			return l + 1
		}
		if d.owner[l] >= 0 && d.segs[d.owner[l]].def.EndLine == l {
			return l + 1
		}
	}
	return line
}

func (d *reader) blocks() {
	blk := int32(-1)
	lines := len(d.starts)
	for l := 0; l <= lines+1; l++ {
		if d.owner[l] >= 0 {
			blk = -1
			continue
		}
		if blk < 0 || d.segs[blk].len >= blockLines {
			blk = int32(len(d.segs))
			d.segs = append(d.segs, segment{def: symbols.Def{Line: max(l, 1), EndLine: max(l, 1)}})
		}
		d.owner[l] = blk
		d.segs[blk].len++
		d.segs[blk].def.EndLine = min(max(l, 1), lines)
	}
}
