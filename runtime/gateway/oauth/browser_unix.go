//go:build unix

package oauth

import (
	"os/exec"
	"syscall"
)

// detach keeps an interrupt at the terminal from ending the browser too.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }
