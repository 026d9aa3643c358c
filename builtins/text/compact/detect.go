package compact

import "strings"

// Kind is how a result is read.
type Kind string

// The kinds of results.
const (
	Unknown  Kind = ""
	JSON     Kind = "json"     // one value, several in a row, or one that was cut off
	Hits     Kind = "hits"     // path:line:text, as searches print
	Listing  Kind = "listing"  // paths, a line each
	Diff     Kind = "diff"     // unified
	Tree     Kind = "tree"     // directories with their names, as ls -R and tree print them
	Log      Kind = "log"      // a line for each event
	Tests    Kind = "tests"    // the output of test runners
	Compiler Kind = "compiler" // the output of compilers, linters and builds
	Trace    Kind = "trace"    // stack traces
	Markdown Kind = "markdown" // with headings
	HTML     Kind = "html"
	Table    Kind = "table"  // rows of columns: separated, aligned, or of Markdown
	Source   Kind = "source" // code
	Prose    Kind = "prose"  // all else
)

// How much of a text tells its kind.
const (
	looked    = 16 << 10 // bytes
	fewLooked = 120      // lines, for the output of tests and compilers
)

// Detect tells the kind of a text by its beginning.
func Detect(text string) Kind {
	head := unnumber(strings.TrimSpace(withoutColumns(cut(text, looked))))
	if head == "" {
		return Prose
	}
	if c := head[0]; c == '{' || c == '[' {
		if looksLikeJSON(head) {
			return JSON
		}
	}
	low := strings.ToLower(cut(head, 3000))
	if strings.Contains(low, "<!doctype html") || strings.Contains(low, "<html") {
		return HTML
	}
	lines := strings.Split(head, "\n")
	if len(lines) > 4 && len(text) > looked {
		lines = lines[:len(lines)-1] // the last is cut
	}
	if readCells(strings.Join(lines, "\n")) != nil {
		return Table
	}
	few := lines[:min(len(lines), fewLooked)]
	switch {
	case hasPrefix(head, "diff --git "):
		return Diff
	case looksLikeTests(few):
		return Tests
	case looksLikeTrace(few):
		return Trace
	case looksLikeDiagnostics(few):
		return Compiler
	case looksLikeTree(head, lines):
		return Tree
	}
	return detectLines(lines)
}

func looksLikeJSON(head string) bool {
	rest := strings.TrimLeft(head[1:], " \t\r\n")
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case c == '"', c == '{', c == '[', c == '}', c == ']', c == '-', isDigit(c):
		return true
	}
	return strings.HasPrefix(rest, "true") || strings.HasPrefix(rest, "false") || strings.HasPrefix(rest, "null")
}

func detectLines(lines []string) Kind {
	var n, hits, paths, heads, diff, code, stamped int
	for _, l := range lines {
		_, l = numbered(l)
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		n++
		if _, _, _, ok := splitHit(l); ok || t == "--" {
			hits++
		}
		if isPath(t) {
			paths++
		}
		switch {
		case strings.HasPrefix(l, "@@ "), strings.HasPrefix(l, "diff --git"), strings.HasPrefix(l, "+++ "):
			diff++
		case strings.HasPrefix(t, "#") && heads1(t), strings.HasPrefix(t, "- **"), strings.HasPrefix(t, "```"):
			heads++
		}
		if defines(l) || strings.HasSuffix(t, "{") || strings.HasSuffix(t, ";") || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "import ") || t == "}" {
			code++
		}
		if stamp(t) {
			stamped++
		}
	}
	switch {
	case n == 0:
		return Prose
	case n > 4 && hits*10 >= n*6:
		return Hits
	case n > 4 && paths*10 >= n*7:
		return Listing
	case diff >= 2 && diff*60 >= n:
		return Diff
	case stamped*3 >= n:
		return Log
	case heads*20 >= n && heads*3 > code:
		return Markdown
	case code*4 >= n:
		return Source
	}
	return Prose
}

func heads1(t string) bool {
	h := strings.TrimLeft(t, "#")
	return len(t)-len(h) <= 6 && strings.HasPrefix(h, " ")
}

// stamp reports whether a line begins with a time or a level, as those of logs and of test runners do.
func stamp(t string) bool {
	if len(t) > 18 && isDigit(t[0]) && (t[4] == '-' || t[2] == ':' || t[4] == '/') {
		return true
	}
	for _, p := range []string{"--- ", "=== ", "ok ", "PASS", "FAIL", "INFO", "WARN", "ERROR", "DEBUG", "[INFO", "[WARN", "[ERROR", "[DEBUG", "time=", "level="} {
		if strings.HasPrefix(t, p) {
			return true
		}
	}
	return false
}

// isPath reports whether a line is one path and nothing else.
func isPath(t string) bool {
	if len(t) < 3 || strings.ContainsAny(t, " \t(){}<>;,=\"") {
		return false
	}
	return strings.ContainsAny(t, "/\\") || strings.LastIndexByte(t, '.') > 0 && !strings.HasSuffix(t, ".")
}
