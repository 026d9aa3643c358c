package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/ast"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/token"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// packageName is the package clause of every configuration file, and schemasImport the
// path by which files may import the definitions.
const (
	packageName   = "compactor"
	schemasImport = "compactor.local/schemas"
)

// rounds limits how often a side is built again without its mistakes. Each round finds
// all mistakes of one kind, and there are few kinds.
const rounds = 6

// evaluate turns the files of one side into a tree of nodes, or nil if there are none.
// One bad reference would make CUE reject everything: mistakes are reported and cut out
// of the syntax, and the rest is built again, so that one run shows all mistakes. The
// names in below are those that a pattern such as roles: [string]: ... reaches.
func (l *loader) evaluate(list []*file, below *node) (tree *node) {
	if len(list) == 0 {
		return nil
	}
	defer func() {
		if r := recover(); r != nil { // a bug in the evaluator should not bring down a server
			tree = nil
			l.diags = append(l.diags, diag.Diagnostic{Code: "C011", Severity: diag.Error, Range: list[0].startRange(),
				Message: fmt.Sprintf("CUE gave up on this configuration: %v", r)})
		}
	}()
	b := &builder{loader: l, side: list[0].side, below: below, unused: map[string]bool{}}
	for range rounds {
		v, done := b.build(list)
		if done {
			w := &walker{loader: l, side: b.side, broken: b.broken}
			return w.walkTree(v)
		}
	}
	return nil
}

// builder makes one instance from a side's files.
type builder struct {
	*loader
	side   side
	below  *node
	unused map[string]bool // names whose declaration was cut out: references to them are not reported as further mistakes
	broken []string        // keys of paths that were cut out
}

// build tries once. done is false if something was cut out and another attempt may get further.
func (b *builder) build(list []*file) (v cue.Value, done bool) {
	ctx := build.NewContext(build.Loader(b.resolveImport))
	inst := ctx.NewInstance("", nil)
	inst.CanonicalImportPath = func(path string) string { // the version does not matter: there is only one
		if strings.HasPrefix(path, schemasImport+"@") {
			return schemasImport
		}
		return path
	}
	outline := &outliner{builder: b, places: map[string]place{}}
	for _, f := range list {
		if f.syntax == nil && !b.parse(f) {
			continue
		}
		normalizeFile(f.syntax)
		outline.outlineFile(f)
		if err := inst.AddSyntax(f.syntax); err != nil {
			return cue.Value{}, b.cutErrors(list, err)
		}
	}
	if b.places == nil {
		b.loader.places = map[side]map[string]place{}
	}
	b.places[b.side] = outline.places
	for _, extra := range []string{b.writePrelude(inst), outline.writeSkeleton()} {
		if extra == "" {
			continue
		}
		f := &file{name: "prelude", text: []byte(extra), side: preset}
		if err := b.files.parse(f); err == nil {
			_ = inst.AddSyntax(f.syntax)
		}
	}
	b.step(evaluatingStep(list))
	if err := inst.Complete(); err != nil {
		return cue.Value{}, b.cutErrors(list, err)
	}
	v = b.ctx.BuildInstance(inst)
	if inst.Err != nil {
		return v, b.cutErrors(list, inst.Err)
	}
	return v, true
}

// parse parses a file. A syntax error is final for that file only.
func (b *builder) parse(f *file) bool {
	if f.bad {
		return false
	}
	b.step(Step{"parsing", f.name})
	err := b.files.parse(f)
	if err != nil {
		f.bad = true
		b.syntaxErrors(f, err)
		return false
	}
	b.checkClause(f)
	for _, c := range f.cuts {
		cutAt(f.syntax, c.at)
	}
	return true
}

// checkClause checks the package clause. The file is read in any case.
func (b *builder) checkClause(f *file) {
	name := f.syntax.PackageName()
	if name == packageName {
		return
	}
	d := diag.Diagnostic{Code: "C002", Severity: diag.Error, Range: f.startRange(), Message: "the file does not begin with package " + packageName,
		Help: "write package " + packageName + " as its first line"}
	for _, decl := range f.syntax.Decls {
		if p, ok := decl.(*ast.Package); ok {
			d.Range = b.files.nodeSpan(p.Name).rng()
			d.Message = "the file belongs to package " + p.Name.Name + ", not " + packageName
		}
	}
	b.diags = append(b.diags, d)
}

func (b *builder) syntaxErrors(f *file, err error) {
	for _, e := range errors.Errors(err) {
		from := e.Position().Offset()
		msg, args := e.Msg()
		d := diag.Diagnostic{Code: "C001", Severity: diag.Error, Range: span{f, from, from + 1}.rng(), Message: fmt.Sprintf(msg, args...)}
		d.Help = syntaxHelp(d.Message, lineAround(f.text, from))
		if !e.Position().IsValid() {
			d.Range = f.startRange()
		}
		b.diags = append(b.diags, d)
	}
}

// dashedKey matches an unquoted name that contains a dash.
var dashedKey = lazyregexp.New(`(?:^|[{,:\s])([A-Za-z_]\w*(?:-\w+)+)\s*:`)

// syntaxHelp returns help for common slips of people who know YAML or JSON.
func syntaxHelp(message, line string) string {
	switch {
	case strings.HasPrefix(message, "unknown escape sequence"), strings.Contains(message, "in escape sequence"):
		return `write each backslash twice, or the text between #" and "#, where a backslash stands for itself`
	case strings.HasPrefix(strings.TrimSpace(line), "#") && strings.Contains(message, "expected label"):
		return "a comment begins with //"
	}
	if m := dashedKey.FindStringSubmatch(line); m != nil && strings.HasPrefix(message, "missing ','") {
		return fmt.Sprintf("a name with a dash in it must be quoted: %q", m[1])
	}
	return ""
}

// lineAround returns the line of a text that contains an offset.
func lineAround(text []byte, at int) string {
	at = max(0, min(at, len(text)))
	line, _, _ := bytes.Cut(text[bytes.LastIndexByte(text[:at], '\n')+1:], []byte("\n"))
	return string(line)
}

// cutErrors reports what CUE rejected and removes the declarations around it. It returns done
// if nothing could be removed: then there is no value.
func (b *builder) cutErrors(list []*file, err error) (done bool) {
	done = true
	for _, e := range errors.Errors(err) {
		if !b.isConsequence(e) {
			b.cueError(e, b.side)
		}
		for _, pos := range append(errors.Positions(e), e.Position()) {
			if f := b.files.byToken[pos.File()]; f != nil && f.side == b.side && f.syntax != nil {
				done = !b.cutFrom(f, pos.Offset()) && done
				break
			}
		}
	}
	for _, f := range list { // resolved syntax cannot be built twice
		f.syntax = nil
	}
	return done
}

// cutFrom removes the declaration around an offset, unless it has been removed before:
// otherwise the one around it would be removed too.
func (b *builder) cutFrom(f *file, at int) bool {
	for _, c := range f.cuts {
		if c.from <= at && at < c.to {
			return true
		}
	}
	gone, path := cutAt(f.syntax, at)
	if gone == nil {
		return false
	}
	f.cuts = append(f.cuts, cutting{at, gone.Pos().Offset(), gone.End().Offset()})
	if path != nil {
		b.broken = append(b.broken, joinKey(path))
	}
	for _, name := range declaredNames(gone) {
		b.unused[name] = true
	}
	return true
}

// isConsequence reports whether an error only says that something cut out is missing.
func (b *builder) isConsequence(e errors.Error) bool {
	_, args := e.Msg()
	return len(args) == 1 && b.unused[strings.Trim(fmt.Sprint(args[0]), `"`)]
}

// resolveImport returns the definitions to files that import them. Any other import that is
// not part of CUE is rejected; nothing is ever fetched.
func (b *builder) resolveImport(pos token.Pos, path string) *build.Instance {
	if path != schemasImport {
		return nil
	}
	definitions, _ := b.parseDefinitions() // which were evaluated before, here or when evaluated.cbor was made
	return definitions
}

// writePrelude declares the definitions that the files use without an import.
func (b *builder) writePrelude(inst *build.Instance) string {
	own, wanted := map[string]bool{}, map[string]bool{}
	for _, f := range inst.Files {
		for _, d := range f.Decls {
			for _, name := range declaredNames(d) {
				own[name] = true
			}
		}
		for _, id := range f.Unresolved {
			wanted[id.Name] = true
		}
	}
	var text strings.Builder
	for _, name := range b.known {
		if wanted[name] && !own[name] {
			fmt.Fprintf(&text, "%s: definitions.%s\n", name, name)
		}
	}
	if text.Len() == 0 {
		return ""
	}
	return "package " + packageName + "\nimport definitions \"" + schemasImport + "\"\n" + text.String()
}

// allowedImports lists the packages that a file may import, for messages.
var allowedImports = []string{"strings", "list", "math", "regexp", "struct", "strconv", "time", "encoding/json", schemasImport}

// normalizeFile makes a file part of the package, and removes the reference to
// schemas.#Config that the standard cue tool needs: the check against it happens outside
// of CUE, so that its errors can be phrased well.
func normalizeFile(f *ast.File) {
	schemas := importNames(f)
	f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
		embed, ok := d.(*ast.EmbedDecl)
		return ok && isConfig(embed.Expr, schemas)
	})
	if !usesAny(f, schemas) {
		f.Decls = slices.DeleteFunc(f.Decls, func(d ast.Decl) bool {
			imp, ok := d.(*ast.ImportDecl)
			if !ok {
				return false
			}
			imp.Specs = slices.DeleteFunc(imp.Specs, isSchemasImport)
			return len(imp.Specs) == 0
		})
	}
	for _, d := range f.Decls {
		if p, ok := d.(*ast.Package); ok {
			p.Name = ast.NewIdent(packageName)
			return
		}
	}
	f.Decls = append([]ast.Decl{&ast.Package{Name: ast.NewIdent(packageName)}}, f.Decls...)
}

// importNames returns the names under which a file imports the definitions.
func importNames(f *ast.File) map[string]bool {
	names := map[string]bool{}
	for spec := range f.ImportSpecs() {
		if isSchemasImport(spec) {
			name := "schemas"
			if spec.Name != nil {
				name = spec.Name.Name
			}
			names[name] = true
		}
	}
	return names
}

func isSchemasImport(spec *ast.ImportSpec) bool {
	path := strings.Trim(spec.Path.Value, `"`)
	return path == schemasImport || strings.HasPrefix(path, schemasImport+"@")
}

func isConfig(e ast.Expr, schemas map[string]bool) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "#Config"
	case *ast.SelectorExpr:
		id, ok := e.X.(*ast.Ident)
		sel, named := e.Sel.(*ast.Ident)
		return ok && named && schemas[id.Name] && sel.Name == "#Config"
	}
	return false
}

func usesAny(f *ast.File, names map[string]bool) (found bool) {
	ast.Walk(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && names[id.Name]
		}
		return !found
	}, nil)
	return found
}
