package usage

import (
	"bytes"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

var (
	rustTestAttr = lazyregexp.New(`^#\[(?:cfg\((?:test\)|all\([^\n]*\btest\b)|(?:\w+::)*test\b|bench\])`)
	rustNotTest  = lazyregexp.New(`\bnot\s*\(\s*test\s*\)`)
	rustTestMod  = lazyregexp.New(`^(?:pub(?:\([^)]*\))?\s+)?mod\s+tests?\s*\{`)
)

// rustTests returns the line ranges of a Rust file that are compiled only for tests: items with a
// test attribute, and modules named test or tests.
func rustTests(data []byte, defs []symbols.Def) (out [][2]int) {
	if !bytes.Contains(data, []byte("test")) && !bytes.Contains(data, []byte("bench")) {
		return nil
	}
	n := 0
	for line := range bytes.Lines(data) {
		n++
		text := bytes.TrimLeft(line[:min(len(line), 200)], " \t")
		if len(text) < 5 || text[0] != '#' && text[0] != 'm' && text[0] != 'p' || inLines(out, n) {
			continue
		}
		if !rustTestMod.Match(text) && (!rustTestAttr.Match(text) || rustNotTest.Match(text)) {
			continue
		}
		out = append(out, testLines(defs, n))
	}
	return out
}

// attributes is the maximum number of lines between an attribute and its item.
const attributes = 8

// testLines returns the lines from an attribute to the end of the definition below it.
func testLines(defs []symbols.Def, from int) [2]int {
	end := from
	i := slices.IndexFunc(defs, func(d symbols.Def) bool { return d.Line >= from })
	if i >= 0 && defs[i].Line <= from+attributes {
		end = defs[i].EndLine
	}
	return [2]int{from, max(end, from)}
}

func inLines(stretches [][2]int, line int) bool {
	return slices.ContainsFunc(stretches, func(s [2]int) bool { return s[0] <= line && line <= s[1] })
}
