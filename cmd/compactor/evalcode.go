package main

import (
	"github.com/compactor-mcp/compactor/runtime/lab/commitbench"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// isSource reports whether the shipped tools take a file for code that the people of a
// project write.
func isSource(path string, head []byte) bool {
	switch coderank.BucketOf(path, head) {
	case coderank.Implementation, coderank.Entry, coderank.Types:
		return true
	}
	return false
}

// scanDefinitions returns the definitions that the scanner of the shipped tools finds.
func scanDefinitions(path string, src []byte) []commitbench.Definition {
	var out []commitbench.Definition
	for _, d := range symbols.Scan(path, src) {
		r := commitbench.Definition{Name: d.Name, Line: d.Line, End: d.EndLine, Exported: d.Exported}
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
