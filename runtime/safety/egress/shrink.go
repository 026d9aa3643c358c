package egress

import (
	"encoding/json"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// shrink cuts a reply without regard to cutting orders: it shortens the longest list until all fits or no list is
// left, then the longest text. If the reply has such members, "truncated" becomes true and "notes" says what was
// left out.
func shrink(n *node, max int) json.RawMessage {
	raw := n.json()
	if tokens.Fits(string(raw), max) {
		return raw
	}
	taken := 0
	for !tokens.Fits(string(raw), max) {
		list := longestList(n, 0)
		if list == nil || len(list.kids) == 0 {
			if !shortenLongest(n) {
				break
			}
		} else {
			drop := len(list.kids)/8 + 1
			list.kids = list.kids[:len(list.kids)-drop]
			taken += drop
		}
		markTruncated(n, taken)
		raw = n.json()
	}
	return raw
}

// longestList returns the list below n whose JSON is longest and longer than size bytes, or nil.
func longestList(n *node, size int) *node {
	var best *node
	n.visit(func(_ string, v *node) {
		if v.delim == '[' && len(v.kids) > 0 {
			if s := len(v.json()); s > size {
				best, size = v, s
			}
		}
	})
	return best
}

func shortenLongest(n *node) bool {
	var best *node
	n.visit(func(key string, v *node) {
		if v.isStr && len(v.text) > 24 && key != "notes" && (best == nil || len(v.text) > len(best.text)) {
			best = v
		}
	})
	return best != nil && shortenText(&best.text, 24)
}

func markTruncated(n *node, taken int) {
	if t := n.get("truncated"); t != nil && !t.isStr && t.delim == 0 {
		t.leaf = "true"
	}
	if t := n.get("notes"); t != nil && t.delim == 0 && taken > 0 {
		t.leaf, t.isStr = "", true
		t.text = fmt.Sprintf("%d entries left out to fit the token budget", taken)
	}
}
