package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
)

// processes lists the system's processes.
func processes() ([]proc, bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, false
	}
	var all []proc
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if p, ok := statOf(pid); ok {
				all = append(all, p)
			}
		}
	}
	return all, len(all) > 0
}

// statOf reads the kernel's data on one process; see proc(5) for the fields.
func statOf(pid int) (proc, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, false
	}
	after := bytes.LastIndexByte(text, ')') // the preceding name may contain anything
	fields := strings.Fields(string(text[after+1:]))
	if len(fields) < 20 {
		return proc{}, false
	}
	parent, _ := strconv.Atoi(fields[1])
	group, _ := strconv.Atoi(fields[2])
	return proc{
		pid: pid, parent: parent, group: group, start: fields[19] + "@" + boot(),
		zombie: fields[0] == "Z" || fields[0] == "X",
	}, true
}

// boot identifies the current boot of the system, which start times are relative to.
var boot = sync.OnceValue(func() string {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(id) < 8 {
		return "?"
	}
	return string(id[:8])
})

// startOf returns when a process started, or "" if there is none.
func startOf(pid int) string {
	p, _ := statOf(pid)
	return p.start
}

// environOf returns the environment a process was started with, or nil for a process of another user.
func environOf(pid int) []string {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil || !bytes.Contains(text, []byte(Marker)) {
		return nil
	}
	return strings.Split(string(text), "\x00")
}
