package words

import (
	_ "embed"
	"iter"
	"strings"
)

//go:embed lists/stop.txt
var stop string

// CommonStops returns the list of English words that carry no meaning in any question.
func CommonStops() string { return stop }

// Lines yields the lines of an embedded list, trimmed, without comments, which begin
// with #, and without empty lines.
func Lines(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(list) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Set returns the set of the words in lists.
func Set(lists ...string) map[string]bool {
	m := map[string]bool{}
	for _, l := range lists {
		for line := range Lines(l) {
			for w := range strings.FieldsSeq(line) {
				m[w] = true
			}
		}
	}
	return m
}
