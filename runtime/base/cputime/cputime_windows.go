package cputime

import (
	"syscall"
	"time"
)

// Process returns the user and kernel time of all threads of this process.
func Process() time.Duration {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err == nil {
		err = syscall.GetProcessTimes(self, &created, &exited, &kernel, &user)
	}
	if err != nil {
		return 0
	}
	return toDuration(kernel) + toDuration(user)
}

// toDuration converts a time span, which Filetime holds in units of 100 ns.
func toDuration(f syscall.Filetime) time.Duration {
	return time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime)) * 100
}
