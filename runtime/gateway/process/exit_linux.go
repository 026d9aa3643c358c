package process

import "golang.org/x/sys/unix"

// blockUntilExit waits until a child has ended, without reaping it.
func blockUntilExit(pid int) bool {
	for {
		if err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != unix.EINTR {
			return err == nil
		}
	}
}
