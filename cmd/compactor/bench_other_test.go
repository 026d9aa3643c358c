//go:build !linux

package main

// watchMemory sees nothing here.
func watchMemory(int) (peak func() int64) { return func() int64 { return 0 } }

// resident knows nothing here.
func resident(int) int64 { return 0 }
