// Package answer makes answers of passages without a model: sentences that stand
// in the documents, chosen and joined, each with the place where it stands.
//
// Compose takes a question and the passages that a search ranked for it. It takes
// them apart to units, a sentence, an item, a row or a stretch of code, rates each
// by the words of the question and by what kind of question it is, chooses over
// all passages without saying a thing twice, and joins the chosen in the order of
// their documents. Where the passages do not support an answer it says so: see
// Support. Summarize and Entities work on the same units. Check holds a citation
// against its document, and Keep what a model worded against the passages: what
// does not stand there is dropped.
//
// Offsets are bytes of the document and never inside of a character. Work and
// memory are bounded by what of the passages is read (MaxBytes), whatever is in
// them. The same input gives the same output.
//
// The package reads no file and asks no model. Finding the passages is
// runtime/retrieval/docs/index's part, masking and cutting of what leaves is
// runtime/safety/egress's. README.md has the formulas and what was measured.
package answer
