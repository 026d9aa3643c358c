//go:build !race

package bounded

const slowness = 1
