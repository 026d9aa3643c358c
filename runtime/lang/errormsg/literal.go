package errormsg

import (
	"bytes"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
)

// Bounds of one literal.
const (
	maxPieces  = 64   // runs between gaps
	maxLiteral = 4096 // bytes
	maxBetween = 160  // bytes of code between two strings that are one text
)

// Literal is a string of a source, or several that are put together: runs of
// text, and between them gaps that a message has values in.
type Literal struct {
	Start, End int // bytes in the source
	Pieces     []string
}

// Literals calls fn with the literals of a source that overlap one of the lines,
// given by the offsets of matches in it, in order.
func Literals(lang symbols.Lang, src []byte, at []int, fn func(Literal)) {
	if len(at) == 0 {
		return
	}
	if !splits(lang) {
		lineLiterals(src, at, fn)
		return
	}
	j := joiner{src: src, at: at, fn: fn}
	symbols.Split(lang, src, func(kind symbols.SpanKind, start, end int) {
		// A Python string alone on its line passes for a docstring, also where it goes
		// on with the one above.
		if kind == symbols.SpanString || kind == symbols.SpanComment && lang == symbols.Python && j.goesOn(start) {
			j.add(start, end)
		}
	})
	j.flush()
}

// splits says whether strings of a language are told from its code.
func splits(lang symbols.Lang) bool {
	switch lang {
	case "", symbols.JSON, symbols.YAML, symbols.TOML, symbols.Markdown, symbols.AsciiDoc, symbols.RST:
		return false
	}
	return true
}

// lineLiterals takes the value of each line: catalogues of messages hold one a line.
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
			fn(Literal{Start: start, End: to, Pieces: gaps(nil, unescape(value))})
		}
	}
}

// joiner puts strings together that the code puts together.
type joiner struct {
	src        []byte
	at         []int
	fn         func(Literal)
	start, end int
	text       []string // texts, gaps between them
	quote      string   // that closes the string at hand
	open       bool     // a hole of the string at hand is open
}

// goesOn says that a string stands at start with nothing between it and the last.
func (j *joiner) goesOn(start int) bool {
	return j.text != nil && strings.IndexByte("\"'rRbBfFuU", j.src[start]) >= 0 && len(bytes.TrimSpace(j.src[j.end:start])) <= 2
}

func (j *joiner) add(start, end int) {
	room := j.end-j.start < maxLiteral && len(j.text) < maxPieces && start-j.end <= maxLiteral
	switch {
	case j.text == nil || !room:
	case j.open && !holeEnds(j.src[start-1]):
		return // a string in the code of the hole
	case j.open:
		j.text = append(j.text, j.part(start, end))
		j.end = end
		return
	default:
		switch joins(j.src[j.end:start]) {
		case together:
			j.text[len(j.text)-1] += j.first(start, end)
			j.end = end
			return
		case withGap:
			j.text = append(j.text, j.first(start, end))
			j.end = end
			return
		}
	}
	j.flush()
	j.start, j.end, j.text = start, end, []string{j.first(start, min(end, start+maxLiteral))}
}

func holeEnds(c byte) bool { return c == '}' || c == ')' }

// first is the text of a string from its opening quote on; open says afterwards
// whether a hole follows.
func (j *joiner) first(start, end int) string {
	from := start
	for from < end && from-start < 3 && strings.IndexByte("rRbBfFuUlL8#$@", j.src[from]) >= 0 {
		from++
	}
	if from == end || strings.IndexByte("\"'`", j.src[from]) < 0 {
		from, j.quote = start, "" // a heredoc, or text of markup
		j.open = false
		return unescape(string(j.src[start:end]))
	}
	j.quote = string(j.src[from : from+1])
	if triple := strings.Repeat(j.quote, 3); bytes.HasPrefix(j.src[from:end], []byte(triple)) {
		j.quote = triple
	}
	return j.part(min(from+len(j.quote), end), end)
}

// part is the text up to the closing quote, or to the hole that opens.
func (j *joiner) part(from, end int) string {
	s := strings.TrimRight(string(j.src[from:end]), "#")
	text, closed := strings.CutSuffix(s, j.quote)
	if j.open = !closed; j.open {
		text = strings.TrimRight(string(j.src[from:end]), "#$\\{(")
	}
	return unescape(text)
}

// flush hands over what was put together, if a match lies in it.
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
			l.Pieces = gaps(l.Pieces, t)
		}
		if len(l.Pieces) > 0 {
			j.fn(l)
		}
		j.lines()
	}
	j.text = nil
}

// lines hands over each line of a text of several by itself: of a long message it is
// one that is pasted.
func (j *joiner) lines() {
	whole := strings.Join(j.text, "\x00")
	if !strings.Contains(strings.TrimSpace(whole), "\n") {
		return
	}
	for i, line := range strings.SplitN(whole, "\n", maxPieces) {
		if letters(line) < minLetters || i == maxPieces-1 {
			continue
		}
		l := Literal{Start: j.start, End: j.end}
		for _, t := range strings.Split(line, "\x00") {
			l.Pieces = gaps(l.Pieces, t)
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

// joins tells what the code between two strings does with them: "a" + "b" is one
// text, "a" + name + "b" one with a gap, "a", "b" are two.
func joins(between []byte) joint {
	if len(between) > maxBetween {
		return apart
	}
	s := strings.TrimSpace(string(between))
	if strings.Trim(s, `\rRbBfFuUL$@`) == "" {
		return together // the prefix of the next one at most
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

// escapes are written in literals and read in messages.
var escapes = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "", `\"`, `"`, `\'`, `'`, "\\`", "`", `\\`, `\`, "\\\n", "")

func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escapes.Replace(s)
}

// hole finds the placeholders that formats know.
var hole = lazyregexp.New(`%(?:\([\w.]+\)|\{[\w.]+\}|<[\w.]+>|\d+\$)?[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|ll|[hlLzjtqw])?[a-zA-Z@]|%\{\w+\}|\$\{[^{}\n]{1,80}\}|#\{[^{}\n]{1,80}\}|\\\([^()\n]{1,80}\)|\{\{ ?[\w.]+ ?\}\}|\{[^{}\n"]{0,60}\}|\$[A-Za-z_]\w*(?:->\w+|\[\w+\])*|%%|<%=[^%\n]{1,80}%>`)

// gaps cuts a text at its placeholders and appends the runs between them.
func gaps(to []string, text string) []string {
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

// squeezeKeep writes runs of blanks as one, those at the ends too.
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
