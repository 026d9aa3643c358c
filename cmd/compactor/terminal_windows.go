package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// obeysColours switches a console to the sequences that colours are written with.
func obeysColours(f *os.File) bool {
	var mode uint32
	h := windows.Handle(f.Fd())
	return windows.GetConsoleMode(h, &mode) == nil && windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
