//go:build !windows

package modeltest

import (
	"os/exec"
	"syscall"
)

// ownGroup lets the process lead a group, so that all it starts ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
