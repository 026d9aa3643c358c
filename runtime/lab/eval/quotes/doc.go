// Package quotes scores answers that are made of quotes from documents: whether each
// quote stands where its citation says, how many of the facts of a right answer are
// said, and whether a question that the documents do not answer is left unanswered.
//
// A Library is documents in memory, cut and indexed as those of a collection are.
// Each Method answers from the passages that it finds: Compose of runtime/retrieval/docs/answer,
// and beside it what needs no such program, the first passage, its first sentences,
// and the sentences that hold most of the question's words by BM25.
//
// Questions come from a file, as those of runtime/lab/eval/answers do, or are made of the
// documents by Generate, whose comment has the rule. The package opens no file.
package quotes
