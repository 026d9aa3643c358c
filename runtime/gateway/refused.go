package gateway

import (
	"strconv"
	"strings"
	"unicode"
)

// Refused is a tool that a server lists but that cannot be offered: its name looks like another's, say, or it has no
// schema.
type Refused struct {
	Server string `json:"server"`
	Tool   string `json:"tool"` // its own name, with invisible characters escaped; "" if it has none
	Why    string `json:"why"`
}

// Refused lists the known tools that cannot be offered, by server.
func (g *Gateway) Refused() []Refused { return g.catalog.Load().refused }

// refusalReason says why a tool of this name cannot be offered, or returns "" if there is no such tool.
func (c *Catalog) refusalReason(name, server string) string {
	name = escapeHidden(name)
	for _, r := range c.refused {
		if server != "" && !strings.EqualFold(server, r.Server) {
			continue
		}
		if name != "" && (name == r.Tool || name == r.Server+separator+r.Tool) {
			return "tool " + r.Tool + " of server " + r.Server + " cannot be offered: " + r.Why
		}
	}
	return ""
}

// escapeHidden escapes the unprintable characters of a foreign text.
func escapeHidden(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		quoted := strconv.QuoteRuneToASCII(r)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}
