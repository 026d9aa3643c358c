package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// helper names what a copy of the test program does instead of testing; its arguments follow it.
const helper = "STORE_TEST_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(helper) {
	case "":
		code := m.Run()
		storetest.End()
		os.Exit(code)
	case "write":
		os.Exit(writeForever(os.Args[1]))
	case "sessions":
		os.Exit(writeSessions(os.Args[1]))
	case "share":
		os.Exit(share(os.Args[1], os.Args[2]))
	case "denied":
		os.Exit(denied(os.Args[1]))
	case "theirs":
		os.Exit(theirs(os.Args[1]))
	case "full":
		os.Exit(full())
	case "limited":
		os.Exit(limited(os.Args[1]))
	}
}

func child(t *testing.T, what string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), helper+"="+what)
	cmd.Stderr = os.Stderr
	return cmd
}

// writeForever records two pins with one number in one transaction, then prints the number.
func writeForever(path string) int {
	s, err := store.Open(context.Background(), path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := 1; ; i++ {
		s.Count("", "files", "a", true)
		pair := []store.Pin{{Server: "files", Tool: "a", Hash: strconv.Itoa(i)}, {Server: "files", Tool: "b", Hash: strconv.Itoa(i)}}
		if err := s.PutPins(context.Background(), pair); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Println(i)
	}
}

// perProcess is how much each process of TestProcessesShareOneFile writes.
const perProcess = 60

func share(path, name string) int {
	ctx := context.Background()
	s, err := store.Open(ctx, path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	for i := range perProcess {
		s.Count("", "files", "shared", true)
		err := s.PutPins(ctx, []store.Pin{{Server: "files", Tool: name + strconv.Itoa(i), Hash: name}})
		if err == nil {
			err = s.ChangePins(ctx, "counter", increment)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if err := s.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func increment(pins []store.Pin) ([]store.Pin, error) {
	n := 0
	if len(pins) > 0 {
		n, _ = strconv.Atoi(pins[0].Hash)
	}
	return []store.Pin{{Server: "counter", Tool: "n", Hash: strconv.Itoa(n + 1)}}, nil
}

// lastLine reads numbers, one a line, until the writer is gone.
func lastLine(in *bufio.Scanner) int {
	last, _ := strconv.Atoi(in.Text())
	for in.Scan() {
		last, _ = strconv.Atoi(in.Text())
	}
	return last
}

// killed runs a child that writes, kills it after some of the numbers that it says
// were written, while it writes on, and returns the last of them.
func killed(t *testing.T, role, fresh string) int {
	t.Helper()
	cmd := child(t, role, fresh)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewScanner(out)
	for range 1 + rand.IntN(20) {
		in.Scan()
	}
	_ = cmd.Process.Kill()
	last := lastLine(in)
	_ = cmd.Wait()
	return last
}
