package main

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// Only what was never written to can be dropped.
func TestProgramSpans(t *testing.T) {
	smaps := `00400000-0148d000 r-xp 00000000 fe:00 1118 /usr/bin/compactor
Rss:               15520 kB
Anonymous:             0 kB
VmFlags: rd ex mr mw me
0148d000-026e8000 r--p 0108d000 fe:00 1118 /usr/bin/compactor
Anonymous:             0 kB
026e8000-027d0000 rw-p 022e8000 fe:00 1118 /usr/bin/compactor
Anonymous:             0 kB
02800000-02900000 r--p 022e8000 fe:00 1118 /usr/bin/compactor
Anonymous:             4 kB
02a00000-02b00000 r--s 022e8000 fe:00 1118 /usr/bin/compactor
Anonymous:             0 kB
03000000-03100000 r-xp 00000000 fe:00 1119 /usr/lib/libc.so
Anonymous:             0 kB
03200000-03300000 r-xp 00000000 fe:00 1118 /usr/bin/compactor (deleted)
Anonymous:             0 kB
027d0000-04823000 rw-p 00000000 00:00 0
Anonymous:             0 kB
`
	got := programSpans(bufio.NewScanner(strings.NewReader(smaps)), "/usr/bin/compactor")
	if len(got) != 2 || got[0] != (span{0x400000, 0x108d000}) || got[1] != (span{0x148d000, 0x125b000}) {
		t.Errorf("%x", got)
	}
}

// A program that has given its pages back goes on, and has fewer.
func TestIdleMemory(t *testing.T) {
	resident := func() string {
		data, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(data), "RssFile:")
		size, _, _ := strings.Cut(rest, "\n")
		return strings.TrimSpace(size)
	}
	giveBack := releaseIdleMemory()
	before := resident()
	giveBack()
	if after := resident(); len(after) > len(before) || len(after) == len(before) && after >= before {
		t.Errorf("%s of the program are resident, before %s", after, before)
	}
}
