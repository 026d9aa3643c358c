// Package errormsg finds the string literals of a source that produced a message that somebody pasted: an error, a
// panic, a log line.
//
// Read finds the messages in a text, Literals splits a source into literals with their placeholders as gaps, and
// Literal.Explain computes how much of a message a literal accounts for. The values that filled a message, such as
// paths, numbers and names, fall into the gaps; they are never searched for.
//
//   - message.go: which part of a query is a message, without logger prefixes
//   - literal.go: the literals of a source, with their placeholders as gaps, and literals that are concatenated
//   - explain.go: how a literal is compared with a message
//
// Pasted text is compared as text; it is never used as a pattern. Time is linear in the source, and the message is
// first cut to a limit, so no pasted text makes it slow.
//
// The package touches no file. builtins/code chooses the files and reads the surroundings of a literal.
package errormsg
