package coderank

import (
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Patterns of files in questions. All are linear: regexp never backtracks.
var (
	pyFrame   = lazyregexp.Holding(`File "([^"\n]{1,400})", line (\d+)(?:, in (\S+))?`, `File "`)
	javaFrame = lazyregexp.Holding(`\bat ([\w$.]+)\.([\w$<>]+)\(([\w$]+\.\w+):(\d+)\)`, "at ")
	jsFrame   = lazyregexp.Holding(`\bat (?:async )?(?:([\w$.<>\[\] ]+) )?\(?((?:file://)?[\w@./\\:~+-]+?\.\w+):(\d+)(?::\d+)?\)?`, "at ")
	goFrame   = lazyregexp.Holding(`(?m)^\s+(/?[\w@.~+/-]+\.go):(\d+)(?: \+0x[0-9a-f]+)?`, ".go:")
	blobLink  = lazyregexp.Holding("/(?:blob|tree|raw|src)/[^/\\s]+/([^\\s#?)>\\]\"'`]+)(?:#L(\\d+))?", "/blob/", "/tree/", "/raw/", "/src/")
	filePath  = lazyregexp.Holding(`[\pL\pN_@.~+/\\-]*[\pL\pN_-]\.(?:`+fileExts+`)\b(?:(?::line |:|#L|\(| on line )(\d+))?`, ".")
	dirPath   = lazyregexp.Holding(`[\pL\pN_@.-]+(?:/[\pL\pN_@.-]+)+/?`, "/")
	module    = lazyregexp.Holding(`\b[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*){1,7}\b`, ".", "::")
)

const fileExts = `pyi?|pyx|go|rs|java|kts?|scala|[cm]?[jt]sx?|vue|svelte|c|cc|cpp|cxx|h|hh|hpp|cs|rb|php|swift|mm?|sh|bash|` +
	`json|ya?ml|toml|md|mdx|rst|txt|cfg|ini|css|scss|html|proto|sql|cue|xml|gradle|lua|ex|exs|dart|zig|lock|mod`

// extensions are those after which a word with a dot is a file.
var extensions = set(strings.NewReplacer("|", " ", "?", "", "[cm]", "", "[jt]", "j").Replace(fileExts) + " ts tsx mjs cjs mts cts net io com org")

// namedFiles finds the files that a question names. Frames come deepest first:
// Python prints the deepest last, the others first.
func namedFiles(s string) []Named {
	var n namer
	n.addPythonFrames(s)
	for _, m := range javaFrame.FindAllStringSubmatch(s, maxNamed) {
		file := m[3]
		if dir, _, ok := cutLast(m[1], "."); ok {
			file = strings.ReplaceAll(dir, ".", "/") + "/" + m[3]
		}
		n.add(Named{Path: file, Line: parseNumber(m[4]), Func: m[2], Kind: NamedFrame})
	}
	for _, m := range jsFrame.FindAllStringSubmatch(s, maxNamed) {
		n.add(Named{Path: m[2], Line: parseNumber(m[3]), Func: strings.TrimSpace(m[1]), Kind: NamedFrame})
	}
	for _, m := range goFrame.FindAllStringSubmatch(s, maxNamed) {
		n.add(Named{Path: m[1], Line: parseNumber(m[2]), Kind: NamedFrame})
	}
	for _, m := range blobLink.FindAllStringSubmatch(s, maxNamed) {
		n.add(Named{Path: m[1], Line: parseNumber(m[2]), Kind: NamedPath})
	}
	s, imports := splitImports(dropLinks(s))
	n.findPaths(s, false)
	n.findPaths(imports, true)
	return n.list
}

// importing matches a line that imports something: in a report, a line of the user's own snippet.
var importing = lazyregexp.New(`^\s*(?:>>> ?|\+ ?|\d+[:|] ?)?(?:from\s+[\w.]+\s+import\b|import\s+\S+(?:\s+as\s+\w+)?(?:\s*,.*)?;?\s*$|import\s.*\bfrom\b|using\s+[\w.]+;|use\s+[\w:\\{}, ]+;|#include\b|require(?:_once|_relative)?[ (]|(?:const|let|var)\s.*=\s*require\()`)

// splitImports separates the lines that import something from the others. The first line is a
// title, whatever it looks like.
func splitImports(s string) (rest, imports string) {
	first, tail, ok := strings.Cut(s, "\n")
	if !ok {
		return s, ""
	}
	var a, b strings.Builder
	a.WriteString(first)
	for _, line := range strings.Split(tail, "\n") {
		to := &a
		if importing.MatchString(line) {
			to = &b
		}
		to.WriteByte('\n')
		to.WriteString(line)
	}
	return a.String(), b.String()
}

// findPaths finds the files that are named by path or by module.
func (n *namer) findPaths(s string, imported bool) {
	for _, m := range filePath.FindAllStringSubmatch(s, maxNamed) {
		n.add(Named{Path: strings.TrimRight(cutLine(m[0], m[1]), "."), Line: parseNumber(m[1]), Kind: NamedPath, Imported: imported})
	}
	for _, m := range dirPath.FindAllString(s, maxNamed) {
		n.add(Named{Path: m, Kind: NamedPath, Imported: imported})
	}
	for _, m := range module.FindAllString(s, maxNamed) {
		n.add(Named{Path: strings.ReplaceAll(m, "::", "."), Kind: NamedModule, Imported: imported})
	}
}

// products look like files and are not.
var products = set(`node.js vue.js next.js nuxt.js express.js react.js d3.js three.js chart.js moment.js require.js
	ember.js backbone.js alpine.js solid.js asp.net`)

// namer keeps the first mention of each path.
type namer struct {
	list  []Named
	seen  map[string]int // in list, by path
	ranks [NamedModule + 1]int
}

func (n *namer) add(f Named) {
	f.Path = strings.TrimPrefix(strings.ReplaceAll(f.Path, `\`, "/"), "file://")
	f.Path = strings.TrimPrefix(f.Path, "./")
	if len(n.list) >= maxNamed || f.Path == "" || products[strings.ToLower(f.Path)] {
		return
	}
	if at, ok := n.seen[f.Path]; ok {
		n.addLine(at, f)
		return
	}
	if n.seen == nil {
		n.seen = map[string]int{}
	}
	n.seen[f.Path] = len(n.list)
	f.Rank = n.ranks[f.Kind]
	n.ranks[f.Kind]++
	n.list = append(n.list, f)
}

// addLine records a further line of a file: the next frame in it.
func (n *namer) addLine(at int, f Named) {
	first := &n.list[at]
	switch {
	case f.Line == 0 || f.Line == first.Line || len(first.More) == maxPlaces:
	case first.Line == 0:
		first.Line, first.Func = f.Line, f.Func
	default:
		for len(first.Funcs) < len(first.More) {
			first.Funcs = append(first.Funcs, "")
		}
		first.More, first.Funcs = append(first.More, f.Line), append(first.Funcs, f.Func)
	}
}

func (n *namer) addPythonFrames(s string) {
	frames := pyFrame.FindAllStringSubmatch(s, 4*maxNamed)
	for i := len(frames) - 1; i >= 0; i-- {
		n.add(Named{Path: frames[i][1], Line: parseNumber(frames[i][2]), Func: frames[i][3], Kind: NamedFrame})
	}
}

func parseNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// cutLine removes from a path the line number and the separator before it.
func cutLine(s, line string) string {
	if line == "" {
		return s
	}
	s = strings.TrimSuffix(s, line)
	for _, sep := range []string{":line ", " on line ", "#L", ":", "("} {
		if rest, ok := strings.CutSuffix(s, sep); ok {
			return rest
		}
	}
	return s
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
