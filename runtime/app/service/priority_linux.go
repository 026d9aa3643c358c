package service

import "golang.org/x/sys/unix"

// lowPriority has the thread that calls it wait for others. On Linux each thread has a
// niceness of its own.
func lowPriority() {
	const nice = 10
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice) // where it is refused, it runs as before
}
