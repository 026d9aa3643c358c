//go:build !windows

package modeltest

import (
	"os/exec"
	"syscall"
)

// ownGroup makes the process lead a group, so that everything it starts ends with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
