package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/errors"

	"compactor/runtime/diag"
)

// walker turns an evaluated side into nodes. The shapes only tell it where
// types stand; whether values fit is checked after the sides are merged.
type walker struct {
	*loader
	side side
}

func (w *walker) node(v cue.Value, s *shape, path []string) *node {
	n := &node{side: w.side}
	w.place(n, v)
	if err := v.Err(); err != nil && v.IncompleteKind() == cue.BottomKind {
		for _, e := range errors.Errors(err) {
			w.cueError(e, w.side)
		}
		return n
	}
	if s != nil && s.form == typeForm {
		return w.typ(n, v, path)
	}
	if d, ok := v.Default(); ok {
		v = d
	}
	switch v.IncompleteKind() {
	case cue.StructKind:
		w.structure(n, v, s, path)
	case cue.ListKind:
		w.list(n, v, s, path)
	default:
		w.scalar(n, v, path)
	}
	return n
}

// place finds where a value and its label are written.
func (w *walker) place(n *node, v cue.Value) {
	switch src := v.Source().(type) {
	case *ast.Field:
		n.key, n.value = w.files.nodeSpan(src.Label), w.files.nodeSpan(src.Value)
		n.expr = src.Value
	case ast.Expr:
		n.value, n.expr = w.files.nodeSpan(src), src
	}
	if n.value.file == nil || n.value.file.side != w.side {
		n.value = w.files.span(v.Pos())
	}
	if n.key.file == nil {
		n.key = n.value
	}
}

func (w *walker) structure(n *node, v cue.Value, s *shape, path []string) {
	n.kind = structNode
	it, err := v.Fields(cue.Definitions(true))
	if err != nil {
		n.kind = broken
		w.cueErrors(err, w.side)
		return
	}
	for it.Next() {
		name, ok := fieldName(it.Selector(), s)
		if !ok {
			continue
		}
		kid := w.node(it.Value(), s.field(name), append(path[:len(path):len(path)], name))
		n.fields = append(n.fields, nodeField{name, kid})
	}
}

// fieldName reads #input as input: a type may be written as a definition,
// which the stock cue tool does not want to be concrete. Other definitions are
// the user's own helpers.
func fieldName(sel cue.Selector, s *shape) (string, bool) {
	if !sel.IsDefinition() {
		return sel.Unquoted(), true
	}
	name := strings.TrimPrefix(sel.String(), "#")
	if s == nil {
		return "", false
	}
	known := s.known(name)
	return name, known != nil && known.form == typeForm
}

func (w *walker) list(n *node, v cue.Value, s *shape, path []string) {
	n.kind = listNode
	it, err := v.List()
	if err != nil {
		n.kind = broken
		w.cueErrors(err, w.side)
		return
	}
	var item *shape
	if s != nil {
		item = s.items
	}
	for i := 0; it.Next(); i++ {
		n.items = append(n.items, w.node(it.Value(), item, append(path[:len(path):len(path)], fmt.Sprint(i))))
	}
}

func (w *walker) scalar(n *node, v cue.Value, path []string) {
	if v.IsConcrete() {
		n.kind, n.scalar = scalarNode, scalarOf(v)
		return
	}
	w.diags = append(w.diags, diag.Diagnostic{Code: "C008", Severity: diag.Error, Range: n.value.rng(), Path: strings.Join(path, "."),
		Message: "is a type and not a value", Help: "write the value itself"})
}

func (w *walker) typ(n *node, v cue.Value, path []string) *node {
	typ, problems := typeSchema(v)
	n.kind, n.typ = typeNode, typ
	for _, p := range problems {
		at := w.files.span(p.at.Pos())
		if src := p.at.Source(); src != nil {
			if sp := w.files.nodeSpan(src); sp.file != nil && sp.file.side == w.side {
				at = sp
			}
		}
		if at.file == nil || at.file.side != w.side {
			at = n.value
		}
		w.diags = append(w.diags, diag.Diagnostic{Code: "C040", Severity: diag.Error, Range: at.rng(), Path: strings.Join(path, "."), Message: p.text})
	}
	return n
}
