// Package screen lays out what a person reads: colours, lines that are broken
// between words at the edge of a terminal, and tables that fit it.
//
// A writer that is a terminal says so by the interfaces Painter and Sized; any
// other gets plain text, lines as long as they are. The package opens nothing
// and knows no terminal itself.
package screen
