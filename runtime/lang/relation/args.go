package relation

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// maxArgs limits how much of the arguments of a call is read, in bytes.
const maxArgs = 1 << 10

// splitArgs splits the argument list that opens at an offset, after optional blanks, at its top-level commas, and
// returns where it ended; ok is false if no list opens there or it does not close within maxArgs. Quiet bytes, such as
// those of a string, are always part of an argument. With types set, < and > are brackets, too.
func splitArgs(code []byte, at int, types bool, quiet func(int) bool) (args []string, end int, ok bool) {
	for at < len(code) && (code[at] == ' ' || code[at] == '\t') {
		at++
	}
	if at >= len(code) || code[at] != '(' {
		return nil, at, false
	}
	depth, from, most := 0, at+1, min(len(code), at+maxArgs)
	for i := at; i < most; i++ {
		c := code[i]
		if quiet(i) {
			continue
		}
		if types && (c == '<' || c == '>' && strings.IndexByte("-=", code[i-1]) < 0) {
			depth += int('=') - int(c) // < opens, > closes
			continue
		}
		switch c {
		case '\'':
			i += charLength(code[i:])
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth > 0 {
				continue
			}
			if last := string(bytes.TrimSpace(code[from:i])); strings.TrimSpace(comments.ReplaceAllString(last, "")) != "" {
				args = append(args, last)
			}
			return args, i + 1, true
		case ',':
			if depth == 1 {
				args, from = append(args, string(bytes.TrimSpace(code[from:i]))), i+1
			}
		}
	}
	return nil, most, false
}

// charLength returns how many bytes a character literal goes on after its opening quote, 0 if code begins with none.
func charLength(code []byte) int {
	_, size := utf8.DecodeRune(code[1:])
	if byteAt(code, 1) == '\\' {
		size = 2
	}
	if byteAt(code, 1+size) == '\'' {
		return 1 + size
	}
	return 0
}

var comments = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// readArgs fills in the arguments of the call of a name that ends at an offset.
func readArgs(r *Reader, m *Usage, end int) {
	m.Args = -1
	if m.Form != Call || r.steps <= 0 {
		return
	}
	args, last, ok := splitArgs(r.src.Data, end, false, r.src.IsQuiet)
	r.steps -= last - end
	if !ok {
		return
	}
	if slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "<") }) {
		return // commas may separate type arguments
	}
	m.Args = len(args)
	next := byteAt(r.code, r.skipOn(last))
	m.Trailing = next == '{'
	switch {
	case r.src.Lang == symbols.Swift:
		m.Labels = labelsOf(args)
	case r.src.Lang == symbols.Kotlin && m.Trailing:
		m.Args++
	case r.src.Lang == symbols.Scala && (m.Trailing || next == '('):
		m.Args = -1 // a second argument list follows
	}
}

var label = regexp.MustCompile(`^([\pL_][\pL\pN_]*)(?:\s+[\pL_][\pL\pN_]*)?\s*:`)

// labelsOf returns the Swift labels of arguments or parameters, _ for none.
func labelsOf(list []string) []string {
	out := make([]string, len(list))
	for i, arg := range list {
		out[i] = "_"
		if m := label.FindStringSubmatch(arg); m != nil {
			out[i] = m[1]
		}
	}
	return out
}

// paramsOf returns the parameters of a definition as written.
func paramsOf(d *symbols.Def) ([]string, bool) {
	_, list, ok := strings.Cut(d.Signature, d.Name)
	if !ok {
		return nil, false
	}
	params, _, ok := splitArgs([]byte(list), 0, true, func(int) bool { return false })
	return params, ok
}

// isOptional reports whether a call may omit a parameter, pass it elsewhere or pass it several times.
func isOptional(param string) bool {
	return strings.Contains(param, "=") || strings.Contains(param, "?:") || strings.Contains(param, "...") || strings.HasPrefix(param, "vararg ") || strings.HasPrefix(param, "params ") ||
		strings.HasPrefix(param, "this ") || strings.HasPrefix(param, "implicit ") || strings.HasPrefix(param, "using ")
}

// CallsOther reports whether the arguments of a call do not fit the parameters of a definition, as far as both are
// written, which means that the call is to another overload.
func (m *Usage) CallsOther(d *Def) bool {
	if m.Form != Call || m.Args < 0 {
		return false
	}
	params, ok := paramsOf(&d.Def)
	if !ok {
		return false
	}
	if d.Lang == symbols.Swift {
		required := slices.DeleteFunc(slices.Clone(params), isOptional)
		return !isSubsequence(m.Labels, labelsOf(params)) || !m.Trailing && !isSubsequence(labelsOf(required), m.Labels)
	}
	if slices.ContainsFunc(params, isOptional) {
		return false
	}
	if len(params) == 1 && params[0] == "void" {
		params = nil
	}
	if family(d.Lang) == symbols.C { // defaults are in the prototype
		return m.Args > len(params)
	}
	return len(params) != m.Args
}

// isSubsequence reports whether whole contains the items of part in their order: a call may omit defaults and trailing
// closures.
func isSubsequence(part, whole []string) bool {
	for _, p := range part {
		i := slices.Index(whole, p)
		if i < 0 {
			return false
		}
		whole = whole[i+1:]
	}
	return true
}

// fitsAnother reports whether an overload of a definition accepts the arguments of a call that the latter does not.
func (w *NameIndex) fitsAnother(m *Usage, d *Def) bool {
	if !profileOf(m.Lang).hasOverloads || !isCallable(d.Kind) {
		return false
	}
	for _, i := range w.byOwner[d.owner()] {
		if o := &w.Defs[i]; o.Path == d.Path && o.Line != d.Line && isCallable(o.Kind) && !m.CallsOther(o) {
			return true
		}
	}
	return false
}

// fitsBoth reports whether an overload that is not meant may accept the same arguments as a definition.
func (w *NameIndex) fitsBoth(m *Usage, d *Def) bool {
	if !profileOf(m.Lang).hasOverloads || m.Form != Call || w.Meant == nil || !isCallable(d.Kind) {
		return false
	}
	for _, i := range w.byOwner[d.owner()] {
		if o := &w.Defs[i]; !w.Meant[i] && o.Path == d.Path && o.Line != d.Line && isCallable(o.Kind) && !m.CallsOther(o) {
			return true
		}
	}
	return false
}

// Takes reports whether a definition has the parameters that a query names: their labels, as in charge(card:), their
// types or their names.
func (d *Def) Takes(asked string) bool {
	params, ok := paramsOf(&d.Def)
	if !ok {
		return false
	}
	if strings.HasSuffix(asked, ":") {
		required := slices.DeleteFunc(slices.Clone(params), isOptional)
		labels := strings.Split(strings.ReplaceAll(strings.TrimSuffix(asked, ":"), " ", ""), ":")
		return isSubsequence(labels, labelsOf(params)) && isSubsequence(labelsOf(required), labels)
	}
	list := strings.Split(asked, ",")
	if len(list) != len(params) {
		return false
	}
	for i, word := range list {
		if indexWord([]byte(params[i]), strings.TrimSpace(word)) < 0 {
			return false
		}
	}
	return true
}
