package source

import (
	"bytes"
	"runtime"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/notebook"
	"github.com/compactor-mcp/compactor/runtime/lang/idents"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// LineOffset returns the offset of the nth line after the line that begins at from.
func LineOffset(data []byte, from, n int) int {
	for ; n > 0; n-- {
		i := bytes.IndexByte(data[from:], '\n')
		if i < 0 {
			return len(data)
		}
		from += i + 1
	}
	return from
}

// IsCommentLine recognizes most comments by their first characters.
func IsCommentLine(text []byte) bool {
	s := bytes.TrimLeft(text[:min(len(text), 64)], " \t")
	if len(s) < 2 {
		return false
	}
	switch string(s[:2]) {
	case "//", "* ", "# ", "--":
		i := bytes.IndexByte(text, notebook.BreakMark)
		return (s[0] != '-' || len(s) > 2 && s[2] == ' ') && (i < 0 || i == len(text)-1) // not a notebook cell on one line
	case "/*":
		return !bytes.Contains(s, []byte("*/"))
	}
	return false
}

// IsImportLine reports whether a line is an import, export or package clause, which names
// things without using them.
func IsImportLine(text []byte) bool {
	s := strings.TrimLeft(string(text[:min(len(text), 64)]), " \t")
	for _, p := range []string{"package ", "import ", "from ", "use ", "pub use ", "require ", "#include", "export {", "export * ", "using "} {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// IndexWord returns the first index of name as a whole word; -1 if there is none.
func IndexWord(text []byte, name string) int {
	for from := 0; ; {
		i := bytes.Index(text[from:], []byte(name))
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(name)
		if (i == 0 || !idents.WordByte(text[i-1])) && (end == len(text) || !idents.WordByte(text[end])) {
			return i
		}
		from = i + 1
	}
}

// AppendNew appends a string that is not empty and not in the list.
func AppendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// StartsLower reports whether s begins with an ASCII letter in lower case.
func StartsLower(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// CountWorkers returns how many goroutines may read files at a time.
func CountWorkers(env *catalog.Env) int {
	return max(1, min(env.Workers, runtime.GOMAXPROCS(0)))
}

// LastIdentifier returns the last identifier of a container, without pointer marks and type parameters.
func LastIdentifier(s string) string {
	if i := strings.IndexAny(s, "[<"); i > 0 {
		s = s[:i]
	}
	s = strings.Trim(s, "*&() ")
	if i := strings.LastIndexAny(s, `.:#>\/ `); i >= 0 {
		return s[i+1:]
	}
	return s
}

// IsCompoundName reports whether a name consists of two words or more.
func IsCompoundName(name string) bool {
	name = strings.Trim(name, "_")
	for i := 1; i < len(name); i++ {
		if name[i] == '_' || name[i] >= 'A' && name[i] <= 'Z' && name[i-1] >= 'a' && name[i-1] <= 'z' {
			return true
		}
	}
	return false
}
