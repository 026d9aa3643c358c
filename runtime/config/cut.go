package config

import (
	"slices"

	"cuelang.org/go/cue/ast"
)

// cutAt removes the innermost declaration around an offset from a file: a field, a
// comprehension, a let, an import. It returns the removed declaration, and the path of a
// field whose labels are all plain.
func cutAt(f *ast.File, offset int) (gone ast.Node, path []string) {
	c := &cutter{offset: offset, plain: true}
	c.findDecl(f.Decls, func(i int) {
		c.take = func() { f.Decls = slices.Delete(slices.Clone(f.Decls), i, i+1) }
	})
	if c.gone == nil {
		return nil, nil
	}
	c.take()
	if !c.plain {
		return c.gone, nil
	}
	return c.gone, c.path
}

type cutter struct {
	offset int
	gone   ast.Node
	take   func()
	path   []string
	plain  bool
}

func (c *cutter) coversOffset(n ast.Node) bool {
	return n != nil && n.Pos().IsValid() && n.Pos().Offset() <= c.offset && c.offset < n.End().Offset()
}

// findDecl finds the declaration around the offset and looks for a deeper one inside it.
// mark records how to remove the i-th of the list.
func (c *cutter) findDecl(list []ast.Decl, mark func(i int)) {
	for i, d := range list {
		if !c.coversOffset(d) {
			continue
		}
		switch d := d.(type) {
		case *ast.Package, *ast.CommentGroup, *ast.Attribute:
			return
		case *ast.ImportDecl:
			c.findSpec(d)
			return
		case *ast.Field:
			c.gone = d
			mark(i)
			c.addLabel(d.Label)
			if c.coversOffset(d.Value) {
				c.enterExpr(d.Value)
			}
			return
		default:
			c.gone = d
			mark(i)
			c.plain = false
			c.enterDecl(d)
			return
		}
	}
}

func (c *cutter) addLabel(l ast.Label) {
	name := labelName(l)
	c.plain = c.plain && name != ""
	c.path = append(c.path, name)
}

func (c *cutter) findSpec(d *ast.ImportDecl) {
	for i, s := range d.Specs {
		if c.coversOffset(s) {
			c.gone, c.plain = s, false
			c.take = func() { d.Specs = slices.Delete(slices.Clone(d.Specs), i, i+1) }
		}
	}
}

// enterExpr continues into the structs directly in a value.
func (c *cutter) enterExpr(e ast.Expr) {
	switch e := e.(type) {
	case *ast.StructLit:
		c.findDecl(e.Elts, func(i int) {
			c.take = func() { e.Elts = slices.Delete(slices.Clone(e.Elts), i, i+1) }
		})
	case *ast.ParenExpr:
		c.enterExpr(e.X)
	case *ast.BinaryExpr:
		if c.coversOffset(e.X) {
			c.enterExpr(e.X)
		} else {
			c.enterExpr(e.Y)
		}
	}
}

// enterDecl continues into the struct of a comprehension or an embedding.
func (c *cutter) enterDecl(d ast.Decl) {
	switch d := d.(type) {
	case *ast.Comprehension:
		if c.coversOffset(d.Value) {
			c.enterExpr(d.Value)
		}
	case *ast.EmbedDecl:
		c.enterExpr(d.Expr)
	}
}

// declaredNames returns the names that a declaration brings into scope, and the path of an
// import: CUE's errors may name either.
func declaredNames(n ast.Node) []string {
	switch n := n.(type) {
	case *ast.Field:
		return []string{labelName(n.Label)}
	case *ast.LetClause:
		return []string{n.Ident.Name}
	case *ast.ImportSpec:
		path := trimQuotes(n.Path.Value)
		if n.Name != nil {
			return []string{n.Name.Name, path}
		}
		return []string{ast.ParseImportPath(path).Qualifier, path}
	}
	return nil
}

func trimQuotes(s string) string {
	if len(s) >= 2 {
		return s[1 : len(s)-1]
	}
	return s
}

// labelName returns the name of a plain label, or "" for a computed one.
func labelName(l ast.Label) string {
	name, _, err := ast.LabelName(l)
	if err != nil {
		return ""
	}
	return name
}
