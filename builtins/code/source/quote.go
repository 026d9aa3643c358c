package source

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// CutAround shortens a line to at most max bytes around byte at, and marks each omission with an
// ellipsis. It splits no rune.
func CutAround(line string, at, max int) string {
	if len(line) <= max {
		return line
	}
	const mark = "…"
	room := max - 2*len(mark)
	start := Clamp(at-room/4, 0, len(line)-room)
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

// CutEnd shortens a line to about max bytes and says how many bytes are missing.
func CutEnd(line string, max int) string {
	if len(line) <= max {
		return line
	}
	end := max
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + fmt.Sprintf("… (+%d bytes)", len(line)-end)
}

// Numbered formats the lines from..to, each after its number and a tab, and stops before the text
// exceeds max bytes. It returns the last line included.
func (p *Page) Numbered(from, to, lineMax, max int) (string, int) {
	var b strings.Builder
	last := from - 1
	for n := from; n <= to; n++ {
		text := strconv.Itoa(n) + "\t" + CutEnd(p.Line(n), lineMax) + "\n"
		if b.Len() > 0 && b.Len()+len(text) > max {
			break
		}
		b.WriteString(text)
		last = n
	}
	return b.String(), last
}

// BookBytes charges n bytes of a file to be quoted to the ledger. A refusal is not an error: the
// answer omits the quote and notes why.
func BookBytes(env *catalog.Env, ref string, n int, said *Remarks, what string) bool {
	err := env.Ledger.Read(ref, int64(n))
	if err != nil {
		said.Cut("%s: %s", what, err.Error())
	}
	return err == nil
}
