package service

import (
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/glob"
)

// selectionAt checks what is listed of upstream tools: patterns that work, bounds that can
// be kept, and a surface that lists tools at all.
func (c *checker) selectionAt(s *config.Selection, g config.Gateway, place ...string) {
	at := func(path ...string) []string { return slices.Concat(place, path) }
	for name, patterns := range map[string][]string{"tools": s.Tools, "pinned": s.Pinned, "unwanted": s.Unwanted} {
		for i, p := range patterns {
			if err := glob.Check(p); err != nil {
				c.report("C129", "\""+p+"\": "+err.Error(), "", at(name, strconv.Itoa(i))...)
			}
		}
	}
	if s.Min > s.Max {
		c.report("C129", "at least "+strconv.Itoa(s.Min)+" tools are more than the "+strconv.Itoa(s.Max)+" of max_tools", "make max_tools larger, or min_tools smaller", at("min_tools")...)
	}
	if s.Strategy == "allowlist" && len(s.Tools) == 0 {
		c.report("C129", "an allowlist without tools lists none", "name them: tools: [\"github__*\"]", at("strategy")...)
	}
	if surface := g.Surface; !g.Proxies() {
		c.report("C129", "nothing reads it: the surface \""+surface+"\" lists no tools of servers", "set "+strings.Join(place[:len(place)-1], ": ")+": surface: \"proxy\", or \"both\"", at()...)
	}
}
