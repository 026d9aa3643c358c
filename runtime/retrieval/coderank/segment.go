package coderank

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

const (
	// blockLines is the length of the stretches that lines outside of
	// definitions are cut in.
	blockLines = 40
	// maxDocLines bounds the comment above a definition that is counted as its own.
	maxDocLines = 80
)

// segment cuts the file in definitions and the blocks between them. A line
// belongs to the innermost definition; comments, decorators and attributes
// right above one belong to it.
func (rd *reader) segment(defs []symbols.Def, data []byte) {
	lines := len(rd.starts)
	rd.segs = rd.segs[:0]
	rd.owner = rd.owner[:0]
	for range lines + 1 {
		rd.owner = append(rd.owner, -1)
	}
	for _, def := range defs {
		if def.Line < 1 || def.Line > lines {
			continue
		}
		def.EndLine = min(max(def.EndLine, def.Line), lines)
		k := int32(len(rd.segs))
		rd.segs = append(rd.segs, segment{def: def})
		if o := rd.owner[def.Line]; o >= 0 && isPart(def.Kind) && rd.segs[o].lines == 1 && rd.segs[o].def.EndLine == def.Line {
			continue // its type has no other line
		}
		for l := rd.docStart(def.Line, data); l <= def.EndLine; l++ {
			rd.give(l, k)
		}
	}
	rd.blocks()
}

// isPart reports what a type consists of.
func isPart(k symbols.Kind) bool { return k == symbols.KindField || k == symbols.KindMember }

func (rd *reader) give(line int, seg int32) {
	if o := rd.owner[line]; o >= 0 {
		rd.segs[o].lines--
	}
	rd.owner[line] = seg
	rd.segs[seg].lines++
}

// docStart is the first line of what stands right above a definition and
// belongs to it.
func (rd *reader) docStart(line int, data []byte) int {
	l := line - 1
	for ; l >= 1 && line-l <= maxDocLines; l-- {
		t := bytes.TrimSpace(data[rd.starts[l-1]:rd.starts[l]])
		if !attached(t) || rd.owner[l] >= 0 && rd.segs[rd.owner[l]].def.EndLine == l {
			break
		}
	}
	return l + 1
}

// attached reports a line of a comment, a decorator or an attribute.
func attached(t []byte) bool {
	if len(t) == 0 {
		return false
	}
	switch t[0] {
	case '@', '#', '*':
		return true
	}
	return bytes.HasPrefix(t, []byte("//")) || bytes.HasPrefix(t, []byte("/*")) || bytes.HasPrefix(t, []byte("--")) ||
		bytes.HasPrefix(t, []byte(`"""`))
}

// blocks gives the lines that no definition has to blocks. Line 0, which
// nothing stands on, goes to the first.
func (rd *reader) blocks() {
	block := int32(-1)
	for l := range rd.owner {
		if rd.owner[l] >= 0 {
			block = -1
			continue
		}
		if block < 0 || rd.segs[block].lines >= blockLines {
			block = int32(len(rd.segs))
			rd.segs = append(rd.segs, segment{def: symbols.Def{Line: max(l, 1)}})
		}
		rd.owner[l] = block
		rd.segs[block].lines++
		rd.segs[block].def.EndLine = max(l, 1)
	}
}
