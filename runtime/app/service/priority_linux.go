package service

import "golang.org/x/sys/unix"

// lowPriority lowers the priority of the calling thread. On Linux each thread has its
// own niceness.
func lowPriority() {
	const nice = 10
	_ = unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice) // if refused, the thread keeps its priority
}
