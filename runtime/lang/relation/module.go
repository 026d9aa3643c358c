package relation

import (
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// moduleIs reports whether an import refers to the module of a definition: Yes, No, or Maybe for a module that may
// re-export it.
func moduleIs(lang symbols.Lang, imp Import, from string, d *Def) Verdict {
	if p := profileOf(lang); p.moduleIs != nil {
		return p.moduleIs(imp.Spec, from, d)
	}
	return verdictOf(isNamedAfter(strings.Split(imp.Spec, "."), d))
}

// stemOf returns the path of a definition's file without its extension.
func stemOf(d *Def) string { return strings.TrimSuffix(d.Path, path.Ext(d.Path)) }

// isNamedAfter reports whether a module, given by the parts of its name, has the name of a definition's file, directory
// or type.
func isNamedAfter(module []string, d *Def) bool {
	end := module[len(module)-1]
	return end == path.Base(path.Dir(d.Path)) || end == path.Base(stemOf(d)) || end == d.owner() && end != ""
}

// matchPackage compares a package with the directory of a file, which may have any name.
func matchPackage(separator string) func(spec, from string, d *Def) Verdict {
	return func(spec, _ string, d *Def) Verdict {
		parts := strings.Split(spec, separator)
		if isNamedAfter(parts, d) {
			return Yes
		}
		dir := strings.Split(path.Dir(d.Path), "/")
		if n := len(parts); n > 1 && !slices.Contains(dir, parts[n-1]) && !slices.Contains(dir, parts[n-2]) {
			return No
		}
		return Maybe
	}
}

// matchGo compares an import path with the package of a definition.
func matchGo(spec, _ string, d *Def) Verdict {
	if d.Package != "" {
		return verdictOf(spec == d.Package)
	}
	dir := path.Dir(d.Path)
	return verdictOf(dir != "." && strings.HasSuffix("/"+spec, "/"+dir))
}

func verdictOf(b bool) Verdict {
	if b {
		return Yes
	}
	return No
}

// isForeign reports whether an imported type is certainly from outside the project of a definition.
func isForeign(lang symbols.Lang, imp Import, from string, d *Def) bool {
	p := profileOf(lang)
	return p.isForeign != nil && p.isForeign(imp.Spec, from, d)
}

func isForeignGo(spec, _ string, d *Def) bool {
	if d.Package == "" {
		return false
	}
	host, _, _ := strings.Cut(spec, "/")
	if !strings.Contains(host, ".") && !strings.HasPrefix(d.Package, host+"/") {
		return true // the standard library
	}
	return !sharesModule(spec, d.Package)
}

func isForeignPython(spec, from string, d *Def) bool {
	top, _, _ := strings.Cut(spec, ".")
	// With its extension, a file with the name of a module of the standard library is not that module.
	return top != "" && matchPythonPath(spec, from, d.Path) == No && !slices.Contains(strings.Split(d.Path, "/"), top)
}

func isForeignScript(spec, from string, d *Def) bool {
	return matchScript(spec, from, d) == No && !strings.HasPrefix(spec, ".")
}

func isForeignJava(spec, _ string, d *Def) bool {
	parts := strings.Split(spec, ".")
	return len(parts) > 1 && !strings.Contains("/"+path.Dir(d.Path)+"/", "/"+parts[0]+"/"+parts[1]+"/")
}

func isForeignRust(spec, from string, d *Def) bool { return matchRust(spec, from, d) == No }

// sharesModule compares the first parts of two Go import paths: host, owner, name.
func sharesModule(a, b string) bool {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	if !strings.Contains(x[0], ".") {
		return x[0] == y[0] // a module without a host
	}
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

func matchPython(spec, from string, d *Def) Verdict { return matchPythonPath(spec, from, stemOf(d)) }

func matchPythonPath(spec, from, stem string) Verdict {
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
		return Maybe // re-exported by a sibling module
	}
	return No
}

// matchDart compares the URI of a library with the path of a file, which another library may export.
func matchDart(spec, from string, d *Def) Verdict {
	name, ok := strings.CutPrefix(spec, "package:")
	switch {
	case strings.HasPrefix(spec, "dart:"):
		return No
	case ok:
		_, name, _ = strings.Cut(name, "/")
		if strings.HasSuffix("/"+d.Path, "/lib/"+name) {
			return Yes
		}
	case path.Join(path.Dir(from), spec) == d.Path:
		return Yes
	}
	return Maybe
}

func matchScript(spec, from string, d *Def) Verdict {
	stem := strings.TrimSuffix(stemOf(d), "/index")
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
		return Maybe // perhaps re-exported
	}
	if strings.HasPrefix(spec, "node:") || isNodeModule(spec) && !isSourceRoot(path.Dir(stem)) {
		return No
	}
	if isProjectPath(spec) {
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

// isProjectPath reports whether an import of a script is from the project itself rather than from a package.
func isProjectPath(spec string) bool {
	return spec != "" && strings.IndexByte(".~#/", spec[0]) >= 0 || strings.HasPrefix(spec, "@/") || strings.HasPrefix(spec, "src/")
}

// isBelow reports whether a relative import is of a directory, whose index file may re-export what is below it.
func isBelow(spec, from string, d *Def) bool {
	at := path.Join(path.Dir(from), spec)
	for _, end := range []string{".js", ".ts", "/index"} {
		at = strings.TrimSuffix(at, end)
	}
	return strings.HasPrefix(spec, ".") && (at == "." || strings.HasPrefix(d.Path, at+"/"))
}

// isSourceRoot reports whether imports may start from a directory, if the bundler is configured to do so.
func isSourceRoot(dir string) bool {
	switch path.Base(dir) {
	case ".", "src", "lib":
		return true
	}
	return false
}

// isNodeModule reports whether a module is built into Node.js, whatever files there are.
func isNodeModule(spec string) bool {
	switch spec {
	case "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "crypto", "dgram", "diagnostics_channel", "dns", "events", "fs", "fs/promises",
		"http", "http2", "https", "inspector", "module", "net", "os", "path", "perf_hooks", "process", "querystring", "readline", "repl", "stream",
		"string_decoder", "timers", "tls", "tty", "url", "util", "v8", "vm", "worker_threads", "zlib":
		return true
	}
	return false
}

// matchRust compares a module path with the file of an item. The crate of a file is the directory above its src.
func matchRust(spec, from string, d *Def) Verdict {
	parts := strings.Split(spec, "::")
	crate, in := rustModule(stemOf(d))
	own, at := rustModule(strings.TrimSuffix(from, path.Ext(from)))
	same := own == crate
	switch parts[0] {
	case "std", "core", "alloc":
		return No
	case "crate", "$crate":
		return rustPath(parts[1:], in, same)
	case "self":
		return rustPath(append(slices.Clone(at), parts[1:]...), in, same)
	case "super":
		// For code in an inline module, super is the file's own module.
		n := 1
		for n < len(parts) && parts[n] == "super" {
			n++
		}
		best := No
		for _, up := range []int{n - 1, n} {
			if up <= len(at) {
				best = max(best, rustPath(append(slices.Clone(at[:len(at)-up]), parts[n:]...), in, same))
			}
		}
		return best
	}
	name := path.Base(strings.ReplaceAll(crate, "-", "_"))
	switch {
	case crate != "" && (parts[0] == name || strings.HasSuffix(parts[0], "_"+name)):
		return rustPath(parts[1:], in, true)
	case crate != "" && (strings.HasPrefix(name, parts[0]+"_") || strings.HasPrefix(parts[0], name+"_") || slices.Contains(parts, name)):
		return Maybe // related crates re-export from each other
	case same && !rustOutside(from): // a module below this one or below the crate's root
		if slices.Equal(append(slices.Clone(at), parts...), in) || slices.Equal(parts, in) {
			return Yes
		}
		if slices.Contains(in, parts[0]) {
			return Maybe
		}
	case crate != "" && own != crate && len(parts) > 1 && slices.Equal(parts[1:], in):
		return Maybe // a crate may have another name than its directory
	case crate == "" && (slices.Equal(parts[1:], in) || slices.Equal(parts, in)): // the root crate, whatever its name
		return Yes
	case crate == "" && len(in) >= len(parts)-1 && slices.Equal(parts[1:], in[:len(parts)-1]):
		return Maybe
	}
	return No
}

// rustOutside reports whether a file is in a crate of its own next to the sources.
func rustOutside(p string) bool {
	for _, dir := range strings.Split(path.Dir(p), "/") {
		if dir == "src" {
			return false
		}
		if dir == "tests" || dir == "examples" || dir == "benches" {
			return true
		}
	}
	return false
}

// rustModule splits the path of a file into its crate and the modules that lead to it.
func rustModule(stem string) (crate string, modules []string) {
	in := strings.Split(stem, "/")
	root := -1
	for i, p := range in[:len(in)-1] {
		if p == "src" {
			root = i
		}
	}
	if root < 0 { // tests and examples: each file or directory is its own
		for i, p := range in[:len(in)-1] {
			if p == "tests" || p == "examples" || p == "benches" {
				root = i
			}
		}
	}
	crate, in = path.Join(in[:max(root, 0)]...), in[root+1:]
	if end := in[len(in)-1]; end == "mod" || end == "lib" || end == "main" {
		in = in[:len(in)-1]
	}
	return crate, in
}

// rustPath compares a module path with the path of a file: another module of the same crate may re-export its items.
func rustPath(spec, in []string, same bool) Verdict {
	switch {
	case !same:
		return No
	case slices.Equal(spec, in):
		return Yes
	}
	return Maybe
}
