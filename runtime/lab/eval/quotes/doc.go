// Package quotes scores answers that are made of quotes from documents: whether each
// quote is where its citation says, how many of the facts of a right answer are said,
// and whether a question that the documents do not answer is left unanswered.
//
// A Library holds documents in memory, cut and indexed like those of a collection.
// Each Method answers from the passages found: Compose of runtime/retrieval/docs/answer
// and, for comparison, baselines that need no such program: the first passage, its first
// sentences, and the sentences that hold most of the question's words by BM25.
//
// Questions come from a file, in the format of runtime/lab/eval/answers, or are made from
// the documents by Generate, whose comment states the rules. The package opens no file.
package quotes
