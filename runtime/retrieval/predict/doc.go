// Package predict predicts which tools a session will want next.
//
// A [Model] learns from sessions: which tools they used, which tool came after which, on which
// servers, for which words of a task. A [Blend] of [Predictor]s ranks the tools of a [Catalog] for
// the [Trace] of a session, reports the evidence that it had ([Stage]) and explains the position of
// each tool ([Ranking.Explain]). A [Policy] makes a list of that, and decides when a changed list
// is worth making a client's model read its prompt again. A [Fitter] finds the weights of a blend
// on sessions that were left out.
//
//	m := predict.NewModel(predict.DefaultHalfLife, predict.Limits{})
//	c := predict.NewCatalog(tools)                   // when the tools change
//	b := predict.NewBlend(predict.DefaultWeights)    // once
//	t := predict.NewTrace(start, task)               // for each session
//	list := policy.First(b.Rank(m, c, predict.Request{Trace: t}), size)
//	m.Observe(t, "server/tool")                      // for each call
//	d := policy.Next(list, b.Rank(m, c, predict.Request{Trace: t}), prompt, size)
//
// Files:
//
//	model.go, table.go                           what is counted in a session, and how it fades
//	bound.go, merge.go, codec.go                 what is forgotten first; joining two models; the stored form
//	trace.go                                     a session so far
//	catalog.go, words.go                         the tools that could be shown; words of tools and tasks
//	predictor.go                                 what a predictor sees of a session
//	frequency.go, cooccurrence.go, sequence.go   predicting by use, by tools used together, by the last calls
//	server.go                                    predicting by the servers in use
//	task.go, similarity.go                       predicting by words of earlier tasks, by words of the tools
//	rank.go, explain.go                          combining predictors, default weights; explaining a position
//	list.go                                      which tools are listed, and when a changed list is worth its cost
//	fit.go                                       finding weights
//
// The package opens nothing, keeps nothing but its input and has no clock: the same input gives the
// same bytes. Sessions of different profiles belong in different models, so that nothing learnt
// crosses from one to the other. A tool is named "server/tool" throughout. Goroutines that share a
// model must lock it: many may rank, one may learn. README.md has the formulas and measurements.
package predict
