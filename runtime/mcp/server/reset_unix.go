//go:build unix

package server

import (
	"errors"
	"syscall"
)

// isReset reports whether the peer closed the connection.
func isReset(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET)
}
