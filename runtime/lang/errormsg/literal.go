package errormsg

import (
	"bytes"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Limits on one literal.
const (
	maxPieces  = 64   // runs between gaps
	maxLiteral = 4096 // bytes
	maxBetween = 160  // bytes of code between two strings of one text
)

// Literal is a string of a source, or several concatenated ones: runs of text, with gaps between them for the values of
// a message.
type Literal struct {
	Start, End int // byte offsets in the source
	Pieces     []string
}

// Literals calls fn, in order, with those literals of a source that contain one of the offsets in at, where a search
// matched.
func Literals(lang symbols.Lang, src []byte, at []int, fn func(Literal)) {
	if len(at) == 0 {
		return
	}
	if !canSplit(lang) {
		lineLiterals(src, at, fn)
		return
	}
	j := joiner{src: src, at: at, fn: fn}
	symbols.Split(lang, src, func(kind symbols.SpanKind, start, end int) {
		// A Python string alone on its line looks like a docstring, even if it continues the string above it.
		if kind == symbols.SpanString || kind == symbols.SpanComment && lang == symbols.Python && j.goesOn(start) {
			j.add(start, end)
		}
	})
	j.flush()
}

// canSplit reports whether symbols.Split can separate the strings of a language from its code.
func canSplit(lang symbols.Lang) bool {
	switch lang {
	case "", symbols.JSON, symbols.YAML, symbols.TOML, symbols.Markdown, symbols.AsciiDoc, symbols.RST:
		return false
	}
	return true
}

// lineLiterals reads the value of each line: message catalogs hold one message per line.
func lineLiterals(src []byte, at []int, fn func(Literal)) {
	last := -1
	for _, off := range at {
		from := bytes.LastIndexByte(src[:off], '\n') + 1
		if from == last {
			continue
		}
		last = from
		to := len(src)
		if n := bytes.IndexByte(src[from:], '\n'); n >= 0 {
			to = from + n
		}
		start := from
		if n := bytes.IndexAny(src[from:min(to, from+200)], "=:"); n >= 0 && n+1 < to-from {
			start = from + n + 1
		}
		if value := strings.Trim(strings.TrimSpace(string(src[start:min(to, start+maxLiteral)])), `"',`); value != "" {
			fn(Literal{Start: start, End: to, Pieces: splitGaps(nil, unescape(value))})
		}
	}
}

// joiner joins strings that the code concatenates.
type joiner struct {
	src        []byte
	at         []int
	fn         func(Literal)
	start, end int
	text       []string // texts with gaps between them
	quote      string   // that closes the current string
	open       bool     // a placeholder of the current string is open
}

// goesOn reports whether the string at start follows the previous one immediately.
func (j *joiner) goesOn(start int) bool {
	return j.text != nil && strings.IndexByte("\"'rRbBfFuU", j.src[start]) >= 0 && len(bytes.TrimSpace(j.src[j.end:start])) <= 2
}

func (j *joiner) add(start, end int) {
	room := j.end-j.start < maxLiteral && len(j.text) < maxPieces && start-j.end <= maxLiteral
	switch {
	case j.text == nil || !room:
	case j.open && !holeEnds(j.src[start-1]):
		return // a string in the code of the placeholder
	case j.open:
		j.text = append(j.text, j.readPart(start, end))
		j.end = end
		return
	default:
		switch jointOf(j.src[j.end:start]) {
		case together:
			j.text[len(j.text)-1] += j.readString(start, end)
			j.end = end
			return
		case withGap:
			j.text = append(j.text, j.readString(start, end))
			j.end = end
			return
		}
	}
	j.flush()
	j.start, j.end, j.text = start, end, []string{j.readString(start, min(end, start+maxLiteral))}
}

func holeEnds(c byte) bool { return c == '}' || c == ')' }

// readString returns the text of a string from its opening quote on; it sets open if a placeholder follows.
func (j *joiner) readString(start, end int) string {
	from := start
	for from < end && from-start < 3 && strings.IndexByte("rRbBfFuUlL8#$@", j.src[from]) >= 0 {
		from++
	}
	if from == end || strings.IndexByte("\"'`", j.src[from]) < 0 {
		from, j.quote = start, "" // a heredoc or markup text
		j.open = false
		return unescape(string(j.src[start:end]))
	}
	j.quote = string(j.src[from : from+1])
	if triple := strings.Repeat(j.quote, 3); bytes.HasPrefix(j.src[from:end], []byte(triple)) {
		j.quote = triple
	}
	return j.readPart(min(from+len(j.quote), end), end)
}

// readPart returns the text up to the closing quote, or up to an opening placeholder.
func (j *joiner) readPart(from, end int) string {
	s := strings.TrimRight(string(j.src[from:end]), "#")
	text, closed := strings.CutSuffix(s, j.quote)
	if j.open = !closed; j.open {
		text = strings.TrimRight(string(j.src[from:end]), "#$\\{(")
	}
	return unescape(text)
}

// flush emits the joined literal if it contains a match.
func (j *joiner) flush() {
	if j.text == nil {
		return
	}
	for len(j.at) > 0 && j.at[0] < j.start {
		j.at = j.at[1:]
	}
	if len(j.at) > 0 && j.at[0] < j.end {
		l := Literal{Start: j.start, End: j.end}
		for _, t := range j.text {
			l.Pieces = splitGaps(l.Pieces, t)
		}
		if len(l.Pieces) > 0 {
			j.fn(l)
		}
		j.emitLines()
	}
	j.text = nil
}

// emitLines emits each line of a multi-line text as well: people paste one line of a long message.
func (j *joiner) emitLines() {
	whole := strings.Join(j.text, "\x00")
	if !strings.Contains(strings.TrimSpace(whole), "\n") {
		return
	}
	for i, line := range strings.SplitN(whole, "\n", maxPieces) {
		if countLetters(line) < minLetters || i == maxPieces-1 {
			continue
		}
		l := Literal{Start: j.start, End: j.end}
		for _, t := range strings.Split(line, "\x00") {
			l.Pieces = splitGaps(l.Pieces, t)
		}
		if len(l.Pieces) > 0 {
			j.fn(l)
		}
	}
}

type joint uint8

const (
	apart joint = iota
	together
	withGap
)

// jointOf reports how the code between two strings combines them: "a" + "b" is one text, "a" + name + "b" one with a gap,
// "a", "b" are two.
func jointOf(between []byte) joint {
	if len(between) > maxBetween {
		return apart
	}
	s := strings.TrimSpace(string(between))
	if strings.Trim(s, `\rRbBfFuUL$@`) == "" {
		return together // at most the prefix of the next one
	}
	if strings.Trim(s, "+.&<>\\\r\n\t |~") == "" {
		return together
	}
	for _, op := range []string{"+", ".", "<<", "&", "..", "~", "++"} {
		if strings.HasPrefix(s, op) && strings.HasSuffix(s, op) && !strings.ContainsAny(s, ";{}") {
			return withGap
		}
	}
	return apart
}

// escapes replaces escape sequences of literals with what messages contain.
var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "", `\"`, `"`, `\'`, `'`, "\\`", "`", `\\`, `\`, "\\\n", "")

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.Replace(s)
}

// hole matches the placeholders of known format syntaxes.
var hole = lazyregexp.New(`%(?:\([\w.]+\)|\{[\w.]+\}|<[\w.]+>|\d+\$)?[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlLzjtqw])?[a-zA-Z@]|%\{\w+\}|\$\{[^{}\n]{1,80}\}|#\{[^{}\n]{1,80}\}|\\\([^()\n]{1,80}\)|\{\{ ?[\w.]+ ?\}\}|\{[^{}\n"]{0,60}\}|\$[A-Za-z_]\w*(?:->\w+|\[\w+\])*|%%|<%=[^%\n]{1,80}%>`)

// splitGaps splits a text at its placeholders and appends the runs between them.
func splitGaps(to []string, text string) []string {
	from := 0
	for _, m := range hole.FindAllStringIndex(text, maxPieces) {
		to = appendPiece(to, text[from:m[0]])
		from = m[1]
	}
	return appendPiece(to, text[from:])
}

func appendPiece(to []string, s string) []string {
	if s = squeezeKeep(s); s == "" || len(to) == maxPieces {
		return to
	}
	return append(to, s)
}

// squeezeKeep replaces each run of blanks with one space, even at the ends.
func squeezeKeep(s string) string {
	f := strings.Fields(s)
	if len(f) == 0 {
		return ""
	}
	out := strings.Join(f, " ")
	if strings.IndexByte(" \t\n\r", s[0]) >= 0 {
		out = " " + out
	}
	if strings.IndexByte(" \t\n\r", s[len(s)-1]) >= 0 {
		out += " "
	}
	return out
}
