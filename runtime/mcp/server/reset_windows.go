package server

import (
	"errors"

	"golang.org/x/sys/windows"
)

// isReset reports whether the peer closed the connection.
func isReset(err error) bool {
	return errors.Is(err, windows.ERROR_BROKEN_PIPE) || errors.Is(err, windows.ERROR_NO_DATA) ||
		errors.Is(err, windows.WSAECONNRESET) || errors.Is(err, windows.WSAECONNABORTED)
}
