package relation

import (
	"path"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/symbols"
)

// moduleIs says whether what a file imports is the module of a definition: Yes, No, or
// Maybe for one that may hand it on.
func moduleIs(lang symbols.Lang, imp Import, from string, d *Def) Verdict {
	stem := strings.TrimSuffix(d.Path, path.Ext(d.Path))
	spec := imp.Spec
	switch family(lang) {
	case symbols.Go:
		if d.Package != "" {
			return yes(spec == d.Package)
		}
		dir := path.Dir(d.Path)
		return yes(dir != "." && strings.HasSuffix("/"+spec, "/"+dir))
	case symbols.Python:
		return python(spec, from, stem)
	case symbols.JavaScript:
		return script(spec, from, stem)
	case symbols.Rust:
		return rust(spec, stem)
	}
	sep := "."
	if lang == symbols.PHP {
		sep = `\`
	}
	parts := strings.Split(spec, sep)
	dir := strings.Split(path.Dir(d.Path), "/")
	end := parts[len(parts)-1]
	switch {
	case contains(dir, end) && dir[len(dir)-1] == end, end == path.Base(stem), end == d.owner() && end != "":
		return Yes
	case lang == symbols.Kotlin || lang == symbols.Scala || lang == symbols.PHP:
		if len(parts) > 1 && !contains(dir, parts[len(parts)-1]) && !contains(dir, parts[len(parts)-2]) {
			return No
		}
		return Maybe
	}
	return No
}

func yes(b bool) Verdict {
	if b {
		return Yes
	}
	return No
}

// foreign says that an imported type is for certain from outside of what the
// definition belongs to.
func foreign(lang symbols.Lang, imp Import, from string, d *Def) bool {
	switch family(lang) {
	case symbols.Go:
		if d.Package == "" {
			return false
		}
		host, _, _ := strings.Cut(imp.Spec, "/")
		if !strings.Contains(host, ".") && !strings.HasPrefix(d.Package, host+"/") {
			return true // the standard library
		}
		return !sharesModule(imp.Spec, d.Package)
	case symbols.Python:
		return !strings.HasPrefix(imp.Spec, ".") && python(imp.Spec, from, d.Path) == No && !contains(strings.Split(d.Path, "/"), strings.Split(imp.Spec, ".")[0])
	case symbols.JavaScript:
		return script(imp.Spec, from, d.Path) == No && !strings.HasPrefix(imp.Spec, ".")
	case symbols.Java:
		parts := strings.Split(imp.Spec, ".")
		return len(parts) > 1 && !strings.Contains("/"+path.Dir(d.Path)+"/", "/"+parts[0]+"/"+parts[1]+"/")
	case symbols.Rust:
		return rust(imp.Spec, d.Path) == No
	}
	return false
}

// sharesModule compares the first parts of two Go import paths: host, owner, name.
func sharesModule(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for i := range 3 {
		if i >= len(x) || i >= len(y) {
			return i > 0
		}
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

func python(spec, from, stem string) Verdict {
	at := spec
	if strings.HasPrefix(spec, ".") {
		dir := path.Dir(from)
		rest := strings.TrimLeft(spec, ".")
		for range len(spec) - len(rest) - 1 {
			dir = path.Dir(dir)
		}
		at = path.Join(dir, strings.ReplaceAll(rest, ".", "/"))
		switch {
		case stem == at, stem == at+"/__init__":
			return Yes
		case strings.HasPrefix(stem, at+"/") || at == ".":
			return Maybe
		}
		return No
	}
	at = strings.ReplaceAll(spec, ".", "/")
	in := "/" + stem
	switch {
	case strings.HasSuffix(in, "/"+at), strings.HasSuffix(in, "/"+at+"/__init__"):
		return Yes
	case strings.Contains(in, "/"+at+"/"):
		return Maybe
	}
	top, _, nested := strings.Cut(at, "/")
	if nested && strings.Contains(in, "/"+top+"/") {
		return Maybe // handed on by a module beside it
	}
	return No
}

func script(spec, from, stem string) Verdict {
	stem = strings.TrimSuffix(stem, "/index")
	stem = strings.TrimSuffix(stem, ".d")
	if strings.HasPrefix(spec, ".") {
		at := path.Join(path.Dir(from), spec)
		for _, ext := range []string{".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".vue", ".svelte"} {
			at = strings.TrimSuffix(at, ext)
		}
		at = strings.TrimSuffix(at, "/index")
		if at == stem {
			return Yes
		}
		return Maybe // handed on, perhaps
	}
	if strings.HasPrefix(spec, "node:") {
		return No
	}
	if strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "~") || strings.HasPrefix(spec, "#") || strings.HasPrefix(spec, "/") || strings.HasPrefix(spec, "src/") {
		return Maybe
	}
	parts := strings.Split(spec, "/")
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name = parts[1]
	}
	if strings.Contains("/"+stem+"/", "/"+name+"/") {
		return Maybe
	}
	return No
}

func rust(spec, stem string) Verdict {
	parts := strings.Split(spec, "::")
	in := strings.Split(strings.ReplaceAll(stem, "-", "_"), "/")
	base := in[len(in)-1]
	if base == "mod" || base == "lib" || base == "main" {
		if in = in[:len(in)-1]; len(in) > 0 {
			base = in[len(in)-1]
		}
	}
	end := parts[len(parts)-1]
	switch {
	case end == base:
		return Yes
	case parts[0] == "std" || parts[0] == "core" || parts[0] == "alloc":
		return No
	case parts[0] == "crate" || parts[0] == "self" || parts[0] == "super":
		return Maybe
	case contains(in, parts[0]):
		return Maybe
	}
	return No
}
