package code

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// keyFindings returns the key lines of a definition, best first, with the callees that match the
// question best among them. If the definition only delegates, those callees come first.
func keyFindings(ctx context.Context, env *catalog.Env, src *source, d symbols.Def, a asked, defs []Definition) []contract.Finding {
	switch {
	case d.Kind == symbols.KindKey, src.lang == symbols.HCL && isType(d.Kind):
		return blockLines(src, d, a)
	case isType(d.Kind):
		return memberLines(src, d, a)
	case d.Kind == symbols.KindHeading || d.Kind == symbols.KindTable:
		return nil
	}
	hops := hopsFrom(ctx, env, src, d, a, defs)
	known := map[string]float64{}
	for _, h := range hops {
		known[h.call.Name] = min(0.3+0.2*h.worth, 0.7)
	}
	const lineBytes, hopBytes = 80, 260
	first := max(4, a.room/4/lineBytes)
	lines := src.text().Lines(d, keylines.Ask{Terms: a.terms, Happens: a.happens, Most: 2*first + 2,
		Known: func(c keylines.Call) float64 { return max(known[c.Name], ownCallWorth(c)) }})
	var out []contract.Finding
	for _, l := range lines {
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", l.Line, l.Text), Ref: src.refTo(l.Line)})
	}
	at, handsOn := first-1, src.text().HandsOn(d)
	if handsOn {
		at = 0
	}
	for i := range hops {
		if i >= max(2, a.room/3/hopBytes) || hops[i].worth < minHop && !handsOn {
			break
		}
		lines := 2
		switch {
		case handsOn:
			lines = 3
		case i > 0:
			lines = 1
		}
		out = slices.Insert(out, min(at, len(out)), hops[i].tell(src, a, lines))
		at++
	}
	return out
}

// minHop is the worth below which a callee is left out.
const minHop = 0.9

// ownCallWorth returns the extra worth of a call to a method of the same object.
func ownCallWorth(c keylines.Call) float64 {
	if c.Qualifier == "self" || c.Qualifier == "this" {
		return 0.4
	}
	return 0
}

// memberLines returns the members of a type that are relevant to the question, with their
// signatures.
func memberLines(src *source, d symbols.Def, a asked) []contract.Finding {
	var out []contract.Finding
	members := src.text().Members(d, src.defs, a.terms)
	for _, m := range members {
		if len(out) == 6 || m.Worth < 0.3 && len(out) > 2 {
			break
		}
		text := m.Def.Signature
		if text == "" {
			text = m.Def.Name
		}
		if m.Def.Doc != "" && len(text) < 90 {
			text += ": " + m.Def.Doc
		}
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", m.Def.Line, contract.Shorten(text, 140)), Ref: src.refTo(m.Def.Line)})
	}
	// Add the key lines of the most relevant member's body.
	if len(members) > 0 && members[0].Worth >= minHop && len(out) > 1 {
		var body []contract.Finding
		for _, l := range src.text().Lines(members[0].Def, keylines.Ask{Terms: a.terms, Happens: a.happens, Most: 3}) {
			if l.Line == members[0].Def.Line { // already listed as a member
				continue
			}
			body = append(body, contract.Finding{Text: fmt.Sprintf("%d: %s", l.Line, l.Text), Ref: src.refTo(l.Line)})
		}
		out = slices.Insert(out, 2, body...)
	}
	return out
}

// These bound the search of a block of data: lines searched, bytes per line, lines reported, and the
// least weight of a reported line's terms, which is about that of one term of the question itself.
const (
	maxBlock      = 2000
	maxBlockLine  = 1000
	maxBlockLines = 3
	minBlockLine  = 0.9
)

// blockLines returns the lines of a key or a block of data that match the question best.
func blockLines(src *source, d symbols.Def, a asked) []contract.Finding {
	type weighed struct {
		line   int
		weight float64
	}
	terms := a.terms.Beyond(d.Name)
	var best []weighed
	from := lineOffset(src.data, 0, d.Line)
	n := d.Line
	for line := range bytes.Lines(src.data[from:]) {
		if n++; n > min(d.EndLine, d.Line+maxBlock) {
			break
		}
		if w := terms.Weigh(string(line[:min(len(line), maxBlockLine)])); w >= minBlockLine {
			best = append(best, weighed{n, w})
		}
	}
	slices.SortStableFunc(best, func(a, b weighed) int { return cmp.Compare(b.weight, a.weight) })
	best = best[:min(len(best), maxBlockLines)]
	slices.SortFunc(best, func(a, b weighed) int { return cmp.Compare(a.line, b.line) })
	var out []contract.Finding
	for _, b := range best {
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", b.line, contract.Shorten(strings.TrimSpace(src.line(b.line)), 110)), Ref: src.refTo(b.line)})
	}
	return out
}

func isType(k symbols.Kind) bool {
	switch k {
	case symbols.KindClass, symbols.KindStruct, symbols.KindInterface, symbols.KindTrait, symbols.KindEnum, symbols.KindType, symbols.KindModule:
		return true
	}
	return false
}

// docOf returns the part of a definition's doc comment that is relevant to the question, to follow
// its name.
func docOf(src *source, d symbols.Def, a asked, most int) string {
	if d.Kind == symbols.KindHeading { // its text is below it
		return sentence(d)
	}
	doc := src.text().Comment(d, a.terms, most)
	if doc == "" {
		return sentence(d)
	}
	if rest, ok := strings.CutPrefix(doc, d.Name+" "); ok {
		doc = rest
	}
	return strings.TrimRight(doc, ".")
}
