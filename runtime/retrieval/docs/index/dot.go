package index

import "gonum.org/v1/gonum/blas/blas32"

// Dot returns the product of two vectors of the same length.
func Dot(a, b []float32) float64 {
	return float64(blas32.Dot(blas32.Vector{N: len(a), Inc: 1, Data: a}, blas32.Vector{N: len(b), Inc: 1, Data: b}))
}
