//go:build unix

package process

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// proc is one process of the system.
type proc struct {
	pid, parent, group int
	start              string // distinguishes a process from a later one with the same id
	zombie             bool
}

// family is a set of processes: those of some groups, those with a marker, and their descendants. It shrinks as they
// end: a group that was once seen empty is removed, because its number may be reused.
type family struct {
	mark   string         // prefix of the marker; "" looks for none
	groups map[int]string // group to the start time of its leader, "" if unknown
}

// members returns the living processes. known is false if the system's processes cannot be listed.
func (f *family) members() (found []proc, known bool) {
	all, ok := processes()
	if !ok {
		return nil, false
	}
	f.prune(all)
	in := map[int]bool{}
	for _, p := range all {
		_, grouped := f.groups[p.group]
		if !p.zombie && p.pid != os.Getpid() && p.pid > 1 && (grouped || carriesMark(p.pid, f.mark)) {
			in[p.pid] = true
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if in[p.parent] && !in[p.pid] && !p.zombie && p.pid != os.Getpid() {
				in[p.pid], grown = true, true
			}
		}
	}
	for _, p := range all {
		if in[p.pid] {
			found = append(found, p)
		}
	}
	return found, true
}

// prune drops the groups that are empty and those whose number belongs to another leader by now.
func (f *family) prune(all []proc) {
	for group, start := range f.groups {
		alive := false
		for _, p := range all {
			if p.group != group {
				continue
			}
			alive = true
			if p.pid == group && start != "" && p.start != start {
				alive = false
				break
			}
		}
		if !alive {
			delete(f.groups, group)
		}
	}
}

// signal sends sig to all members and returns how many there were.
func (f *family) signal(sig syscall.Signal) int {
	found, known := f.members()
	n := len(found)
	for group := range f.groups { // as a whole, so that none escapes by forking meanwhile
		if err := syscall.Kill(-group, sig); err == nil && !known {
			n++
		}
	}
	for _, p := range found {
		if _, grouped := f.groups[p.group]; !grouped {
			signalOne(p, sig)
		}
	}
	return n
}

// signalOne signals a process found before, unless its number belongs to another by now. On Linux the handle is opened
// before the check, which rules out a race.
func signalOne(p proc, sig syscall.Signal) {
	handle, err := os.FindProcess(p.pid)
	if err != nil {
		return
	}
	defer handle.Release()
	if startOf(p.pid) == p.start {
		_ = handle.Signal(sig)
	}
}

// isAlive reports whether a member is alive.
func (f *family) isAlive() bool {
	found, known := f.members()
	if known {
		return len(found) > 0
	}
	return f.signal(0) > 0
}

// end sends SIGTERM, waits for grace, and sends SIGKILL until nothing is left.
func (f *family) end(grace time.Duration) error {
	if f.signal(syscall.SIGTERM) == 0 {
		return nil
	}
	if pollUntil(grace, func() bool { return !f.isAlive() }) || pollUntil(killWait, func() bool { return f.signal(syscall.SIGKILL) == 0 }) {
		return nil
	}
	left, _ := f.members()
	var ids []string
	for _, p := range left {
		ids = append(ids, fmt.Sprint(p.pid))
	}
	slices.Sort(ids)
	return fmt.Errorf("these processes could not be ended: %s; end them by hand", strings.Join(ids, ", "))
}

// pollUntil checks a condition for at most d, at growing intervals, and reports whether it became true.
func pollUntil(d time.Duration, so func() bool) bool {
	deadline, pause := time.Now().Add(d), 2*time.Millisecond
	for !so() {
		if time.Now().After(deadline) {
			return false
		}
		time.Sleep(min(pause, max(0, time.Until(deadline))))
		pause = min(pause*3/2, 100*time.Millisecond)
	}
	return true
}

// carriesMark reports whether a process has a marker that begins with mark.
func carriesMark(pid int, mark string) bool {
	if mark == "" {
		return false
	}
	for _, kv := range environOf(pid) {
		if value, ok := strings.CutPrefix(kv, Marker+"="); ok {
			for one := range strings.SplitSeq(value, ",") {
				if strings.HasPrefix(one, mark) {
					return true
				}
			}
		}
	}
	return false
}
