package docs

import (
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/render"
)

// View formats hits for a model: the place of each, its id for lookup and the snippet. Scores only
// compare hits of one search; they are in the JSON.
func (h Hits) View(p *render.Page) {
	var list []string
	for _, hit := range h.Hits {
		place := hit.URI
		if hit.Section != "" {
			place += " › " + hit.Section
		}
		if hit.Page > 0 {
			place += fmt.Sprintf(", page %d", hit.Page)
		}
		text := place + " [" + hit.ChunkID + "]"
		if hit.Pinned != nil {
			text += "\n" + hit.Pinned.describePin()
		}
		if hit.Snippet != "" {
			text += "\n" + sanitize.Quote(hit.Snippet)
		}
		list = append(list, text)
	}
	p.List("Passages", list)
	p.Line("\nconfidence " + h.Confidence + "\n")
	if h.Note != "" {
		p.List("Notes", []string{h.Note})
	}
}

// describePin says that a hit was pinned.
func (p HitPin) describePin() string {
	text := "the user pinned this"
	if p.Note != "" {
		text += ": " + p.Note
	}
	if p.State != "stands" {
		text += "; " + p.State
		if p.Was != "" {
			text += ", it said: " + p.Was
		}
	}
	return text
}
