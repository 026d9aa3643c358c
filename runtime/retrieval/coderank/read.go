package coderank

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// field is a part of a file that is weighted separately.
type field uint8

const (
	fieldBody    field       = iota
	fieldComment             // comments and docstrings
	fieldSig                 // the line of a definition, except its name
	fieldName                // names of definitions
	nText                    // fields with a length of their own end here
	fieldString  = nText     // string literals, which for a file are code
	nLines       = nText + 1 // fields of lines end here
	fieldDir     = nLines
	fieldBase    = nLines + 1 // the file's name
	nFields      = nLines + 2
)

// counts holds the number of occurrences of a unit in each field.
type counts struct {
	unit unit
	tf   [nFields]uint16
}

// segment is a definition, or a stretch of lines outside all definitions. The lines of a nested
// definition belong to that one, not to the outer one.
type segment struct {
	def    symbols.Def // Name is empty outside definitions
	lines  int         // number of its own lines
	focus  int         // the most informative line, 0 if unknown
	counts []counts
	hit    bool     // set while reading: it holds something of the question
	calls  []uint32 // hashes of the names that it calls
}

// document is a file that was read definition by definition.
type document struct {
	path   string
	bucket Bucket
	counts []counts
	lens   [nText]float64 // in subwords, approximately
	parts  int            // number of subwords of the file's name
	segs   []segment      // those with hits, and definitions that the question names
	names  []string       // of its definitions, for suggestions

	score                        float64
	file, defs, exact, mentioned float64
	learned                      float64 // file, plus what history says about it
	compound                     float64
	defScores                    []float64 // of segs
	best                         []int     // segs, best first
	exactDefs                    []int     // segs that bear a name of the question
}

// reader holds the buffers for reading by definition.
type reader struct {
	comments [][2]int // spans in the current file, like strings
	strings  [][2]int
	own      struct{ comments, strings [][2]int } // buffers
	starts   []int                                // offset of each line
	owner    []int32                              // segment of each line, from 1
	segs     []segment
	found    []found
	count    []counts
	touch    []unit
}

// found is a hit with its location.
type found struct {
	seg, line int32
	unit      unit
	field     field
}

// Read reads one of the files that Candidates returned; data is not kept.
func (c *Collector) Read(path string, data []byte) {
	own := &c.rd.own
	own.comments, own.strings = own.comments[:0], own.strings[:0]
	s := symbols.Borrow()
	defer s.Release()
	defs := s.ScanAndSplit(path, data, func(k symbols.SpanKind, s, e int) {
		switch k {
		case symbols.SpanString:
			own.strings = append(own.strings, [2]int{s, e})
		case symbols.SpanComment:
			own.comments = append(own.comments, [2]int{s, e})
		}
	})
	c.ReadParsed(path, data, defs, own.comments, own.strings)
}

// ReadParsed reads a file, like Read, whose definitions, comments and string literals are known, as
// symbols.Scan and symbols.Split return them. They are not modified.
func (c *Collector) ReadParsed(path string, data []byte, defs []symbols.Def, comments, strings [][2]int) {
	rd := &c.rd
	rd.comments, rd.strings = comments, strings
	if rd.count == nil {
		rd.count = make([]counts, c.m.units)
	}
	doc := &document{path: path, bucket: BucketOf(path, data)}
	for _, s := range comments {
		doc.lens[fieldComment] += float64(s[1]-s[0]) / commentBytes
	}
	rd.lineStarts(data)
	rd.splitSegments(defs, data)
	doc.lens[fieldBody] = float64(c.deep.find(data))
	doc.lens[fieldSig] = float64(sigLength * len(defs))
	doc.lens[fieldName] = float64(nameLength * len(defs))
	for _, d := range defs {
		doc.names = append(doc.names, d.Name)
	}
	doc.asDocument(defs, len(data))
	rd.placeHits(data, c.deep.hits)
	c.placeNames()
	rd.recordCalls(data)
	rd.tally(doc, c.r.unitWeights)
	doc.parts = c.addPathFields(path)
	doc.counts = rd.takeCounts()
	c.docs = append(c.docs, doc)
}

// placeNames adds the hits in the names of components, which do not occur in the files themselves.
func (c *Collector) placeNames() {
	for i := range c.rd.segs {
		def := &c.rd.segs[i].def
		if def.Kind != symbols.KindComponent {
			continue
		}
		c.name = append(c.name[:0], def.Name...)
		c.deep.find(c.name)
		for _, h := range c.deep.hits {
			c.rd.found = append(c.rd.found, found{int32(i), int32(def.Line), h.unit, fieldName})
		}
	}
}

// Mean lengths: of a signature and a name in subwords, of a word of a comment in bytes. Lengths
// only matter in proportion to one another.
const (
	sigLength    = 6
	nameLength   = 2
	commentBytes = 6
)

func (c *Collector) addPathFields(p string) (parts int) {
	dir, base := splitPath(p)
	for _, f := range []struct {
		s     string
		field field
	}{{dir, fieldDir}, {base, fieldBase}} {
		c.name = append(c.name[:0], f.s...)
		parts = c.deep.find(c.name)
		for _, h := range c.deep.hits {
			c.rd.add(h.unit, f.field)
		}
	}
	return parts
}

func (rd *reader) lineStarts(data []byte) {
	rd.starts = append(rd.starts[:0], 0)
	for i := 0; ; {
		j := bytes.IndexByte(data[i:], '\n')
		if j < 0 {
			return
		}
		i += j + 1
		rd.starts = append(rd.starts, i)
	}
}

// placeHits determines the line, the segment and the field of each hit; hits are in the order of the
// file.
func (rd *reader) placeHits(data []byte, hits []hit) {
	rd.found = rd.found[:0]
	comments, literals, line := rd.comments, rd.strings, 0
	for _, h := range hits {
		for line < len(rd.starts) && rd.starts[line] <= int(h.off) {
			line++
		}
		comments, literals = skipSpans(comments, h), skipSpans(literals, h)
		f := found{seg: rd.owner[line], line: int32(line), unit: h.unit}
		def := &rd.segs[f.seg].def
		switch {
		case isInside(comments, h):
			f.field = fieldComment
		case (def.Name == "" || line != def.Line) && isInside(literals, h):
			f.field = fieldString
		case def.Name == "" || line != def.Line:
			f.field = fieldBody
		case isNameAt(data, h, def.Name):
			f.field = fieldName
		default:
			f.field = fieldSig
		}
		rd.found = append(rd.found, f)
	}
}

// skipSpans drops the spans that end before a hit.
func skipSpans(spans [][2]int, h hit) [][2]int {
	for len(spans) > 0 && spans[0][1] <= int(h.off) {
		spans = spans[1:]
	}
	return spans
}

// isInside reports whether a hit lies in the first of the spans that end after it.
func isInside(spans [][2]int, h hit) bool {
	return len(spans) > 0 && spans[0][0] <= int(h.off)
}

// isNameAt reports whether the word around a hit is name. It looks no further than name is long,
// because otherwise each hit in a very long word would scan all of it.
func isNameAt(data []byte, h hit, name string) bool {
	s, e := int(h.off), int(h.end)
	if len(name) > maxName {
		return false
	}
	for s > 0 && e-s <= len(name) && words.ClassOf(data[s-1]) != words.Separator {
		s--
	}
	return string(data[s:s+words.Run(data[s:min(len(data), s+len(name)+1)], e-s, words.Any)]) == name
}

// maxName is the maximum length in bytes of a definition's name in which hits are recognized.
const maxName = 1024

// tally counts the hits of each segment and of the file as a whole.
func (rd *reader) tally(doc *document, weights []float64) {
	slices.SortStableFunc(rd.found, func(a, b found) int { return cmp.Compare(a.seg, b.seg) })
	for i := 0; i < len(rd.found); {
		j := i
		for ; j < len(rd.found) && rd.found[j].seg == rd.found[i].seg; j++ {
			rd.add(rd.found[j].unit, rd.found[j].field)
		}
		s := rd.segs[rd.found[i].seg]
		s.counts = rd.takeCounts()
		s.focus = rd.focusLine(rd.found[i:j], weights)
		doc.segs = append(doc.segs, s)
		i = j
	}
	for _, f := range rd.found {
		rd.add(f.unit, f.field)
	}
}

// focusLine returns the line whose distinct units weigh most, the first of equals.
func (rd *reader) focusLine(hits []found, weights []float64) int {
	best, line := 0.0, int32(0)
	for i := 0; i < len(hits); {
		sum, j := 0.0, i
		for ; j < len(hits) && hits[j].line == hits[i].line; j++ {
			if !slices.ContainsFunc(hits[i:j], func(f found) bool { return f.unit == hits[j].unit }) {
				sum += weights[hits[j].unit]
			}
		}
		if sum > best {
			best, line = sum, hits[i].line
		}
		i = j
	}
	return int(line)
}

func (rd *reader) add(u unit, f field) {
	t := &rd.count[u]
	if t.tf == ([nFields]uint16{}) {
		rd.touch = append(rd.touch, u)
	}
	if t.tf[f] < math.MaxUint16 {
		t.tf[f]++
	}
}

// takeCounts returns the running counts ordered by unit, and resets them.
func (rd *reader) takeCounts() []counts {
	slices.Sort(rd.touch)
	out := make([]counts, len(rd.touch))
	for i, u := range rd.touch {
		out[i] = counts{u, rd.count[u].tf}
		rd.count[u] = counts{}
	}
	rd.touch = rd.touch[:0]
	return out
}
