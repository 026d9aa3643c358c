package tools

import (
	"cmp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Bytes of a signature. What is left out is said by its end.
const maxSignature = 240

// Values of an enum that a signature lists.
const maxValues = 6

// lossy ends a signature that leaves arguments out.
const lossy = "… (see get_tool_details)"

// signature is the arguments of a tool in one line, the required ones first,
// such as "owner: string, state?: open|closed, labels?: string[], parent?: {page: string} | {database: string}".
// ? stands at what may be left out.
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
			if b.Len()+len(part) > maxSignature {
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
	return name + ": " + typeOf(p)
}

// typeOf is what an argument takes: its type, or the values there are where the
// type says less.
func typeOf(p catalog.UpstreamParam) string {
	switch {
	case len(p.Enum) == 0 || strings.ContainsAny(p.Type, "|[{"):
	case len(p.Enum) > maxValues:
		return strings.Join(p.Enum[:maxValues], "|") + "|…"
	default:
		return strings.Join(p.Enum, "|")
	}
	return cmp.Or(p.Type, "any")
}
