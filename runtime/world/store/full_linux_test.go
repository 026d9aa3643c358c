package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// A disk without space is called one, at the first record and at a later one.
func TestADiskWithoutSpaceIsCalledFull(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine and much work: the full run has it")
	}
	cmd := child(t, "full", t.TempDir())
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}}
	out, err := cmd.Output()
	if cmd.ProcessState == nil || strings.HasPrefix(string(out), "skip") {
		t.Skipf("no disk of its own can be had: %v %s", err, out)
	}
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// full fills a small disk but for a few pages, more of them each time.
func full() int {
	dir := os.Args[1]
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=1m,mode=700"); err != nil {
		fmt.Println("skip:", err)
		return 0
	}
	ctx := context.Background()
	whole := 0
	for pages := range 60 {
		filler, sub := filepath.Join(dir, "filler"), filepath.Join(dir, fmt.Sprint("s", pages))
		if err := errors.Join(os.Mkdir(sub, 0o700), os.WriteFile(filler, make([]byte, (250-pages)<<12), 0o600)); err != nil && !errors.Is(err, syscall.ENOSPC) {
			fmt.Println(err)
			return 1
		}
		path := filepath.Join(sub, "s.db")
		s, err := store.Open(ctx, path)
		if err == nil {
			err = s.PutPins(ctx, pins(300))
			s.Close()
		}
		switch {
		case err == nil:
			whole++
		case !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), "disk is full") || !strings.Contains(err.Error(), "free some space"):
			fmt.Println(pages, err)
			return 1
		}
		if err := os.Remove(filler); err != nil {
			fmt.Println(err)
			return 1
		}
		again, err := store.Open(ctx, path) // what failed has left nothing that is damaged
		if err != nil {
			fmt.Println(pages, "once there is space:", err)
			return 1
		}
		again.Close()
		if list, _ := filepath.Glob(filepath.Join(sub, ".new-*")); len(list) > 0 {
			fmt.Println(pages, "left behind:", list)
			return 1
		}
		if err := os.RemoveAll(sub); err != nil {
			fmt.Println(err)
			return 1
		}
	}
	if whole == 60 {
		fmt.Println("it never was full")
		return 1
	}
	return 0
}
