// Package reply reads what a small model wrote. A reply is asked for as one
// JSON object, or as calls of tools, and comes as that inside fences, after
// thoughts, with quotes missing, cut off, or with "#1" where a number was
// asked for. Each reply goes down a ladder, strip, parse, mend, fit, only as
// far as it must, and what comes out always keeps the schema.
//
// It has a parser of its own: runtime/base/rawjson walks JSON, and most of what comes
// here is none before it is mended. Keys may lack quotes, ends may be missing,
// and what was mended is told apart from what stood there.
//
// Everything here is a pure function of its arguments: no model, no clock, no
// files. Time and memory grow linearly with a text, and no more than maxBytes
// of one is looked at.
package reply

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Bounds of what is read.
const (
	maxBytes   = 256 << 10 // of a text; the rest is cut off
	maxDepth   = 64        // of nesting; deeper is a Mismatch
	maxValues  = 1 << 15   // of one object; the rest counts as cut off
	maxObjects = 32        // of one text that are tried
	maxInner   = 8         // of objects inside those that are tried after them
)

// Rung says how far down the ladder a reply had to go.
type Rung string

// The rungs, from the top.
const (
	Clean    Rung = "clean"    // valid as it came
	Stripped Rung = "stripped" // thoughts, fences or chatter were around it
	Mended   Rung = "mended"   // it was not JSON, or was cut off, and has been closed
	Fitted   Rung = "fitted"   // values were turned into what the schema wants, or dropped
)

// Reading is a reply that was read. Objects are map[string]any, lists []any,
// integers int, numbers float64.
type Reading struct {
	Value   map[string]any
	Rung    Rung
	Dropped int  // fields and elements that had no place in the schema
	Cut     bool // the text ended inside the object; what was whole is kept
}

// JSON finds the one JSON object in a model's text and fits it to s. It is
// Read for those who need no counts.
func JSON(text string, s *schema.Schema) (map[string]any, Rung, error) {
	r, err := Read(text, s)
	return r.Value, r.Rung, err
}

// Read finds the one JSON object in a model's text and fits it to s, which
// describes an object. Of several it takes the first that fits. The error is a
// *Mismatch.
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
	// What looked like thoughts may hold the answer: some servers never close
	// them, and a note may speak of such a tag.
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

// Fit makes a value that has already been read, such as the arguments of a
// Call, keep s. The rung is Clean or Fitted; the error is a *Mismatch.
func Fit(value map[string]any, s *schema.Schema) (Reading, error) {
	got, err := fitObject(nodeOf(value, 0), s)
	if err == nil && got.Rung == Stripped {
		got.Rung = Clean
	}
	return got, err
}

// bound cuts a text at maxBytes and makes it valid UTF-8.
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
