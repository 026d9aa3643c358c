package explain

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// keyFindings returns the key lines of a definition, best first, with the callees that match the
// question best among them. If the definition only delegates, those callees come first.
func keyFindings(ctx context.Context, env *catalog.Env, src *source.File, d symbols.Def, a source.Focus, defs []usage.Definition) []contract.Finding {
	switch {
	case d.Kind == symbols.KindKey, src.Lang == symbols.HCL && hasMembers(d.Kind):
		return blockLines(src, d, a)
	case hasMembers(d.Kind):
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
	first := max(4, a.MaxBytes/4/lineBytes)
	lines := src.Text().Lines(d, keylines.Ask{Terms: a.Terms, Happens: a.Happens, Most: 2*first + 2,
		Known: func(c keylines.Call) float64 { return max(known[c.Name], ownCallWorth(c)) }})
	var out []contract.Finding
	for _, l := range lines {
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", l.Line, l.Text), Ref: src.RefTo(l.Line)})
	}
	at, handsOn := first-1, src.Text().HandsOn(d)
	if handsOn {
		at = 0
	}
	for i := range hops {
		if i >= max(2, a.MaxBytes/3/hopBytes) || hops[i].worth < minHop && !handsOn {
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
func memberLines(src *source.File, d symbols.Def, a source.Focus) []contract.Finding {
	var out []contract.Finding
	members := src.Text().Members(d, src.Defs, a.Terms)
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
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", m.Def.Line, contract.Shorten(text, 140)), Ref: src.RefTo(m.Def.Line)})
	}
	// Add the key lines of the most relevant member's body.
	if len(members) > 0 && members[0].Worth >= minHop && len(out) > 1 {
		var body []contract.Finding
		for _, l := range src.Text().Lines(members[0].Def, keylines.Ask{Terms: a.Terms, Happens: a.Happens, Most: 3}) {
			if l.Line == members[0].Def.Line { // already listed as a member
				continue
			}
			body = append(body, contract.Finding{Text: fmt.Sprintf("%d: %s", l.Line, l.Text), Ref: src.RefTo(l.Line)})
		}
		out = slices.Insert(out, 2, body...)
	}
	return out
}

// These bound the search of a block of data: lines searched, bytes per line, lines reported, and
// the least weight of a reported line's terms, which is about that of one term of the question
// itself.
const (
	maxBlock      = 2000
	maxBlockLine  = 1000
	maxBlockLines = 3
	minBlockLine  = 0.9
)

// blockLines returns the lines of a key or a block of data that match the question best.
func blockLines(src *source.File, d symbols.Def, a source.Focus) []contract.Finding {
	type weighed struct {
		line   int
		weight float64
	}
	terms := a.Terms.Beyond(d.Name)
	var best []weighed
	from := source.LineOffset(src.Data, 0, d.Line)
	n := d.Line
	for line := range bytes.Lines(src.Data[from:]) {
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
		out = append(out, contract.Finding{Text: fmt.Sprintf("%d: %s", b.line, contract.Shorten(strings.TrimSpace(src.Line(b.line)), 110)), Ref: src.RefTo(b.line)})
	}
	return out
}

// hasMembers reports whether definitions of the kind may have members to tell.
func hasMembers(k symbols.Kind) bool { return k.IsType() || k == symbols.KindModule }

// docOf returns the part of a definition's doc comment that is relevant to the question, to follow
// its name.
func docOf(src *source.File, d symbols.Def, a source.Focus, most int) string {
	if d.Kind == symbols.KindHeading { // its text is below it
		return source.DocSentence(d)
	}
	doc := src.Text().Comment(d, a.Terms, most)
	if doc == "" {
		return source.DocSentence(d)
	}
	if rest, ok := strings.CutPrefix(doc, d.Name+" "); ok {
		doc = rest
	}
	return strings.TrimRight(doc, ".")
}
