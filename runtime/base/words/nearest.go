package words

import "strings"

// maxName is how long a name may be that is compared, in bytes: the work grows
// with the product of the lengths, and such a name may come from anywhere.
const maxName = 64

// Nearest returns the candidate that takes the fewest edits to become name, at
// most most of them, or "". Case and the choice between - and _ are free. Among
// equals the first candidate wins; name itself is none.
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

// FoldName makes case and the choice between - and _ free of charge.
func FoldName(s string) string { return strings.ReplaceAll(strings.ToLower(s), "-", "_") }
