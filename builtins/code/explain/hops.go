package explain

import (
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

// A hop is a definition that a place calls.
type hop struct {
	call  keylines.Call
	src   *source.File
	def   symbols.Def
	worth float64
}

// These bound how many hops are weighed.
const (
	hopsWeighed = 24
	filesOpened = 5 // other files that are parsed for them
)

// hopsFrom weighs the callees of a definition, in its file and in others, by the terms in their
// name, comment and body, and returns the best first.
func hopsFrom(ctx context.Context, env *catalog.Env, src *source.File, d symbols.Def, a source.Focus, defs []usage.Definition) []hop {
	local, terms, own := localFunctions(src, d), a.Terms.Beyond(d.Name+" "+d.Container), receiverOf(src, d)
	var out []hop
	for _, c := range src.Text().Calls(d) {
		if len(out) == hopsWeighed {
			break
		}
		h := hop{call: c, worth: 0.6*terms.Weigh(c.Name) + 0.6*a.Terms.Weigh(c.Name)}
		if o, ok := local[c.Name]; ok && ownCall(c, o, own) {
			if o.Line > d.Line && o.Line <= d.EndLine {
				continue // already covered by the enclosing body
			}
			h.src, h.def = src, o
		} else if usage.ResolveCall(src, c, defs) == "" {
			continue
		}
		out = append(out, h)
	}
	slices.SortStableFunc(out, func(x, y hop) int { return cmp.Compare(y.worth, x.worth) })
	opened := 0
	for i := range out {
		h := &out[i]
		if h.src == nil && opened < filesOpened {
			opened++
			h.open(ctx, env, src, defs)
		}
		if h.src != nil {
			h.worth += 0.6*h.src.Text().Weigh(h.def, terms) + 0.02*float64(min(h.def.EndLine-h.def.Line, 12))
		}
	}
	out = slices.DeleteFunc(out, func(h hop) bool { return h.src == nil || h.src.Text().Trivial(h.def) })
	slices.SortStableFunc(out, func(x, y hop) int { return cmp.Compare(y.worth, x.worth) })
	return out
}

// receiverOf returns the name of a Go method's receiver, or "".
func receiverOf(src *source.File, d symbols.Def) string {
	if src.Lang != symbols.Go || d.Container == "" {
		return ""
	}
	rest, ok := strings.CutPrefix(src.Line(d.Line), "func (")
	name, _, named := strings.Cut(rest, " ")
	if !ok || !named || strings.ContainsAny(name, "*)") {
		return ""
	}
	return name
}

// ownCall reports whether a call refers to o in the same file; own is the name of the calling
// method's receiver.
func ownCall(c keylines.Call, o symbols.Def, own string) bool {
	switch c.Qualifier {
	case "", "self", "this", "super", "cls", "Self", own:
		return true
	}
	return o.Container != "" && strings.HasSuffix(o.Container, c.Qualifier) || o.Kind == symbols.KindMethod && source.IsCompoundName(c.Name)
}

// open loads the file that a call refers to, and sets the hop only if it defines the name there.
func (h *hop) open(ctx context.Context, env *catalog.Env, from *source.File, defs []usage.Definition) {
	ref := contract.ParseReference(usage.ResolveCall(from, h.call, defs))
	src, err := source.Load(ctx, env, ref.Path)
	if err != nil {
		return
	}
	d, ok := src.DefAt(ref.Line)
	if ok && d.Line == ref.Line && d.Name == h.call.Name && (d.Kind == symbols.KindFunction || d.Kind == symbols.KindMethod) {
		h.src, h.def = src, d
	}
}

// tell describes a hop on one line: the calling line, the place, its purpose and its own key lines.
// For a place in the file being described, the line number is enough.
func (h *hop) tell(from *source.File, a source.Focus, lines int) contract.Finding {
	const docBytes = 110
	at := h.src.RefTo(h.def.Line)
	if h.src == from {
		at = fmt.Sprintf("line %d", h.def.Line)
	}
	text := fmt.Sprintf("%d -> %s", h.call.Line, source.Cite(source.QualifiedName(h.def, h.src.Lang), at))
	if doc := docOf(h.src, h.def, a, docBytes); doc != "" {
		text += ": " + strings.TrimRight(contract.Shorten(doc, docBytes), ".")
	}
	for _, l := range keylines.InOrder(h.src.Text().Lines(h.def, keylines.Ask{Terms: a.Terms, Happens: a.Happens, Most: lines})) {
		text += fmt.Sprintf("; %d: %s", l.Line, contract.Shorten(l.Text, 90))
	}
	return contract.Finding{Text: text, Ref: h.src.RefTo(h.def.Line)}
}

// tellsHop reports whether one of the findings is a hop, which makes a list of callees superfluous.
func tellsHop(findings []contract.Finding) bool {
	return slices.ContainsFunc(findings, func(f contract.Finding) bool { return strings.Contains(f.Text, " -> `") })
}

// localFunctions returns the other functions of the file by name, without names that occur more
// than once: which of several "new" is called cannot be determined by name.
func localFunctions(src *source.File, d symbols.Def) map[string]symbols.Def {
	local, twice := map[string]symbols.Def{}, map[string]bool{}
	for _, o := range src.Defs {
		if o.Kind != symbols.KindFunction && o.Kind != symbols.KindMethod {
			continue
		}
		if _, seen := local[o.Name]; seen || o.Name == d.Name {
			twice[o.Name] = true
		}
		local[o.Name] = o
	}
	for name := range twice {
		delete(local, name)
	}
	return local
}
