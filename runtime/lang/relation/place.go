package relation

import (
	"bytes"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// resolveReceiver fills in the base of a mention, which its name is taken from. It returns false if the name is not used here.
func (r *Reader) resolveReceiver(m *Usage, name string, quals []string, open bool, at int) bool {
	switch {
	case len(quals) == 0 && open:
		r.placeOnValue(m, at)
		return true
	case len(quals) == 0:
		return placeBare(r, m, name, at)
	case open:
		return r.placeMember(m, quals[len(quals)-1], at)
	}
	if r.placeKeyword(m, quals, at) {
		return true
	}
	first := quals[0]
	if len(quals) == 1 && placeVariable(r, m, first, at) {
		return true
	}
	if imp, ok := r.imports[first]; ok {
		return r.placeImported(m, imp, quals, at)
	}
	end := quals[len(quals)-1]
	if r.family == symbols.JavaScript {
		if len(quals) == 1 && globals[first] || first == "window" || first == "globalThis" || first == "Reflect" {
			m.Base = Foreign
			return true
		}
		if len(quals) == 1 && first == "exports" {
			return false
		}
	}
	if r.profile.staticPaths && r.pathSep(at) {
		m.Static, m.Base, m.Owner = true, Type, end
		m.From = Import{Spec: strings.Join(quals, "::")}
		if !isCapitalized(end) && r.family != symbols.C {
			m.Base = Module
		}
		return true
	}
	if r.profile.isType != nil && r.profile.isType(quals) {
		m.Static, m.Base, m.Owner = true, Type, end
		return true
	}
	if len(quals) > 1 {
		return r.memberOf(m, quals, at)
	}
	m.Base = Unknown
	return true
}

// placeOnValue fills in a name that is taken from an expression.
func (r *Reader) placeOnValue(m *Usage, at int) {
	t := r.receiverExprType(at)
	if t.call > 0 && r.src.Lang == symbols.Python && bytes.HasPrefix(r.code[t.call:], []byte("super()")) && byteAt(r.code, t.call-1) != '.' {
		m.Base = Super
		return
	}
	r.ofType(m, t)
}

// placeKeyword fills in a name whose first qualifier is a word of the language, such as self. It returns false for others.
func (r *Reader) placeKeyword(m *Usage, quals []string, at int) bool {
	first, isRust := quals[0], r.family == symbols.Rust
	isOwn := isSelf(first) && r.family != symbols.Go
	switch {
	case isOwn && len(quals) == 1:
		m.Base = Self
	case isRust && (first == "crate" || first == "super" || first == "self" && r.pathSep(at)):
		m.Base, m.From = Module, Import{Spec: strings.Join(quals, "::")}
		if end := quals[len(quals)-1]; isCapitalized(end) {
			m.Static, m.Base, m.Owner = true, Type, end
		}
	case isOwn:
		return r.memberOf(m, quals, at)
	case first == r.profile.superWord:
		m.Base = Super
	case isStandard(r.family, first, r.pathSep(at)):
		m.Base = Foreign
	default:
		return false
	}
	return true
}

// placeVariable fills in the type of the variable before a name, or the call that returns its value. It returns false
// if neither is known, or if the name may as well be a module.
func placeVariable(r *Reader, m *Usage, name string, at int) bool {
	t, declared := r.typeAt(name, at)
	_, imported := r.imports[name]
	hidden := declared && imported && r.profile.packageDirs // a variable hides the package of that name
	if t.name == "" && !hidden && (t.call == 0 || r.pathSep(at) || imported && !r.profile.blockScope) {
		return false
	}
	r.ofType(m, t)
	return true
}

// isStandard reports whether a qualifier is the standard library of a language. path reports that it ends with ::.
func isStandard(l symbols.Lang, name string, path bool) bool {
	switch name {
	case "std":
		return l == symbols.Zig || path && (l == symbols.Rust || l == symbols.C)
	case "core", "alloc":
		return path && (l == symbols.Rust || l == symbols.C)
	}
	return false
}

// placeImported fills in a name that is qualified by an imported one.
func (r *Reader) placeImported(m *Usage, imp Import, quals []string, at int) bool {
	rest, end := quals[1:], quals[len(quals)-1]
	switch {
	case r.profile.placeImported != nil:
		r.profile.placeImported(m, imp, quals[0], rest)
	case len(rest) == 0:
		m.Static, m.Base, m.Owner, m.From = true, Type, imp.Member, imp
	case isCapitalized(end) && allNames(quals):
		m.Static, m.Base, m.Owner = true, Type, end
	default:
		return r.placeMember(m, end, at)
	}
	return true
}

// placeInModule fills in a name of an imported module, or of a variable in it.
func placeInModule(m *Usage, imp Import, _ string, rest []string) {
	m.Base, m.From = Module, imp
	if len(rest) > 0 {
		m.Base, m.From = Unknown, Import{Spec: imp.Spec}
	}
}

func placeImportedPython(m *Usage, imp Import, _ string, rest []string) {
	full := imp.Spec
	if imp.Member != "" {
		if !strings.HasSuffix(full, ".") {
			full += "."
		}
		full += imp.Member
	}
	if len(rest) == 0 && imp.Member != "" && isCapitalized(imp.Member) {
		m.Static, m.Base, m.Owner, m.From = true, Type, imp.Member, imp
		return
	}
	for i, q := range rest {
		if isCapitalized(q) {
			m.Static, m.Base, m.Owner, m.From = true, Type, q, Import{Spec: full, Member: q}
			if i < len(rest)-1 {
				m.Base = Unknown
			}
			return
		}
		full += "." + q
	}
	m.Base, m.From = Module, Import{Spec: full}
}

func placeImportedScript(m *Usage, imp Import, name string, rest []string) {
	m.From = imp
	switch {
	case len(rest) > 0:
		m.Base = Unknown
	case imp.Member != "" && imp.Member != "default":
		m.Static, m.Base, m.Owner = true, Type, imp.Member
	case isCapitalized(name):
		m.Static, m.Base, m.Owner = true, Type, name
	default:
		m.Base = Module
	}
}

func placeImportedRust(m *Usage, imp Import, _ string, rest []string) {
	spec := imp.Spec
	if imp.Member != "" {
		spec += "::" + imp.Member
	}
	if len(rest) > 0 {
		spec += "::" + strings.Join(rest, "::")
	}
	m.Base, m.From = Module, Import{Spec: spec}
	if end := lastIdent(spec); isCapitalized(end) {
		m.Static, m.Base, m.Owner, m.From = true, Type, end, imp
	}
}

// placeMember fills in a name that is taken from a field.
func (r *Reader) placeMember(m *Usage, field string, at int) bool {
	if t := r.fieldType(field); t.name != "" {
		r.ofType(m, t)
		return true
	}
	m.Base = Unknown
	return true
}

// memberOf fills in a name that is taken from fields of a variable or of the enclosing type. It follows the field
// declarations of the file's types; where they do not help, it uses a field of that name in any type.
func (r *Reader) memberOf(m *Usage, quals []string, at int) bool {
	if len(quals) == 2 && isCapitalized(quals[0]) && isSingleton(quals[1]) && r.src.Lang != symbols.Kotlin { // Kotlin objects nest
		t, found := r.fieldOf(quals[0], quals[1], outsideFunctions)
		if !found || t.name == "" {
			t = typed{name: quals[0], guess: true}
		}
		r.ofType(m, t)
		return true
	}
	t, found := typed{}, false
	fields := quals[1:]
	if r.family == symbols.Ruby && len(quals) == 2 && quals[1] == "new" && isCapitalized(quals[0]) {
		r.ofType(m, typed{name: quals[0]})
		return true
	}
	if isSelf(quals[0]) {
		t, found = ownField(r, quals[1], at)
		fields = quals[2:]
	} else if t = r.typeOf(quals[0], at); t.name != "" {
		found = true
	}
	for _, field := range fields {
		if !found || t.name == "" {
			break
		}
		t, found = r.fieldOf(t.name, field, everywhere)
	}
	switch {
	case found && t.name != "":
		r.ofType(m, t)
		return true
	case found, isSelf(quals[0]): // declared without a known type, or in a supertype
		m.Base = Unknown
		return true
	}
	return r.placeMember(m, quals[len(quals)-1], at)
}

// ownField returns the type of a field of the types around an offset. In PHP, a property is declared with $, and set
// without it.
func ownField(r *Reader, name string, at int) (t typed, found bool) {
	t, found = fieldAround(r, name, r.lineOf(at), everywhere)
	if r.family == symbols.PHP && t.name == "" {
		if declared, ok := fieldAround(r, "$"+name, r.lineOf(at), properties); ok {
			return declared, true
		}
	}
	return t, found
}

// placeBare fills in what an unqualified name is taken from.
func placeBare(r *Reader, m *Usage, name string, at int) bool {
	if r.profile.staticPaths && r.pathSep(at) { // ::name or \name, of the global namespace
		m.Base, m.Static = Type, true
		return true
	}
	if isShadowed(r, name, at) {
		m.Base = Foreign // still counts as a mention when usages are denied
		return true
	}
	m.Base, m.Stars, m.Script = Bare, r.stars, r.script
	if imp, ok := r.imports[name]; ok {
		m.From = imp
	}
	return true
}

// fieldOf returns the type of a field of a type that the file declares.
func (r *Reader) fieldOf(owner, field string, where declScope) (t typed, found bool) {
	key := scoped{owner + "." + field, -2 - int(where)}
	if t, ok := r.types[key]; ok {
		return t.typed, t.found
	}
	for i := range r.src.Defs {
		d := &r.src.Defs[i]
		if d.Name != owner || !d.Kind.IsType() || d.EndLine <= d.Line {
			continue
		}
		if t, found = r.declaredIn(field, r.lineStart(d.Line), r.lineStart(d.EndLine+1), where); found {
			break
		}
	}
	r.cacheType(key, t, found)
	return t, found
}

// ofType fills in the type of the value before the name.
func (r *Reader) ofType(m *Usage, t typed) {
	t = r.resolveType(t, m.Line)
	switch t.name {
	case "":
		m.Base, m.Result = Unknown, calledAt(r, t.call)
		return
	case "Self":
		m.Base = Self
		return
	}
	m.Base, m.Owner, m.Guess, m.Mixed, m.Pointer = Type, t.name, t.guess, t.mixed, t.pointer
	if t.qualifier != "" {
		if r.src.Lang == symbols.Rust {
			m.From = r.rustImport(t)
		} else if imp, ok := r.imports[t.qualifier]; ok {
			m.From = Import{Spec: imp.Spec, Member: t.name}
			if imp.Member != "" && r.family == symbols.Python {
				m.From.Spec = strings.TrimSuffix(imp.Spec, ".") + "." + imp.Member
			}
		}
		return
	}
	if imp, ok := r.imports[t.name]; ok {
		m.From = imp
		if (r.profile.importsTypes || r.src.Lang == symbols.Rust) && imp.Member != "" && imp.Member != "default" {
			m.Owner = imp.Member // the exported name rather than a local one
		}
	}
}

// rustImport returns the import of a type that is written with a path.
func (r *Reader) rustImport(t typed) Import {
	first, rest, more := strings.Cut(t.qualifier, "::")
	spec := first
	if imp, ok := r.imports[first]; ok {
		spec = imp.Spec
		if imp.Member != "" {
			spec = strings.TrimPrefix(spec+"::"+imp.Member, "::")
		}
	}
	if more {
		spec += "::" + rest
	}
	return Import{Spec: spec, Member: t.name}
}

// resolveType resolves a type: an alias to its target, a type parameter to its bound.
func (r *Reader) resolveType(t typed, line int) typed {
	for range 2 {
		if t.qualifier != "" || t.name == "" {
			return t
		}
		defined := false
		for i := range r.src.Defs {
			d := &r.src.Defs[i]
			if d.Name != t.name || !d.Kind.IsType() || d.Container != "" {
				continue
			}
			defined = true
			if to, ok := r.aliasTarget(d); ok {
				t = to
				break
			}
			return t
		}
		if defined {
			continue
		}
		if _, ok := r.imports[t.name]; ok || r.src.Lang != symbols.Rust {
			return t
		}
		bound, found := boundOf(r, t.name, line)
		if !found {
			if len(t.name) == 1 {
				return typed{}
			}
			return t
		}
		t = bound
	}
	return t
}

// boundOf returns the bound of a type parameter of the function or type around a line.
func boundOf(r *Reader, name string, line int) (typed, bool) {
	if d, ok := r.outermostFunction(line); ok {
		for _, l := range localsOf(r, name, d.Line, r.lineStart(d.Line), r.lineStart(d.EndLine+1)) {
			if l.stated && l.name != "" {
				return l.typed, true
			}
		}
	}
	return r.typeAt(name, r.lineStart(line))
}

// aliasTarget returns B for `type A = B`.
func (r *Reader) aliasTarget(d *symbols.Def) (typed, bool) {
	if d.Kind != symbols.KindType {
		return typed{}, false
	}
	from := r.lineStart(d.Line)
	text := r.code[from:min(from+200, r.lineStart(d.EndLine+1))]
	head, _, ok := bytes.Cut(text, []byte("="))
	if !ok || bytes.IndexByte(head, '{') >= 0 || !bytes.Contains(head, []byte("type")) && !bytes.Contains(head, []byte("using ")) {
		return typed{}, false
	}
	return r.readType(from + len(head) + 1), true
}

// pathSep reports whether a path separator, :: or \, precedes the name at an offset.
func (r *Reader) pathSep(at int) bool {
	i := r.skipBack(at)
	return i > 1 && (string(r.code[i-2:i]) == "::" || r.family == symbols.PHP && r.code[i-1] == '\\')
}

func isSelf(s string) bool {
	switch s {
	case "self", "this", "cls", "Self", "$this", "static":
		return true
	}
	return false
}

func allNames(quals []string) bool {
	return !slices.ContainsFunc(quals, isSelf)
}

// globals lists objects that every JavaScript runtime has.
var globals = map[string]bool{
	"JSON": true, "Math": true, "Object": true, "Promise": true, "Array": true, "Reflect": true, "console": true, "crypto": true, "Number": true,
	"String": true, "Symbol": true, "Date": true, "URL": true, "Buffer": true, "Atomics": true, "Intl": true, "document": true, "performance": true,
	"process": true, "navigator": true, "location": true, "localStorage": true, "history": true, "Function": true, "RegExp": true, "Map": true, "Set": true,
}
