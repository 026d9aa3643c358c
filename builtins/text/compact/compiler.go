package compact

import "strings"

// findDiagnostics classifies the output lines of compilers, linters and builds: go, gcc and clang, tsc, cargo, javac,
// eslint, make and npm.
func findDiagnostics(lines []string) ([]class, []int32) {
	out := make([]class, len(lines))
	open, warning := false, false
	for k, l := range lines {
		t := strings.TrimSpace(l)
		c := classOfDiagnostic(l, t)
		switch {
		case c == finding || c == warned:
			open, warning = true, c == warned
			if k > 0 && l != t && namesFile(strings.TrimSpace(lines[k-1])) {
				out[k-1] = place // the file name that eslint prints once
			}
		case endsFinding(c, l):
			open = false
		case open && t == "":
			open, c = false, dull
		case strings.Trim(t, "|^~-+ 0123456789") == "":
			c = dull // marks below a line whose place is lost
		case open && c != place:
			c = detail
		}
		if warning && (c == place || c == detail) {
			c = min(c, detail)
		}
		out[k] = c
	}
	return out, outlineBy(lines, func(k int, l string) (int32, bool) {
		return levelOfDiagnostic(out[k], l, lineAfter(lines, k))
	})
}

// endsFinding reports whether no line after this one can be a detail of the finding before it.
func endsFinding(c class, l string) bool {
	return c == verdict || c == dull || c == plain && ofPackages.matchAt(l, 0)
}

// levelOfDiagnostic returns the level of a line, and whether later lines are nested below it: a package, a function or
// a file, and what was found there.
func levelOfDiagnostic(c class, l, next string) (level int32, opens bool) {
	t := strings.TrimSpace(l)
	switch {
	case t == "", c == verdict, c == dull && progressOfBuilds.matchAt(t, 0), ofPackages.matchAt(l, 0):
		return -1, false
	case hasPrefix(l, "# "), strings.Contains(l, ": In ") && strings.HasSuffix(l, ":"), l == t && namesFile(t) && strings.HasPrefix(next, "  "):
		return suiteLevel, true
	case c == finding, c == warned:
		return testLevel, true
	}
	return deepLevel, false
}

// The first words of lines that sum up a build or a package, and of lines that report progress.
var (
	verdictsOfBuilds = newNeedles([]string{"error: could not compile", "error: aborting", "make: ***", "BUILD FAILED", "npm ERR!", "npm error", "collect2:", "ERROR in ", "✖ "})
	ofPackages       = newNeedles([]string{"ok  \t", "FAIL", "?   \t"}) // the result go test prints for each package
	progressOfBuilds = newNeedles([]string{"Compiling ", "Checking ", "Downloading ", "Downloaded ", "Fresh ", "Updating ", "Locking ", "Building ", "Linking ", "[INFO]", "gcc -", "cc -", "g++ -", "c++ -"})
)

func classOfDiagnostic(l, t string) class {
	switch {
	case t == "":
		return plain
	case verdictsOfBuilds.matchAt(l, 0) ||
		strings.HasPrefix(l, "Found ") && strings.Contains(l, " error") || strings.HasSuffix(l, " generated.") || errorCount(t):
		return verdict
	case hasPrefix(l, "error", "fatal:") && strings.Contains(t, ":"), hasPrefix(t, "SyntaxError:", "[ERROR]", "FATAL:", "FATAL ERROR:"):
		return finding
	case hasPrefix(l, "warning") && strings.Contains(t, ":"), hasPrefix(t, "[WARNING]"):
		return warned
	case strings.HasPrefix(t, "--> "):
		return place
	case progressOfBuilds.matchAt(t, 0) ||
		strings.HasPrefix(t, "make[") && strings.Contains(t, "directory"), strings.HasPrefix(t, "[") && strings.Contains(t, "%] "):
		return dull
	}
	rest, ok := afterPlace(t)
	if !ok {
		return plain
	}
	rest = strings.TrimLeft(rest, " :-")
	switch {
	case hasPrefix(rest, "note", "info", "In function", "in function"):
		return detail
	case len(rest) >= 4 && strings.EqualFold(rest[:4], "warn"):
		return warned
	}
	return finding
}

// errorCount reports whether a line is a count of errors, as javac prints it.
func errorCount(t string) bool {
	n, word, ok := strings.Cut(t, " ")
	return ok && n != "" && strings.Trim(n, "0123456789") == "" && hasPrefix(strings.ToLower(word), "error", "warning", "problem")
}

// afterPlace returns the text after the place that a line begins with: path:line:col, path(line,col), or line:col if
// the file was named before. After a place without a column the text must name an error.
func afterPlace(t string) (rest string, ok bool) {
	if i := strings.IndexByte(t, '('); i > 0 && namesFile(t[:i]) && i+1 < len(t) && isDigit(t[i+1]) {
		if end := strings.Index(t[i:], "): "); end > 0 {
			return t[i+end+2:], true
		}
	}
	i := 0
	if len(t) > 2 && t[1] == ':' && !isDigit(t[0]) { // a drive letter
		i = 2
	}
	colon := strings.IndexByte(t[i:], ':')
	if colon < 1 {
		return "", false
	}
	colon += i
	if strings.ContainsAny(t[:colon], " \t\"") || colon+1 == len(t) || !isDigit(t[colon+1]) {
		return "", false
	}
	end := colon + 1
	for end < len(t) && isDigit(t[end]) {
		end++
	}
	if strings.Trim(t[:colon], "0123456789") == "" { // line:col of eslint
		after := strings.TrimLeft(t[end:], " ")
		return after, hasPrefix(after, "error", "warning")
	}
	if !namesFile(t[:colon]) || end == len(t) {
		return "", false
	}
	if t[end] == ':' && end+1 < len(t) && isDigit(t[end+1]) {
		for end++; end < len(t) && isDigit(t[end]); end++ {
		}
		return t[end:], strings.HasPrefix(t[end:], ": ") || strings.HasPrefix(t[end:], " - ") // search output with columns has no space here
	}
	after := strings.TrimLeft(t[end:], ": ")
	return t[end:], hasPrefix(after, "error", "warning", "fatal error")
}

// looksLikeDiagnostics reports whether enough lines begin an error or a warning.
func looksLikeDiagnostics(lines []string) bool {
	found, placed, n := 0, 0, 0
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		n++
		switch classOfDiagnostic(l, t) {
		case finding, warned:
			found++
		case place, verdict:
			placed++
		}
	}
	return found >= 2 && (found+placed)*12 >= n && (placed > 0 || found*6 >= n)
}
