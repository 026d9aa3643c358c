// Package ranking scores lists of documents against judgements, as trec_eval and
// BEIR do, and tunes the weights of fused lists.
//
// # The measures
//
// A judgement gives a document a grade for a query; above 0 it is relevant.
// Means are over the queries that have a relevant document; one without an
// answer counts 0 (trec_eval -c).
//
//   - ndcg@10: the sum of grade / log2(rank + 1) over the first ten, divided by
//     the sum for the best possible list (Järvelin and Kekäläinen, 2002, with
//     the grade as the gain).
//   - recall@10, recall@100: the share of the relevant documents among the first.
//   - hit@1, hit@10: whether a relevant one is among the first.
//   - mrr@10: one divided by the rank of the first relevant one, 0 beyond ten.
//
// A suite is a folder in the form of BEIR (Thakur and others, 2021). The package
// reads it and knows nothing of how documents are found.
package ranking
