package usage

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/relation"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// callee is a definition that a body in the same file calls, and the line of the call.
type callee struct {
	symbols.Def
	at int
}

// calleesIn finds the functions of the same file that a definition is certain to call, in the order
// of the calls.
func calleesIn(src *source.File, d symbols.Def) []callee {
	if d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod {
		return nil
	}
	byName := map[string][]relation.Def{}
	for _, o := range src.Defs {
		if o.Kind.IsCallable() && o.Kind != symbols.KindPrototype {
			byName[o.Name] = append(byName[o.Name], relation.Def{Def: o, Path: src.Ref, Lang: src.Lang})
		}
	}
	code := codeIn(src, d.Line, d.EndLine)
	var r relation.Reader
	r.Open(relation.Source{Path: src.Ref, Lang: src.Lang, Data: src.Data, Defs: src.Defs, Quiet: quietOf(src)})
	heads := relation.Heads{}
	heads.AddHeads(src.Lang, src.Defs)
	var out []callee
	seen := map[int]bool{}
	offset, at := code.from, d.Line-1
	for text := range strings.SplitAfterSeq(code.text, "\n") {
		at++
		from := offset
		offset += len(text)
		for _, c := range calledIn(text) {
			m, ok := r.Resolve(c.name, at, from+c.at)
			if !ok || m.Form != relation.Call || len(byName[c.name]) == 0 {
				continue
			}
			w := relation.NameIndex{Defs: byName[c.name], Heads: heads}
			for i := range w.Defs {
				o := &w.Defs[i]
				if o.Line >= d.Line && o.Line <= d.EndLine || seen[o.Line] || !showsReceiver(&m, o) || w.Decide(&m, o) != relation.Yes {
					continue
				}
				seen[o.Line] = true
				out = append(out, callee{o.Def, at})
				break
			}
		}
	}
	return out
}

// showsReceiver reports whether the mention makes clear which object it is called on. If no other
// function in this file has the name, one in another file still may.
func showsReceiver(m *relation.Usage, d *relation.Def) bool {
	switch m.Base {
	case relation.Bare, relation.Self:
		return true
	case relation.Type:
		return d.Container == m.Owner || strings.HasSuffix(d.Container, "."+m.Owner) || strings.HasSuffix(d.Container, "::"+m.Owner)
	}
	return false
}

// quietOf returns the spans of the comments and strings of a file.
func quietOf(src *source.File) (out [][2]int) {
	out = make([][2]int, 0, len(src.Spans))
	src.ForEachSpan(func(_ symbols.SpanKind, start, end int) { out = append(out, [2]int{start, end}) })
	return out
}

// DescribeCallees describes which functions of the same file the body calls, and returns up to two
// references to them.
func DescribeCallees(src *source.File, d symbols.Def, most int) (string, []string) {
	var parts, refs []string
	for _, o := range calleesIn(src, d) {
		parts = append(parts, fmt.Sprintf("`%s` (line %d)", o.Name, o.Line))
		refs = append(refs, src.RefTo(o.Line))
		if len(parts) == most {
			break
		}
	}
	if len(parts) == 0 {
		return "", nil
	}
	return fmt.Sprintf("`%s` calls %s of the same file", source.QualifiedName(d, src.Lang), strings.Join(parts, ", ")), refs[:min(len(refs), 2)]
}

// stretch is a part of a file that begins at an offset.
type stretch struct {
	from int
	text string
}

// codeIn returns the lines first to last of a file with comments and strings blanked.
func codeIn(src *source.File, first, last int) stretch {
	from := source.LineOffset(src.Data, 0, first-1)
	to := source.LineOffset(src.Data, from, last-first+1)
	out := bytes.Clone(src.Data[from:to])
	src.ForEachSpan(func(_ symbols.SpanKind, start, end int) {
		for i := max(start, from); i < min(end, to); i++ {
			if out[i-from] != '\n' {
				out[i-from] = ' '
			}
		}
	})
	return stretch{from, string(out)}
}

type called struct {
	name string
	at   int
}

// calledIn lists the identifiers that are followed by an opening parenthesis.
func calledIn(body string) (out []called) {
	for i := 0; i < len(body); i++ {
		if body[i] != '(' {
			continue
		}
		start := i
		for start > 0 && idents.WordByte(body[start-1]) {
			start--
		}
		if start < i {
			out = append(out, called{body[start:i], start})
		}
	}
	return out
}
