// Package builtins lists every builtin of compactor. The list is explicit:
// nothing registers itself, so what a pipeline can call is what stands here.
package builtins

import (
	"compactor/builtins/code"
	"compactor/builtins/handoff"
	"compactor/builtins/host"
	"compactor/runtime/catalog"
)

// All returns the builtins. What writes files passes its text through mask
// first, since a file leaves by another door than a reply.
func All(mask func(string) string) []catalog.Builtin {
	return []catalog.Builtin{
		code.Scope(), code.Locate(), code.Analyze(), code.Trace(), code.Patterns(), code.Synthesize(), code.Report(),
		code.Grep(), code.Glob(), code.Ls(), code.Read(), code.Symbols(),
		handoff.Write(mask), handoff.List(), handoff.Resume(),
		host.Ping(), host.Roots(),
	}
}
