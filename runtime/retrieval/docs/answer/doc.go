// Package answer makes answers from passages without a model: sentences of the documents, chosen
// and joined, each with its place.
//
// Compose takes a question and the passages that a search ranked for it. It splits them into units,
// a sentence, an item, a row or a stretch of code, rates each by the words of the question and by
// the kind of question, chooses over all passages without saying a thing twice, and joins the
// chosen ones in the order of their documents. If the passages do not support an answer it says so:
// see Support. Summarize and Entities work on the same units. Check compares a citation with its
// document, and Keep the words of a model with the passages: claims that are not in them are
// dropped.
//
// Files:
//
//	compose.go                  the steps to an answer, and why there may be none
//	question.go, synonyms.go    the terms of a question, the kind of answer it wants; synonyms and phrases
//	unit.go, sentence.go        splitting passages: headings, items, rows, code; where a sentence ends
//	rst.go                      the same for directives, underlines and definitions of reStructuredText
//	rate.go                     how well a unit answers
//	nearest.go                  questions for what something is, and the passages that they are answered from
//	define.go                   how surely a unit says what something is
//	choose.go                   which units are taken, and what must come with them
//	join.go                     the order of the chosen units, and how they are written
//	support.go                  when an answer is withheld, and how far it can be trusted
//	policy.go                   the length of an answer, by style
//	summarize.go, entities.go   summaries; names, versions, paths and other values
//	worded.go                   which claims of a model are kept
//	passage.go                  how much of the passages is read; checking a citation
//
// Offsets are bytes of the document and never inside a character. Work and memory are bounded by
// the part of the passages that is read (MaxBytes), whatever is in them. The same input gives the
// same output.
//
// The package reads no file and calls no model. Finding the passages is up to
// runtime/retrieval/docs/index, masking and cutting the output to runtime/safety/egress. README.md
// has the formulas and measurements.
package answer
