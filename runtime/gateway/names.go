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
	clean := cleanName(name)
	if len(clean) <= longestName {
		return clean
	}
	return digested(clean, name)
}

func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-.", r)) {
			return r
		}
		return '_'
	}, name)
}

// digested ends a name in a digest of what it stands for.
func digested(name, of string) string {
	sum := sha256.Sum256([]byte(of))
	return name[:min(len(name), longestName-9)] + "_" + hex.EncodeToString(sum[:4])
}

// naming gives the things of several servers names that none can take from
// another: a client that allows a name for good, and a person who does, mean one
// tool. What would stand under another server's prefix, and what two servers
// call the same, has a digest at the end of its name.
type naming struct {
	prefixes []string          // of the servers, as they stand in names
	owner    map[string]string // name → the first server that wants it
	shared   map[string]bool   // names that several want
	taken    map[string]bool
}

func newNaming(prefixes []string) *naming {
	n := &naming{owner: map[string]string{}, shared: map[string]bool{}, taken: map[string]bool{}}
	for _, p := range prefixes {
		if p != "" {
			n.prefixes = append(n.prefixes, cleanName(p))
		}
	}
	return n
}

// want notes that a server has something of this name. All are noted before the
// first is given one.
func (n *naming) want(server, prefix, own string) {
	name := listedName(prefix, own)
	switch first, ok := n.owner[name]; {
	case n.foreign(name, cleanName(prefix)): // it does not get it
	case ok && first != server:
		n.shared[name] = true
	default:
		n.owner[name] = server
	}
}

// give is what clients call it.
func (n *naming) give(server, prefix, own string) string {
	name := listedName(prefix, own)
	switch {
	case n.foreign(name, cleanName(prefix)):
		name = digested(listedName(prefix, strings.ReplaceAll(cleanName(own), separator, "_")), server+"\x00"+own)
	case n.shared[name]:
		name = digested(name, server+"\x00"+own)
	}
	return unique(name, n.taken)
}

// foreign reports whether a name belongs below the prefix of another server: the
// longest that fits it counts.
func (n *naming) foreign(name, prefix string) bool {
	for _, p := range n.prefixes {
		if len(p) > len(prefix) && strings.HasPrefix(name, p+separator) {
			return true
		}
	}
	return false
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
