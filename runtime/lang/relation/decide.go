package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Verdict tells whether a mention means a definition.
type Verdict uint8

// The verdicts.
const (
	No Verdict = iota
	Maybe
	Yes
)

// Decide reports whether a mention means the definition d of the world.
func (w *NameIndex) Decide(m *Usage, d *Def) Verdict {
	w.indexDefs()
	v := w.decide(m, d)
	switch {
	case v == Yes && (m.Crowded || w.fitsBoth(m, d)):
		return Maybe
	case v == No && (m.Mixed || m.Guess && !w.defines(m.Owner)): // the value may be of another type
		of := *m
		of.Base, of.Guess, of.Mixed = Unknown, false, false
		return min(w.decide(&of, d), Maybe)
	}
	return v
}

func (w *NameIndex) decide(m *Usage, d *Def) Verdict {
	if !SameFamily(m.Lang, d.Lang) || m.Base == Foreign {
		return No
	}
	if d.isConstructor() {
		if m.Form != Call {
			return No
		}
		of := *d
		of.Kind, of.Container = symbols.KindClass, strings.TrimSuffix(strings.TrimSuffix(d.Container, d.Name), d.Lang.Separator())
		d = &of
	}
	if !w.canBe(m, d) {
		return No
	}
	if m.Form == Value && m.Base == Unknown && isCallable(d.Kind) {
		if !m.Arg || !d.isMember() || !isDistinctive(d.Name) || !w.isUnique(d) {
			return No // x.name without a call is a field
		}
		if w.calledAfter(m.Recv, d) {
			return Yes
		}
		return Maybe
	}
	switch m.Base {
	case Bare:
		return w.resolveUnqualified(m, d)
	case Self:
		return w.decideSelf(m, d)
	case Super:
		return w.decideSuper(m, d)
	case Module:
		return w.decideModule(m, d)
	case Type:
		return w.onType(m, d)
	}
	if !d.isMember() {
		if p := profileOf(m.Lang); p.looseModules || d.Kind.IsType() && p.nestsTypes {
			return w.guess(d)
		}
		return No
	}
	if m.Form == Call && w.calledAfter(m.Recv, d) {
		return Yes
	}
	return w.guess(d)
}

// canBe reports whether the way a name is used is possible for a definition.
func (w *NameIndex) canBe(m *Usage, d *Def) bool {
	switch {
	case d.Kind == symbols.KindComponent: // without an import its name may be any text
		return m.Element || m.From.Spec != ""
	case !isCallable(d.Kind), d.Lang == symbols.Component && d.owner() == "computed": // read like a field
		return true
	case m.Form == Other && !profileOf(m.Lang).callsBare: // named, but neither called nor passed on
		return false
	case m.Field, m.Form == Value && d.Kind == symbols.KindMacro, isScriptType(m, d.Name):
		return false
	}
	return !m.CallsOther(d) || !w.fitsAnother(m, d)
}

// isImported reports whether a bare name is imported from the type or package of a definition, or from a Perl package
// that re-exports it, or whether a template names a member of its component.
func (w *NameIndex) isImported(m *Usage, d *Def) bool {
	if m.Lang == symbols.Component && m.From.Spec == "" {
		return m.Path == d.Path && m.In == "" && (d.owner() == "methods" || d.owner() == "computed")
	}
	if profileOf(m.Lang).modulesLikeTypes {
		if top, _, _ := strings.Cut(m.From.Spec, "::"); m.From.Member == d.Name && strings.HasPrefix(d.Container, top+"::") && w.isUnique(d) {
			return true
		}
		for _, s := range m.Stars {
			if lastIdent(s) == d.owner() {
				return true
			}
		}
	}
	return m.From.Member == d.Name && lastIdent(m.From.Spec) == d.owner()
}

// resolveUnqualified decides on a name without a qualifier.
func (w *NameIndex) resolveUnqualified(m *Usage, d *Def) Verdict {
	p := profileOf(m.Lang)
	if d.isMember() {
		switch {
		case w.isImported(m, d):
			return Yes
		case m.From.Spec != "" || !p.impliesThis:
			return No
		case m.Form == Value && !p.passesMethods:
			return No // more likely a local variable of that name
		}
		return w.decideSelf(m, d)
	}
	same := m.Path == d.Path
	if d.isLocal() {
		if same && m.Line >= d.Line-1000 && w.isInScope(m, d) {
			return Yes
		}
		return No
	}
	if !same {
		for _, i := range w.byPath[m.Path] {
			o := &w.Defs[i]
			if !o.isLocal() && !o.isConstructor() && !o.isAlias() && (!o.isMember() || p.impliesThis && slices.Contains(m.Around, o.owner())) {
				return No // the file has its own
			}
		}
	}
	if m.From.Spec != "" {
		if m.From.Member != "" && m.From.Member != d.Name && m.From.Member != "default" {
			return No
		}
		v := moduleIs(m.Lang, m.From, m.Path, d)
		if v == Maybe && w.isDefinedInModule(m) {
			return No
		}
		return w.resolveReexport(v, m.From, m, d)
	}
	if same {
		return Yes
	}
	switch p.scope {
	case ownPackage:
		if path.Dir(m.Path) == path.Dir(d.Path) || d.Package != "" && slices.Contains(m.Stars, d.Package) {
			return Yes
		}
		return No
	case fromImports:
		if d.Kind == symbols.KindMacro && w.isUnique(d) {
			return Yes
		}
		best := No
		for _, s := range m.Stars {
			best = max(best, w.resolveReexport(moduleIs(m.Lang, Import{Spec: s}, m.Path, d), Import{Spec: s}, m, d))
		}
		return best
	case fromScripts:
		if w.isGlobal(m, d) {
			return Yes
		}
		return No
	}
	if family(m.Lang) == symbols.C && strings.HasPrefix(d.Signature, "static ") && !isHeader(d.Path) {
		return No
	}
	if w.isUnique(d) {
		return Yes
	}
	dir := path.Dir(m.Path)
	if path.Dir(d.Path) == dir {
		return Yes
	}
	for _, i := range w.byDir[dir] {
		if o := &w.Defs[i]; !o.isMember() && SameFamily(o.Lang, m.Lang) {
			return No
		}
	}
	return Maybe
}

// isGlobal reports whether a definition needs no import: in a script that imports nothing at all, and as an element of
// a template, whose components some frameworks import automatically.
func (w *NameIndex) isGlobal(m *Usage, d *Def) bool {
	if d.Kind == symbols.KindComponent {
		return m.Element && m.Lang == symbols.Component && w.isUnique(d)
	}
	return m.Script && w.isUnique(d)
}

// isInScope reports whether a mention is inside the scope of a local definition.
func (w *NameIndex) isInScope(m *Usage, d *Def) bool {
	parts := strings.Split(d.Container, ".")
	outer := parts[0]
	return m.In == outer || strings.HasPrefix(m.In, outer+".") || m.In == "" || strings.HasPrefix(m.In, d.Container)
}

// resolveReexport turns the match of a module into a verdict. A module that may re-export a definition means it if no other has
// the name; for a Python package it suffices that no other in the package has it.
func (w *NameIndex) resolveReexport(v Verdict, imp Import, m *Usage, d *Def) Verdict {
	if v == Maybe && (w.isUnique(d) || m.Lang == symbols.Python && w.aloneIn(imp, d)) {
		return Yes
	}
	return v
}

// aloneIn reports whether a definition is the only one of its name in the imported package; definitions in types of
// other names do not count.
func (w *NameIndex) aloneIn(imp Import, d *Def) bool {
	if len(w.Defs) > maxElsewhere || !inPackage(imp.Spec, d.Path) {
		return false
	}
	for i := range w.Defs {
		o := &w.Defs[i]
		if o.owner() == d.owner() && !o.isLocal() && !sameThing(o, d) && (!o.Test || d.Test) && SameFamily(o.Lang, d.Lang) && inPackage(imp.Spec, o.Path) {
			return false
		}
	}
	return true
}

// inPackage reports whether a file is in a Python package at a usual place for packages: a directory json further down
// is not the target of import json.
func inPackage(spec, file string) bool {
	dir := strings.ReplaceAll(spec, ".", "/") + "/"
	for _, top := range []string{"", "src/", "lib/", "python/"} {
		if spec != "" && spec[0] != '.' && strings.HasPrefix(file, top+dir) {
			return true
		}
	}
	return false
}

// decideSelf decides on this.name, and on a bare name in languages where that means the same.
func (w *NameIndex) decideSelf(m *Usage, d *Def) Verdict {
	if !d.isMember() {
		return No
	}
	open := false // a supertype is unknown
	for _, c := range m.Around {
		if c == d.owner() {
			return w.sameOwner(m, d)
		}
		if w.defines(c) {
			if w.mayHold(c, d) {
				return Maybe // the subtype may have its own
			}
			return No
		}
		switch w.descends(c, d.owner()) {
		case Yes:
			return Yes
		case Maybe:
			open = true
		}
	}
	if len(m.Around) == 0 && m.Base == Self {
		return Maybe
	}
	switch {
	case !open && slices.ContainsFunc(m.Around, func(c string) bool { return w.descends(d.owner(), c) == Yes }):
		return Maybe // of a supertype that leaves it to its subtypes
	case !open:
		return No
	case w.isUnique(d):
		return Yes
	}
	return Maybe
}

// sameOwner chooses among definitions in types of the same name.
func (w *NameIndex) sameOwner(m *Usage, d *Def) Verdict {
	if m.Path == d.Path {
		return Yes
	}
	others := false
	for _, i := range w.byOwner[d.owner()] {
		o := &w.Defs[i]
		if o.Path != d.Path && SameFamily(o.Lang, d.Lang) {
			if o.Path == m.Path || path.Dir(o.Path) == path.Dir(m.Path) && path.Dir(d.Path) != path.Dir(m.Path) {
				return No
			}
			others = true
		}
	}
	if others && path.Dir(d.Path) != path.Dir(m.Path) {
		return Maybe
	}
	return Yes
}

// decideSuper decides on super.name.
func (w *NameIndex) decideSuper(m *Usage, d *Def) Verdict {
	if !d.isMember() || len(m.Around) == 0 || m.Around[0] == d.owner() {
		return No
	}
	if first := w.superclass(m); first != "" && first != d.owner() && !profileOf(m.Lang).mixins {
		switch {
		case slices.Contains(w.Heads[d.owner()], contract):
			return No // a class goes before an interface
		case slices.Contains(w.Heads[m.Around[0]], d.owner()):
			return Maybe // called in turn, if the first one calls it
		}
	}
	switch v := w.descends(m.Around[0], d.owner()); {
	case v == Yes:
		if w.isUnique(d) || slices.Contains(w.Heads[m.Around[0]], d.owner()) {
			return Yes
		}
		return Maybe
	case v == Maybe && w.isUnique(d):
		return Yes
	default:
		return v
	}
}

// superclass returns the first supertype of a type that defines the name, interfaces aside; "" if none does. It is the
// one that super means, except in languages with mixins.
func (w *NameIndex) superclass(m *Usage) string {
	for _, a := range w.Heads[m.Around[0]] {
		if IsTypeName(a) && !slices.Contains(w.Heads[a], contract) &&
			slices.ContainsFunc(w.byOwner[a], func(i int) bool { return w.Defs[i].isMember() && SameFamily(w.Defs[i].Lang, m.Lang) }) {
			return a
		}
	}
	return ""
}

// decideModule decides on a name of an imported module.
func (w *NameIndex) decideModule(m *Usage, d *Def) Verdict {
	if d.isMember() {
		if family(m.Lang) == symbols.Rust && lastIdent(m.From.Spec) == d.owner() {
			return w.sameOwner(m, d)
		}
		if family(m.Lang) == symbols.JavaScript && d.Kind == symbols.KindMethod {
			return w.resolveReexport(min(moduleIs(m.Lang, m.From, m.Path, d), Maybe), m.From, m, d)
		}
		if i := strings.LastIndexByte(m.From.Spec, '.'); i >= 0 && m.Lang == symbols.Python && !w.isDefinedInModule(m) && (i == 0 || !isForeign(m.Lang, Import{Spec: m.From.Spec[:i]}, m.Path, d)) {
			return min(w.guess(d), Maybe) // from .globals import current_app, from . import app: perhaps an object
		}
		return No
	}
	v := moduleIs(m.Lang, m.From, m.Path, d)
	if v == Maybe && w.isDefinedInModule(m) {
		return No
	}
	return w.resolveReexport(v, m.From, m, d)
}

// isDefinedInModule reports whether another definition is in the very module that a mention is taken from: then none re-exports
// it.
func (w *NameIndex) isDefinedInModule(m *Usage) bool {
	for i := range w.Defs {
		o := &w.Defs[i]
		if i >= maxElsewhere {
			break
		}
		if !o.isMember() && !o.isLocal() && SameFamily(o.Lang, m.Lang) && moduleIs(m.Lang, m.From, m.Path, o) == Yes {
			return true
		}
	}
	return false
}

// maxElsewhere limits the definitions that are compared for one mention.
const maxElsewhere = 64

// onType decides on a name taken from a type or from a value of that type.
func (w *NameIndex) onType(m *Usage, d *Def) Verdict {
	if m.TypePath != "" {
		of := *m
		of.Path = m.TypePath
		m = &of
	}
	if m.Owner == "" { // of the global namespace
		return verdictOf(!d.isMember() && d.Container == "")
	}
	if !d.isMember() {
		if profileOf(m.Lang).hasNamespaces && lastIdent(m.Owner) == lastIdent(d.Container) {
			return Yes
		}
		if family(m.Lang) == symbols.JavaScript && m.From.Spec != "" && m.From.Member == "" {
			return w.resolveReexport(moduleIs(m.Lang, m.From, m.Path, d), m.From, m, d)
		}
		if family(m.Lang) == symbols.Rust && d.owner() == m.Owner {
			return Yes
		}
		if d.Kind.IsType() && lastIdent(d.Container) == m.Owner {
			return Yes
		}
		return No
	}
	if m.Owner == d.owner() {
		return w.decideNamesake(m, d)
	}
	return w.onOtherType(m, d)
}

// decideNamesake decides on a member of a type that has the name m.Owner.
func (w *NameIndex) decideNamesake(m *Usage, d *Def) Verdict {
	p := profileOf(m.Lang)
	switch {
	case p.packageDirs && m.From.Spec != "" && d.isIn(m.From.Spec):
		return Yes
	case p.packageDirs && (m.From.Spec != "" || path.Dir(m.Path) != path.Dir(d.Path)):
		return w.decidePromoted(m, d) // without a package, a type of the mention's own
	case p.importsTypes && m.From.Spec != "":
		v := w.resolveReexport(moduleIs(m.Lang, m.From, m.Path, d), m.From, m, d)
		if v == Maybe && p.scope == fromScripts && isBelow(m.From.Spec, m.Path, d) && w.isOnlyOwner(d) {
			return Yes
		}
		return v
	case m.Lang == symbols.Rust && m.From.Spec != "":
		return w.rustOwner(m, d)
	}
	return w.sameOwner(m, d)
}

// isOnlyOwner reports whether no type of the same name in another file defines what a definition does.
func (w *NameIndex) isOnlyOwner(d *Def) bool {
	return !slices.ContainsFunc(w.byOwner[d.owner()], func(i int) bool {
		o := &w.Defs[i]
		return o.Path != d.Path && (d.Test || !o.Test) && SameFamily(o.Lang, d.Lang)
	})
}

// isIn reports whether a Go definition is in the package spec.
func (d *Def) isIn(spec string) bool {
	if d.Package != "" {
		return d.Package == spec
	}
	return path.Base(path.Dir(d.Path)) == path.Base(spec)
}

// decidePromoted decides on a method of a Go type that has the name of the definition's type but is in another package: the
// method may be promoted from an embedded type, or the type may be an interface.
func (w *NameIndex) decidePromoted(m *Usage, d *Def) Verdict {
	isInterface := !m.Pointer && (slices.Contains(w.Heads[m.Owner], contract) || m.From.Spec != "" && isInterfaceName(m.Owner))
	switch {
	case isInterface:
		return Maybe
	case m.From.Spec == "":
		if slices.ContainsFunc(w.byOwner[m.Owner], func(i int) bool { return path.Dir(w.Defs[i].Path) == path.Dir(m.Path) }) {
			return No
		}
	case w.definesIn(m.Owner, m.From.Spec), isForeign(m.Lang, m.From, m.Path, d):
		return No
	}
	return Maybe
}

// definesIn reports whether a type of a Go package has its own definition of the name.
func (w *NameIndex) definesIn(owner, spec string) bool {
	return slices.ContainsFunc(w.byOwner[owner], func(i int) bool { return w.Defs[i].isIn(spec) })
}

// isInterfaceName reports whether a Go type has a name that is typical for interfaces: Reader, Conn.
func isInterfaceName(name string) bool {
	switch name {
	case "Builder", "Buffer", "Header", "Timer", "Server", "User", "Number", "Order":
		return false
	case "Conn", "Context", "Interface", "FS", "File", "FileInfo", "DirEntry", "Addr", "Hash", "Image", "TB":
		return true
	}
	return strings.HasSuffix(name, "er")
}

// onOtherType decides on a name taken from a type whose name differs from the definition's type.
func (w *NameIndex) onOtherType(m *Usage, d *Def) Verdict {
	_, known := w.Heads[m.Owner]
	switch defines := w.defines(m.Owner); {
	case (!m.Static || m.Lang == symbols.Rust) && w.mayHold(m.Owner, d):
		return Maybe // called on a supertype, whose value may be of this type
	case profileOf(m.Lang).packageDirs && !m.Pointer && m.From.Spec != "" && isInterfaceName(m.Owner) && !w.definesIn(m.Owner, m.From.Spec):
		return Maybe // of a library or of another package
	case m.From.Spec != "" && isForeign(m.Lang, m.From, m.Path, d):
		if known && !defines {
			return min(w.decideInherited(m, d), Maybe) // of the tree, or of a package that has a type of the same name
		}
		return No
	case defines:
		return No
	case !known && !m.Mixed && m.From.Spec == "" && IsBuiltin(m.Lang, m.Owner):
		return No
	}
	return w.decideInherited(m, d)
}

// decideInherited decides on a name that the type of a value may inherit from a supertype.
func (w *NameIndex) decideInherited(m *Usage, d *Def) Verdict {
	elsewhere := profileOf(m.Lang).packageDirs && path.Dir(m.Path) != path.Dir(d.Path)
	switch w.descends(m.Owner, d.owner()) {
	case Yes:
		if elsewhere && (m.From.Spec == "" || !w.isUnique(d)) {
			return Maybe // types of the same name in several packages
		}
		return Yes
	case Maybe:
		if elsewhere && m.From.Spec == "" || m.Static { // or inherited from a supertype
			return Maybe
		}
		return w.guess(d)
	}
	return No
}

// rustOwner chooses among definitions in types of the same name by the path of the type.
func (w *NameIndex) rustOwner(m *Usage, d *Def) Verdict {
	spec := strings.TrimSuffix(strings.TrimSuffix(m.From.Spec, m.Owner), "::")
	if spec == "" {
		return w.sameOwner(m, d)
	}
	at := Import{Spec: spec}
	switch moduleIs(m.Lang, at, m.Path, d) {
	case Yes:
		return Yes
	case No:
		return No
	}
	for _, i := range w.byOwner[d.owner()] {
		if o := &w.Defs[i]; o.Path != d.Path && o.Lang == d.Lang && moduleIs(m.Lang, at, m.Path, o) == Yes {
			return No
		}
	}
	return w.sameOwner(m, d)
}

func isHeader(p string) bool {
	switch path.Ext(p) {
	case ".h", ".hpp", ".hh", ".hxx", ".inl", ".ipp":
		return true
	}
	return false
}
