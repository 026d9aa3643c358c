// Package eval scores answers that are lists of references: how high the first
// right file and the first right line rank, what the answer cost in tokens,
// whether it says "not found" when it should, and how reliable a confidence is.
// It pairs two runs over the same questions, so that the effect of an edit can
// be distinguished from chance.
//
// # The measures
//
// Files are ranked in the order in which the references first name them. hit@k
// says whether a right file is among the first k, mrr is the mean of 1/rank,
// recall@10 the share of the right files among the first ten. Lines are ranked
// by reference: line@k says whether one of the first k references points into
// the right lines, counted over the questions whose lines are known. Tokens
// count the whole reply; gold/1k is the number of right files among the first
// ten per 1,000 tokens. For questions without a right place ("absent"), right
// is the share of answers that name no place at all.
//
// Two runs are compared question by question: how many are higher, how many
// lower, and p, the probability of a split at least as uneven if the edit did
// nothing (exact two-sided sign test).
//
// The package opens no file, runs no question and knows neither git nor the
// configuration: runtime/lab/commitbench does that and passes it the answers.
package eval
