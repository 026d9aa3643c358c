// Package answers scores replies to questions whose facts are known: whether a
// reply says them, not only whether it points near them.
//
// A case is a question with its nuggets, the facts that a short right answer
// holds, each as alternatives of which one must be said; with its gold, the places
// that hold the answer; or with neither if nothing answers it. The measures of
// replies are
//
//	nuggets     weighted share of the facts that its text says, references left out
//	answered    share of cases with at least three quarters of them
//	hit@k       a gold place among its first k references, in the order of reading
//	honest      of unanswerable cases: no reference, or low confidence and "not found"
//	denied      of answerable ones: the same, which is wrong there
//	forbidden   cases whose reply says something that is wrong there
//	tokens      number of tokens of the whole text
//
// and, by confidence, how often the first reference is right. Nuggets are one
// wording of the truth: compare configurations, not a figure with 1.
//
// The package opens no file and asks no question; cmd/compactor does both.
package answers
