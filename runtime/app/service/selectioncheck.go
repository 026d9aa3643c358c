package service

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// selectionAt checks the selection of upstream tools: that the patterns are valid, the
// limits consistent, and that the surface lists upstream tools at all.
func (c *checker) selectionAt(s *config.Selection, g config.Gateway, place ...string) {
	at := func(path ...string) []string { return slices.Concat(place, path) }
	for name, patterns := range map[string][]string{"tools": s.Tools, "pinned": s.Pinned, "unwanted": s.Unwanted} {
		for i, p := range patterns {
			at := at(name, strconv.Itoa(i))
			if err := glob.Check(p); err != nil {
				c.report("C129", strconv.Quote(p)+": "+err.Error(), "", at...)
			}
			if strings.HasPrefix(p, "!") {
				c.report("C129", strconv.Quote(p)+" matches no tool: a ! does not negate here", "leave a tool out with toolRules: [{pattern: [\"delete_*\"], enabled: false}]", at...)
			}
		}
	}
	for i, p := range s.Unwanted {
		if slices.Contains(s.Pinned, p) {
			c.warn("C129", strconv.Quote(p)+" is pinned too, which holds", "leave it out of one of the two", at("unwanted", strconv.Itoa(i))...)
		}
	}
	if s.Min > s.Max {
		c.report("C129", "at least "+strconv.Itoa(s.Min)+" tools are more than the "+strconv.Itoa(s.Max)+" of max_tools", "make max_tools larger, or min_tools smaller", at("min_tools")...)
	}
	if s.Strategy == "allowlist" && len(s.Tools) == 0 {
		c.report("C129", "an allowlist without tools lists none", "name them: tools: [\"github__*\"]", at("strategy")...)
	}
	if s.Strategy == "denylist" && len(s.Tools) == 0 {
		c.warn("C129", "a denylist without tools leaves none out", "name them: tools: [\"github__*\"]; or leave strategy out", at("strategy")...)
	}
	if byName := s.Strategy == "allowlist" || s.Strategy == "denylist"; !byName && len(s.Tools) > 0 {
		c.warn("C129", "only an allowlist or a denylist lists tools by name", "set strategy: \"allowlist\" or \"denylist\", or name them in pinned", at("tools")...)
	}
	if says := func(w float64) bool { return w > 0 }; s.Weights != nil && !slices.ContainsFunc(slices.Collect(maps.Values(s.Weights)), says) {
		c.warn("C129", "no predictor says anything, so nothing that is learnt counts", "give one a weight above 0, or leave weights out", at("weights")...)
	}
	if surface := g.Surface; !g.Proxies() {
		c.report("C129", "nothing reads it: the surface \""+surface+"\" lists no tools of servers", "set "+strings.Join(place[:len(place)-1], ": ")+": surface: \"proxy\", or \"both\"", at()...)
	}
}
