package config

import (
	"fmt"
	"strconv"
	"strings"

	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/token"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
)

// outliner walks the syntax of a side's files: it records where each field with plain
// labels is written, and reports what CUE would accept and then ignore. Evaluated values
// point to one of their parts at best; the syntax knows all.
type outliner struct {
	*builder
	places   map[string]place
	patterns bool // some field is [pattern]: value
}

func (o *outliner) outlineFile(f *file) {
	for _, d := range f.syntax.Decls {
		if a, ok := d.(*ast.Attribute); ok {
			o.reportAttribute(a)
		}
	}
	o.outlineDecls(f.syntax.Decls, o.config, nil)
}

func (o *outliner) outlineDecls(list []ast.Decl, s *shape, path []string) {
	for _, d := range list {
		switch d := d.(type) {
		case *ast.Field:
			o.outlineField(d, s, path)
		case *ast.EmbedDecl:
			o.outlineExpr(d.Expr, s, path)
		}
	}
}

func (o *outliner) outlineField(f *ast.Field, s *shape, path []string) {
	for _, a := range f.Attrs {
		o.reportAttribute(a)
	}
	if _, ok := f.Label.(*ast.ListLit); ok {
		o.patterns = true
		return
	}
	name := fieldName(labelName(f.Label), s)
	if name == "" {
		return
	}
	path = append(path[:len(path):len(path)], name)
	var inner *shape
	if s != nil && s.Form != typeForm {
		inner = s.field(name)
		o.reportMarker(f, path)
	} else {
		inner = s // everything within a type belongs to the type
	}
	key := joinKey(path)
	if _, twice := o.places[key]; !twice {
		o.places[key] = place{o.files.nodeSpan(f.Label), o.files.nodeSpan(f.Value), f.Value}
	}
	o.outlineExpr(f.Value, inner, path)
}

// fieldName returns the name that a label stands for in the configuration, or "". #input is
// read as input: a type may be written as a definition, which the standard cue tool does not
// require to be concrete. Other definitions and hidden fields are the user's own helpers.
func fieldName(label string, s *shape) string {
	switch {
	case strings.HasPrefix(label, "_"):
		return ""
	case strings.HasPrefix(label, "#"):
		name := label[1:]
		if known := s.knownField(name); known == nil || known.Form != typeForm {
			return ""
		}
		return name
	}
	return label
}

func (o *outliner) outlineExpr(e ast.Expr, s *shape, path []string) {
	switch e := e.(type) {
	case *ast.StructLit:
		o.outlineDecls(e.Elts, s, path)
	case *ast.ParenExpr:
		o.outlineExpr(e.X, s, path)
	case *ast.BinaryExpr:
		if e.Op == token.AND {
			o.outlineExpr(e.X, s, path)
			o.outlineExpr(e.Y, s, path)
		}
	case *ast.ListLit:
		o.outlineList(e, path)
	}
}

// outlineList records elements up to the first computed one: from there on, the position of an
// element in the source differs from its index.
func (o *outliner) outlineList(l *ast.ListLit, path []string) {
	for i, e := range l.Elts {
		switch e.(type) {
		case *ast.Comprehension, *ast.Ellipsis:
			return
		}
		key := joinKey(append(path[:len(path):len(path)], strconv.Itoa(i)))
		if _, twice := o.places[key]; !twice {
			at := o.files.nodeSpan(e)
			o.places[key] = place{at, at, e}
		}
	}
}

// reportMarker reports ? and ! where a value is to be written: CUE would silently drop the field.
func (o *outliner) reportMarker(f *ast.Field, path []string) {
	if f.Constraint != token.OPTION && f.Constraint != token.NOT || !o.side.byHand() {
		return
	}
	o.diags = append(o.diags, diag.Diagnostic{Code: "C012", Severity: diag.Error, Range: o.files.nodeSpan(f.Label).rng(), Path: JoinPath(path...),
		Message: "the " + f.Constraint.String() + " after the name makes this a rule for others and not a value", Help: "write " + path[len(path)-1] + ": without it"})
}

// ignored lists the attributes that mean something to the cue command but nothing here.
var ignored = map[string]bool{"if": true, "ignore": true, "tag": true, "embed": true, "extern": true}

func (o *outliner) reportAttribute(a *ast.Attribute) {
	if name, _ := a.Split(); ignored[name] && o.side.byHand() {
		o.diags = append(o.diags, diag.Diagnostic{Code: "C013", Severity: diag.Error, Range: o.files.nodeSpan(a).rng(),
			Message: "the attribute @" + name + " belongs to the cue command and does nothing here", Help: "take it out"})
	}
}

// writeSkeleton writes the names in below for patterns to apply to: an empty struct for each
// role, pipeline, stage and so on.
func (o *outliner) writeSkeleton() string {
	if !o.patterns || o.below == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString("package " + packageName + "\n")
	skeletonOf(&b, o.below, o.config)
	return b.String()
}

func skeletonOf(b *strings.Builder, n *node, s *shape) {
	if n.kind != structNode || s == nil {
		return
	}
	for _, f := range n.fields {
		inner := s.field(f.name)
		if inner == nil || inner.Form != structForm || f.value.kind != structNode {
			continue
		}
		fmt.Fprintf(b, "%q: {", f.name)
		skeletonOf(b, f.value, inner)
		b.WriteString("}\n")
	}
}
