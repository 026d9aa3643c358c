package vectors

import "context"

// Tier makes vectors of texts. It is safe for concurrent use.
type Tier interface {
	// Name is the name of the leg in weights and breakdowns.
	Name() string
	// ID identifies everything that determines a vector: vectors with another id cannot be used.
	ID() string
	// Passages returns one vector per text, in order.
	Passages(ctx context.Context, texts []string) ([][]float32, error)
	// Question returns the vector of a question. Parts, if the tier can tell them, add up to it.
	Question(ctx context.Context, text string) (v []float32, parts []Part, err error)
}

// Part is what a part of a question adds to its vector.
type Part struct {
	Key    string
	Vector []float32
}
