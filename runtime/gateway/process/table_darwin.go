package process

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"
)

const stateZombie = 5 // SZOMB of <sys/proc.h>

// processes lists the system's processes.
func processes() ([]proc, bool) {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil || len(table) == 0 {
		return nil, false
	}
	all := make([]proc, 0, len(table))
	for i := range table {
		all = append(all, fromKinfo(&table[i]))
	}
	return all, true
}

func fromKinfo(k *unix.KinfoProc) proc {
	began := k.Proc.P_starttime
	return proc{
		pid: int(k.Proc.P_pid), parent: int(k.Eproc.Ppid), group: int(k.Eproc.Pgid),
		start: fmt.Sprintf("%d.%06d", began.Sec, began.Usec), zombie: k.Proc.P_stat == stateZombie,
	}
}

// startOf returns when a process started, or "" if there is none.
func startOf(pid int) string {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || int(k.Proc.P_pid) != pid {
		return ""
	}
	return fromKinfo(k).start
}

// environOf returns the environment a process was started with. The system hides that of other users and of its own
// programs, such as /bin/sh.
func environOf(pid int) []string {
	text, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || !bytes.Contains(text, []byte(Marker)) {
		return nil
	}
	return strings.Split(string(text), "\x00") // includes the arguments, which do not assign the marker
}
