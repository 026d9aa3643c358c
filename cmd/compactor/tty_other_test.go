//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

// ttyCommand needs a terminal that a program can make.
func ttyCommand(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("tty: only on Linux; begin the script with [!linux] skip")
}
