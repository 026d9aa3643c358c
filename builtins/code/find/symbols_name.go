package find

import (
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// SymbolName is a requested name: Close, or Pool.Close.
type SymbolName struct {
	Base      string
	Container string
	fold      bool // ignore case
}

// ParseSymbolName splits a name at the last separator of any language. Parentheses after a function's
// name are dropped.
func ParseSymbolName(s string) SymbolName {
	s = strings.TrimSuffix(strings.TrimSpace(s), "()")
	cut, width := -1, 0
	for _, sep := range []string{".", "::", "#", "->", `\`} {
		if i := strings.LastIndex(s, sep); i > cut && i > 0 && i+len(sep) < len(s) && !strings.Contains(s, " ") {
			cut, width = i, len(sep)
		}
	}
	if cut < 0 {
		return SymbolName{Base: s}
	}
	return SymbolName{Base: s[cut+width:], Container: s[:cut]}
}

// matches reports whether a definition has the name. A container is matched by its last part: Pool
// matches engine.Pool. A definition without a container matches too, as the qualifier may be a
// package; see keepNearest.
func (n SymbolName) matches(d symbols.Def) bool {
	switch {
	case n.Base == "":
		return true
	case !n.equal(n.Base, d.Name):
		return false
	case n.Container == "" || d.Container == "":
		return true
	}
	return n.equal(source.LastIdentifier(n.Container), source.LastIdentifier(d.Container))
}

func (n SymbolName) equal(a, b string) bool {
	return a == b || n.fold && strings.EqualFold(a, b)
}

// keepNearest keeps the definitions that match a qualified name best: those in a container of that
// name; else those in a directory or file of that name, as in io.ReadAll; else all.
func (n SymbolName) keepNearest(found []symbolFile) []symbolFile {
	if n.Container == "" {
		return found
	}
	owner := source.LastIdentifier(n.Container)
	for _, fits := range []func(rel string, d symbols.Def) bool{
		func(_ string, d symbols.Def) bool { return d.Container != "" },
		func(rel string, _ symbols.Def) bool { return n.equal(owner, path.Base(path.Dir(rel))) },
		func(rel string, _ symbols.Def) bool {
			return n.equal(owner, strings.TrimSuffix(path.Base(rel), path.Ext(rel)))
		},
	} {
		var kept []symbolFile
		for _, f := range found {
			f.defs = slices.DeleteFunc(slices.Clone(f.defs), func(d symbols.Def) bool { return !fits(f.rel, d) })
			if len(f.defs) > 0 {
				kept = append(kept, f)
			}
		}
		if len(kept) > 0 {
			return kept
		}
	}
	return found
}
