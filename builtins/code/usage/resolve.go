package usage

import (
	"bytes"
	"path"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/lang/keylines"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// ResolveCall returns the definition that a call in src refers to, determined by package, by
// import, or as the only one. It returns "" if that is not certain.
func ResolveCall(src *source.File, c keylines.Call, all []Definition) string {
	var refs []string
	for _, d := range all {
		if d.Name == c.Name {
			refs = d.Refs
		}
	}
	refs = keepRefs(refs, func(p string) bool { return sameFamily(src.Ref, p) })
	if len(refs) == 0 {
		return ""
	}
	if src.Lang == symbols.Go {
		return inGo(src, c, refs)
	}
	from, imported := importedFrom(src, c)
	if near := keepRefs(refs, func(p string) bool { return from[source.FileStem(p)] || from[strings.ToLower(path.Base(path.Dir(p)))] }); len(near) > 0 || imported {
		return only(near) // an imported name cannot come from the other files
	}
	switch src.Lang {
	case symbols.Python, symbols.JavaScript, symbols.TypeScript, symbols.TSX, symbols.Rust:
		if c.Qualifier == "" {
			return "" // a function that is not imported cannot come from another file
		}
	}
	if !source.IsCompoundName(c.Name) {
		return ""
	}
	return only(refs)
}

func only(refs []string) string {
	if len(refs) == 1 {
		return refs[0]
	}
	return ""
}

func keepRefs(refs []string, keep func(path string) bool) []string {
	var out []string
	for _, r := range refs {
		if keep(contract.ParseReference(r).Path) {
			out = append(out, r)
		}
	}
	return out
}

// inGo resolves by package: a bare name is in the same directory, a qualified one in the package of
// that name or, if no package of that name is imported, a method.
func inGo(src *source.File, c keylines.Call, refs []string) string {
	if c.Qualifier == "" {
		return only(keepRefs(refs, func(p string) bool { return path.Dir(p) == path.Dir(src.Ref) }))
	}
	if near := keepRefs(refs, func(p string) bool { return path.Base(path.Dir(p)) == c.Qualifier }); len(near) > 0 {
		return only(near)
	}
	for _, end := range []string{"/" + c.Qualifier + "\"", "\"" + c.Qualifier + "\"", "\t" + c.Qualifier + " \""} {
		if bytes.Contains(src.Data, []byte(end)) {
			return "" // a package outside the candidates
		}
	}
	if !source.IsCompoundName(c.Name) {
		return ""
	}
	return only(refs)
}

// importedFrom collects the path components of the modules from which the file imports the call's
// name or qualifier, and reports whether it imports either.
func importedFrom(src *source.File, c keylines.Call) (out map[string]bool, imported bool) {
	out = map[string]bool{}
	if c.Qualifier != "" && c.Qualifier[0] >= 'A' && c.Qualifier[0] <= 'Z' {
		out[strings.ToLower(c.Qualifier)] = true // Class.method
	}
	const lines, wide = 300, 300
	rest := src.Data
	for n := 0; n < lines && len(rest) > 0; n++ {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte{'\n'})
		if len(line) > wide || !source.IsImportLine(line) && !bytes.Contains(line, []byte("require(")) {
			continue
		}
		s := string(line)
		if !hasWord(s, c.Name) && (c.Qualifier == "" || !hasWord(s, c.Qualifier)) {
			continue
		}
		imported = true
		for _, part := range strings.FieldsFunc(s, func(r rune) bool { return !idents.WordByte(byte(r)) && r != '-' || r >= 0x80 }) {
			if part != "import" && part != "from" && part != "require" && part != "const" && part != "use" {
				out[strings.ToLower(part)] = true
			}
		}
	}
	return out, imported
}

func hasWord(s, word string) bool { return source.IndexWord([]byte(s), word) >= 0 }

// families are groups of file extensions whose languages call each other.
var families = [][]string{
	{".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".cts", ".vue", ".svelte"}, {".java", ".kt", ".kts", ".scala", ".groovy"},
	{".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".hh", ".m", ".mm"}, {".py", ".pyi"},
}

// sameFamily reports whether code in one file may call code in the other.
func sameFamily(a, b string) bool {
	x, y := strings.ToLower(path.Ext(a)), strings.ToLower(path.Ext(b))
	if x == y {
		return true
	}
	for _, f := range families {
		has := 0
		for _, e := range f {
			if e == x || e == y {
				has++
			}
		}
		if has == 2 {
			return true
		}
	}
	return false
}
