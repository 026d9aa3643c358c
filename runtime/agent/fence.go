package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/quote"
)

// Text of files reaches a model only fenced: between two lines with a mark that
// the text cannot hold, each of its lines behind a bar, and without anything
// that a chat template takes for the end of a turn. The mark comes from a hash
// of everything fenced, so that equal prompts are equal bytes and no file can
// know it beforehand.

// fence wraps data. seed goes into the mark beside the data itself.
func fence(data, seed string) string {
	data = Neutral(data)
	mark := markFor(data, seed)
	var b strings.Builder
	b.WriteString("<<DATA " + mark + "\n")
	for line := range strings.Lines(data) {
		b.WriteString("| " + strings.TrimRight(line, "\n") + "\n")
	}
	b.WriteString("DATA " + mark + ">>")
	return b.String()
}

func markFor(data, seed string) string {
	sum := sha256.Sum256([]byte(seed + "\x00" + data))
	for {
		mark := hex.EncodeToString(sum[:4])
		if !strings.Contains(data, mark) {
			return mark
		}
		sum = sha256.Sum256(sum[:])
	}
}

// Neutral is text in which nothing speaks to a model's template; see [quote.Neutral].
func Neutral(text string) string { return quote.Neutral(text) }
