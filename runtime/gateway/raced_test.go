//go:build race

package gateway

// raced says that the race detector is on, which is ten times slower.
const raced = true
