//go:build unix

package storetest

import (
	"os"
	"os/exec"
	"syscall"
)

// nobody is the user that runs the server if the test runs as root, which PostgreSQL rejects.
const nobody = 65534

func giveAway(paths ...string) error {
	if os.Getuid() != 0 {
		return nil
	}
	for _, path := range paths {
		if err := os.Chown(path, nobody, nobody); err != nil {
			return err
		}
	}
	return nil
}

func asAnother(cmd *exec.Cmd) {
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}
