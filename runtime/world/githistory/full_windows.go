package githistory

import (
	"errors"
	"syscall"
)

// isFull reports whether err means that the disk is full.
func isFull(err error) bool {
	return errors.Is(err, syscall.Errno(112)) || errors.Is(err, syscall.Errno(39)) // ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL
}
