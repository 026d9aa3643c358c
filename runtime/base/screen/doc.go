// Package screen lays out text for people: colors, lines that are broken between words
// at the edge of a terminal, and tables that fit it.
//
// A writer for a terminal implements the interfaces Painter and Sized; any other gets
// plain text with unbroken lines. The package opens nothing and does not talk to a
// terminal itself.
package screen
