package relation

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// isInferred reports whether a word takes the place of the type of a variable.
func isInferred(word string) bool {
	switch word {
	case "var", "auto", "final", "late":
		return true
	}
	return false
}

// isAlias reports whether a definition only names something of another file: local add = cart.add.
func (d *Def) isAlias() bool {
	return (d.Kind == symbols.KindVariable || d.Kind == symbols.KindConstant) && profileOf(d.Lang).aliasVariables &&
		strings.HasSuffix(d.Signature, "."+d.Name)
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
	return profileOf(d.Lang).localFunctions
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
