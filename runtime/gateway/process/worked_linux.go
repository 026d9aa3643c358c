package process

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"time"
)

// Worked returns the processor time used so far by the program and its process group.
func (p *Process) Worked() (time.Duration, bool) {
	all, ok := processes()
	if !ok {
		return 0, false
	}
	var ticks int64
	for _, one := range all {
		if one.group == p.PID() {
			ticks += ticksOf(one.pid)
		}
	}
	return time.Duration(ticks) * tick, true
}

// tick is the unit of times in /proc, the same on all machines.
const tick = 10 * time.Millisecond

// ticksOf returns the time used by a process, including its ended children.
func ticksOf(pid int) (sum int64) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 {
		return 0
	}
	for _, f := range fields[11:15] { // utime, stime, cutime, cstime
		n, _ := strconv.ParseInt(f, 10, 64)
		sum += n
	}
	return sum
}
