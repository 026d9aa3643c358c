package gateway

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// Between a server's prefix and the tool's own name. Two underscores stand in
// hardly any tool's own name, and clients that rewrite names leave them alone.
const separator = "__"

// Longest name of a tool: some clients refuse a whole list over a longer one.
const longestName = 64

// listedName is what clients call a tool: letters, digits, _ - and . only, no
// longer than clients take. A name that had to be cut ends in a digest of the
// whole, so that two never become one.
func listedName(prefix, tool string) string {
	name := tool
	if prefix != "" {
		name = prefix + separator + tool
	}
	clean := strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.", r)) {
			return r
		}
		return '_'
	}, name)
	if len(clean) <= longestName {
		return clean
	}
	sum := sha256.Sum256([]byte(name))
	return clean[:longestName-9] + "_" + hex.EncodeToString(sum[:4])
}

// unique is the name, or the first with a number behind it that is not taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	taken[out] = true
	return out
}
