//go:build !windows

package main

import "os"

// obeysColours reports whether a terminal understands the escape sequences of colours.
func obeysColours(*os.File) bool { return true }
