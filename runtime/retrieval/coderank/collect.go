package coderank

import (
	"bytes"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// posting counts one unit in one file.
type posting struct {
	unit unit
	body uint16
	// defs counts the hits of an identifier right after a word that defines,
	// such as "func" or "class": a hint at definitions before any are read.
	defs uint8
	path uint8 // 1 if in the directories, 2 if in the name
}

// counted is what the first step keeps of a file.
type counted struct {
	path   string
	bucket Bucket
	tokens int
	lo, hi int // its postings in the collector's arena
	arena  int // index of the collector
}

// Collector gathers what one worker reads. It is used by one goroutine at a time.
type Collector struct {
	r     *Ranker
	id    int
	m     *matcher
	files []counted
	arena []posting
	count []posting // by unit, zero between files
	touch []unit
	name  []byte
	rp    *replayer // created for the first stream
	dir   struct {  // of the last file
		path   string
		bucket Bucket
		units  []unit // in its path
	}

	deep *matcher
	docs []*document
	rd   reader
}

// Scan counts the query's terms in a file; data is not kept. Every file of the tree is scanned once
// before Candidates is called. The returned filter tells which words the file cannot hold as code.
func (c *Collector) Scan(p string, data []byte) Words {
	f := counted{path: p, bucket: c.bucketOf(p, func() bool { return generatedHead(data) }), lo: len(c.arena), arena: c.id}
	words, fill := c.newWords(&f, len(data))
	if fill {
		c.m.words = words
	}
	f.tokens = c.m.find(data)
	c.m.words = nil
	for _, h := range c.m.hits {
		t := c.countOf(h.unit)
		if t.body < math.MaxUint16 {
			t.body++
		}
		if c.m.isIdent(h.unit) && t.defs < math.MaxUint8 && afterKeyword(data, int(h.off)) {
			t.defs++
		}
	}
	c.finishFile(f)
	return words
}

// finishFile adds the units in the path of a file and keeps its counts.
func (c *Collector) finishFile(f counted) {
	c.addPath(f.path)
	slices.Sort(c.touch)
	for _, u := range c.touch {
		c.arena = append(c.arena, c.count[u])
		c.count[u] = posting{}
	}
	c.touch = c.touch[:0]
	f.hi = len(c.arena)
	c.files = append(c.files, f)
}

// bucketOf classifies a file like BucketOf, and caches the bucket of its directory for the next file.
func (c *Collector) bucketOf(p string, generated func() bool) Bucket {
	if dir, _ := path.Split(p); dir != c.dir.path {
		c.dir.path, c.dir.bucket, c.dir.units = dir, dirBucket(dir), c.dir.units[:0]
		for _, h := range c.hitsIn(dir) {
			c.dir.units = append(c.dir.units, h.unit)
		}
	}
	return bucketIn(c.dir.bucket, p, generated)
}

func (c *Collector) hitsIn(s string) []hit {
	c.name = append(c.name[:0], s...)
	c.m.find(c.name)
	return c.m.hits
}

// addPath marks the units in the path: 1 for the directories, 2 for the name.
func (c *Collector) addPath(p string) {
	for _, u := range c.dir.units {
		t := c.countOf(u)
		t.path = max(t.path, 1)
	}
	_, base := splitPath(p)
	for _, h := range c.hitsIn(base) {
		c.countOf(h.unit).path = 2
	}
}

// countOf returns the running count of a unit in the current file.
func (c *Collector) countOf(u unit) *posting {
	t := &c.count[u]
	if *t == (posting{}) {
		t.unit = u
		c.touch = append(c.touch, u)
	}
	return t
}

func (p *plan) isIdent(u unit) bool { return int(u) >= p.ident0 && int(u) < p.pair0 }

// splitPath splits a path into its directories and its name without extension.
func splitPath(p string) (dir, name string) {
	dir, name = path.Split(p)
	if i := strings.IndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	if up, own := path.Split(strings.TrimSuffix(dir, "/")); indexNames[name] && own != "" && own != "src" {
		return up, own // mod.rs and index.ts are named by their directory
	}
	return dir, name
}

var definers = set(`func def class type struct fn interface enum trait function const let var static object fun module
	mod impl namespace record protocol union typedef define extension actor void int bool`)

// afterKeyword reports whether the word at off follows a defining keyword, possibly with the
// receiver of a Go method in between.
func afterKeyword(data []byte, off int) bool {
	for off > 0 && words.ClassOf(data[off-1]) != words.Separator {
		off--
	}
	e := off
	for e > 0 && (data[e-1] == ' ' || data[e-1] == '*' || data[e-1] == '!') {
		e--
	}
	if e == off || e == 0 {
		return false
	}
	if data[e-1] == ')' {
		line := data[max(0, e-120):e]
		line = line[bytes.LastIndexByte(line, '\n')+1:]
		return bytes.HasPrefix(line, []byte("func ("))
	}
	s := e
	for s > 0 && e-s < 12 && words.ClassOf(data[s-1]) == words.Lower {
		s--
	}
	return definers[string(data[s:e])]
}
