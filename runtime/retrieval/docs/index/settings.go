package index

import (
	"fmt"
	"maps"
	"slices"
)

// Settings are the parameters by which passages are indexed and ranked. They are stored with the
// index.
type Settings struct {
	K1      float64      `json:"k1"`      // how soon the occurrences of a term saturate, 0..100
	B       float64      `json:"b"`       // how much long passages are held back, 0..1
	Fields  FieldWeights `json:"fields"`  // weight of an occurrence
	LSI     LSISettings  `json:"lsi"`     // of the leg of that name
	Weights Weights      `json:"weights"` // of the legs, for a search that sets none
	Bytes   int          `json:"bytes"`   // limit of the postings that a build keeps
}

// FieldWeights are the weights of an occurrence of a term in each field, 0..1000.
type FieldWeights struct {
	Title   float64 `json:"title"`
	Section float64 `json:"section"`
	Body    float64 `json:"body"`
}

// LSISettings are the parameters of latent semantic indexing.
type LSISettings struct {
	Dimensions int    `json:"dimensions"` // of a vector; 0 leaves the leg out
	Sample     int    `json:"sample"`     // passages that the space is learnt from; all are folded in
	Terms      int    `json:"terms"`      // the most common terms, which have a direction
	Rounds     int    `json:"rounds"`     // power iterations
	Seed       uint64 `json:"seed"`       // of the random start
}

// Weights are the weights of legs in the fused score, by their names. A leg that is not named does
// not count.
type Weights map[string]float64

// Default returns the settings for text that nothing is known of. The README says how each was
// chosen.
func Default() Settings {
	return Settings{
		K1: 1.2, B: 0.75,
		Fields:  FieldWeights{Title: 2, Section: 1, Body: 1},
		LSI:     LSISettings{Dimensions: 256, Sample: 20_000, Terms: 40_000, Rounds: 2, Seed: 1},
		Weights: Weights{LegBM25: 0.4, LegLSI: 0.3, LegNGram: 0.3},
		Bytes:   1 << 30,
	}
}

// Limits of settings.
const (
	maxDimensions = 1024
	maxWeight     = 1000
)

// Check returns an error that names the setting which is out of its range.
func (s Settings) Check() error {
	if !(s.K1 >= 0 && s.K1 <= 100) {
		return fmt.Errorf("index: k1 is %v: want 0 to 100", s.K1)
	}
	if !(s.B >= 0 && s.B <= 1) {
		return fmt.Errorf("index: b is %v: want 0 to 1", s.B)
	}
	if d := s.LSI.Dimensions; d < 0 || d > maxDimensions {
		return fmt.Errorf("index: lsi has %d dimensions: want 0 to %d", d, maxDimensions)
	}
	if l := s.LSI; l.Dimensions > 0 && (l.Sample < 1 || l.Terms < 1 || l.Rounds < 0 || l.Rounds > 100) {
		return fmt.Errorf("index: lsi learns from %d passages and %d terms in %d rounds: want at least 1, 1 and 0 to 100", l.Sample, l.Terms, l.Rounds)
	}
	fields := Weights{"title": s.Fields.Title, "section": s.Fields.Section, "body": s.Fields.Body}
	if err := fields.check("the field"); err != nil {
		return err
	}
	return s.Weights.Check()
}

// Check returns an error that names the leg whose weight is out of its range.
func (w Weights) Check() error { return w.check("the leg") }

func (w Weights) check(what string) error {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		if x := w[name]; !(x >= 0 && x <= maxWeight) {
			return fmt.Errorf("index: %s %s weighs %v: want 0 to %d", what, name, x, maxWeight)
		}
	}
	return nil
}

// weigh returns the weighted number of occurrences.
func (w FieldWeights) weigh(c counts) float64 {
	return w.Title*float64(c[Title]) + w.Section*float64(c[Section]) + w.Body*float64(c[Body])
}
