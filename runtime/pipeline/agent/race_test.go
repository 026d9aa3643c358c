//go:build race

package agent_test

// raced says that the race detector is on, which is ten times slower; the cases
// are the same each time, so fewer of them are enough there.
const raced = true
