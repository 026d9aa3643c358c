//go:build unix

package confined

import (
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// isolateProcess puts the child into its own process group, so that a terminal does not interrupt it and a kill reaches all
// of it.
func isolateProcess(cmd *exec.Cmd) {
	seal()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// seal marks every open file as close-on-exec. Our own files already are; this covers descriptors that a careless
// host let us inherit.
var seal = sync.OnceFunc(func() {
	dir, err := os.Open("/dev/fd")
	if err != nil {
		return
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if fd, err := strconv.Atoi(name); err == nil && fd > 2 {
			syscall.CloseOnExec(fd)
		}
	}
})

// requiredEnv returns the environment variables that the child cannot start without.
func requiredEnv() []string { return nil }

// limitProcess lowers the limits of this process: it can write no files, opens only a few, and is killed soon after its
// CPU time is used up.
func limitProcess(limits Limits) {
	lowerLimit(syscall.RLIMIT_CORE, 0)
	lowerLimit(syscall.RLIMIT_FSIZE, 0)
	lowerLimit(syscall.RLIMIT_NOFILE, 64)
	lowerLimit(syscall.RLIMIT_CPU, uint64(limits.CPU/time.Second)+2)
	confineMemory(limits)
}

func lowerLimit(what int, most uint64) {
	var now syscall.Rlimit
	if syscall.Getrlimit(what, &now) != nil {
		return
	}
	now.Cur, now.Max = min(now.Cur, rlim(most)), min(now.Max, rlim(most))
	_ = syscall.Setrlimit(what, &now)
}

// cpuTime returns the CPU time that this process has used, or 0 if unknown.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// wasKilled reports whether SIGKILL ended the process.
func wasKilled(state *os.ProcessState) bool {
	status, ok := state.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}
