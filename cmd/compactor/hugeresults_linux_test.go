package main

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// peakMemory is the most that a process ever had in memory, in MiB.
func peakMemory(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Skip("this system does not say how much memory a process had")
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n >> 10
}

// What a program gives costs memory by what is taken of it, and not by what it gives:
// a result over the limit of its server is an error that says so, however long it is,
// and the server serves on. COMPACTOR_LONG tries a gigabyte and the longest that is
// taken.
func TestHugeResultsOfPrograms(t *testing.T) {
	skipShort(t)
	t.Parallel()
	over, within := 64, 2 // within what is searched for secrets without a look at the clock
	if os.Getenv("COMPACTOR_LONG") != "" {
		over, within = 1024, 30
	}
	dir, binary := frontDir(t, `gateway: surface: "proxy"
pool: deadline: "20m"
servers: big: {command: "toolserver", args: ["huge"], summarization: {}, max_message: "32MiB", timeout: "20m", max_timeout: "20m"}`)
	client, _, _ := serveWeb(t, dir, binary)
	client.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"huge","version":"1"}}`)
	client.awaitTool("big__huge")
	bound := func(mib int) int {
		if raced { // the race detector's shadow is several times what it watches
			return 10 * mib
		}
		return mib
	}
	before := peakMemory(t, client.pid)
	said := client.ask("tools/call", fmt.Sprintf(`{"name":"big__huge","arguments":{"mb":%d}}`, over))
	atLimit := peakMemory(t, client.pid)
	if !strings.Contains(said, "33554432 bytes") || !strings.Contains(said, "max_message") || len(said) > 2000 {
		t.Errorf("%.600s", said)
	}
	if grown := atLimit - before; grown > bound(160) {
		t.Errorf("%d MB took %d MiB of memory", over, grown)
	}
	said = client.ask("tools/call", fmt.Sprintf(`{"name":"big__huge","arguments":{"mb":%d}}`, within))
	if !strings.Contains(said, `"_summarized"`) || !strings.Contains(said, "lost its lease") {
		t.Errorf("%.600s", said)
	}
	after := peakMemory(t, client.pid)
	if after > bound(200+20*within) {
		t.Errorf("%d MB took %d MiB of memory", within, after)
	}
	t.Logf("peak memory: %d MiB before, %d MiB after a refused result of %d MB, %d MiB after a summary of %d MB", before, atLimit, over, after, within)
}
