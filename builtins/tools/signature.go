package tools

import (
	"cmp"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// maxSignature bounds a signature in bytes. Its end says if arguments are left out.
const maxSignature = 240

// maxValues is how many values of an enum a signature lists.
const maxValues = 6

// lossy ends a signature that leaves arguments out.
const lossy = "… (see get_tool_details)"

// signature returns the arguments of a tool in one line, the required ones first, such as
// "owner: string, state?: open|closed, labels?: string[], parent?: {page: string} | {database: string}".
// Optional arguments are marked with ?.
func signature(t *catalog.UpstreamTool) string {
	var b strings.Builder
	for _, wanted := range []bool{true, false} {
		for _, p := range t.Params {
			if p.Required != wanted {
				continue
			}
			part := formatArgument(p)
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

func formatArgument(p catalog.UpstreamParam) string {
	name := p.Name
	if !p.Required {
		name += "?"
	}
	return name + ": " + typeOf(p)
}

// typeOf returns what an argument accepts: its type, or its values if they are more specific.
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
