package leads

import (
	"bytes"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/builtins/code/source"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// testCase is one test of a file: a function, or a call with a title.
type testCase struct {
	name, group string // group is the enclosing class or describe block
	line, end   int
	uses        bool // contains one of the names
	stems       map[string]bool
	score       float64
}

var (
	testTitle = lazyregexp.New("^\\s*(?:await\\s+)?(?:it|test|specify|scenario|bench|property|describe|context|suite)(?:[.]\\w+)*\\s*\\(?\\s*[\"'`]([^\"`]{2,200}?)[\"'`]")
	testMacro = lazyregexp.New(`^\s*(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO|BOOST_AUTO_TEST_CASE|SECTION)\s*\(\s*"?([^")]{2,160})`)
	testMark  = lazyregexp.New(`@(Parameterized|Repeated)?Test\b|#\[(\w+::)?test\b|\[(Fact|Theory|Test|TestMethod|TestCase)\b|@test\b`)
	scalaTest = lazyregexp.New(`^\s*(?:"([^"]{3,200})"\s+(?:in|should|must|can)\b|(?:it|they)\s+(?:should|must|can)\s+"([^"]{3,200})"\s+in\b)`)
	redisTest = lazyregexp.New(`^\s*(?:test|tags?|@test)\s*[{"]([^"{}]{3,200})[}"]\s*\{`)
)

// findTests lists the tests of a file in order of their lines.
func findTests(src *source.File) []testCase {
	lines := bytes.Split(src.Data, []byte("\n"))
	var out []testCase
	group := ""
	for i, l := range lines {
		if len(l) > 400 || len(l) < 6 || src.Lang != symbols.C && src.Lang != symbols.CPP && !bytes.ContainsAny(l, "\"`'{") {
			continue
		}
		name, describes := testTitleOf(src.Lang, string(l))
		if name == "" {
			continue
		}
		if describes {
			group = name
		}
		if n := len(out); n > 0 {
			out[n-1].end = i
		}
		t := testCase{name: name, line: i + 1, end: len(lines)}
		if !describes {
			t.group = group
		}
		out = append(out, t)
	}
	for _, d := range src.Defs {
		if (d.Kind == symbols.KindFunction || d.Kind == symbols.KindMethod) && isTest(d, lines) {
			out = append(out, testCase{name: d.Name, group: d.Container, line: d.Line, end: d.EndLine})
		}
	}
	slices.SortStableFunc(out, func(a, b testCase) int { return a.line - b.line })
	return out
}

// testTitleOf returns the title of the test that a line begins, and whether it groups others.
func testTitleOf(lang symbols.Lang, text string) (string, bool) {
	switch lang {
	case symbols.JavaScript, symbols.TypeScript, symbols.TSX, symbols.Ruby, symbols.PHP, symbols.Swift, symbols.Kotlin, symbols.Dart, symbols.Lua, symbols.Elixir:
		if m := testTitle.FindStringSubmatch(text); m != nil {
			s := strings.TrimSpace(text)
			return m[1], strings.HasPrefix(s, "describe") || strings.HasPrefix(s, "context") || strings.HasPrefix(s, "suite")
		}
	case symbols.C, symbols.CPP:
		if m := testMacro.FindStringSubmatch(text); m != nil {
			return strings.Join(strings.Fields(m[1]), " "), false
		}
	case symbols.Scala:
		if m := scalaTest.FindStringSubmatch(text); m != nil {
			return m[1] + m[2], false
		}
	case symbols.Go, symbols.Python, symbols.Rust, symbols.Java, symbols.CSharp, symbols.Perl, symbols.R, symbols.Haskell, symbols.Zig, symbols.PowerShell:
	default:
		if m := redisTest.FindStringSubmatch(text); m != nil {
			return m[1], false
		}
	}
	return "", false
}

// isTest recognizes a test by its name or by an attribute above it.
func isTest(d symbols.Def, lines [][]byte) bool {
	low := strings.ToLower(d.Name)
	if strings.HasPrefix(low, "test") || strings.HasPrefix(low, "benchmark") || strings.HasPrefix(low, "fuzz") {
		return true
	}
	for i := d.Line - 1; i >= max(d.Line-5, 0) && i < len(lines); i-- {
		l := lines[i]
		if len(l) < 400 && testMark.MatchString(string(l)) {
			return true
		}
		if i < d.Line-1 && len(bytes.TrimSpace(l)) < 2 { // something else ends above
			return false
		}
	}
	return false
}
