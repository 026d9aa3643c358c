package coderank

import (
	"bytes"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

const (
	// blockLines is the length of the blocks that lines outside definitions are cut into.
	blockLines = 40
	// maxDocLines limits the comment above a definition that is counted as part of it.
	maxDocLines = 80
)

// splitSegments cuts the file into definitions and the blocks between them. A line belongs to the
// innermost definition; comments, decorators and attributes right above a definition belong to it.
func (rd *reader) splitSegments(defs []symbols.Def, data []byte) {
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
			rd.assignLine(l, k)
		}
	}
	rd.addLooseBlocks()
}

// isPart reports whether a definition of this kind is part of a type.
func isPart(k symbols.Kind) bool { return k == symbols.KindField || k == symbols.KindMember }

func (rd *reader) assignLine(line int, seg int32) {
	if o := rd.owner[line]; o >= 0 {
		rd.segs[o].lines--
	}
	rd.owner[line] = seg
	rd.segs[seg].lines++
}

// docStart returns the first of the lines right above a definition that belong to it.
func (rd *reader) docStart(line int, data []byte) int {
	l := line - 1
	for ; l >= 1 && line-l <= maxDocLines; l-- {
		t := bytes.TrimSpace(data[rd.starts[l-1]:rd.starts[l]])
		if !isAttached(t) || rd.owner[l] >= 0 && rd.segs[rd.owner[l]].def.EndLine == l {
			break
		}
	}
	return l + 1
}

// isAttached reports whether a line is part of a comment, a decorator or an attribute.
func isAttached(t []byte) bool {
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

// addLooseBlocks assigns the lines outside definitions to blocks. Line 0, which does not exist, goes to the
// first.
func (rd *reader) addLooseBlocks() {
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
