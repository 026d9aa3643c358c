//go:build !windows

package githistory

import (
	"errors"
	"syscall"
)

// isFull reports a disk without room.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
