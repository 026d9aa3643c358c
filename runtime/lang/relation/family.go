package relation

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// family returns one language to represent all those that can call and be called by l.
func family(l symbols.Lang) symbols.Lang {
	switch l {
	case symbols.TypeScript, symbols.TSX, symbols.Component:
		return symbols.JavaScript
	case symbols.CPP:
		return symbols.C
	case symbols.Kotlin, symbols.Scala:
		return symbols.Java
	}
	return l
}

// SameFamily reports whether code of one language may call code of the other by name.
func SameFamily(a, b symbols.Lang) bool { return a != "" && family(a) == family(b) }

// impliesThis reports whether a method is called by its bare name inside its own class.
func impliesThis(l symbols.Lang) bool {
	switch l {
	case symbols.Java, symbols.Kotlin, symbols.Scala, symbols.CSharp, symbols.CPP, symbols.C, symbols.Swift, symbols.Ruby,
		symbols.Dart, symbols.Elixir, symbols.Perl, symbols.Zig:
		return true
	}
	return false
}

// callsBare reports whether a call needs no parentheses.
func callsBare(l symbols.Lang) bool {
	switch l {
	case symbols.Ruby, symbols.Scala, symbols.Elixir, symbols.Perl, symbols.Haskell:
		return true
	}
	return false
}

// hasOverloads reports whether several functions of one type may have the same name.
func hasOverloads(l symbols.Lang) bool {
	return family(l) == symbols.Java || family(l) == symbols.C || l == symbols.CSharp || l == symbols.Swift
}

// quotesNames reports whether a name in backticks may contain any characters.
func quotesNames(l symbols.Lang) bool {
	return l == symbols.Kotlin || l == symbols.Scala || l == symbols.Swift
}

// nestsTypes reports whether a nested type is named after its enclosing type: Outer.Inner.
func nestsTypes(l symbols.Lang) bool { return l == symbols.CSharp || family(l) == symbols.Java }

// hasNamespaces reports whether the qualifier of a function may be its namespace.
func hasNamespaces(l symbols.Lang) bool {
	return family(l) == symbols.C || l == symbols.PHP || l == symbols.HCL
}

// hasTypesFirst reports whether a declaration names the type before the variable.
func hasTypesFirst(l symbols.Lang) bool {
	switch l {
	case symbols.Java, symbols.CSharp, symbols.C, symbols.CPP, symbols.Dart:
		return true
	}
	return false
}

// isInferred reports whether a word takes the place of the type of a variable.
func isInferred(word string) bool {
	switch word {
	case "var", "auto", "final", "late":
		return true
	}
	return false
}

// isTypeName reports whether the qualifier of a name is a type, or a module that contains members like one.
func isTypeName(l symbols.Lang, quals []string) bool {
	end := quals[len(quals)-1]
	switch family(l) {
	case symbols.HCL:
		return true
	case symbols.Ruby, symbols.Perl:
		return isCapitalized(end)
	case symbols.Python:
		return isCapitalized(end) && len(quals) == 1
	case symbols.Java, symbols.CSharp, symbols.Swift, symbols.Dart, symbols.Elixir:
		return isCapitalized(end) && allNames(quals)
	}
	return false
}

// hasModulesLikeTypes reports whether a module calls its own functions by their bare name, as a class its methods.
func hasModulesLikeTypes(l symbols.Lang) bool { return l == symbols.Perl || l == symbols.Elixir }

// handsOnMethods reports whether a method is passed on by its bare name.
func handsOnMethods(l symbols.Lang) bool {
	switch l {
	case symbols.CSharp, symbols.Swift, symbols.Kotlin, symbols.Dart, symbols.Elixir, symbols.Perl, symbols.Zig:
		return true
	}
	return false
}

// isAlias reports whether a definition only names something of another file: local add = cart.add.
func (d *Def) isAlias() bool {
	return (d.Kind == symbols.KindVariable || d.Kind == symbols.KindConstant) && (d.Lang == symbols.Lua || d.Lang == symbols.Zig) &&
		strings.HasSuffix(d.Signature, "."+d.Name)
}

// hasLooseModules reports whether functions of a file are called with a qualifier that the caller chooses.
func hasLooseModules(l symbols.Lang) bool {
	switch l {
	case symbols.Lua, symbols.Zig, symbols.R, symbols.Perl, symbols.Elixir, symbols.Haskell, symbols.SQL:
		return true
	}
	return false
}

// hasArrows reports whether -> separates a member from its value in a language; elsewhere it precedes a result type.
func hasArrows(l symbols.Lang) bool {
	return family(l) == symbols.C || l == symbols.PHP || l == symbols.Perl
}

// satisfiesSilently reports whether a type may satisfy an interface without naming it in its declaration.
func satisfiesSilently(l symbols.Lang) bool {
	return l == symbols.Go || l == symbols.Python || family(l) == symbols.JavaScript
}

// isCallable reports whether definitions of the kind have a body that is called.
func isCallable(k symbols.Kind) bool {
	return k.IsCallable() && k != symbols.KindPrototype
}

// isMember reports whether a definition is reached through a value or a type.
func (d *Def) isMember() bool {
	if d.Container == "" {
		return false
	}
	if d.Lang == symbols.Kotlin && d.Kind == symbols.KindFunction {
		return true // an extension
	}
	return d.Kind == symbols.KindMethod || d.Kind == symbols.KindField || d.Kind == symbols.KindMember
}

// isLocal reports whether a definition is local to a function.
func (d *Def) isLocal() bool {
	if d.Container == "" || d.Kind != symbols.KindFunction && d.Kind != symbols.KindConstant && d.Kind != symbols.KindVariable {
		return false
	}
	switch family(d.Lang) {
	case symbols.Python, symbols.JavaScript, symbols.Go:
		return true
	}
	return false
}

// isConstructor reports whether a definition is a constructor of the type of the same name.
func (d *Def) isConstructor() bool {
	return isCallable(d.Kind) && d.Container != "" && d.owner() == d.Name
}

// owner returns the last name of the type that a definition belongs to.
func (d *Def) owner() string {
	if d.own == "" && d.Container != "" {
		d.own = lastIdent(d.Container)
	}
	return d.own
}

// lastIdent returns the last identifier of a qualified name, without its type parameters.
func lastIdent(s string) string {
	if i := strings.IndexAny(s, "<["); i > 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, " *&?!()")
	if i := strings.LastIndexAny(s, `.:\/#> *&`); i >= 0 {
		s = s[i+1:]
	}
	return s
}

func wordByte(c byte) bool { return idents.WordByte(c) }

func isCapitalized(s string) bool { return s != "" && s[0] >= 'A' && s[0] <= 'Z' }

// isScriptType reports whether a bare name that is not called is a built-in type of TypeScript.
func isScriptType(m *Usage, name string) bool {
	if m.Lang != symbols.TypeScript || m.Base != Bare || m.Form == Call || m.From.Spec != "" {
		return false
	}
	switch name {
	case "string", "number", "boolean", "bigint", "symbol", "object", "any", "unknown", "never", "void", "undefined", "null":
		return true
	}
	return false
}
