//go:build !linux

package service

import "os"

// exchange gives two names each other's file, in three steps.
func exchange(a, b string) error {
	parked := a + ".parked"
	if err := os.Rename(a, parked); err != nil {
		return err
	}
	if err := os.Rename(b, a); err != nil {
		return err
	}
	return os.Rename(parked, b)
}
