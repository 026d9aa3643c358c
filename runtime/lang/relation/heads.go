package relation

import (
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// AddHeads adds what the types of a file are declared to extend.
func (h Heads) AddHeads(lang symbols.Lang, defs []symbols.Def) {
	for i := range defs {
		d := &defs[i]
		if Embeds(lang, d) {
			h[last(d.Container)] = addNew(h[last(d.Container)], d.Name)
		}
		if !isType(d.Kind) && !isMixin(lang, d) {
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

// isContract reports whether a type is one that others implement.
func isContract(lang symbols.Lang, d *symbols.Def, above []string) bool {
	switch d.Kind {
	case symbols.KindInterface, symbols.KindTrait:
		return true
	case symbols.KindType: // of an object, or an alias
		return family(lang) == symbols.JavaScript
	}
	return isMixin(lang, d) || lang == symbols.Python && slices.Contains(above, "Protocol")
}

// isMixin reports a module of Ruby, which classes include.
func isMixin(lang symbols.Lang, d *symbols.Def) bool {
	return lang == symbols.Ruby && d.Kind == symbols.KindModule
}

// IsHead reports a definition that tells what a type extends.
func IsHead(lang symbols.Lang, d *symbols.Def) bool {
	return isType(d.Kind) || isMixin(lang, d) || Embeds(lang, d)
}

// HasHeads reports whether types of a language say what they extend where they are defined.
func HasHeads(lang symbols.Lang) bool {
	switch family(lang) {
	case symbols.Python, symbols.JavaScript, symbols.Java, symbols.PHP, symbols.Ruby:
		return true
	}
	switch lang {
	case symbols.Kotlin, symbols.Scala, symbols.Swift, symbols.CSharp, symbols.Dart, symbols.CPP:
		return true
	}
	return false
}

// Unknown lists the types that a type extends, itself included, of which it is not known what they extend.
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

// IsBuiltin reports a class of Java itself that nothing can extend, and whose name no project gives to another.
func IsBuiltin(lang symbols.Lang, name string) bool {
	if lang != symbols.Java {
		return false
	}
	switch name {
	case "String", "Integer", "Long", "Double", "Float", "Boolean", "StringBuilder", "StringBuffer", "Math", "Class":
		return true
	}
	return false
}

// AddOpen is AddHeads for types that may have more above them than they say: what they extend is known then, and what they
// do not extend is not.
func (h Heads) AddOpen(lang symbols.Lang, defs []symbols.Def) {
	h.AddHeads(lang, defs)
	for i := range defs {
		if isType(defs[i].Kind) {
			h[defs[i].Name] = addNew(h[defs[i].Name], unnamed)
		}
	}
}

// Embeds reports a field of a struct of Go that is a type and nothing more: the struct has its methods, too.
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
	switch family(lang) {
	case symbols.Go, symbols.Rust:
		return []string{unnamed} // types of that name in other packages, and traits
	case symbols.Python:
		if i := strings.Index(rest, "]("); strings.HasPrefix(rest, "[") && i > 0 { // type parameters
			rest = rest[i+1:]
		}
		return names(strings.Trim(rest, "()"))
	case symbols.Ruby:
		return append(names(strings.TrimPrefix(strings.TrimSpace(rest), "<")), unnamed) // include
	case symbols.PHP:
		return append(extends(rest), unnamed) // use
	case symbols.JavaScript:
		return extends(rest)
	}
	switch lang {
	case symbols.Java, symbols.Scala, symbols.Dart:
		return extends(rest)
	case symbols.Swift, symbols.CSharp:
		_, list, _ := strings.Cut(rest, ":")
		return append(names(list), unnamed) // extensions, and partial classes
	}
	if i := strings.LastIndex(rest, ") :"); i >= 0 && lang == symbols.Kotlin {
		rest = rest[i+1:]
	}
	_, list, _ := strings.Cut(rest, ":")
	return names(list)
}

// extends reads "extends A implements B, C with D".
func extends(s string) []string {
	var out []string
	if strings.HasPrefix(s, "<") { // type parameters have their own extends
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
			out = append(out, names(list)...)
		}
	}
	return out
}

// names reads "public A<B>, ns::C(d)"; keyword arguments are none.
func names(list string) []string {
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
		out = addNew(out, last(s))
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
