package relation

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// AddHeads adds the declared supertypes of the types in a file.
func (h Heads) AddHeads(lang symbols.Lang, defs []symbols.Def) {
	for i := range defs {
		d := &defs[i]
		if Embeds(lang, d) {
			h[lastIdent(d.Container)] = addNew(h[lastIdent(d.Container)], d.Name)
		}
		if !d.Kind.IsType() && !isMixin(lang, d) {
			continue
		}
		above := headOf(lang, d)
		for _, a := range above {
			if a != d.Name {
				h[d.Name] = addNew(h[d.Name], a)
			}
		}
		if isContract(lang, d, above) {
			h[d.Name] = addNew(h[d.Name], contract)
		}
		if _, ok := h[d.Name]; !ok {
			h[d.Name] = nil
		}
	}
}

// isContract reports whether other types implement a type.
func isContract(lang symbols.Lang, d *symbols.Def, above []string) bool {
	switch d.Kind {
	case symbols.KindInterface, symbols.KindTrait:
		return true
	case symbols.KindType: // an object type or an alias
		return family(lang) == symbols.JavaScript
	}
	return isMixin(lang, d) || lang == symbols.Python && slices.Contains(above, "Protocol")
}

// isMixin reports whether a definition is a module of Ruby, which classes include.
func isMixin(lang symbols.Lang, d *symbols.Def) bool {
	return lang == symbols.Ruby && d.Kind == symbols.KindModule
}

// IsHead reports whether a definition tells which types another one extends.
func IsHead(lang symbols.Lang, d *symbols.Def) bool {
	return d.Kind.IsType() || isMixin(lang, d) || Embeds(lang, d)
}

// Unknown lists the types among name and its supertypes whose own supertypes are not known.
func (h Heads) Unknown(name string) (out []string) {
	seen := map[string]bool{}
	for todo := []string{name}; len(todo) > 0 && len(seen) < 64; todo = todo[1:] {
		t := todo[0]
		if !IsTypeName(t) || seen[t] {
			continue
		}
		seen[t] = true
		if above, known := h[t]; known {
			todo = append(todo, above...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// AddOpen adds heads as AddHeads does, for types that may have more supertypes than they declare: a declared supertype
// is certain, but the absence of one is not.
func (h Heads) AddOpen(lang symbols.Lang, defs []symbols.Def) {
	h.AddHeads(lang, defs)
	for i := range defs {
		if defs[i].Kind.IsType() {
			h[defs[i].Name] = addNew(h[defs[i].Name], unnamed)
		}
	}
}

// Embeds reports whether d is an embedded type in a Go struct: the struct has its methods, too.
func Embeds(lang symbols.Lang, d *symbols.Def) bool {
	if lang != symbols.Go || d.Kind != symbols.KindField || d.Container == "" {
		return false
	}
	text, _, _ := strings.Cut(d.Signature, "`")
	text, _, _ = strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "*")), "[")
	return text == d.Name || strings.HasSuffix(text, "."+d.Name) && !strings.Contains(text, " ")
}

func headOf(lang symbols.Lang, d *symbols.Def) []string {
	sig := d.Signature
	i := strings.Index(sig, d.Name)
	if i < 0 {
		return nil
	}
	rest := sig[i+len(d.Name):]
	if p := profileOf(lang); p.heads != nil {
		return p.heads(rest)
	}
	return headsAfterColon(rest)
}

// openHeads leaves the supertypes open: of types with the same name in other packages, of traits.
func openHeads(string) []string { return []string{unnamed} }

// addUnnamed returns heads with supertypes that are declared elsewhere: by include, use, an extension or a partial class.
func addUnnamed(heads func(string) []string) func(string) []string {
	return func(rest string) []string { return append(heads(rest), unnamed) }
}

// headsInBrackets returns the types in [T](A, B) or (A, B).
func headsInBrackets(rest string) []string {
	if i := strings.Index(rest, "]("); strings.HasPrefix(rest, "[") && i > 0 { // type parameters
		rest = rest[i+1:]
	}
	return splitTypeNames(strings.Trim(rest, "()"))
}

// headsAfterAngle returns the type in < A.
func headsAfterAngle(rest string) []string {
	return splitTypeNames(strings.TrimPrefix(strings.TrimSpace(rest), "<"))
}

// headsAfterColon returns the types in : A, B.
func headsAfterColon(rest string) []string {
	_, list, _ := strings.Cut(rest, ":")
	return splitTypeNames(list)
}

// headsAfterParameters returns the types in (p: P) : A, B.
func headsAfterParameters(rest string) []string {
	if i := strings.LastIndex(rest, ") :"); i >= 0 {
		rest = rest[i+1:]
	}
	return headsAfterColon(rest)
}

// parseExtends returns the type names in "extends A implements B, C with D".
func parseExtends(s string) []string {
	var out []string
	if strings.HasPrefix(s, "<") { // type parameters have extends clauses of their own
		for i, depth := 0, 0; i < len(s); i++ {
			if s[i] == '<' {
				depth++
			} else if s[i] == '>' {
				if depth--; depth == 0 {
					s = s[i+1:]
					break
				}
			}
		}
	}
	for _, w := range []string{"extends ", "implements ", "with ", "on "} {
		if _, list, ok := strings.Cut(" "+s, " "+w); ok {
			for _, stop := range []string{" extends ", " implements ", " with ", " on ", " permits ", "{"} {
				list, _, _ = strings.Cut(list, stop)
			}
			out = append(out, splitTypeNames(list)...)
		}
	}
	return out
}

// splitTypeNames returns the type names in "public A<B>, ns::C(d)", without keyword arguments.
func splitTypeNames(list string) []string {
	var out []string
	depth, from := 0, 0
	take := func(s string) {
		s = strings.TrimSpace(s)
		if s == "" || strings.Contains(s, "=") {
			return
		}
		if i := strings.IndexAny(s, "<([{"); i >= 0 {
			s = s[:i]
		}
		out = addNew(out, lastIdent(s))
	}
	for i, c := range list {
		switch c {
		case '<', '(', '[':
			depth++
		case '>', ')', ']':
			depth--
		case ',':
			if depth == 0 {
				take(list[from:i])
				from = i + 1
			}
		}
	}
	take(list[from:])
	return out
}
