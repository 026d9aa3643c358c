// Package rerank lets a model judge passages: how well each answers a question, 0 to 3.
//
// A reply is parsed strictly: it is rejected if it leaves a passage out, names one twice, gives
// another number or says anything besides its JSON. Verdicts are cached by question, passage and
// model, so that a repeated question needs no request.
//
// The package ranks nothing: runtime/retrieval/docs/library adds verdicts to the scores.
package rerank
