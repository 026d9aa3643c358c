package compact

import (
	"slices"
	"strings"
)

// Kind is the kind that a result is read as.
type Kind string

// The kinds of results.
const (
	Unknown  Kind = ""
	JSON     Kind = "json"     // one value, several in a row, or a truncated one
	YAML     Kind = "yaml"     // nested; also several documents in a row
	INI      Kind = "ini"      // sections of keys, also of TOML
	Help     Kind = "help"     // the usage text of a program: its commands and options
	Hits     Kind = "hits"     // path:line:text, as search tools print it
	Listing  Kind = "listing"  // paths, one per line
	Diff     Kind = "diff"     // unified, also commit logs
	Tree     Kind = "tree"     // directories with their names, as ls -R and tree print them
	Log      Kind = "log"      // one line per event
	Tests    Kind = "tests"    // the output of test runners
	Compiler Kind = "compiler" // the output of compilers, linters and builds
	Trace    Kind = "trace"    // stack traces
	Markdown Kind = "markdown" // with headings
	HTML     Kind = "html"
	Table    Kind = "table"  // rows of columns: separated, aligned, or of Markdown
	Source   Kind = "source" // code
	Prose    Kind = "prose"  // everything else
)

// The part of a text that its kind is detected from.
const (
	looked    = 16 << 10 // bytes
	fewLooked = 120      // lines, for test and compiler output
)

// Detect returns the kind of a text, judging by its beginning.
func Detect(text string) Kind {
	head := unnumber(strings.TrimSpace(withoutColumns(plainText(cut(text, looked)))))
	if head == "" {
		return Prose
	}
	if c := head[0]; c == '{' || c == '[' {
		if looksLikeJSON(head) {
			return JSON
		}
	}
	low := strings.ToLower(cut(head, 3000))
	if low = "\n" + low; strings.Contains(low, "\n<!doctype html") || strings.Contains(low, "\n<html") || strings.HasPrefix(low, "\n<") && strings.Contains(low, "<html") {
		return HTML // but not a text that only mentions such an element
	}
	lines := strings.Split(head, "\n")
	if len(lines) > 4 && len(text) > looked {
		lines = lines[:len(lines)-1] // the last line is cut off
	}
	if kind := kindOfBeginning(head, text); kind != Unknown {
		return kind
	}
	if kind := detectWhole(head, lines); kind != Unknown {
		return kind
	}
	few := lines[:min(len(lines), fewLooked)]
	switch {
	case looksLikeTests(few):
		return Tests
	case looksLikeTrace(few):
		return Trace
	case looksLikeDiagnostics(few):
		return Compiler
	case looksLikeTree(head, lines):
		return Tree
	case looksLikeYAML(lines):
		return YAML
	}
	kind := detectLines(lines)
	if kind == Prose && repeatsItself(lines) {
		return Log
	}
	return kind
}

// kindOfBeginning returns the kind of a text with an unmistakable beginning: a diff, commits, or Maven tests after the
// downloads.
func kindOfBeginning(head, text string) Kind {
	switch {
	case strings.HasPrefix(head, "diff --git "), isCommit(head), strings.HasPrefix(head, "* commit ") && readCommits(strings.Split(head, "\n")) != nil:
		return Diff
	case strings.HasPrefix(head, "[INFO] ") && strings.Contains(cut(text, partedBytes), "\n[INFO] Running "):
		return Tests
	case strings.HasPrefix(head, "=====") && strings.Contains(cut(head, 200), " test session starts "): // of pytest
		return Tests
	}
	return Unknown
}

// looksLikeJSON reports whether a text that begins with a bracket begins like JSON: a log may have times in brackets.
func looksLikeJSON(head string) bool {
	rest := strings.TrimLeft(head[1:], " \t\r\n")
	if rest == "" {
		return false
	}
	switch c := rest[0]; {
	case c == '"', c == '{', c == '[', c == '}', c == ']':
		return true
	case c == '-', isDigit(c):
		rest = strings.TrimLeft(rest, "-+.0123456789eE")
	default:
		for _, w := range []string{"true", "false", "null"} {
			if strings.HasPrefix(rest, w) {
				rest = rest[len(w):]
				break
			}
		}
		if len(rest) > 0 && isAlnum(rest[0]) {
			return false
		}
	}
	rest = strings.TrimLeft(rest, " \t\r\n")
	return rest == "" || rest[0] == ',' || rest[0] == ']' && !strings.HasPrefix(rest, "] ")
}

func detectLines(lines []string) Kind {
	var n, hits, paths, heads, diff, code, stamped int
	before := ""
	for _, l := range lines {
		_, l = cutLineNumber(l)
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		n++
		if _, _, _, ok := splitHit(l); ok || t == "--" {
			hits++
		}
		if isPath(t) && !isData(t, false) {
			paths++
		}
		switch {
		case strings.HasPrefix(l, "@@ "), strings.HasPrefix(l, "diff --git"), strings.HasPrefix(l, "+++ "):
			diff++
		case marksUp(l, t, before):
			heads++
		}
		before = t
		if beginsDefinition(l) || strings.HasSuffix(t, "{") || strings.HasSuffix(t, ";") || strings.HasPrefix(t, "//") || strings.HasPrefix(t, "import ") || t == "}" || isPython(t) || isDirective(t) {
			code++
		}
		if isStampedOrCall(t) {
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

// detectWhole returns the kind of a text that has one form from beginning to end.
func detectWhole(head string, lines []string) Kind {
	switch {
	case looksLikeHelp(lines):
		return Help
	case looksLikeINI(lines):
		return INI
	case areNames(lines):
		return Listing
	case looksLikeJUnit(head):
		return Tests
	case mostlyEvents(head, false), isMarked(lines) && repeatsItself(lines):
		return Log
	case readTables(strings.Join(lines, "\n")) != nil:
		return Table
	}
	return Unknown
}

// isDirective reports whether a line is a directive of the C preprocessor.
func isDirective(t string) bool {
	word := strings.TrimLeft(strings.TrimPrefix(t, "#"), " ")
	return strings.HasPrefix(t, "#") && hasPrefix(word, "if ", "ifdef ", "ifndef ", "elif ", "else", "endif", "define ", "undef ", "include <", "include \"", "error ", "pragma ")
}

// isPython reports whether a line occurs in Python but not in prose.
func isPython(t string) bool {
	switch {
	case strings.HasPrefix(t, "self."), strings.HasPrefix(t, "from ") && strings.Contains(t, " import "):
		return true
	case strings.HasSuffix(t, ":"):
		return hasPrefix(t, "if ", "elif ", "else:", "for ", "while ", "with ", "try:", "except ", "except:", "finally:", ") ->", "async ")
	}
	return hasPrefix(t, "return ", "raise ", "assert ", "yield ", "@") && !strings.HasSuffix(t, ".")
}

const minRepeated = 20 // lines, of a text that repeats itself

// repeatsItself reports whether most lines differ only in numbers, as progress lines do.
func repeatsItself(lines []string) bool {
	n, other, kinds := 0, 0, map[uint64]bool{}
	for _, l := range lines {
		if l = strings.TrimSpace(l); l == "" {
			continue
		}
		if n++; strings.HasSuffix(l, ".") || isData(l, false) { // a sentence
			other++
		}
		kinds[templateHash(l)] = true
	}
	return n >= minRepeated && len(kinds)*10 <= n && other*4 <= n
}

// isMarked reports whether all lines begin with a success or failure mark, as the steps of many programs do.
func isMarked(lines []string) bool {
	return !slices.ContainsFunc(lines, func(l string) bool {
		l = strings.TrimSpace(l)
		return l != "" && !hasPrefix(l, "✔ ", "✓ ", "√ ", "✖ ", "✗ ", "✕ ", "× ")
	})
}

// minNames is the number of lines from which bare names count as a listing.
const minNames = 20

// areNames reports whether lines are names without spaces, as ls, git tag and pacman -Qq print them.
func areNames(lines []string) bool {
	n, others, names := 0, 0, map[string]bool{}
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		if strings.HasSuffix(t, ":") { // of ls -R
			return false
		}
		names[t] = true
		if n++; len(t) > mostName || strings.ContainsAny(t, " \t,;:(){}[]<>\"'=|") || !isAlnum(t[0]) && t[0] != '.' && t[0] != '_' && t[0] != '@' || !hasLetter(t) || isData(t, false) {
			others++
		}
	}
	return n >= minNames && others*50 <= n && len(names)*10 >= n*9
}

func hasLetter(t string) bool {
	for i := range len(t) {
		if c := t[i] | 0x20; c >= 'a' && c <= 'z' {
			return true
		}
	}
	return false
}

// marksUp reports whether a line is Markdown and nothing else: a heading, the underline of one, or a fence.
func marksUp(l, t, before string) bool {
	if underlineLevel(t) == 2 && before != "" && len(t) >= len(before)-1 && len(t) <= len(before)+3 {
		return true
	}
	return strings.HasPrefix(l, "#") && !isDirective(t) && isATXHeading(t) && strings.Trim(t, "#=-*~ ") != "" || hasPrefix(t, "- **", "```") || underlineLevel(t) == 1
}

func isATXHeading(t string) bool {
	h := strings.TrimLeft(t, "#")
	return len(t)-len(h) <= 6 && strings.HasPrefix(h, " ")
}

// isStampedOrCall reports whether a line begins with a time or a level, as in logs and test output, or is a call printed by
// strace.
func isStampedOrCall(t string) bool {
	return isStamped(t) || stamps.matchAt(t, 0) || timeOfSystem(t) || isCall(t)
}

// stamps begin lines of logs and of test runners.
var stamps = newNeedles([]string{"--- ", "=== ", "ok ", "PASS", "FAIL", "INFO", "WARN", "ERROR", "DEBUG", "[INFO", "[WARN", "[ERROR", "[DEBUG", "time=", "level="})

// timeOfSystem reports whether a line begins with a time of syslog or the kernel, or with a level and a time of
// Kubernetes, or contains a time as web servers write it.
func timeOfSystem(t string) bool {
	switch {
	case len(t) < 16:
		return false
	case t[0] == '[': // seconds since boot
		s := strings.TrimLeft(t[1:], " ")
		n := len(s) - len(strings.TrimLeft(s, "0123456789."))
		return n > 6 && n < len(s) && s[n] == ']' && strings.IndexByte(s[:n], '.') > 0
	case strings.IndexByte("IWEF", t[0]) >= 0 && t[5] == ' ' && t[8] == ':' && strings.Trim(t[1:5], "0123456789") == "":
		return true
	case t[3] == ' ' && t[6] == ' ' && t[9] == ':' && t[12] == ':':
		return isUpper(t[0]) && isLower(t[1]) && isDigit(t[5])
	}
	i := strings.Index(cut(t, 160), " [")
	return i > 0 && i+14 < len(t) && isDigit(t[i+2]) && t[i+4] == '/' && t[i+8] == '/' && t[i+13] == ':'
}

// isCall reports whether a line is a call with its result, as strace prints it.
func isCall(t string) bool {
	if strings.HasPrefix(t, "[pid") {
		_, t, _ = strings.Cut(t, "] ")
	}
	n := 0
	for n < len(t) && (isLower(t[n]) || t[n] == '_' || isDigit(t[n])) {
		n++
	}
	return n > 1 && n < len(t) && t[n] == '(' && strings.Contains(t[n:], ") = ") || n > 1 && n < len(t) && t[n] == '(' && strings.Contains(t, ")  ") && strings.Contains(t, " = ")
}

// isPath reports whether a line is a single path and nothing else.
func isPath(t string) bool {
	if len(t) < 3 || strings.ContainsAny(t, " \t(){}<>;,=\"") {
		return false
	}
	return strings.ContainsAny(t, "/\\") || strings.LastIndexByte(t, '.') > 0 && !strings.HasSuffix(t, ".")
}
