//go:build !linux

package landlock

import "errors"

func abiVersion() int { return 0 }

func allThreads(int) bool { return false }

func restrict(int, Grants) error { return errors.ErrUnsupported }
