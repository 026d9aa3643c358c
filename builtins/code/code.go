package code

import (
	"github.com/compactor-mcp/compactor/builtins/code/explain"
	"github.com/compactor-mcp/compactor/builtins/code/find"
	"github.com/compactor-mcp/compactor/builtins/code/leads"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/builtins/code/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// All returns the builtins of research. Those that quote files apply mask first.
func All(mask func(string) string) []catalog.Builtin {
	return []catalog.Builtin{
		find.Scope(), find.Locate(), explain.Analyze(), usage.Trace(), report.Synthesize(), report.BuildReport(),
		// Leads: each answers one kind of question.
		usage.CallersOf(), leads.Messages(), leads.Coverage(), leads.Extend(), leads.Options(), leads.Overview(), leads.Patterns(),
		leads.Component(),
		find.Grep(mask), find.Glob(), find.Ls(), find.Read(mask), find.Symbols(mask), explain.Excerpts(mask),
	}
}
