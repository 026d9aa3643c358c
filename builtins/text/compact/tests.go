package compact

import (
	"slices"
	"strings"
)

// findTests classifies the output lines of test runners: go test, pytest, unittest, jest, mocha, node, cargo and Maven.
func findTests(lines []string) ([]class, []int32) {
	out := make([]class, len(lines))
	r := testReader{failed: failedTests(lines), outside: true}
	for k, l := range lines {
		out[k] = r.classOf(l, strings.TrimSpace(l))
	}
	return out, outlineBy(lines, func(k int, l string) (int32, bool) { return levelOfTest(l, strings.TrimSpace(l), r.runs) })
}

// testReader classifies the lines of a test runner one after another.
type testReader struct {
	failed  map[string]bool
	runs    bool // the verdict of a test comes after its output
	open    bool // inside a failure
	outside bool // not inside a test
	said    bool // the next line says what went wrong
}

func (r *testReader) classOf(l, t string) class {
	c, opens := classOfTest(l, t)
	switch {
	case hasPrefix(l, "=== RUN", "=== NAME", "=== CONT"):
		r.open, r.runs, r.outside = r.failed[lastField(t)], true, false
		if r.open {
			c = detail
		}
	case !r.runs && strings.HasPrefix(l, "=====") && strings.HasSuffix(t, "=====") && c != verdict: // a section of pytest
		r.open, c = false, plain
	case opens:
		r.open = true
	case isQuiet(c), c == verdict:
		r.open, r.outside = false, r.outside || l == t && !strings.HasPrefix(t, "---")
	case r.open && c == plain && t != "":
		c = classInside(t, r.said)
	case t == "PASS", t == "FAIL":
		r.open, r.outside = false, true
	default:
		c = r.classOutside(l, t, c)
	}
	r.said = r.said && t == "" || c == finding && hasPrefix(t, "● ", "[ERROR]")
	return c
}

// classOutside returns the class of a line outside of failures.
func (r *testReader) classOutside(l, t string, c class) class {
	switch {
	case !r.open && (t == "---" || t == "..." || hasPrefix(t, "# Subtest: ", "duration_ms: ", "type: '")): // of node
		return dull
	case r.outside && r.runs && c == plain && tellsError(l): // why a package failed although no test did
		return place
	case t == "" || r.runs && !r.open && c == plain || !r.open && strings.Trim(t, "-=_ ") == "":
		return dull
	}
	return c
}

// Levels of the output of test runners.
const (
	suiteLevel = 1 + iota
	testLevel
	caseLevel
	deepLevel = 1000
)

// levelOfTest returns the level of a line, and whether later lines are nested below it: a run, a file of tests, a
// failure. runs says that the verdict of a test comes after its output.
func levelOfTest(l, t string, runs bool) (level int32, opens bool) {
	indent := int32(len(l) - len(strings.TrimLeft(l, " ")))
	switch {
	case hasPrefix(l, "=== RUN", "=== NAME", "=== CONT"), strings.HasPrefix(l, "____") && strings.HasSuffix(t, "____"),
		hasPrefix(l, "FAIL: ", "ERROR: ", "---- "), strings.HasPrefix(l, "[ERROR] ") && strings.Contains(l, " -- Time elapsed: ") && !strings.Contains(l, "Tests run:"),
		hasPrefix(l, "FAIL ", "PASS ") && namesFile(lastField(t)):
		return suiteLevel, true
	case hasPrefix(t, "--- FAIL: ", "--- PASS: ", "--- SKIP: "):
		if runs {
			return testLevel, false
		}
		return suiteLevel + indent, true
	case strings.HasPrefix(l, "=====") && !runs:
		return 0, true
	case hasPrefix(l, "=====", "FAIL", "PASS", "ok ", "ok\t", "?   \t", "Test Suites:", "failures:", "test result:", "Ran ", "[INFO]", "[WARNING]", "[ERROR]", "FAILED ", "ERROR "),
		strings.HasPrefix(l, "-----") && strings.Contains(l, "|"):
		return -1, false
	case strings.HasPrefix(t, "● "):
		return testLevel, true
	case hasPrefix(t, "✕ ", "✖ ", "✗ ", "× ", "not ok "):
		return caseLevel + indent, true
	case hasPrefix(t, "✓ ", "✔ ", "√ ", "○ ", "ok ", "# "):
		return caseLevel + indent, false
	}
	return deepLevel, false
}

// classInside returns the class of a line inside a failure; said says that the line tells what went wrong.
func classInside(t string, said bool) class {
	switch {
	case said:
		return place // what went wrong
	case strings.HasPrefix(t, "> ") && strings.Contains(t, " | "):
		return detail // code shown by jest
	case hasPrefix(t, "E ", "> ", "Error", "Caused by", "expected", "Expected", "Received", "assert", "thread '", "panic:", "left:", "right:", "+ ", "- "):
		return place
	case isLibrary(t):
		return plain
	case !tellsPlace(t):
		return detail
	case tellsError(t) || hasAny(t, " want", "got ", "xpected", "!=", "==", " not ", "should"):
		return place
	}
	return near
}

func hasAny(t string, in ...string) bool {
	return slices.ContainsFunc(in, func(x string) bool { return strings.Contains(t, x) })
}

// classOfTest returns the class of a single line, and whether the lines after it belong to it.
func classOfTest(l, t string) (c class, opens bool) {
	switch {
	case t == "":
		return plain, false
	case hasPrefix(t, "--- FAIL", "--- ERROR"), strings.HasPrefix(t, "not ok "), hasPrefix(t, "✕ ", "✖ ", "✗ ", "× ", "● ", "FAIL:", "ERROR:", "---- "):
		return finding, true
	case hasPrefix(l, "[ERROR]", "[INFO]", "[WARNING]"):
		return classOfMaven(l)
	case hasPrefix(l, "panic: ", "FAILED ", "ERROR ", "fatal error: ") && !strings.HasPrefix(t, "FAILED ("):
		return finding, strings.HasPrefix(l, "panic: ")
	case strings.HasPrefix(t, "thread '") && strings.Contains(t, "panicked at"):
		return finding, true
	case strings.HasPrefix(l, "____") && strings.HasSuffix(t, "____"):
		return finding, true
	case strings.HasPrefix(t, "test ") && strings.HasSuffix(t, "FAILED"), strings.Contains(t, " FAILED  ["), strings.HasSuffix(t, "... FAIL"), strings.HasSuffix(t, "... ERROR"):
		return finding, false
	case strings.HasPrefix(t, "--- SKIP"), strings.HasSuffix(t, " ... ignored"), strings.Contains(t, " SKIPPED"), strings.HasPrefix(t, "ok ") && strings.Contains(t, "# SKIP"):
		return skipped, false
	case hasPrefix(l, "ok  \t", "ok\t", "PASS "):
		return suite, false
	case hasPrefix(t, "--- PASS", "✓ ", "✔ ", "ok ", "√ "), strings.Contains(t, " PASSED"), strings.HasSuffix(t, "... ok"):
		return passed, false
	case hasPrefix(l, "?   \t"), t == "PASS", t == "ok":
		return dull, false
	case isVerdict(t):
		return verdict, false
	case hasPrefix(l, "=== "), hasPrefix(t, "running ", "collecting ", "collected ", "rootdir:", "plugins:", "platform ", "cachedir:"), t == "FAIL", t == "failures:", t == "exit status 1":
		return dull, false
	case dotsOnly(t): // the number of passed tests comes at the end
		return dull, false
	}
	return plain, false
}

// classOfMaven returns the class of a line of Maven, and whether the lines after it belong to it. Its final advice on
// how to rerun is left out.
func classOfMaven(l string) (c class, opens bool) {
	level, said, _ := strings.Cut(l, "] ")
	switch {
	case strings.HasPrefix(said, "Tests run:") && !strings.Contains(said, "Time elapsed"), strings.HasPrefix(said, "BUILD "):
		return verdict, false
	case hasPrefix(said, "Tests run:") && level == "[INFO":
		return dull, false
	case level != "[ERROR", strings.TrimSpace(said) == "", hasPrefix(said, "-> [Help", "[Help ", "To see ", "Re-run ", "For more ", "Please refer "):
		return dull, false
	case hasPrefix(said, "Failures:", "Errors:", "Failed to execute", "Tests run:"):
		return detail, false
	}
	return finding, strings.Contains(said, " -- Time elapsed: ")
}

// isVerdict reports whether a line sums up a run.
func isVerdict(t string) bool {
	if hasPrefix(t, "FAIL\t", "FAILED (", "FAIL ", "test result:", "Tests:", "Test Suites:", "Tests run:", "Ran ", "# pass ", "# fail ", "# tests ", "ℹ pass ", "ℹ fail ", "ℹ tests ", "BUILD ", "coverage: ") {
		return true
	}
	if t[0] == '=' || isDigit(t[0]) && len(t) < 40 || len(t) < 24 {
		in := strings.Trim(t, "= ")
		for _, w := range []string{" failed", " passed", " passing", " failing", " error"} {
			if i := strings.Index(in, w); i > 0 && isDigit(in[i-1]) {
				return true
			}
		}
	}
	return false
}

// dotsOnly reports whether a line shows tests as dots, all of them passed.
func dotsOnly(t string) bool {
	if last := t[len(t)-1]; last != '.' && last != 's' && last != ']' {
		return false
	}
	if i := strings.IndexByte(t, '['); i > 0 {
		t = strings.TrimSpace(t[:i])
	}
	if i := strings.LastIndexByte(t, ' '); i > 0 && namesFile(t[:i]) {
		t = t[i+1:]
	}
	return t != "" && strings.Trim(t, ".s") == "" && strings.IndexByte(t, '.') >= 0
}

// failedTests returns the tests that go test -v reports as failed, and as skipped if they are few; their output comes
// before the report.
func failedTests(lines []string) map[string]bool {
	out := map[string]bool{}
	var skips []string
	for _, l := range lines {
		t := strings.TrimSpace(l)
		name, ok := strings.CutPrefix(t, "--- FAIL: ")
		if ok {
			name, _, _ = strings.Cut(name, " ")
			out[name] = true
		} else if name, ok = strings.CutPrefix(t, "--- SKIP: "); ok {
			name, _, _ = strings.Cut(name, " ")
			skips = append(skips, name)
		}
	}
	if len(skips) <= fewBeside {
		for _, name := range skips {
			out[name] = true
		}
	}
	return out
}

func lastField(t string) string {
	return t[strings.LastIndexAny(t, " \t")+1:]
}

// tellsPlace reports whether a line names a line of a file, such as name.go:12.
func tellsPlace(t string) bool {
	for i := 1; i+1 < len(t); i++ {
		if t[i] == ':' && isDigit(t[i+1]) {
			start := i
			for start > 0 && strings.IndexByte(" \t(\"'[", t[start-1]) < 0 {
				start--
			}
			if namesFile(t[start:i]) {
				return true
			}
		}
	}
	return strings.HasPrefix(t, "File \"")
}

// looksLikeTests reports whether enough lines come from a test runner.
func looksLikeTests(lines []string) bool {
	sure, n := 0, 0
	for _, l := range lines {
		t := strings.TrimSpace(l)
		if t == "" {
			continue
		}
		n++
		c, _ := classOfTest(l, t)
		if hasPrefix(t, "[ERROR]", "[INFO]", "[WARNING]") {
			continue
		}
		if c == finding || c == passed || c == skipped || c == suite || c == verdict || hasPrefix(l, "=== RUN", "=== NAME", "=== CONT", "=== PAUSE", "?   \t", "PASS") || strings.HasPrefix(l, "====") && strings.HasSuffix(t, "====") && strings.Trim(t, "=") != "" {
			sure++
		}
	}
	return sure >= 3 && sure*6 >= n
}
