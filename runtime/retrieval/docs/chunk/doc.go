// Package chunk cuts documents into passages that are found and cited.
//
// A chunk is a stretch of its source, byte for byte: what is quoted from it is
// in the document at the chunk's offsets. It begins at a heading or a paragraph
// where it can, at a sentence, a line or a word where it must, and never inside
// of a character. It knows the headings above it, and what it is about in a few
// words. A chunk that goes on where the text did not pause begins with the end
// of the one before.
//
// Markdown is read by goldmark, by its blocks alone and without those that nest,
// so that no depth of quotes or lists can cost more than the text is long. Time
// and memory grow with the source and not with what is in it.
//
// The package opens no file and counts tokens by runtime/base/tokens.
package chunk
