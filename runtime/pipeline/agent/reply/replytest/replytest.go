// Package replytest has replies that real small models gave when asked for JSON or a tool call
// without a grammar to constrain them, and makes any number of malformed replies from them.
package replytest

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// Reply is a recorded reply of a model.
type Reply struct {
	Model       string `json:"model"`
	Temperature int    `json:"temperature"`
	Kind        string `json:"kind"`   // what was requested: choose, words, verdict or call
	Finish      string `json:"finish"` // as reported by the server: stop or length
	Text        string `json:"text"`
}

//go:embed replies.jsonl
var recorded string

// Replies returns the recorded replies, in the order in which they were requested.
func Replies() []Reply {
	var out []Reply
	for d := json.NewDecoder(strings.NewReader(recorded)); d.More(); {
		var r Reply
		if err := d.Decode(&r); err != nil {
			panic(err) // the file is part of the program
		}
		out = append(out, r)
	}
	return out
}
