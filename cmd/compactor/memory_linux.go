package main

import (
	"bufio"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
)

// releaseIdleMemory returns a function that gives back the memory which starting up or a call took
// and waiting does not need: the free part of the heap, and the pages of the program's own
// file. Those are most of the resident memory; while it waits, a program uses hardly any of
// them, and the kernel maps one again from its cache on use. Call idleMemory before the
// process is confined: the function that it returns reads no file any more.
func releaseIdleMemory() (giveBack func()) {
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
			_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, s.start, s.size, syscall.MADV_DONTNEED) // best effort: a page that stays does no harm
		}
	}
}

type span struct{ start, size uintptr }

// programSpans returns the mappings of a file to which nothing has ever been written:
// dropping a page of any other mapping would lose what was written.
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
