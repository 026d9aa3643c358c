package tools

import (
	"strings"

	"github.com/compactor-mcp/compactor/runtime/catalog"
)

// Bytes of a signature. What is left out is said by its end.
const longestSignature = 240

// Values of an enum that a signature lists.
const mostValues = 6

// lossy ends a signature that leaves arguments out.
const lossy = "… (see get_tool_details)"

// signature is the arguments of a tool in one line, the required ones first,
// such as "owner: string, repo: string, state?: open|closed, labels?: string[]".
func signature(t *catalog.UpstreamTool) string {
	var b strings.Builder
	for _, wanted := range []bool{true, false} {
		for _, p := range t.Params {
			if p.Required != wanted {
				continue
			}
			part := argument(p)
			if b.Len() > 0 {
				part = ", " + part
			}
			if b.Len()+len(part) > longestSignature {
				return b.String() + lossy
			}
			b.WriteString(part)
		}
	}
	return b.String()
}

func argument(p catalog.UpstreamParam) string {
	name := p.Name
	if !p.Required {
		name += "?"
	}
	typ := p.Type
	switch {
	case len(p.Enum) > mostValues:
		typ = strings.Join(p.Enum[:mostValues], "|") + "|…"
	case len(p.Enum) > 0:
		typ = strings.Join(p.Enum, "|")
	}
	if typ == "" {
		typ = "any"
	}
	return name + ": " + typ
}
