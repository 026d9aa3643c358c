package leads

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
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// extension composes the answer on how to add one more.
type extension struct {
	env   *catalog.Env
	want  map[string]bool
	head  string // stem of the kind of thing wanted
	room  int
	size  int
	lines []string
	refs  []string
	sure  bool // an implementer and a place of registration are known
}

// addLine adds a line with its reference, and reports whether there was room.
func (e *extension) addLine(src *source.File, ref, line string) bool {
	if e.size+len(line)+1 > e.room || src.Book(e.env, len(line)) != nil {
		return false
	}
	e.size += len(line) + 1
	e.lines = append(e.lines, line)
	e.refs = append(e.refs, ref)
	return true
}

func (e *extension) result() contract.Result {
	if len(e.refs) == 0 {
		return contract.NotFound("")
	}
	r := contract.Result{Summary: strings.Join(e.lines, "\n"), References: contract.Dedupe(e.refs), KeyFindings: []contract.Finding{}, Confidence: contract.Low}
	if e.sure {
		r.Confidence = contract.Med
	}
	return r
}

// implement names the base and the methods that must be written.
func (e *extension) implement(b, through *extensionPoint) {
	verb := "Derive from"
	switch b.Def.Def.Kind {
	case symbols.KindInterface, symbols.KindTrait:
		verb = "Implement"
	}
	if b.made {
		verb = "Write a function that returns"
	}
	line := fmt.Sprintf("%s %s", verb, source.Cite(b.Name, b.Def.Ref()))
	if doc := source.DocSentence(b.Def.Def); doc != "" {
		line += ": " + contract.Shorten(withoutCopula(doc), 140)
	}
	var must []string
	for _, d := range usage.MethodsOf(b.Def) {
		if b.made || !e.mustWrite(b.Def, d) || len(must) == methodsShown {
			continue
		}
		must = append(must, fmt.Sprintf("`%s` (line %d)", contract.Shorten(d.Signature, 90), d.Line))
	}
	if len(must) > 0 {
		line += "; to write: " + strings.Join(must, ", ")
	}
	if through != nil {
		line += fmt.Sprintf("; or from %s, as %d do", source.Cite(through.Name, through.Def.Ref()), len(through.Subtypes))
	}
	e.addLine(b.Def.File, b.Def.Ref(), line)
}

// withoutCopula removes a leading "is" or "are" from a comment: "a step" for "is a step".
func withoutCopula(doc string) string {
	for _, verb := range []string{"is ", "are "} {
		if rest, found := strings.CutPrefix(doc, verb); found {
			return rest
		}
	}
	return doc
}

// mustWrite reports whether the method lacks a body of its own.
func (e *extension) mustWrite(t usage.FileDef, d symbols.Def) bool {
	if t.File.Lang == symbols.Go && t.Def.Kind == symbols.KindInterface {
		return true
	}
	body := t.File.Body(d)
	if strings.Contains(body, "NotImplemented") || strings.Contains(d.Signature, "abstract ") || strings.Contains(body, "must be implemented") {
		return true
	}
	if d.Line > 1 && strings.Contains(t.File.Line(d.Line-1), "abstract") {
		return true
	}
	k := t.Def.Kind
	return (k == symbols.KindInterface || k == symbols.KindTrait) && !strings.Contains(body, "{")
}

// maxWeighed bounds how many implementers the examples are chosen from.
const maxWeighed = 400

// follow names the best implementers as examples, short ones first.
func (e *extension) follow(b *extensionPoint) {
	list := slices.Clone(b.Subtypes[:min(len(b.Subtypes), maxWeighed)])
	worth := map[string]int{} // by reference: computing it searches a whole file
	for _, t := range list {
		worth[t.Ref()] = exampleWorth(t)
	}
	slices.SortStableFunc(list, func(x, y usage.FileDef) int {
		return cmp.Or(cmp.Compare(worth[y.Ref()], worth[x.Ref()]), cmp.Compare(x.Def.EndLine-x.Def.Line, y.Def.EndLine-y.Def.Line), cmp.Compare(x.File.Ref, y.File.Ref))
	})
	var parts []string
	for _, t := range list[:min(len(list), followed)] {
		part := source.Cite(t.Def.Name, t.Ref())
		var has []string
		for _, d := range usage.MethodsOf(t) {
			if !strings.HasPrefix(d.Name, "_") && len(has) < 5 {
				has = append(has, d.Name)
			}
		}
		if len(has) > 0 {
			part += " with " + strings.Join(has, ", ")
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return
	}
	line := "Follow " + strings.Join(parts, "; ")
	if more := len(b.Subtypes) - len(parts); more > 0 {
		line += fmt.Sprintf(" (%d more)", more)
	}
	if !e.addLine(list[0].File, list[0].Ref(), line) {
		return
	}
	if len(parts) > 1 {
		e.refs = append(e.refs, list[1].Ref())
		e.sure = b.share >= 0.5
	}
}

// tellRegistration finds the file that names most of the implementers together.
func (e *extension) tellRegistration(ctx context.Context, b *extensionPoint) error {
	var names []string
	homes := map[string]int{}
	for _, t := range b.Subtypes {
		if len(names) < 40 && len(t.Def.Name) > 3 && t.Def.Name != b.Name {
			names = source.AppendNew(names, t.Def.Name)
		}
		homes[t.File.Ref]++
	}
	if len(names) < 2 {
		return nil
	}
	files, err := source.LoadContaining(ctx, e.env, names, 2)
	if err != nil {
		return err
	}
	var best *source.File
	most, at := 1, 0
	for _, src := range files {
		n, line := namesIn(src, names, homes[src.Ref] > 0)
		if n > most || n == most && best != nil && len(src.Data) < len(best.Data) && n > 1 {
			best, most, at = src, n, line
		}
	}
	if best == nil {
		return nil
	}
	where := ""
	if d, ok := symbols.Enclosing(best.Defs, at); ok {
		where = "`" + source.QualifiedName(d, best.Lang) + "` "
	}
	ref := best.RefTo(at)
	if e.addLine(best, ref, fmt.Sprintf("Register it where the others are: %s(%s), which names %d of them: `%s`", where, ref, most, contract.Shorten(best.Line(at), 110))) {
		e.sure = true
	}
	return nil
}

// namesIn counts the names that a file uses but does not define, and returns the first line that
// uses one.
func namesIn(src *source.File, names []string, home bool) (n, at int) {
	defined := map[string]bool{}
	for _, d := range src.Defs {
		if d.Kind.IsType() {
			defined[d.Name] = true
		}
	}
	code := src.Data
	seen := map[string]bool{}
	for i, l := range bytes.Split(code, []byte("\n")) {
		if len(l) > 1000 || source.IsCommentLine(l) || source.IsImportLine(l) {
			continue
		}
		for _, name := range names {
			if !seen[name] && !defined[name] && bytes.Contains(l, []byte(name)) && source.IndexWord(l, name) >= 0 {
				seen[name] = true
				if at == 0 {
					at = i + 1
				}
			}
		}
	}
	return len(seen), at
}

// registering matches functions that accept a user's own implementation.
var registering = lazyregexp.New(`^(?i:register|add|set|use|insert|append|install|with|plug|define|extend)[A-Z_]\w*|^(?i:register|use|plugin|extend|provide)$`)

// handOver names the functions of the located files that accept a user's own implementation.
func (e *extension) handOver(located []*source.File) {
	type scored struct {
		t     usage.FileDef
		score float64
	}
	var list []scored
	seen := map[string]bool{}
	for i, src := range located {
		for _, d := range src.Defs {
			if d.Kind != symbols.KindFunction && d.Kind != symbols.KindMethod || seen[d.Name] || !registering.MatchString(d.Name) {
				continue
			}
			named := d.Name
			if len(stemsOf(d.Name)) == 1 { // such as CacheManager.extend
				if strings.HasSuffix(strings.TrimSuffix(d.Signature, " error"), "()") {
					continue // it takes no arguments
				}
				named = source.LastIdentifier(d.Container) + " " + d.Name
			}
			have := stemsOf(named)
			if have["default"] || len(e.lines) > 0 && e.head != "" && named == d.Name && !hasStem(have, e.head) {
				continue
			}
			if s := stemShare(e.want, named); s > 0 {
				seen[d.Name] = true
				list = append(list, scored{usage.FileDef{File: src, Def: d}, s - 0.02*float64(i)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for i, s := range list[:min(len(list), 3)] {
		lead := "Hand it over by "
		if i > 0 {
			lead = "or by "
		}
		if !e.addLine(s.t.File, s.t.Ref(), fmt.Sprintf("%s%s: `%s`", lead, source.Cite(source.QualifiedName(s.t.Def, s.t.File.Lang), s.t.Ref()), contract.Shorten(s.t.Def.Signature, 110))) {
			return
		}
	}
}

// exampleWorth prefers implementers of a useful size in implementation files, not base classes or
// mocks.
func exampleWorth(t usage.FileDef) int {
	w := 0
	if n := t.Def.EndLine - t.Def.Line; n >= 8 && n <= 150 {
		w += 2
	}
	if len(usage.MethodsOf(t)) >= 2 {
		w++
	}
	if strings.HasSuffix(t.Def.Name, "Base") || strings.HasPrefix(t.Def.Name, "Base") || strings.HasPrefix(t.Def.Name, "Abstract") ||
		strings.Contains(t.Def.Signature, "abstract ") || strings.HasPrefix(t.Def.Name, "Mock") || strings.HasPrefix(t.Def.Name, "Fake") {
		w -= 3
	}
	if b := coderank.BucketOf(t.File.Ref, nil); b != coderank.Implementation && b != coderank.Entry {
		w -= 3
	}
	return w
}
