package reply

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Limits of what is read.
const (
	maxBytes   = 256 << 10 // of a text; the rest is ignored
	maxDepth   = 64        // nesting levels; deeper is a Mismatch
	maxValues  = 1 << 15   // values of one object; the rest counts as cut off
	maxObjects = 32        // objects of one text that are tried
	maxInner   = 8         // objects nested inside those that are tried after them
)

// Rung tells how far down the ladder a reply had to go.
type Rung string

// The rungs, from the top.
const (
	Clean    Rung = "clean"    // valid as received
	Stripped Rung = "stripped" // thoughts, fences or chatter were around it
	Mended   Rung = "mended"   // was not JSON, or was cut off, and has been repaired
	Fitted   Rung = "fitted"   // values were converted to the schema's types, or dropped
)

// Reading is a parsed reply. Objects are map[string]any, lists []any, integers int, numbers float64.
type Reading struct {
	Value   map[string]any
	Rung    Rung
	Dropped int  // fields and elements without a place in the schema
	Cut     bool // the text ended inside the object; complete parts are kept
}

// JSON finds the one JSON object in a model's text and fits it to s. It is Read without the counts.
func JSON(text string, s *schema.Schema) (map[string]any, Rung, error) {
	r, err := Read(text, s)
	return r.Value, r.Rung, err
}

// Read finds the one JSON object in a model's text and fits it to s, which describes an
// object. If there are several, it takes the first that fits. The error is a *Mismatch.
func Read(text string, s *schema.Schema) (Reading, error) {
	text = bound(text)
	whole := strings.TrimSpace(text)
	valid := strings.HasPrefix(whole, "{") && json.Valid([]byte(whole))
	if valid {
		return readValid(whole, s)
	}
	stripped := strip(text)
	got, err := search(stripped, s)
	if err == nil || stripped == text {
		return got, err
	}
	// What looked like thoughts may hold the answer: some servers never close them, and a
	// note may mention such a tag.
	if got, err := search(text, s); err == nil {
		return got, nil
	}
	return got, err
}

func readValid(text string, s *schema.Schema) (Reading, error) {
	got, err := search(text, s)
	if err == nil && got.Rung == Stripped {
		got.Rung = Clean
	}
	return got, err
}

// Fit makes an already parsed value, such as the arguments of a Call, fit s. The rung is
// Clean or Fitted; the error is a *Mismatch.
func Fit(value map[string]any, s *schema.Schema) (Reading, error) {
	got, err := fitObject(nodeOf(value, 0), s)
	if err == nil && got.Rung == Stripped {
		got.Rung = Clean
	}
	return got, err
}

// bound cuts a text to maxBytes and makes it valid UTF-8.
func bound(text string) string {
	if len(text) > maxBytes {
		end := maxBytes
		for end > maxBytes-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
