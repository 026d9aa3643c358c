//go:build !windows

package main

import "os"

// obeysColours reports whether a terminal knows the sequences that colours are
// written with.
func obeysColours(*os.File) bool { return true }
