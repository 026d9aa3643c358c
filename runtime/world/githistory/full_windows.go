package githistory

import (
	"errors"
	"syscall"
)

// isFull reports a disk without room.
func isFull(err error) bool {
	return errors.Is(err, syscall.Errno(112)) || errors.Is(err, syscall.Errno(39)) // ERROR_DISK_FULL, ERROR_HANDLE_DISK_FULL
}
