package code

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"compactor/runtime/catalog"
	"compactor/runtime/sandbox"
)

// Redact masks the secrets of a text and keeps its line breaks. The builtins
// that quote apply it to whole files: once a file is cut into lines, a key of
// several lines and a value whose name was cut away are no longer to be told
// from other text. A builtin made without one quotes files as they are.
type Redact func(text string) string

// all joins redactors; none is nil.
func all(redact []Redact) Redact {
	if len(redact) == 0 {
		return nil
	}
	return func(text string) string {
		for _, r := range redact {
			if r != nil {
				text = r(text)
			}
		}
		return text
	}
}

// A page is a file of which parts may be quoted.
type page struct {
	ref    string
	data   []byte // as it is, for matching and parsing
	masked string // as it may be shown, with the same lines
	lines  []string
}

// openPage reads a file and masks it. It books nothing: what is quoted of it
// is booked by whoever quotes.
func openPage(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string, redact Redact) (*page, error) {
	data, err := root.ReadFile(ctx, rel, nil)
	if err != nil {
		return nil, coded(err)
	}
	masked := mask(string(data), redact)
	return &page{ref: env.Roots.Ref(root, rel), data: data, masked: masked, lines: textLines(masked)}, nil
}

// line gives line n, counted from 1; "" when there is none.
func (p *page) line(n int) string {
	if n < 1 || n > len(p.lines) {
		return ""
	}
	return p.lines[n-1]
}

// mask masks a text. A redactor that joins lines would move everything below;
// its word is then taken line by line.
func mask(text string, redact Redact) string {
	if redact == nil {
		return text
	}
	if masked := redact(text); strings.Count(masked, "\n") == strings.Count(text, "\n") {
		return masked
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = strings.ReplaceAll(redact(l), "\n", " ")
	}
	return strings.Join(lines, "\n")
}

// textLines splits at line feeds; a carriage return before one belongs to the
// line end, a byte order mark to no line. A last line feed opens no line.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.ToValidUTF8(strings.TrimSuffix(l, "\r"), "\uFFFD")
	}
	return lines
}

// cutAround shortens a line to at most max bytes, the ones around byte at,
// and marks what was cut away with an ellipsis. It splits no rune.
func cutAround(line string, at, max int) string {
	if len(line) <= max {
		return line
	}
	const mark = "…"
	room := max - 2*len(mark)
	start := within(at-room/4, 0, len(line)-room)
	end := start + room
	if start == 0 {
		end += len(mark)
	}
	if end >= len(line) {
		start, end = len(line)-room-len(mark), len(line)
	}
	for start > 0 && start < len(line) && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && !utf8.RuneStart(line[end]) {
		end--
	}
	out := line[start:end]
	if start > 0 {
		out = mark + out
	}
	if end < len(line) {
		out += mark
	}
	return out
}

// cutEnd shortens a line to about max bytes and says how much is missing.
func cutEnd(line string, max int) string {
	if len(line) <= max {
		return line
	}
	end := max
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + fmt.Sprintf("… (+%d bytes)", len(line)-end)
}

// numbered writes lines from..to, each behind its number and a tab, and stops
// before the text passes max bytes. It returns the last line written.
func (p *page) numbered(from, to, lineMax, max int) (string, int) {
	var b strings.Builder
	last := from - 1
	for n := from; n <= to; n++ {
		text := strconv.Itoa(n) + "\t" + cutEnd(p.line(n), lineMax) + "\n"
		if b.Len() > 0 && b.Len()+len(text) > max {
			break
		}
		b.WriteString(text)
		last = n
	}
	return b.String(), last
}

// book asks the ledger for n bytes of a file that are to be quoted. A refusal
// is no error: the answer comes without them and says why.
func book(env *catalog.Env, ref string, n int, said *remarks, what string) bool {
	err := env.Ledger.Read(ref, int64(n))
	if err != nil {
		said.cut("%s: %s", what, err.Error())
	}
	return err == nil
}
