package gateway

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// separator stands between a server's prefix and the tool's own name. Hardly any tool's own name contains two
// underscores, and clients that rewrite names leave them alone.
const separator = "__"

// maxName is the maximum length of a tool's name: some clients refuse a whole list over a longer one.
const maxName = 64

// listedName returns the name that clients use for a tool: only letters, digits, _ and -, as model APIs require, and no
// longer than clients accept. A name that had to be cut, or is in another script, ends in a digest of the full name, so
// that two names never become one.
func listedName(prefix, tool string) string {
	name := tool
	if prefix != "" {
		name = prefix + separator + tool
	}
	clean := cleanName(name)
	if strings.ContainsFunc(tool, func(r rune) bool { return r > unicode.MaxASCII }) {
		own := strings.Trim(strings.Join(strings.FieldsFunc(tool, func(r rune) bool { return cleanRune(r) == '_' }), "_"), "_")
		return withDigest(cleanName(strings.TrimSuffix(name, tool)+cmp.Or(own, "tool")), name)
	}
	if len(clean) <= maxName {
		return clean
	}
	return withDigest(clean, name)
}

func cleanName(name string) string { return strings.Map(cleanRune, name) }

func cleanRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return '_'
}

// withDigest shortens a name and appends a digest of what it stands for.
func withDigest(name, of string) string {
	sum := sha256.Sum256([]byte(of))
	return name[:min(len(name), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
}

// naming gives the items of several servers names that no server can take from another: a client or a user that allows
// a name permanently means one tool. A name under another server's prefix, or one that two servers use, ends in a
// digest.
type naming struct {
	claims []claim
	owner  map[string]string // name → the first server that wants it
	shared map[string]bool   // names that several servers want
	own    map[string]string // name → own name of the first tool that wants it
	twice  map[string]bool   // names that several tools of one server want
	taken  map[string]bool
}

func newNaming(claims []claim) *naming {
	claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.held })
	return &naming{claims: claims, owner: map[string]string{}, shared: map[string]bool{}, own: map[string]string{}, twice: map[string]bool{}, taken: map[string]bool{}}
}

// wantName registers that a server has an item of this name. All items are registered before the first is given a name.
func (n *naming) wantName(server, prefix, own string) {
	name := listedName(prefix, own)
	switch first, ok := n.owner[name]; {
	case n.isForeign(name, server, prefix): // it does not get the name
	case ok && first != server:
		n.shared[name] = true
	case ok && n.own[name] != own:
		n.twice[name] = true
	default:
		n.owner[name], n.own[name] = server, own
	}
}

// giveName returns the name that clients use for an item.
func (n *naming) giveName(server, prefix, own string) string {
	name := listedName(prefix, own)
	switch {
	case n.isForeign(name, server, prefix):
		name = withDigest(listedName(prefix, strings.NewReplacer(separator, "_", ".", "_").Replace(cleanName(own))), server+"\x00"+own)
	case n.shared[name], n.twice[name] && !strings.HasSuffix(name, own): // the tool whose own name it is keeps it
		name = withDigest(name, server+"\x00"+own)
	}
	return unique(name, n.taken)
}

// isForeign reports whether a name belongs to another server: the longest matching claim wins, and among equal ones the
// server whose configured prefix needed no rewriting.
func (n *naming) isForeign(name, server, prefix string) bool {
	name = foldName(name)
	changed := cleanName(prefix) != prefix
	return slices.ContainsFunc(n.claims, func(c claim) bool {
		return c.server != server && (len(c.begin) > len(prefix) || changed && len(c.begin) == len(prefix)) && c.covers(name)
	})
}

// claim is a folded name prefix that refers to a server.
type claim struct {
	begin, server string
	held          bool // not allowed by the user yet: it claims no names of other servers
}

// serverClaims returns the claims of all servers here, including those that are off or held: a name that refers to one of
// them means no tool of another.
func (g *Gateway) serverClaims() (out []claim) {
	g.mu.Lock()
	servers := g.servers
	g.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := servers[name]
		begin, prefix := foldName(name), foldName(cleanName(s.Prefix))
		out = append(out, claim{begin, name, s.Held})
		if prefix != "" && prefix != begin {
			out = append(out, claim{prefix, name, s.Held})
		}
	}
	return out
}

// covers reports whether a folded name starts with the claim and a separator: "__" or a character that is not part of a
// word. A single "_" or "-" occurs in too many tools' own names.
func (c claim) covers(name string) bool {
	rest, ok := strings.CutPrefix(name, c.begin)
	if !ok || rest == "" {
		return false
	}
	return strings.HasPrefix(rest, separator) || rest[0] != '_' && rest[0] != '-' && !unicode.IsLetter(rune(rest[0])) && !unicode.IsDigit(rune(rest[0]))
}

// claimOwners returns the servers whose tool a name can mean: all whose claim it starts with and, among them, those with the
// longest claim, to which it belongs; or only the server that is given separately. Both are empty if it can mean any
// server's tool.
func claimOwners(claims []claim, name, server string) (longest, all []string) {
	name = foldName(name)
	most := 0
	for _, c := range claims {
		switch {
		case server != "":
			if strings.EqualFold(c.server, server) {
				longest = append(longest, c.server)
			}
			continue
		case !c.covers(name):
			continue
		case len(c.begin) > most:
			longest, most = nil, len(c.begin)
		}
		all = append(all, c.server)
		if len(c.begin) == most {
			longest = append(longest, c.server)
		}
	}
	if server != "" {
		return longest, append(longest, server)
	}
	return longest, all
}

// foldName returns the same text for names that are equal under strings.EqualFold: the Kelvin sign becomes k, the long s
// becomes s.
func foldName(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// unique returns the name, with the first free number appended if it is taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	taken[out] = true
	return out
}
