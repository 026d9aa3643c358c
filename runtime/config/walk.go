package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// walker turns an evaluated side into nodes. The shapes only tell it where types are;
// whether values fit is checked after the sides are merged.
type walker struct {
	*loader
	side   side
	broken []string // keys of paths that were cut out before
	said   []string // paths at which an error was reported
}

// walkTree walks a whole side. Errors that CUE found outside the values, such as in an unused
// definition, are reported at the end.
func (w *walker) walkTree(v cue.Value) *node {
	root := &node{kind: structNode, side: w.side}
	w.walkStruct(root, v, w.config, nil)
	for _, key := range w.broken {
		w.markCut(root, w.config, strings.Split(key, "\x00"))
	}
	for _, e := range errors.Errors(v.Validate(cue.Definitions(true), cue.Hidden(true))) {
		if !w.isCovered(e) {
			w.cueError(e, w.side)
		}
	}
	return root
}

// isCovered reports whether an error repeats one reported at its path or at one around it.
func (w *walker) isCovered(e errors.Error) bool {
	path := JoinPath(e.Path()...)
	return slices.ContainsFunc(w.said, func(said string) bool {
		return path == said || strings.HasPrefix(path, said+".") || strings.HasPrefix(said, path+".")
	}) || path == "" && len(w.said) > 0
}

func (w *walker) walkNode(v cue.Value, s *shape, path []string) *node {
	n := &node{side: w.side}
	w.setPlace(n, path)
	if s != nil && s.Form == typeForm {
		w.findLocation(n, v)
		return w.walkType(n, v, path)
	}
	if d, ok := v.Default(); ok {
		v = d
	}
	switch kind := v.IncompleteKind(); {
	case kind == cue.ListKind:
		w.walkList(n, v, s, path)
	case kind == cue.StructKind, kind == cue.BottomKind && v.Err() != nil && w.errorBelow(v):
		w.walkStruct(n, v, s, path)
	default:
		w.findLocation(n, v)
		w.walkScalar(n, v, path)
	}
	return n
}

// errorBelow distinguishes a struct or list with an error inside from a value that is an
// error itself: CUE reports the same error for both.
func (w *walker) errorBelow(v cue.Value) bool {
	for it, err := v.Fields(cue.Definitions(true)); err == nil && it.Next(); {
		if it.Value().Err() != nil {
			return true
		}
	}
	return false
}

// setPlace records where the field at a path is written.
func (w *walker) setPlace(n *node, path []string) {
	if at, ok := w.places[w.side][joinKey(path)]; ok {
		n.key, n.value, n.expr = at.key, at.value, at.expr
	}
}

// findLocation finds the location of a value that no plain label leads to: one made by a
// comprehension, a pattern or a reference.
func (w *walker) findLocation(n *node, v cue.Value) {
	if n.value.file != nil {
		return
	}
	switch src := v.Source().(type) {
	case *ast.Field:
		n.key, n.value, n.expr = w.files.nodeSpan(src.Label), w.files.nodeSpan(src.Value), src.Value
	case ast.Expr:
		n.value, n.expr = w.files.nodeSpan(src), src
	}
	if n.value.file == nil || n.value.file.side != w.side {
		n.value = w.files.span(v.Pos())
	}
	if n.value.file != nil && n.value.file.side != w.side {
		n.value = span{}
	}
	if n.key.file == nil || n.key.file.side != w.side {
		n.key = n.value
	}
}

func (w *walker) walkStruct(n *node, v cue.Value, s *shape, path []string) {
	n.kind = structNode
	it, err := v.Fields(cue.Definitions(true))
	if err != nil {
		w.reportErrors(n, err, path)
		return
	}
	for it.Next() {
		sel := it.Selector()
		name := ""
		switch sel.LabelType() {
		case cue.StringLabel:
			name = sel.Unquoted()
		case cue.DefinitionLabel:
			name = fieldName(sel.String(), s)
		case cue.IndexLabel:
			w.walkList(n, v, s, path)
			return
		}
		if name == "" && sel.LabelType() != cue.StringLabel {
			continue
		}
		w.walkField(n, name, it.Value(), s, path)
	}
	w.findLocation(n, v)
	if n.value.file == nil { // made by a pattern: its location is that of its first field
		for _, f := range n.fields {
			n.key, n.value = f.value.key, f.value.value
			break
		}
	}
}

// walkField adds one field, unless it is a name that only patterns needed and no pattern filled.
func (w *walker) walkField(n *node, name string, v cue.Value, s *shape, path []string) {
	kid := w.walkNode(v, s.field(name), append(path[:len(path):len(path)], name))
	if kid.value.file == nil && kid.kind == structNode && len(kid.fields) == 0 {
		return
	}
	n.fields = append(n.fields, nodeField{name, kid})
}

func (w *walker) walkList(n *node, v cue.Value, s *shape, path []string) {
	n.kind = listNode
	w.findLocation(n, v)
	var item *shape
	if s != nil {
		item = s.Items
	}
	it, err := iterateList(v)
	if err != nil {
		w.reportErrors(n, err, path)
		return
	}
	for i := 0; it.Next(); i++ {
		n.items = append(n.items, w.walkNode(it.Value(), item, append(path[:len(path):len(path)], strconv.Itoa(i))))
	}
}

// iterateList iterates over a list even if an element is an error: List rejects such a list as a whole.
func iterateList(v cue.Value) (*cue.Iterator, error) {
	if v.Err() != nil {
		return v.Fields(cue.Definitions(true))
	}
	it, err := v.List()
	return &it, err
}

func (w *walker) walkScalar(n *node, v cue.Value, path []string) {
	switch {
	case v.Err() != nil:
		w.reportErrors(n, v.Err(), path)
	case !v.IsConcrete():
		w.reportIncomplete(n, v, path)
	default:
		n.kind, n.scalar = scalarNode, scalarOf(v)
		if f, ok := n.scalar.(float64); ok && math.IsInf(f, 0) {
			n.kind = broken
			w.report("C023", n, path, "is a number too large to be held")
		}
	}
}

func (w *walker) report(code string, n *node, path []string, message string) *diag.Diagnostic {
	w.said = append(w.said, JoinPath(path...))
	w.diags = append(w.diags, diag.Diagnostic{Code: code, Severity: diag.Error, Range: w.nearestRange(n, path), Path: JoinPath(path...), Message: message})
	return &w.diags[len(w.diags)-1]
}

// nearestRange returns a node's location, or that of the nearest thing around it.
func (w *walker) nearestRange(n *node, path []string) diag.Range {
	if n.value.file != nil {
		return n.value.rng()
	}
	return w.rangeAround(path, w.side)
}

// reportIncomplete reports a type in place of a value, or a value that only refers to itself.
func (w *walker) reportIncomplete(n *node, v cue.Value, path []string) {
	if w.isCircular(v) {
		w.report("C009", n, path, "refers to itself, directly or through others, and so has no value")
		return
	}
	d := w.report("C008", n, path, "is a type and not a value")
	d.Help = "write the value itself"
	if text := fmt.Sprint(v); len(text) < 60 && !strings.Contains(text, "\n") {
		d.Message = "is the type " + text + " and not a value"
	}
}

// isCircular follows plain references until one repeats.
func (w *walker) isCircular(v cue.Value) bool {
	seen := map[string]bool{v.Path().String(): true}
	for range 32 {
		root, path := v.ReferencePath()
		if len(path.Selectors()) == 0 {
			return false
		}
		if seen[path.String()] {
			return true
		}
		seen[path.String()] = true
		v = root.LookupPath(path)
	}
	return false
}

// reportErrors reports a CUE error at a value and leaves the node broken.
func (w *walker) reportErrors(n *node, err error, path []string) {
	n.kind = broken
	w.said = append(w.said, JoinPath(path...))
	all := errors.Errors(err)
	if w.isSummary(all[0]) && len(all) > 1 { // report one alternative for all
		all = all[1:2]
	}
	for _, e := range all {
		w.cueErrorAt(e, w.side, path)
	}
}

// isSummary reports whether an error is the line that CUE puts above the errors of a disjunction.
func (w *walker) isSummary(e errors.Error) bool {
	format, _ := e.Msg()
	return strings.HasSuffix(format, "errors in empty disjunction:")
}

func (w *walker) walkType(n *node, v cue.Value, path []string) *node {
	if err := v.Err(); err != nil {
		w.reportErrors(n, err, path)
		n.kind, n.typ = typeNode, &schema.Schema{} // an unknown type avoids follow-up errors
		return n
	}
	typ, problems := typeSchema(v)
	n.kind, n.typ = typeNode, typ
	for _, p := range problems {
		w.reportUntypable(n, p, path)
	}
	return n
}

// reportUntypable reports a part of a type that has no form as a flat schema, at its field within the type.
func (w *walker) reportUntypable(n *node, p shapeProblem, path []string) {
	full := append(path[:len(path):len(path)], p.path...)
	d := w.report("C040", n, full, p.text)
	if at, ok := w.places[w.side][joinKey(full)]; ok {
		d.Range = at.value.rng()
	} else if sp := w.files.nodeSpan(p.at.Source()); sp.file != nil && sp.file.side == w.side {
		d.Range = sp.rng()
	}
}
