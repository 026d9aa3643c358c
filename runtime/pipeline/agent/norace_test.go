//go:build !race

package agent_test

// raced says that the race detector is on.
const raced = false
