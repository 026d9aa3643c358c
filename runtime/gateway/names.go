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

// Between a server's prefix and the tool's own name. Two underscores stand in
// hardly any tool's own name, and clients that rewrite names leave them alone.
const separator = "__"

// Longest name of a tool: some clients refuse a whole list over a longer one.
const maxName = 64

// listedName is what clients call a tool: letters, digits, _ and - only, which the
// APIs of models insist on, and no longer than clients take. A name that had to be
// cut, or is of another script, ends in a digest of the whole, so that two never
// become one.
func listedName(prefix, tool string) string {
	name := tool
	if prefix != "" {
		name = prefix + separator + tool
	}
	clean := cleanName(name)
	if strings.ContainsFunc(tool, func(r rune) bool { return r > unicode.MaxASCII }) {
		own := strings.Trim(strings.Join(strings.FieldsFunc(tool, func(r rune) bool { return cleanRune(r) == '_' }), "_"), "_")
		return digested(cleanName(strings.TrimSuffix(name, tool)+cmp.Or(own, "tool")), name)
	}
	if len(clean) <= maxName {
		return clean
	}
	return digested(clean, name)
}

func cleanName(name string) string { return strings.Map(cleanRune, name) }

func cleanRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return '_'
}

// digested ends a name in a digest of what it stands for.
func digested(name, of string) string {
	sum := sha256.Sum256([]byte(of))
	return name[:min(len(name), maxName-9)] + "_" + hex.EncodeToString(sum[:4])
}

// naming gives the things of several servers names that none can take from
// another: a client that allows a name for good, and a person who does, mean one
// tool. What would stand under another server's prefix, and what two servers
// call the same, has a digest at the end of its name.
type naming struct {
	claims []claim
	owner  map[string]string // name → the first server that wants it
	shared map[string]bool   // names that several want
	own    map[string]string // name → what the first tool that wants it is called
	twice  map[string]bool   // names that several tools of one server want
	taken  map[string]bool
}

func newNaming(claims []claim) *naming {
	claims = slices.DeleteFunc(slices.Clone(claims), func(c claim) bool { return c.held })
	return &naming{claims: claims, owner: map[string]string{}, shared: map[string]bool{}, own: map[string]string{}, twice: map[string]bool{}, taken: map[string]bool{}}
}

// want notes that a server has something of this name. All are noted before the
// first is given one.
func (n *naming) want(server, prefix, own string) {
	name := listedName(prefix, own)
	switch first, ok := n.owner[name]; {
	case n.foreign(name, server, prefix): // it does not get it
	case ok && first != server:
		n.shared[name] = true
	case ok && n.own[name] != own:
		n.twice[name] = true
	default:
		n.owner[name], n.own[name] = server, own
	}
}

// give is what clients call it.
func (n *naming) give(server, prefix, own string) string {
	name := listedName(prefix, own)
	switch {
	case n.foreign(name, server, prefix):
		name = digested(listedName(prefix, strings.NewReplacer(separator, "_", ".", "_").Replace(cleanName(own))), server+"\x00"+own)
	case n.shared[name], n.twice[name] && !strings.HasSuffix(name, own): // whose own name it is keeps it
		name = digested(name, server+"\x00"+own)
	}
	return unique(name, n.taken)
}

// foreign reports whether a name belongs to another server: the longest claim on it
// counts, and of equal ones that of the server whose prefix it is as written.
func (n *naming) foreign(name, server, prefix string) bool {
	name = folded(name)
	changed := cleanName(prefix) != prefix
	return slices.ContainsFunc(n.claims, func(c claim) bool {
		return c.server != server && (len(c.begin) > len(prefix) || changed && len(c.begin) == len(prefix)) && c.covers(name)
	})
}

// claim is a beginning of names, folded, by which a server is named.
type claim struct {
	begin, server string
	held          bool // nobody has allowed it yet: it names nothing of others'
}

// claims returns the claims of all servers here, also of those that are off or wait:
// what names one of them means no tool of another.
func (g *Gateway) claims() (out []claim) {
	g.mu.Lock()
	servers := g.servers
	g.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		s := servers[name]
		begin, prefix := folded(name), folded(cleanName(s.Prefix))
		out = append(out, claim{begin, name, s.Held})
		if prefix != "" && prefix != begin {
			out = append(out, claim{prefix, name, s.Held})
		}
	}
	return out
}

// covers reports whether a folded name begins so, with a separator behind it: "__" or
// what stands in no word. A single "_" or "-" is part of too many tools' own names.
func (c claim) covers(name string) bool {
	rest, ok := strings.CutPrefix(name, c.begin)
	if !ok || rest == "" {
		return false
	}
	return strings.HasPrefix(rest, separator) || rest[0] != '_' && rest[0] != '-' && !unicode.IsLetter(rune(rest[0])) && !unicode.IsDigit(rune(rest[0]))
}

// owners returns the servers whose tool a name can mean: all that it begins with, and
// of them those of the longest beginning, which it belongs to; or the one that is named
// beside it. Both are empty where any server's can be meant.
func owners(claims []claim, name, server string) (longest, all []string) {
	name = folded(name)
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

// folded is equal for names that strings.EqualFold takes for one: the Kelvin sign is a
// k, the long s an s.
func folded(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// unique is the name, or the first with a number behind it that is not taken.
func unique(name string, taken map[string]bool) string {
	out := name
	for i := 2; taken[out]; i++ {
		out = fmt.Sprintf("%s_%d", name, i)
	}
	taken[out] = true
	return out
}
