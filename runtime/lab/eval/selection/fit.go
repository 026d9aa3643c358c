package selection

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// innerFolds is how many parts sessions are split into to fit weights: each part is tested
// with what the others teach.
const innerFolds = 4

// Fit finds weights for the training sessions by leaving out parts of them in turn.
func Fit(train []Session, o Options) predict.Weights {
	f := predict.NewFitter(o.Shown...)
	catalog := catalogOf(Pool(train))
	inner := Options{Split: o.Split, Folds: innerFolds, Also: o.Also}
	for _, p := range inner.splitLog(train) {
		m := learnModel(slices.Concat(p.train, p.also), o)
		for _, s := range p.test {
			f.Add(m, catalog, s.Start, s.Task, s.Tools)
		}
	}
	return f.Search(o.Weights)
}
