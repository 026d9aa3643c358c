package config

import (
	"fmt"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/ast/astutil"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"

	"compactor/runtime/diag"
)

// packageName is what every file of a configuration begins with, and
// schemasImport how it may name the definitions.
const (
	packageName   = "compactor"
	schemasImport = "compactor.local/schemas"
)

// instance parses files into one CUE instance. What is wrong with a file is
// reported and the file left out; the error is for what holds all up.
func (l *loader) instance(list []*file, pkg string) (*build.Instance, error) {
	inst := build.NewContext().NewInstance("", nil)
	for _, f := range list {
		syntax, err := parser.ParseFile(f.name, f.text, parser.ParseComments)
		if err != nil {
			if f.side != written {
				return nil, err
			}
			f.syntax = syntax
			l.syntaxErrors(f, err)
			continue
		}
		f.syntax = syntax
		l.files.add(f)
		if f.side == written && !l.usable(f) {
			continue
		}
		prepare(syntax, pkg)
		if err := inst.AddSyntax(syntax); err != nil {
			return nil, err
		}
	}
	return inst, inst.Complete()
}

func (l *loader) syntaxErrors(f *file, err error) {
	for _, e := range errors.Errors(err) {
		from := e.Position().Offset()
		msg, args := e.Msg()
		d := diag.Diagnostic{Code: "C001", Severity: diag.Error, Range: span{f, from, from + 1}.rng(), Message: fmt.Sprintf(msg, args...)}
		if !e.Position().IsValid() {
			d.Range = f.whole()
		}
		l.diags = append(l.diags, d)
	}
}

// usable checks the package clause and the imports of a user's file.
func (l *loader) usable(f *file) bool {
	ok := true
	if name := f.syntax.PackageName(); name != packageName {
		d := diag.Diagnostic{Code: "C002", Severity: diag.Error, Range: f.whole(), Message: "the file does not begin with package " + packageName,
			Help: "write package " + packageName + " as its first line"}
		if name != "" {
			d.Message = "the file belongs to package " + name + ", not " + packageName
		}
		l.diags = append(l.diags, d)
		ok = false
	}
	for spec := range f.syntax.ImportSpecs() {
		path := strings.Trim(spec.Path.Value, `"`)
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && path != schemasImport {
			l.diags = append(l.diags, diag.Diagnostic{Code: "C003", Severity: diag.Error, Range: l.files.nodeSpan(spec.Path).rng(),
				Message: "import " + path + " is not available", Help: "CUE's own packages and " + schemasImport + " are"})
			ok = false
		}
	}
	return ok
}

// prepare makes a file one of a single package: the definitions are added to
// it as files of their own, so the import of them and the mention of
// schemas.#Config, which the stock cue tool needs, are taken out.
func prepare(f *ast.File, pkg string) {
	var decls []ast.Decl
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.EmbedDecl:
			if isSchemas(d.Expr) {
				continue
			}
		case *ast.ImportDecl:
			if d = withoutSchemas(d); d == nil {
				continue
			}
			decls = append(decls, d)
			continue
		case *ast.Package:
			d.Name = ast.NewIdent(pkg)
		}
		decls = append(decls, d)
	}
	f.Decls = decls
	astutil.Apply(f, func(c astutil.Cursor) bool {
		if sel, ok := c.Node().(*ast.SelectorExpr); ok && isSchemas(sel) {
			if id, ok := sel.Sel.(*ast.Ident); ok {
				fresh := ast.NewIdent(id.Name)
				ast.SetPos(fresh, sel.Pos())
				c.Replace(fresh)
			}
		}
		return true
	}, nil)
}

func isSchemas(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id, ok := sel.X.(*ast.Ident)
	return ok && id.Name == "schemas"
}

func withoutSchemas(d *ast.ImportDecl) *ast.ImportDecl {
	var specs []*ast.ImportSpec
	for _, s := range d.Specs {
		if strings.Trim(s.Path.Value, `"`) != schemasImport {
			specs = append(specs, s)
		}
	}
	if len(specs) == 0 {
		return nil
	}
	d.Specs = specs
	return d
}

// evaluate turns the files of one side into a tree of nodes. Names are what
// the shipped side has, so that a pattern such as roles: [string]: … in a
// user's file reaches them.
func (l *loader) evaluate(list []*file, below *node) *node {
	if len(list) == 0 {
		return nil
	}
	all := append(cloned(l.schema), list...)
	if below != nil {
		all = append(all, namesOf(below, list)...)
	}
	inst, err := l.instance(all, packageName)
	if err == nil {
		v := l.ctx.BuildInstance(inst)
		if err = v.Err(); err == nil || v.IncompleteKind() == cue.StructKind {
			w := &walker{loader: l, side: list[0].side}
			return w.node(v, l.config, nil)
		}
	}
	l.cueErrors(err, list[0].side)
	return nil
}

// cloned are files to be parsed afresh: syntax belongs to one instance.
func cloned(list []*file) []*file {
	out := make([]*file, len(list))
	for i, f := range list {
		out[i] = &file{name: f.name, text: f.text, side: f.side}
	}
	return out
}

// namesOf gives a user's patterns the shipped names to apply to.
func namesOf(below *node, list []*file) []*file {
	var out []*file
	for _, section := range []string{"roles", "pipelines", "tools"} {
		if !hasPattern(list, section) {
			continue
		}
		var b strings.Builder
		for _, f := range below.get(section).fieldsOrNone() {
			fmt.Fprintf(&b, "%s: %s: {}\n", section, f.name)
		}
		out = append(out, &file{name: section, text: []byte("package " + packageName + "\n" + b.String()), side: shipped})
	}
	return out
}

func (n *node) fieldsOrNone() []nodeField {
	if n == nil {
		return nil
	}
	return n.fields
}

// hasPattern looks for section: [pattern]: in the text of user files.
func hasPattern(list []*file, section string) bool {
	for _, f := range list {
		syntax, err := parser.ParseFile(f.name, f.text)
		if err != nil {
			continue
		}
		for _, d := range syntax.Decls {
			field, ok := d.(*ast.Field)
			if !ok || labelName(field.Label) != section {
				continue
			}
			if st, ok := field.Value.(*ast.StructLit); ok && patternIn(st) {
				return true
			}
		}
	}
	return false
}

func patternIn(st *ast.StructLit) bool {
	for _, e := range st.Elts {
		if f, ok := e.(*ast.Field); ok {
			if _, ok := f.Label.(*ast.ListLit); ok {
				return true
			}
		}
	}
	return false
}

func labelName(l ast.Label) string {
	name, _, err := ast.LabelName(l)
	if err != nil {
		return ""
	}
	return name
}
