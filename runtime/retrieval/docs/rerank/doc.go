// Package rerank has a model judge passages: how well each answers a question, 0 to 3.
//
// A reply is parsed strictly: one that leaves a passage out, names one twice, gives another
// number or says anything beside its JSON is none. Verdicts are remembered by question,
// passage and model, so that a question that is asked again asks nobody.
//
// The package ranks nothing: runtime/retrieval/docs/library adds verdicts to the scores.
package rerank
