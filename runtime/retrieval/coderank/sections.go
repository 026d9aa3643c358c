package coderank

import (
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// section is a stretch of a question in one zone.
type section struct {
	zone zone
	text string
}

// clipQuestion truncates a question at maxQuestion and makes it valid UTF-8.
func clipQuestion(s string) (string, bool) {
	cut := len(s) > maxQuestion
	if cut {
		s = s[:maxQuestion]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
	}
	s = strings.ToValidUTF8(s, " ")
	return strings.ReplaceAll(strings.TrimPrefix(s, "\ufeff"), "\r\n", "\n"), cut
}

var (
	htmlComment = lazyregexp.New(`<!--(?s:.*?)-->`)
	webLink     = lazyregexp.New("https?://[^\\s)>\\]\"'`]+")
	traceLine   = lazyregexp.New(`^\s*(at \S+.*[:(]|File "|Caused by:|goroutine \d|Traceback |\d+: |#\d+ |\.{3} \d+ more|Stack trace:|stack backtrace:|exit status \d|` +
		`(from )?[\w./\\-]+\.\w+:\d+)`)
	codeLine = lazyregexp.New(`^\s*File "`) // the line after it is the code
	checkbox = lazyregexp.New(`^\s*[-*] \[[ xX]\]`)
	heading  = lazyregexp.New(`^\s*(#{1,6}\s+|\*\*[^*]+\*\*:?\s*$|- \[[ xX]\])`)
)

// dropLinks removes HTML comments and web addresses, which a template or a browser left.
func dropLinks(s string) string {
	return webLink.ReplaceAllString(htmlComment.ReplaceAllString(s, " "), " ")
}

// splitSections splits a question into its first sentence, prose, and pasted text.
func splitSections(s string) []section {
	var out []section
	fenced, titled := false, false
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		t := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(t, "```"), strings.HasPrefix(t, "~~~"):
			fenced = !fenced
		case t == "" || heading.MatchString(line) && isTemplateHeading(t):
		case fenced, checkbox.MatchString(line), traceLine.MatchString(line), besideFrame(lines, i):
			out = append(out, section{zonePasted, line})
		case !titled:
			titled = true
			n := sentenceLength(line)
			out = append(out, section{zoneTitle, line[:n]})
			if n < len(line) {
				out = append(out, section{zoneBody, line[n:]})
			}
		default:
			out = append(out, section{zoneBody, line})
		}
	}
	if !titled && len(out) > 0 {
		out[0].zone = zoneTitle
	}
	return out
}

// besideFrame reports whether a line belongs to the frame before or after it: the code that Python
// quotes, the function that Go names.
func besideFrame(lines []string, i int) bool {
	return i > 0 && codeLine.MatchString(lines[i-1]) || i+1 < len(lines) && goFrame.MatchString(lines[i+1])
}

// isTemplateHeading reports whether a heading says no more than "Steps to reproduce".
func isTemplateHeading(s string) bool {
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if !reportWords()[w] && !stopWords()["en"][w] && !weakWords()[w] && w != "x" {
			return false
		}
	}
	return true
}

// maxTitle is the length in bytes after which a first sentence that has no end is cut.
const maxTitle = 300

// sentenceLength returns the length of the first sentence of a line.
func sentenceLength(s string) int {
	for i := 0; i < len(s); i++ {
		if i >= maxTitle && s[i] == ' ' {
			return i
		}
		if i < 10 {
			continue
		}
		if end := s[i] == '.' || s[i] == '?' || s[i] == '!'; end && i+1 < len(s) && s[i+1] == ' ' && !strings.HasSuffix(s[:i], "e.g") && !strings.HasSuffix(s[:i], "i.e") {
			return i + 1
		}
		for _, e := range []string{"。", "？", "！"} {
			if strings.HasPrefix(s[i:], e) {
				return i + len(e)
			}
		}
	}
	return len(s)
}

var (
	hash    = lazyregexp.New(`^[0-9a-f]{7,64}$`)
	version = lazyregexp.New(`^[vV]?\d+(\.\d+|\.x)+([-+.]?(a|b|rc|alpha|beta|dev|post)\.?\d*)?$`)
	email   = lazyregexp.New(`^[\w.+-]+@[\w-]+\.[\w.]+$`)
)

// isNoise reports whether a run names nothing in code: a commit, a version, an issue number, a mail
// address, a number.
func isNoise(s string) bool {
	t := strings.Trim(s, ".,;:()[]{}<>\"'`*")
	t = strings.TrimPrefix(t, "#")
	if isNumeric(t) {
		return true
	}
	return hash.MatchString(t) && strings.ContainsAny(t, "0123456789") || version.MatchString(t) || email.MatchString(t)
}
