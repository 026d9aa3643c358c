// Package builtins lists every builtin of compactor. The list is explicit: nothing registers
// itself, so pipelines can call exactly what is listed here.
package builtins

import (
	"slices"

	"github.com/compactor-mcp/compactor/builtins/ask"
	"github.com/compactor-mcp/compactor/builtins/code"
	"github.com/compactor-mcp/compactor/builtins/docs"
	"github.com/compactor-mcp/compactor/builtins/handoff"
	"github.com/compactor-mcp/compactor/builtins/host"
	"github.com/compactor-mcp/compactor/builtins/text"
	"github.com/compactor-mcp/compactor/builtins/tools"
	"github.com/compactor-mcp/compactor/builtins/web"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// All returns the builtins. Those that cut text or write files apply mask first: a secret cut in
// half is not recognized on the way out, and files do not pass that way.
func All(mask func(string) string) []catalog.Builtin {
	return slices.Concat(code.All(mask), []catalog.Builtin{
		docs.Wordings(), docs.Search(mask), docs.Lookup(mask), docs.Similar(mask),
		docs.Answer(mask), docs.Evidence(mask), docs.Summarize(mask), docs.ExtractEntities(mask),
		docs.Pin(mask), docs.List(mask), docs.Cite(mask), docs.Excerpts(mask),
		handoff.Write(mask), handoff.List(), handoff.Resume(),
		host.Ping(), host.Roots(),
		web.Answer(mask), web.Excerpts(), web.Fetch(mask),
	}, ask.All(), text.All(), tools.All(mask))
}
