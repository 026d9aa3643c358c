// Package replytest has replies that real small models gave when they were
// asked for JSON or a tool call without a grammar to hold them, and makes any
// number of malformed ones from these.
package replytest

import (
	_ "embed"
	"encoding/json"
	"strings"
)

// Reply is what a model wrote.
type Reply struct {
	Model       string `json:"model"`
	Temperature int    `json:"temperature"`
	Kind        string `json:"kind"`   // what was asked: choose, words, verdict or call
	Finish      string `json:"finish"` // as the server said: stop or length
	Text        string `json:"text"`
}

//go:embed replies.jsonl
var recorded string

// Replies are the recorded ones, in the order in which they were asked for.
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
