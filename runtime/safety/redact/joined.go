package redact

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// A token can be cut by something that a reader does not see, such as a color, a zero-width character or a backslash at
// the end of a line, and its letters can be written as escapes. The text is then searched again as it reads, and the
// positions are mapped back.

// edit is a part of the text that reads as nothing, or as the byte with.
type edit struct {
	lo, hi int
	with   byte // 0: nothing
	hidden bool // invisible, unlike a line continuation or an escape
}

// width returns the length of the edit's replacement.
func (e edit) width() int {
	if e.with == 0 {
		return 0
	}
	return 1
}

// findEdited returns the findings in the text as it reads.
func (s *scan) findEdited() (found []finding) {
	if s.leads {
		found = s.joinedBy(findEdits, rankGeneric)
	}
	if strings.Contains(s.text, "=\n") || strings.Contains(s.text, "=\r\n") {
		found = append(found, s.joinedBy(softBreaks, rankForm)...)
	}
	return found
}

// joinedBy returns the findings in the text with the given edits applied. If none of these is invisible, only findings
// that contain an edit and whose detector ranks before rank count.
func (s *scan) joinedBy(edits func(string, *meter) iter.Seq[edit], rank int) []finding {
	text, hidden := asRead(s.text, edits(s.text, s.watch.value))
	if len(text) == len(s.text) {
		return nil
	}
	inner := scan{r: s.r, path: s.path, text: text, watch: s.watch}
	seen := inner.run()
	found := toOriginal(seen, edits(s.text, s.watch.value))
	n := 0
	for i, f := range found {
		if isEdited := f.end-f.start > seen[i].end-seen[i].start; hidden || isEdited && f.by.rank < rank {
			found[n] = f
			n++
		}
	}
	return found[:n]
}

// asRead returns a text with the edits applied, and whether any of them is invisible.
func asRead(text string, edits iter.Seq[edit]) (read string, hidden bool) {
	var b strings.Builder
	at := 0
	for e := range edits {
		if at == 0 {
			b.Grow(len(text))
		}
		b.WriteString(text[at:e.lo])
		if e.with != 0 {
			b.WriteByte(e.with)
		}
		at = e.hi
		hidden = hidden || e.hidden
	}
	if at == 0 {
		return text, false
	}
	b.WriteString(text[at:])
	return b.String(), hidden
}

// toOriginal maps findings in a text with edits to the text itself. Next to a removed part, an end stays before it and a
// start goes after it. The edits are computed again: keeping one for each character would take many times the text.
func toOriginal(seen []finding, edits iter.Seq[edit]) []finding {
	type bound struct {
		at  int
		end bool
		of  *int
	}
	found := slices.Clone(seen)
	bounds := make([]bound, 0, 2*len(found))
	for i := range found {
		bounds = append(bounds, bound{found[i].end, true, &found[i].end})
	}
	for i := range found {
		bounds = append(bounds, bound{found[i].start, false, &found[i].start})
	}
	slices.SortStableFunc(bounds, func(x, y bound) int { return x.at - y.at }) // ends come first
	removed, n := 0, 0                                                         // removed: bytes that were removed so far
	for e := range edits {
		behind := e.lo - removed + e.width()
		for n < len(bounds) && (behind > bounds[n].at || bounds[n].end && behind == bounds[n].at && e.with == 0) {
			*bounds[n].of += removed
			n++
		}
		if n == len(bounds) {
			return found
		}
		removed += e.hi - e.lo - e.width()
	}
	for ; n < len(bounds); n++ {
		*bounds[n].of += removed
	}
	return found
}

// isLead marks the bytes that an edit may begin with: a control or invisible character, an escape of a programming
// language, of a URL or of HTML, a line continuation, a caret that stands for the escape character.
var isLead = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = true
	}
	t['\t'], t['\n'] = false, false
	for _, c := range []byte{0x7F, 0xC2, 0xCC, 0xCD, 0xD8, 0xE1, 0xE2, 0xE3, 0xEF, 0xF0, 0xF3, '\\', '%', '&', '^'} {
		t[c] = true
	}
	return t
}()

// findEdits yields the parts of the text that read differently, in order. It ends early with the search.
func findEdits(text string, m *meter) iter.Seq[edit] {
	return func(yield func(edit) bool) {
		for at := 0; at < len(text); {
			if !isLead[text[at]] {
				at++
				continue
			}
			if m.tick(placeTicks) {
				return
			}
			e := editAt(text, at)
			if e.hi == at {
				at++
				continue
			}
			if !yield(e) {
				return
			}
			at = e.hi
		}
	}
}

// editAt returns the edit that begins at text[at], or one of length zero.
func editAt(text string, at int) edit {
	e := edit{lo: at, hi: at}
	switch c := text[at]; {
	case c == '\\' || c == '%' || c == '&' || c == '^':
		if n, with := escapeAt(text, at); n > 0 {
			return edit{lo: at, hi: at + n, with: with, hidden: with == 0}
		}
		e.hi += continuationLen(text, at)
	case c == '\r':
		if at > 0 && at+1 < len(text) && isWord(text[at-1]) && isWord(text[at+1]) {
			e.hi++
		}
	default:
		e.hidden = true
		sequence := sanitize.EscapeLen(text[at:])
		switch r, size := utf8.DecodeRuneInString(text[at:]); {
		case sequence > 0:
			e.hi += sequence
		case r < ' ' || r >= 0x7F && r <= 0x9F || isInvisible(r) || isCombining(r):
			e.hi += size
		}
	}
	return e
}

// isCombining reports whether a rune is drawn over the preceding letter, in blocks that no script needs.
func isCombining(r rune) bool {
	return r >= 0x300 && r <= 0x36F || r >= 0x1AB0 && r <= 0x1AFF || r >= 0x1DC0 && r <= 0x1DFF || r >= 0x20D0 && r <= 0x20FF ||
		r >= 0xFE00 && r <= 0xFE0F || r >= 0xFE20 && r <= 0xFE2F
}

// continuationLen returns the length of a backslash and a line end at text[at] within a word, else 0.
func continuationLen(text string, at int) int {
	n := 0
	switch rest := text[at:]; {
	case at == 0 || !isWord(text[at-1]):
	case strings.HasPrefix(rest, "\\\n"):
		n = 2
	case strings.HasPrefix(rest, "\\\r\n"):
		n = 3
	}
	if n > 0 && at+n < len(text) && isWord(text[at+n]) {
		return n
	}
	return 0
}

// softBreaks yields the soft line breaks ("=" at the end of a line) of quoted-printable text, within words and on lines
// about as long as RFC 2045 allows. Secrets in base64 also end in "=": only tokens of kinds that do not are looked for.
func softBreaks(text string, m *meter) iter.Seq[edit] {
	const minWrapped, maxWrapped = 60, 75
	return func(yield func(edit) bool) {
		for at := 0; ; {
			n := strings.Index(text[at:], "=")
			if n < 0 || m.tick(placeTicks+n) {
				return
			}
			at += n + 1
			end := at
			if strings.HasPrefix(text[at:], "\r") {
				end++
			}
			if end+1 >= len(text) || text[end] != '\n' || at < 2 || !isWord(text[at-2]) || !isWord(text[end+1]) {
				continue
			}
			if width := len(lineBefore(text, at-1, maxWrapped+1)); width >= minWrapped && width <= maxWrapped && !yield(edit{lo: at - 1, hi: end + 1}) {
				return
			}
		}
	}
}

// writtenEscapes are the ways in which sources and logs write the character that begins a color.
var writtenEscapes = []string{`\u001b[`, `\u001B[`, `\x1b[`, `\x1B[`, `\033[`, `\e[`, "^[["}

// escapeAt returns the length of an escape at text[at] and the byte it stands for, 0 if that is invisible. n is 0 for
// an escape that cannot be part of a token: what an encoder has to escape does not occur in one.
func escapeAt(text string, at int) (n int, with byte) {
	rest := text[at:min(len(text), at+48)]
	slashes := 0
	for slashes < len(rest) && rest[slashes] == '\\' {
		slashes++
	}
	if slashes > 1 { // a string in a string
		rest = rest[slashes-1:]
	}
	for _, w := range writtenEscapes {
		if strings.HasPrefix(rest, w) {
			if m := strings.IndexFunc(rest[len(w):], func(r rune) bool { return r < '0' || r > ';' }); m >= 0 && letterClass[rest[len(w)+m]] < 52 {
				return max(slashes-1, 0) + len(w) + m + 1, 0
			}
			return 0, 0
		}
	}
	if strings.HasPrefix(rest, `\/`) || strings.HasPrefix(rest, `\_`) { // as some write JSON, and Markdown or TeX
		if at > 0 && isWord(text[at-1]) && len(rest) > 2 && isWord(rest[2]) {
			return max(slashes-1, 0) + 2, rest[1]
		}
		return 0, 0
	}
	code, size := escapedRune(rest)
	if size == 0 {
		return 0, 0
	}
	n = max(slashes-1, 0) + size
	switch {
	case isInvisible(code) || isCombining(code):
		return n, 0
	case code >= 0x80 || !isWord(byte(code)) && strings.IndexByte("-.~", byte(code)) < 0:
		return 0, 0
	case at > 0 && isWord(text[at-1]) || at+n < len(text) && (isWord(text[at+n]) || text[at+n] == text[at]):
		return n, byte(code)
	}
	return 0, 0
}

// escapedRune decodes the escape that s starts with: \u0067, \x67, %67, %2567, &#103; and &#x67;.
func escapedRune(s string) (r rune, size int) {
	digits, base, end := "", rune(16), 0
	switch {
	case strings.HasPrefix(s, `\u`) && len(s) >= 6:
		digits, end = s[2:6], 6
	case strings.HasPrefix(s, `\x`) && len(s) >= 4:
		digits, end = s[2:4], 4
	case strings.HasPrefix(s, "%25") && len(s) >= 5:
		digits, end = s[3:5], 5
	case s[0] == '%' && len(s) >= 3:
		digits, end = s[1:3], 3
	case strings.HasPrefix(s, "&#"):
		i := strings.IndexByte(s[:min(len(s), 12)], ';')
		if i < 4 {
			return 0, 0
		}
		if digits, end, base = s[2:i], i+1, 10; digits[0] == 'x' || digits[0] == 'X' {
			digits, base = digits[1:], 16
		}
	default:
		return 0, 0
	}
	for i := range len(digits) {
		d := slices.Index(hexDigits, lowerByte(digits[i]))
		if d < 0 || rune(d) >= base {
			return 0, 0
		}
		r = r*base + rune(d)
	}
	return r, end
}

var hexDigits = []byte("0123456789abcdef")
