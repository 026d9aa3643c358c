//go:build race

package main

// raced says that this program looks for data races.
const raced = true
