// Package predict says which tools a session will want next.
//
// A [Model] learns from sessions: which tools they used, what came after what, on which
// servers, for which words of a task. A [Blend] of [Predictor]s ranks the tools of a
// [Catalog] for the [Trace] of a session, says from what it could go by ([Stage]) and why
// each tool stands where it does ([Ranking.Explain]). A [Policy] makes a list of that and
// decides when another list is worth that a client's model reads its prompt again. A
// [Fitter] finds the weights of a blend on sessions that were left out.
//
//	m := predict.NewModel(predict.DefaultHalfLife, predict.Limits{})
//	c := predict.NewCatalog(tools)                   // when the tools change
//	b := predict.NewBlend(predict.DefaultWeights)    // once
//	t := predict.NewTrace(start, task)               // for each session
//	list := policy.First(b.Rank(m, c, predict.Request{Trace: t}), size)
//	m.Observe(t, "server/tool")                      // for each call
//	d := policy.Next(list, b.Rank(m, c, predict.Request{Trace: t}), prompt, size)
//
// The package opens nothing, keeps nothing but what it is given and has no clock: the
// same input gives the same bytes. Sessions of different profiles belong in different
// models, and then nothing learnt crosses from one to the other. A tool is named
// "server/tool" throughout. Whoever shares a model between goroutines locks it: many may
// rank, one may learn. README.md has the formulas and what they are worth.
package predict
