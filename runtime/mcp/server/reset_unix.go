//go:build unix

package server

import (
	"errors"
	"syscall"
)

// isReset reports that the other side went away.
func isReset(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}
