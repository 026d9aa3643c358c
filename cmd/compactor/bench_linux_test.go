package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// watchMemory looks at a process until it ends, or the function returned is
// called, which gives the most memory that was seen, in bytes. What wait4 says
// of a child includes the parent it was forked from.
func watchMemory(pid int) (peak func() int64) {
	stop, found := make(chan struct{}), make(chan int64)
	go func() {
		most := int64(0)
		tick := time.NewTicker(3 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, highWater(pid))
			select {
			case <-stop:
				found <- most
				return
			case <-tick.C:
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-found
	}
}

// highWater is the peak that the kernel knows of; before exec it is the parent's.
func highWater(pid int) int64 {
	if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err != nil || !bytes.HasPrefix(name, []byte("compactor")) {
		return 0
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(string(fields[0]), 10, 64)
	return kib << 10
}

// resident is the memory that a process has in use, in bytes.
func resident(pid int) int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if fields := bytes.Fields(data); err == nil && len(fields) > 1 {
		pages, _ := strconv.ParseInt(string(fields[1]), 10, 64)
		return pages * int64(os.Getpagesize())
	}
	return 0
}
