package relation

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// maxImport limits one import statement, in bytes.
const maxImport = 4000

// readImports reads the imports of the file, once.
func (r *Reader) readImports() {
	if r.read {
		return
	}
	r.read, r.imports = true, map[string]Import{}
	isScript := r.profile.scope == fromScripts
	exports := false
	end := 0
	for line := range bytes.Lines(r.code) { // cell lines, too, if a line of the file holds several
		end += len(line)
		line = bytes.TrimLeft(line, " \t")
		start := end - len(line)
		if isScript {
			exports = exports || bytes.HasPrefix(line, []byte("export ")) || bytes.HasPrefix(line, []byte("module.")) || bytes.HasPrefix(line, []byte("exports."))
			if i := bytes.Index(line, []byte("require")); i > 0 {
				importReader{r}.readRequire(start + i)
				exports = true
			}
		}
		if r.beginsImport(line) {
			exports = true
			r.readImport(start)
		}
	}
	r.script = isScript && !exports
}

// importReader reads the imports of each language.
type importReader struct{ *Reader }

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
func (r *Reader) readImport(at int) {
	if r.profile.readImport != nil {
		until := min(at+maxImport, len(r.code))
		r.profile.readImport(importReader{r}, r.code[at:until], r.src.Data[at:until])
	}
}

// beginsImport reports whether a line begins with an import word.
func (r *Reader) beginsImport(line []byte) bool {
	return slices.ContainsFunc(r.profile.importWords, func(w string) bool { return bytes.HasPrefix(line, []byte(w)) })
}

// readPHP reads "use A\B as C, D;" and "use function A\b;".
func (r importReader) readPHP(code, _ []byte) {
	s := strings.TrimPrefix(string(cutStatement(code, ';')), "use ")
	s = strings.TrimPrefix(strings.TrimPrefix(s, "function "), "const ")
	for _, part := range strings.Split(s, ",") {
		r.addQualified(part, `\`, " as ")
	}
}

// readDart reads "import 'uri' as name;".
func (r importReader) readDart(_, raw []byte) {
	if m := dartImport.FindSubmatch(raw); m != nil {
		r.imports[string(m[2])] = Import{Spec: string(m[1])}
	}
}

// readNamespace reads "using A.B;" or "import A", which imports all names.
func (r importReader) readNamespace(code, _ []byte) {
	if s := importedNames(code); !r.readNames(s) {
		r.stars = append(r.stars, s)
	}
}

// readQualified reads "import a.B", which imports one name.
func (r importReader) readQualified(code, _ []byte) {
	if bytes.HasPrefix(code, []byte("package ")) {
		return
	}
	if s := importedNames(code); !r.readNames(s) {
		r.addQualified(s, ".", " as ")
	}
}

// importedNames returns what follows the words of an import on its line.
func importedNames(code []byte) string {
	s, _, _ := strings.Cut(string(cutStatement(code, '\n')), ";")
	for _, w := range []string{"import ", "using ", "static ", "@testable import "} {
		s = strings.TrimPrefix(s, w)
	}
	return strings.TrimSpace(s)
}

// readNames reads a.{B, C => D}, a.* or a._; it returns false for others.
func (r importReader) readNames(s string) bool {
	if head, names, ok := strings.Cut(s, "{"); ok {
		for _, part := range strings.Split(strings.TrimRight(names, "} "), ",") {
			r.addQualified(head+strings.ReplaceAll(strings.TrimSpace(part), "=>", " as "), ".", " as ")
		}
		return true
	}
	module, ok := strings.CutSuffix(strings.TrimSuffix(strings.TrimSuffix(s, "*"), "_"), ".")
	if ok {
		r.stars = append(r.stars, module)
	}
	return ok
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
func (r importReader) addQualified(s, sep, as string) {
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

func (r importReader) readGo(code, raw []byte) {
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

func (r importReader) readPython(code, _ []byte) {
	s := string(cutStatement(code, '\n'))
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

func (r importReader) readScript(_, raw []byte) {
	m := scriptFrom.FindSubmatch(raw)
	if m == nil {
		return
	}
	r.addScript(string(m[1]), string(m[2]), "")
}

// addScript adds the names of `a, { b as c }` or `* as d`.
func (r importReader) addScript(names, spec, member string) {
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

// readPerl reads "use Module qw(a b);", which without names imports all that the module exports.
func (r importReader) readPerl(_, raw []byte) {
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

// readElixir reads "import A.B", and "alias A.B, as: C"; an alias without its own name keeps the last part.
func (r importReader) readElixir(code, _ []byte) {
	s := string(cutStatement(code, '\n'))
	if module, ok := strings.CutPrefix(s, "import "); ok {
		module, _, _ = strings.Cut(module, ",")
		r.stars = append(r.stars, strings.TrimSpace(module))
	}
	if m := elixirImport.FindStringSubmatch(s); m != nil {
		r.addQualified(m[1]+" as "+m[2], ".", " as ")
	}
}

// readRequire reads `const names = require('spec')` with require at an offset.
func (r importReader) readRequire(at int) {
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

// readRust reads "use a::b::{c, d as e, f::*};".
func (r importReader) readRust(code, _ []byte) {
	if _, path, ok := strings.Cut(string(cutStatement(code, ';')), "use "); ok {
		r.readRustPath(nil, strings.Join(strings.Fields(strings.ReplaceAll(path, " as ", "@")), ""), 0)
	}
}

// readRustPath reads a::b::{c, d@e, f::*}.
func (r importReader) readRustPath(before []string, s string, depth int) {
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
					r.readRustPath(parts, s[from:i], depth+1)
				}
				return
			}
		case ',':
			if level == 1 {
				if i > from {
					r.readRustPath(parts, s[from:i], depth+1)
				}
				from = i + 1
			}
		}
	}
}
