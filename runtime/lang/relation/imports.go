package relation

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// maxImport limits one import statement, in bytes.
const maxImport = 4000

// readImports reads the imports of the file, once.
func (r *Reader) readImports() {
	if r.read {
		return
	}
	r.read, r.imports = true, map[string]Import{}
	words := importWords(r.src.Lang)
	lang := family(r.src.Lang)
	exports := false
	end := 0
	for line := range bytes.Lines(r.code) { // cell lines, too, if a line of the file holds several
		end += len(line)
		line = bytes.TrimLeft(line, " \t")
		start := end - len(line)
		if lang == symbols.JavaScript {
			exports = exports || bytes.HasPrefix(line, []byte("export ")) || bytes.HasPrefix(line, []byte("module.")) || bytes.HasPrefix(line, []byte("exports."))
			if i := bytes.Index(line, []byte("require")); i > 0 {
				r.readRequire(start, start+i)
				exports = true
			}
		}
		for _, w := range words {
			if bytes.HasPrefix(line, []byte(w)) {
				exports = true
				r.readImport(lang, start)
				break
			}
		}
	}
	r.script = lang == symbols.JavaScript && !exports
}

// Alias is another name that an import or export of a file gives to something.
type Alias struct {
	Name, Path string
	Line       int // of the first occurrence of the name
	From       Import
}

// Aliases returns the other names that the file's imports and exports give to name, in alphabetical order.
func (r *Reader) Aliases(name string) (out []Alias) {
	r.readImports()
	for alias, imp := range r.imports {
		if imp.Member != name || alias == name || alias == "" || alias == "_" {
			continue
		}
		if at := indexWord(r.code, alias); at >= 0 {
			out = append(out, Alias{alias, r.src.Path, r.lineOf(at), imp})
		}
	}
	slices.SortFunc(out, func(a, b Alias) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// LookAliases looks up the uses of the given aliases, at most that many, sorted by line.
func (r *Reader) LookAliases(aliases []Alias, most int) (out []Usage) {
	for _, a := range aliases {
		for from := 0; len(out) < most; {
			at := indexWord(r.code[from:], a.Name)
			if at < 0 {
				break
			}
			at += from
			from = at + len(a.Name)
			if m, ok := r.Resolve(a.Name, r.lineOf(at), at); ok {
				out = append(out, m)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Usage) int { return a.Line - b.Line })
	return out
}

// readImport reads the import statement that starts at an offset.
func (r *Reader) readImport(lang symbols.Lang, at int) {
	until := min(at+maxImport, len(r.code))
	code, raw := r.code[at:until], r.src.Data[at:until]
	switch lang {
	case symbols.Go:
		r.readGo(code, raw)
	case symbols.Python:
		r.readPython(string(cutStatement(code, '\n')))
	case symbols.JavaScript:
		r.readScript(code, raw)
	case symbols.Rust:
		s := string(cutStatement(code, ';'))
		if _, path, ok := strings.Cut(s, "use "); ok {
			r.readRust(nil, strings.Join(strings.Fields(strings.ReplaceAll(path, " as ", "@")), ""), 0)
		}
	case symbols.PHP:
		s := strings.TrimPrefix(string(cutStatement(code, ';')), "use ")
		s = strings.TrimPrefix(strings.TrimPrefix(s, "function "), "const ")
		for _, part := range strings.Split(s, ",") {
			r.addQualified(part, `\`, " as ")
		}
	case symbols.Dart:
		if m := dartImport.FindSubmatch(raw); m != nil {
			r.imports[string(m[2])] = Import{Spec: string(m[1])}
		}
	case symbols.Perl:
		r.readPerlImport(raw)
	case symbols.Elixir:
		r.readElixirImport(string(cutStatement(code, '\n')))
	case symbols.Java, symbols.CSharp, symbols.Swift:
		s, _, _ := strings.Cut(string(cutStatement(code, '\n')), ";")
		if strings.HasPrefix(s, "package ") {
			return
		}
		for _, w := range []string{"import ", "using ", "static ", "@testable import "} {
			s = strings.TrimPrefix(s, w)
		}
		head, names, braces := strings.Cut(s, "{")
		if !braces {
			if base := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(s), "*"), "_"); strings.HasSuffix(base, ".") {
				r.stars = append(r.stars, strings.TrimSuffix(base, "."))
			} else if lang == symbols.CSharp || lang == symbols.Swift {
				r.stars = append(r.stars, strings.TrimSpace(s))
			} else {
				r.addQualified(s, ".", " as ")
			}
			return
		}
		for _, part := range strings.Split(strings.TrimRight(names, "} "), ",") {
			r.addQualified(head+strings.ReplaceAll(strings.TrimSpace(part), "=>", " as "), ".", " as ")
		}
	}
}

// cutStatement returns the code up to the first end byte that is outside of brackets and not escaped.
func cutStatement(code []byte, end byte) []byte {
	depth := 0
	for i, c := range code {
		switch c {
		case '(', '{':
			depth++
		case ')', '}':
			depth--
		case end:
			if depth <= 0 && (i == 0 || code[i-1] != '\\') {
				return code[:i]
			}
		}
	}
	return code
}

// addQualified adds the import a.b.C as D.
func (r *Reader) addQualified(s, sep, as string) {
	full, alias, _ := strings.Cut(strings.TrimSpace(s), as)
	full = strings.Trim(strings.TrimSpace(full), `\`)
	spec, member := "", full
	if i := strings.LastIndex(full, sep); i >= 0 {
		spec, member = full[:i], full[i+len(sep):]
	}
	if alias = strings.TrimSpace(alias); alias == "" {
		alias = member
	}
	r.imports[alias] = Import{Spec: spec, Member: member}
}

var goImport = regexp.MustCompile(`(?m)^\s*(?:import\s+)?([\w.]+\s+)?"([^"\n]+)"`)

func (r *Reader) readGo(code, raw []byte) {
	end := bytes.IndexByte(code, '\n')
	if i := bytes.IndexByte(code[:max(end, 0)], '('); i >= 0 {
		if end = bytes.IndexByte(code, ')'); end < 0 {
			end = len(code)
		}
		raw = bytes.Replace(raw[:end], []byte("import"), nil, 1)
		raw = bytes.Replace(raw, []byte("("), []byte("\n"), 1)
	} else if end >= 0 {
		raw = raw[:end]
	}
	for _, m := range goImport.FindAllSubmatch(raw, -1) {
		alias, spec := strings.TrimSpace(string(m[1])), string(m[2])
		switch alias {
		case "_":
		case ".":
			r.stars = append(r.stars, spec)
		case "":
			r.imports[goName(spec)] = Import{Spec: spec}
		default:
			r.imports[alias] = Import{Spec: spec}
		}
	}
}

// goName returns the most likely package name for a Go import path.
func goName(spec string) string {
	parts := strings.Split(strings.TrimRight(spec, "/"), "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = parts[len(parts)-2]
	}
	if i := strings.LastIndex(name, ".v"); i > 0 {
		name = name[:i]
	}
	return strings.TrimSuffix(strings.TrimPrefix(name, "go-"), "-go")
}

func (r *Reader) readPython(s string) {
	s = strings.NewReplacer("\\\n", " ", "(", " ", ")", " ", "\n", " ", "\r", " ").Replace(s)
	if rest, ok := strings.CutPrefix(s, "import "); ok {
		for _, part := range strings.Split(rest, ",") {
			spec, alias, _ := strings.Cut(strings.TrimSpace(part), " as ")
			if alias = strings.TrimSpace(alias); alias == "" {
				alias, _, _ = strings.Cut(spec, ".")
				spec = alias
			}
			r.imports[alias] = Import{Spec: strings.TrimSpace(spec)}
		}
		return
	}
	spec, names, ok := strings.Cut(strings.TrimPrefix(s, "from "), " import ")
	if !ok {
		return
	}
	spec = strings.TrimSpace(spec)
	for _, part := range strings.Split(names, ",") {
		member, alias, _ := strings.Cut(strings.TrimSpace(part), " as ")
		member, alias = strings.TrimSpace(member), strings.TrimSpace(alias)
		switch {
		case member == "*":
			r.stars = append(r.stars, spec)
		case alias != "":
			r.imports[alias] = Import{Spec: spec, Member: member}
		case member != "":
			r.imports[member] = Import{Spec: spec, Member: member}
		}
	}
}

var (
	scriptFrom    = regexp.MustCompile(`^(?:import|export)\s+(?:type\s+)?([^'";]*?)\s*\bfrom\s*['"]([^'"\n]+)['"]`)
	scriptRequire = regexp.MustCompile(`^require\(\s*['"]([^'"\n]+)['"]\s*\)(?:\.([\w$]+))?`)
)

func (r *Reader) readScript(_, raw []byte) {
	m := scriptFrom.FindSubmatch(raw)
	if m == nil {
		return
	}
	r.addScript(string(m[1]), string(m[2]), "")
}

// addScript adds the names of `a, { b as c }` or `* as d`.
func (r *Reader) addScript(names, spec, member string) {
	head, list, _ := strings.Cut(names, "{")
	for _, h := range strings.Split(head, ",") {
		h = strings.TrimSpace(h)
		switch ns, ok := strings.CutPrefix(h, "* as "); {
		case ok:
			r.imports[strings.TrimSpace(ns)] = Import{Spec: spec}
		case h != "":
			r.imports[h] = Import{Spec: spec, Member: member}
		}
	}
	list, _, _ = strings.Cut(list, "}")
	for _, part := range strings.Split(list, ",") {
		part = strings.TrimPrefix(strings.TrimSpace(part), "type ")
		from, to, ok := strings.Cut(part, " as ")
		if !ok {
			from, to, ok = strings.Cut(part, ":")
		}
		if from = strings.TrimSpace(from); !ok {
			to = from
		}
		if to = strings.TrimSpace(to); to != "" {
			r.imports[to] = Import{Spec: spec, Member: from}
		}
	}
}

var (
	dartImport   = regexp.MustCompile(`^(?:import|export)\s+['"]([^'"\n]+)['"](?:\s+deferred)?\s+as\s+(\w+)`)
	perlImport   = regexp.MustCompile(`^use\s+([A-Za-z_][\w:]*)([^;]*)`)
	elixirImport = regexp.MustCompile(`^alias\s+([A-Z][\w.]*),\s*as:\s*([A-Z]\w*)`)
)

// maxPerlImport limits the text of a use statement with its list of names, in bytes.
const maxPerlImport = 600

// readPerlImport reads "use Module qw(a b);", which without names imports all that the module exports.
func (r *Reader) readPerlImport(raw []byte) {
	m := perlImport.FindSubmatch(raw[:min(len(raw), maxPerlImport)])
	if m == nil || m[1][0] >= 'a' && m[1][0] <= 'z' { // a pragma
		return
	}
	spec := string(m[1])
	names := strings.FieldsFunc(string(m[2]), func(c rune) bool { return c < 0x80 && !wordByte(byte(c)) })
	for _, name := range names {
		if name != "qw" {
			r.imports[name] = Import{Spec: spec, Member: name}
		}
	}
	if len(names) == 0 {
		r.stars = append(r.stars, spec)
	}
}

// readElixirImport reads "import A.B", and "alias A.B, as: C"; an alias without its own name keeps the last part.
func (r *Reader) readElixirImport(s string) {
	if module, ok := strings.CutPrefix(s, "import "); ok {
		module, _, _ = strings.Cut(module, ",")
		r.stars = append(r.stars, strings.TrimSpace(module))
	}
	if m := elixirImport.FindStringSubmatch(s); m != nil {
		r.addQualified(m[1]+" as "+m[2], ".", " as ")
	}
}

// readRequire reads `const names = require('spec')` with require at an offset.
func (r *Reader) readRequire(_, at int) {
	m := scriptRequire.FindSubmatch(r.src.Data[at:min(at+500, len(r.src.Data))])
	if m == nil || len(r.code) <= at || r.code[at] != 'r' {
		return
	}
	i := r.skipBack(at)
	if i == 0 || r.code[i-1] != '=' {
		return
	}
	i = r.skipBack(i - 1)
	from := i
	if i > 0 && r.code[i-1] == '}' {
		from = bytes.LastIndexByte(r.code[max(0, i-maxImport):i], '{')
		if from < 0 {
			return
		}
		from += max(0, i-maxImport)
	} else {
		for from > 0 && wordByte(r.code[from-1]) {
			from--
		}
	}
	r.addScript(string(r.code[from:i]), string(m[1]), string(m[2]))
}

// readRust reads a::b::{c, d@e, f::*}.
func (r *Reader) readRust(before []string, s string, depth int) {
	if depth > 8 {
		return
	}
	open := strings.IndexByte(s, '{')
	if open < 0 {
		parts := append(append([]string{}, before...), strings.Split(s, "::")...)
		name := parts[len(parts)-1]
		spec := strings.Join(parts[:len(parts)-1], "::")
		name, alias, ok := strings.Cut(name, "@")
		switch {
		case name == "*":
			r.stars = append(r.stars, spec)
			return
		case name == "self" && len(parts) > 1:
			name = parts[len(parts)-2]
			spec = strings.Join(parts[:len(parts)-2], "::")
		}
		if !ok {
			alias = name
		}
		r.imports[alias] = Import{Spec: spec, Member: name}
		return
	}
	head := strings.TrimSuffix(s[:open], "::")
	parts := before
	if head != "" {
		parts = append(append([]string{}, before...), strings.Split(head, "::")...)
	}
	level, from := 0, open+1
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '{':
			level++
		case '}':
			if level--; level == 0 {
				if i > from {
					r.readRust(parts, s[from:i], depth+1)
				}
				return
			}
		case ',':
			if level == 1 {
				if i > from {
					r.readRust(parts, s[from:i], depth+1)
				}
				from = i + 1
			}
		}
	}
}
