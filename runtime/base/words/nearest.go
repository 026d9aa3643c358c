package words

import "strings"

// maxName limits the names that are compared, in bytes: the work grows with the product
// of the lengths, and such a name may come from anywhere.
const maxName = 64

// Nearest returns the candidate that needs the fewest edits to become name, at most
// most of them, or "". Case and the choice between - and _ do not count. Among equals
// the first candidate wins; name itself is never returned.
func Nearest(name string, candidates []string, most int) string {
	best := ""
	if len(name) > maxName {
		return best
	}
	folded := FoldName(name)
	for _, c := range candidates {
		if c == name || len(c) > maxName {
			continue
		}
		if d := Edits(folded, FoldName(c), most); d <= most {
			best, most = c, d-1
		}
	}
	return best
}

// FoldName lowers case and replaces - by _, so that these differences do not count.
func FoldName(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
