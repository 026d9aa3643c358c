package process

import (
	"io"
	"log/slog"
	"os/exec"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// guarded is false: the kernel closes our handle of a job when we die, which ends all processes in it.
const guarded = false

// tree is a program and all it started: a job object.
type tree struct {
	mu  sync.Mutex
	job windows.Handle // 0 once closed
}

// startTree starts cmd suspended, assigns it to a job and resumes it, so that everything it starts is in the job.
func startTree(cmd *exec.Cmd, _ string) (*tree, error) {
	job, err := newJob()
	if err != nil {
		return nil, err
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	if err := cmd.Start(); err != nil {
		windows.CloseHandle(job)
		return nil, err
	}
	if err := assignToJob(job, uint32(cmd.Process.Pid)); err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		windows.CloseHandle(job)
		return nil, err
	}
	return &tree{job: job}, nil
}

func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		windows.CloseHandle(job)
		return 0, err
	}
	return job, nil
}

// assignToJob assigns a suspended process to the job and resumes it.
func assignToJob(job windows.Handle, pid uint32) error {
	process, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(process)
	if err := windows.AssignProcessToJobObject(job, process); err != nil {
		return err
	}
	return resume(pid)
}

func resume(pid uint32) error {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(snapshot, &entry); err == nil; err = windows.Thread32Next(snapshot, &entry) {
		if entry.OwnerProcessID != pid {
			continue
		}
		thread, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, entry.ThreadID)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(thread)
		_, err = windows.ResumeThread(thread)
		return err
	}
	return err
}

// terminate does nothing: a program without a console cannot be asked to end, except by closing its input.
func (t *tree) terminate() {}

func (t *tree) kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.job != 0 {
		_ = windows.TerminateJobObject(t.job, 1)
	}
}

func (t *tree) awaitExit() {}

// end ends the processes left after the program itself.
func (t *tree) end(time.Duration) error {
	t.kill()
	t.mu.Lock()
	defer t.mu.Unlock()
	job := t.job
	if t.job = 0; job == 0 {
		return nil
	}
	return windows.CloseHandle(job)
}

// There is neither a guard nor a record: nothing can be left behind.

const (
	readyLine = ""
	doneLine  = ""
)

func markLine(string) string { return "" }

func (t *tree) addLine() string { return "" }

func (t *tree) delLine() string { return "" }

func guardCommand([]string) (*exec.Cmd, error) { return nil, errNoGuard }

// Guard runs the hidden subcommand "guard", which has nothing to do here.
func Guard(in io.Reader) int {
	_, _ = io.Copy(io.Discard, in)
	return 0
}

// closeInherited does nothing: the runtime names the handles that a program inherits.
func closeInherited() {}

type record struct{}

func newRecord(string, string) *record { return &record{} }

func (*record) write(map[*tree]bool) error { return nil }

func (*record) remove() {}

func sweep(string, *slog.Logger) {}
