// Package explain holds the builtins that say what a place does: code.analyze and code.excerpts.
//
// Analyze explains a definition by its comment, its key lines, how it fails and what it calls, and
// follows a call for one step if the question is answered there.
//
//	analyze.go               the result for a place; files without definitions
//	mechanism.go, hops.go    the key lines of a body, and the calls worth following
//	settings.go              the settings that a body reads
//	failures.go              when a definition fails
//	decisions.go             the sentences of a note that decide something
//	excerpts.go              the lines of a place, quoted
package explain
