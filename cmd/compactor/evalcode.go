package main

import (
	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/builtins/code/symbols"
	"github.com/compactor-mcp/compactor/runtime/replay"
)

// isSource is the shipped tools' own idea of code that people of a project
// write.
func isSource(path string, head []byte) bool {
	switch rank.BucketOf(path, head) {
	case rank.Implementation, rank.Entry, rank.Types:
		return true
	}
	return false
}

// definitions are those of the scanner that the shipped tools use.
func definitions(path string, src []byte) []replay.Definition {
	var out []replay.Definition
	for _, d := range symbols.Scan(path, src) {
		r := replay.Definition{Name: d.Name, Line: d.Line, End: d.EndLine, Exported: d.Exported}
		switch d.Kind {
		case symbols.KindFunction, symbols.KindMethod, symbols.KindMacro:
			r.Asked = true
		case symbols.KindClass, symbols.KindInterface, symbols.KindStruct, symbols.KindEnum, symbols.KindTrait, symbols.KindType:
			r.Asked, r.Holds = true, true
		case symbols.KindModule:
			r.Outer = true
		}
		out = append(out, r)
	}
	return out
}
