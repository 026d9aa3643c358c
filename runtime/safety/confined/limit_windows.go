package confined

import (
	"os"
	"os/exec"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

func isolateProcess(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// requiredEnv returns the environment variables that the child cannot start without.
func requiredEnv() []string { return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT")} }

// limitProcess puts this process into a job object that bounds its memory and CPU time and lets it start no other
// process.
func limitProcess(limits Limits) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return
	}
	var l windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	l.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_PROCESS_MEMORY | windows.JOB_OBJECT_LIMIT_PROCESS_TIME |
		windows.JOB_OBJECT_LIMIT_ACTIVE_PROCESS | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	l.BasicLimitInformation.ActiveProcessLimit = 1
	l.BasicLimitInformation.PerProcessUserTimeLimit = int64((limits.CPU + 2*time.Second) / (100 * time.Nanosecond))
	l.ProcessMemoryLimit = uintptr(limits.Memory)
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&l)), uint32(unsafe.Sizeof(l))); err != nil {
		windows.CloseHandle(job)
		return
	}
	_ = windows.AssignProcessToJobObject(job, windows.CurrentProcess()) // the handle stays open as long as the process
}

// cpuTime returns the CPU time that this process has used, or 0 if unknown.
func cpuTime() time.Duration {
	var created, exited, kernel, user windows.Filetime
	if windows.GetProcessTimes(windows.CurrentProcess(), &created, &exited, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t windows.Filetime) int64 { return int64(t.HighDateTime)<<32 | int64(t.LowDateTime) }
	return time.Duration((ticks(kernel) + ticks(user)) * 100)
}

// wasKilled reports false: Windows kills no process for lack of memory.
func wasKilled(*os.ProcessState) bool { return false }
