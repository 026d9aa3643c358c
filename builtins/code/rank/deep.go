package rank

import (
	"bytes"
	"math"
	"sort"
	"strings"
)

// Def is a definition.
type Def struct {
	Name, Kind, Container, Signature, Doc string
	Line, EndLine                         int
	Exported                              bool
}

// Document is a file read in depth.
type Document struct {
	Path     string
	Data     []byte
	Defs     []Def
	Comments [][2]int // byte spans, in order
}

type field uint8

const (
	fBody field = iota
	fComment
	fSig
	fName
	nFields
)

type fieldTF struct {
	unit unit
	tf   [nFields]uint16
}

type segment struct {
	def   Def // zero Name for a block
	len   int
	tfs   []fieldTF // fBody, fComment(doc+comments), fSig, fName
	score float64
	exact bool
}

type document struct {
	path                       string
	bucket                     Bucket
	lens                       [nFields]int
	tfs                        []fieldTF
	dirTF, baseTF              []posting
	segs                       []segment
	lines                      int
	score                      float64
	fileS, defS, named, exactS float64
}

// Read takes a candidate in depth.
func (c *Collector) Read(d Document) {
	head := d.Data
	if len(head) > 1024 {
		head = head[:1024]
	}
	doc := &document{path: d.Path, bucket: BucketOf(d.Path, head)}
	tokens := c.m.find(d.Data)
	hits := c.m.hits
	starts := lineStarts(d.Data)
	doc.lines = len(starts)
	segs, owner := segments(d.Defs, len(starts))
	lineOf := func(off uint32) int {
		return sort.Search(len(starts), func(i int) bool { return starts[i] > int(off) })
	}
	nd := len(c.m.query.Terms)
	_ = nd
	file := map[unit]*fieldTF{}
	segTF := make([]map[unit]*fieldTF, len(segs))
	ci := 0
	for _, h := range hits {
		for ci < len(d.Comments) && d.Comments[ci][1] <= int(h.off) {
			ci++
		}
		ln := lineOf(h.off)
		sg := owner[ln]
		fld := fBody
		if ci < len(d.Comments) && d.Comments[ci][0] <= int(h.off) {
			fld = fComment
		} else if segs[sg].def.Name != "" && ln == segs[sg].def.Line {
			fld = fSig
			if inName(d.Data, h, segs[sg].def.Name) {
				fld = fName
			}
		}
		add(file, h.unit, fld)
		if segTF[sg] == nil {
			segTF[sg] = map[unit]*fieldTF{}
		}
		add(segTF[sg], h.unit, fld)
	}
	doc.tfs = flat(file)
	doc.lens[fBody] = tokens
	for i := range segs {
		if segTF[i] == nil {
			continue
		}
		segs[i].tfs = flat(segTF[i])
		doc.segs = append(doc.segs, segs[i])
	}
	// lengths: approximate by lines*8
	for i := range doc.segs {
		doc.segs[i].len *= 8
	}
	for _, s := range d.Comments {
		doc.lens[fComment] += (s[1] - s[0]) / 6
	}
	doc.lens[fName] = 2 * len(d.Defs)
	doc.lens[fSig] = 6 * len(d.Defs)
	dir, base := pathParts(d.Path)
	c.m.find([]byte(dir))
	doc.dirTF = c.tally(nil, c.m.hits, nil)
	c.m.find([]byte(base))
	doc.baseTF = c.tally(nil, c.m.hits, nil)
	c.deep = append(c.deep, doc)
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

func add(m map[unit]*fieldTF, u unit, f field) {
	t := m[u]
	if t == nil {
		t = &fieldTF{unit: u}
		m[u] = t
	}
	if t.tf[f] < math.MaxUint16 {
		t.tf[f]++
	}
}

func flat(m map[unit]*fieldTF) []fieldTF {
	out := make([]fieldTF, 0, len(m))
	for _, t := range m {
		out = append(out, *t)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].unit < out[j].unit })
	return out
}

func lineStarts(data []byte) []int {
	out := make([]int, 1, bytes.Count(data, []byte{'\n'})+1)
	for i, c := range data {
		if c == '\n' {
			out = append(out, i+1)
		}
	}
	return out
}

const blockLines = 40

// segments cuts a file in definitions and the blocks between them. owner maps
// a line (from 1) to its segment: the innermost definition.
func segments(defs []Def, lines int) ([]segment, []int) {
	segs := make([]segment, 0, len(defs)+lines/blockLines+1)
	owner := make([]int, lines+2)
	for i := range owner {
		owner[i] = -1
	}
	ds := append([]Def(nil), defs...)
	sort.SliceStable(ds, func(i, j int) bool {
		if ds[i].Line != ds[j].Line {
			return ds[i].Line < ds[j].Line
		}
		return ds[i].EndLine > ds[j].EndLine
	})
	for _, d := range ds {
		if d.Line < 1 || d.Line > lines {
			continue
		}
		if d.EndLine < d.Line {
			d.EndLine = d.Line
		}
		if d.EndLine > lines {
			d.EndLine = lines
		}
		k := len(segs)
		segs = append(segs, segment{def: d})
		for l := d.Line; l <= d.EndLine; l++ {
			if o := owner[l]; o >= 0 {
				segs[o].len--
			}
			owner[l] = k
			segs[k].len++
		}
		// doc comment lines above belong to it
		_ = strings.TrimSpace
	}
	blk := -1
	for l := 1; l <= lines+1; l++ {
		if owner[l] >= 0 {
			blk = -1
			continue
		}
		if blk < 0 || segs[blk].len >= blockLines {
			blk = len(segs)
			segs = append(segs, segment{def: Def{Line: l, EndLine: l}})
		}
		owner[l] = blk
		segs[blk].len++
		segs[blk].def.EndLine = min(l, lines)
	}
	return segs, owner
}
