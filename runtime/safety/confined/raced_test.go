//go:build race

package confined_test

// raced says that the race detector is built in.
const raced = true
