// Package trust decides whether a tool of an upstream server may be shown and called. It is pure: no file, no clock, no
// network; who calls it keeps the records.
//
//   - Hash names everything about a tool that a model or a person goes by. A tool that changes after it was approved
//     has another hash, whichever part changed.
//   - Judge compares the tools that a server lists with what was recorded of them.
//   - Diff says in words what changed.
//   - Clean takes out what a model would read and a person would not see.
package trust

// The bounds on one tool definition. The largest in use are below 100 KB and 20 levels.
const (
	MaxSize  = 1 << 20 // bytes of one tool definition
	MaxDepth = 100     // objects and arrays within each other
)
