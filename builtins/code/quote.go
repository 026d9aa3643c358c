package code

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"compactor/runtime/budget"
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

// A page is a file that may be shown: booked, read and masked.
type page struct {
	ref    string
	data   []byte // as it is, for matching and parsing
	masked string // as it may be shown, with the same lines
	lines  []string
}

// quote books a file on the ledger, reads it and masks it.
func quote(ctx context.Context, env *catalog.Env, root *sandbox.Root, rel string, redact Redact) (*page, error) {
	e, err := root.Stat(rel)
	if err != nil {
		return nil, coded(err)
	}
	ref := env.Roots.Ref(root, rel)
	if err := env.Ledger.Read(ref, e.Size); err != nil {
		return nil, err
	}
	data, err := root.ReadFile(ctx, rel, nil)
	if err != nil {
		return nil, coded(err)
	}
	masked := mask(string(data), redact)
	return &page{ref: ref, data: data, masked: masked, lines: textLines(masked)}, nil
}

// line gives line n, counted from 1; "" when there is none.
func (q *page) line(n int) string {
	if n < 1 || n > len(q.lines) {
		return ""
	}
	return q.lines[n-1]
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
func (q *page) numbered(from, to, lineMax, max int) (string, int) {
	var b strings.Builder
	last := from - 1
	for n := from; n <= to; n++ {
		text := strconv.Itoa(n) + "\t" + cutEnd(q.line(n), lineMax) + "\n"
		if b.Len() > 0 && b.Len()+len(text) > max {
			break
		}
		b.WriteString(text)
		last = n
	}
	return b.String(), last
}

// spent tells an exhausted ledger, which ends in a part of the answer, from
// an error, which ends in none.
func spent(err error) (*budget.ExhaustedError, bool) {
	var e *budget.ExhaustedError
	return e, errors.As(err, &e)
}
