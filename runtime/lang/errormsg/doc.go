// Package errormsg tells which string literals of a source made a message that
// somebody pasted: an error, a panic, a line of a log.
//
// Read finds the messages in a text, Literals cuts a source into literals with
// their placeholders as gaps, and Literal.Explain says how much of a message a
// literal accounts for. What a message was filled with, paths, numbers and names,
// is what falls into the gaps; it is never looked for.
//
//   - message.go: what of a question is a message, without what a logger puts
//     before it
//   - literal.go: the literals of a source, their placeholders as gaps, and
//     literals that are put together
//   - explain.go: how a literal and a message are laid side by side
//
// What is pasted is compared as text; no pattern is made of it. Time is linear in
// the source, and the message is cut to a bound first, so nothing that is pasted
// makes it slow.
//
// The package touches no file. builtins/code chooses the files and reads what
// stands around a literal.
package errormsg
