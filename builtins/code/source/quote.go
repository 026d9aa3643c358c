package source

import (
	"fmt"
	"unicode/utf8"
)

// ShortenEnd shortens a line to about max bytes and says how many bytes are missing.
func ShortenEnd(line string, max int) string {
	if len(line) <= max {
		return line
	}
	end := max
	for end > 0 && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[:end] + fmt.Sprintf("… (+%d bytes)", len(line)-end)
}

// Cite names a definition with its place: "`Pool.admit` (runtime/pipeline/engine/pool.go:41)".
func Cite(name, ref string) string { return "`" + name + CiteEnd(ref) }

// CiteEnd returns the end of a citation of ref.
func CiteEnd(ref string) string { return "` (" + ref + ")" }
