package main

import (
	"bufio"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// idleMemory gives back what starting or a call took and waiting does not need:
// the free part of the heap, and the pages of the program's own file. Those are
// most of what is resident, of a program that waits hardly any is used, and the
// kernel maps one again from its cache when it is. Call it before the process is
// confined: what it returns reads nothing any more.
func idleMemory() (giveBack func()) {
	var own []span
	if exe, err := os.Readlink("/proc/self/exe"); err == nil {
		if f, err := os.Open("/proc/self/smaps"); err == nil {
			own = programSpans(bufio.NewScanner(f), exe)
			f.Close()
		}
	}
	return func() {
		debug.FreeOSMemory()
		for _, s := range own {
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.start, s.size, syscall.MADV_DONTNEED) // what stays does no harm
		}
	}
}

type span struct{ start, size uintptr }

// programSpans are the mappings of a file that nothing has ever been written to:
// dropping a page of any other would lose what was written.
func programSpans(smaps *bufio.Scanner, file string) []span {
	var out []span
	var at span
	mine := false
	for smaps.Scan() {
		fields := strings.Fields(smaps.Text())
		switch {
		case len(fields) >= 2 && strings.Contains(fields[0], "-") && !strings.HasSuffix(fields[0], ":"):
			from, to, _ := strings.Cut(fields[0], "-")
			first, err1 := strconv.ParseUint(from, 16, 64)
			last, err2 := strconv.ParseUint(to, 16, 64)
			at = span{uintptr(first), uintptr(last - first)}
			mine = err1 == nil && err2 == nil && len(fields) == 6 && fields[5] == file && strings.HasPrefix(fields[1], "r-") && strings.HasSuffix(fields[1], "p")
		case mine && len(fields) == 3 && fields[0] == "Anonymous:":
			if fields[1] == "0" {
				out = append(out, at)
			}
			mine = false
		}
	}
	return out
}
