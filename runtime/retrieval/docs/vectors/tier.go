package vectors

import "context"

// Tier makes vectors of texts. It is safe for concurrent use.
type Tier interface {
	// Name is what weights and breakdowns call the leg.
	Name() string
	// ID names all that decides a vector: vectors of another id are of no use.
	ID() string
	// Passages gives one vector a text, in their order.
	Passages(ctx context.Context, texts []string) ([][]float32, error)
	// Question gives the vector of what is looked for. Parts, where the tier can tell
	// them, add up to it.
	Question(ctx context.Context, text string) (v []float32, parts []Part, err error)
}

// Part is what a part of a question adds to its vector.
type Part struct {
	Key    string
	Vector []float32
}
