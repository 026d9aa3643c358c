// Package trust decides whether a tool of an upstream server may be shown and called. It is pure, with no files, clock
// or network; its caller keeps the records.
//
//   - Hash covers everything about a tool that a model or a person relies on. A tool that changes after its approval
//     has another hash, whichever part changed.
//   - Judge compares the tools that a server lists with their records.
//   - Diff describes in words what changed.
//   - Clean removes what a model would read and a person would not see.
package trust

// Limits of one tool definition. The largest in use are below 100 KB and 20 levels.
const (
	MaxSize  = 1 << 20 // bytes of one tool definition
	MaxDepth = 100     // nesting of objects and arrays
)
