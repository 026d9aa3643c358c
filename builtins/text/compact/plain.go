package compact

import (
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

const escape = "\x1b"

// plainText returns the text that a terminal finally shows: without escape sequences, and with only the last drawing of
// a line that was redrawn with carriage returns.
func plainText(text string) string {
	if strings.IndexByte(text, '\r') < 0 && strings.IndexByte(text, escape[0]) < 0 {
		return text
	}
	if strings.IndexByte(text, '\n') < 0 {
		text = strings.ReplaceAll(text, "\r", "\n") // carriage returns are the only line ends
	}
	out := make([]byte, 0, len(text))
	line, over := 0, false // where the line begins, and whether the next text overwrites it
	for text != "" {
		i := strings.IndexAny(text, "\r\n"+escape)
		if i < 0 {
			i = len(text)
		}
		if i > 0 && over {
			out, over = out[:line], false
		}
		out = append(out, text[:i]...)
		if text = text[i:]; text == "" {
			break
		}
		n := 1
		switch text[0] {
		case '\n':
			out = append(out, '\n')
			line, over = len(out), false
		case '\r':
			over = true
		default:
			n = max(1, sanitize.EscapeLen(text))
			switch seq := text[1:n]; {
			case seq == "[2K", over && (seq == "[K" || seq == "[0K"):
				out = out[:line]
			case seq == "[G", seq == "[0G", seq == "[1G":
				over = true
			}
		}
		text = text[n:]
	}
	return string(out)
}

// withoutMeters removes the progress lines of curl, and the line that says it keeps a connection: they go to another
// stream, and if both are in one file they appear in the middle of the received text.
func withoutMeters(text string) string {
	if !strings.Contains(text, "% Total    % Received") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		t := strings.TrimSpace(line)
		switch {
		case hasPrefix(t, "% Total    % Received", "Dload  Upload "):
		case strings.HasPrefix(t, "* Connection #") && strings.HasSuffix(t, " left intact"):
		case strings.Contains(t, ":--") && len(strings.Fields(t)) >= fieldsOfMeter && strings.Trim(t, "0123456789kMG.:- ") == "":
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

const fieldsOfMeter = 11

// withoutEscapes removes escape sequences from a text.
func withoutEscapes(text string) string {
	if strings.IndexByte(text, escape[0]) < 0 {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, escape[0])
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i+max(1, sanitize.EscapeLen(text[i:])):]
	}
}

const (
	minOpaque   = 200 // bytes, of a run of letters that counts as data
	minHex      = 129 // a hash has up to 128 digits
	shownOpaque = 16  // bytes shown of such a run
)

var opaqueClass = func() (t [256]bool) {
	for c := range 256 {
		t[c] = isAlnum(byte(c)) || strings.IndexByte("+/=_-", byte(c)) >= 0
	}
	return t
}()

// withoutData replaces runs of encoded data by their first letters, their kind and their size. It only looks at every
// minHex-th byte, since no run is shorter.
func withoutData(text string) string {
	var b strings.Builder
	last := 0
	for i := minHex - 1; i < len(text); i += minHex {
		if !opaqueClass[text[i]] {
			continue
		}
		from, to := i, i+1
		for from > last && opaqueClass[text[from-1]] {
			from--
		}
		for to < len(text) && opaqueClass[text[to]] {
			to++
		}
		if kind := kindOfData(text[from:to]); kind != "" {
			b.WriteString(text[last : from+shownOpaque])
			b.WriteString(omission + note("%s characters of "+kind, strconv.Itoa(to-from))) // a comma would end a field
			last = to
		}
		i = to - 1
	}
	if last == 0 {
		return text
	}
	b.WriteString(text[last:])
	return b.String()
}

// kindOfData returns the encoding of a run of letters, or "" if it is not data.
func kindOfData(run string) string {
	if len(run) < minHex {
		return ""
	}
	var upper, lower, digits, slashes, hex int
	for i := range len(run) {
		c := run[i]
		switch {
		case isDigit(c):
			digits++
			hex++
		case isLower(c):
			lower++
			if c <= 'f' {
				hex++
			}
		case isUpper(c):
			upper++
			if c <= 'F' {
				hex++
			}
		case c == '/':
			slashes++
		}
	}
	switch {
	case hex == len(run) && digits > 0 && digits < hex:
		return "hex"
	case len(run) >= minOpaque && digits > 0 && lower > 0 && upper*16 > len(run) && slashes*16 < len(run):
		for _, m := range magics {
			if strings.HasPrefix(run, m.prefix) {
				return "base64, " + m.kind
			}
		}
		return "base64"
	}
	return ""
}

// magics are the beginnings of files, in base64.
var magics = []struct{ prefix, kind string }{
	{"iVBORw0KGgo", "PNG"}, {"/9j/", "JPEG"}, {"R0lGOD", "GIF"}, {"UklGR", "RIFF"}, {"JVBERi0", "PDF"}, {"UEsDB", "ZIP"}, {"H4sI", "gzip"},
}
