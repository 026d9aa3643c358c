//go:build !windows

package githistory

import (
	"errors"
	"syscall"
)

// isFull reports whether err means that the disk, or the user's quota, is full.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
