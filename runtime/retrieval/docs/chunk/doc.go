// Package chunk cuts documents into passages that are found and cited.
//
// A chunk is a stretch of its source, byte for byte: a quote from it is in the document at the
// chunk's offsets. It begins at a heading or a paragraph if it can, at a sentence, a line or a word
// if it must, and never inside a character. It knows the headings above it, and its subject in a
// few words. A chunk that continues where the text did not pause begins with the end of the one
// before.
//
// Markdown is parsed by goldmark, only by its blocks and without nested ones, so that no depth of
// quotes or lists can cost more than the length of the text. Time and memory grow with the source,
// whatever is in it.
//
// The package opens no file and counts tokens by runtime/base/tokens.
package chunk
