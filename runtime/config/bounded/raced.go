//go:build race

package bounded

// slowness is the factor by which an instrumented build may take longer.
const slowness = 2
