//go:build race

package bounded

// slowness is how much longer an instrumented build may take.
const slowness = 2
