package sandbox

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"golang.org/x/sys/unix"
)

// inNamespace runs a test again in a process with a mount namespace of its own, where it may mount what it likes and
// nothing stays behind. Where the system does not allow that, the test is skipped.
func inNamespace(t *testing.T, body func()) {
	t.Helper()
	if os.Getenv("SANDBOX_TEST_NAMESPACE") != "" {
		must(t, unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
		body()
		return
	}
	pattern := "^" + strings.ReplaceAll(t.Name(), "/", "$/^") + "$"
	cmd := exec.Command(os.Args[0], "-test.run="+pattern, "-test.v")
	cmd.Env = append(os.Environ(), "SANDBOX_TEST_NAMESPACE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("no mount namespace here: %v", err)
	}
	if err != nil {
		t.Errorf("in a mount namespace: %v\n%s", err, out)
	}
	if strings.Contains(string(out), "--- SKIP") || !strings.Contains(string(out), "--- PASS") {
		t.Skipf("nothing was tested in the namespace:\n%s", out)
	}
}

// mount mounts until the end of the test: the removal of its directory must not reach into what is mounted there.
func mount(t *testing.T, source, at, kind string, flags uintptr, data string) error {
	t.Helper()
	err := unix.Mount(source, at, kind, flags, data)
	if err == nil {
		t.Cleanup(func() { unix.Unmount(at, unix.MNT_DETACH) })
	}
	return err
}

// neverBlocks wants a refusal: what blocks here would block for ever.
func neverBlocks(t *testing.T, r *Root, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if data, err := r.ReadFile(ctx, path, nil); err == nil || ctx.Err() != nil {
		t.Errorf("%s: %q, %v", path, data, err)
	}
}

func attackSpecial(t *testing.T, m mode) {
	// The path of a socket is short.
	dir, err := os.MkdirTemp("", "special")
	must(t, err)
	defer os.RemoveAll(dir)
	must(t, unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644))
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	must(t, err)
	defer l.Close()
	plantIn(t, dir, map[string]string{"stdin": "-> /dev/stdin", "zero": "-> /dev/zero", "pipelink": "-> pipe", "a.txt": "a"})
	devices := []string{"pipe", "sock", "pipelink", "stdin", "zero"}
	if unix.Mknod(filepath.Join(dir, "device"), unix.S_IFCHR|0o666, int(unix.Mkdev(1, 5))) == nil {
		devices = append(devices, "device")
	}
	r := m.open(t, dir, Options{CrossDevice: true})
	for _, path := range devices {
		neverBlocks(t, r, path)
	}
	refused(t, r, "pipe", ErrNotRegular)
	entries, stats, err := r.Files(context.Background(), ".")
	must(t, err)
	if len(entries) != 1 || stats.Special+stats.Links != len(devices) {
		t.Errorf("listed %v, %+v", entries, stats)
	}
	// A pipe that takes a file's place after the walk does not stop the scan.
	_, scan := scanned(t, r, []Entry{{Path: "pipe"}, {Path: "sock"}, {Path: "pipelink"}})
	if scan.Missing != 3 {
		t.Errorf("%+v", scan)
	}
}

func attackProc(t *testing.T, m mode) {
	for _, path := range []string{"/proc", "/proc/self", "/sys", "/proc/self/fd"} {
		if r, err := openRoot("code", path, Options{CrossDevice: true}, m.portable); err == nil {
			r.Close()
			t.Errorf("%s was opened as a root", path)
		}
	}
	dir := plant(t, map[string]string{"env": "-> /proc/self/environ", "up": "-> ../../../../../../../proc/self/environ", "proc/": ""})
	r := m.open(t, dir, Options{CrossDevice: true})
	refused(t, r, "env", ErrOutside)
	refused(t, r, "up", ErrOutside)
	inNamespace(t, func() {
		must(t, mount(t, "/proc", filepath.Join(dir, "proc"), "", unix.MS_BIND|unix.MS_REC, ""))
		for _, opt := range []Options{{}, {CrossDevice: true}} {
			r := m.open(t, dir, opt)
			for _, path := range []string{
				"proc/self/environ", "proc/self/mem", "proc/self/fd/0", "proc/self/root/etc/passwd", "proc/self/cwd",
				"proc/self/maps", "proc/version", "proc/1/environ", "proc/thread-self/environ",
			} {
				neverBlocks(t, r, path)
			}
			if got := filesOf(t, r, "."); len(got) > 0 {
				t.Errorf("listed: %q", got[:1])
			}
		}
	})
}

func attackMounts(t *testing.T, m mode) {
	top := plant(t, map[string]string{"proj/a.txt": "a", "proj/mnt/": "", "proj/tmp/": "", "proj/file": "", "out/x.txt": canary})
	dir := filepath.Join(top, "proj")
	// A hard link cannot be told from the file itself; trees are full of them, and no archive can make one to outside.
	must(t, os.Link(filepath.Join(dir, "a.txt"), filepath.Join(dir, "hard.txt")))
	r := m.open(t, dir, Options{})
	served(t, r, "hard.txt", "a")
	inNamespace(t, func() {
		must(t, mount(t, filepath.Join(top, "out"), filepath.Join(dir, "mnt"), "", unix.MS_BIND, ""))
		must(t, mount(t, "tmpfs", filepath.Join(dir, "tmp"), "tmpfs", 0, ""))
		plantIn(t, dir, map[string]string{"tmp/y.txt": canary})
		r := m.open(t, dir, Options{})
		refused(t, r, "tmp/y.txt", ErrOutside)
		if !m.portable { // a bind mount on one file system can be told only by the kernel
			refused(t, r, "mnt/x.txt", ErrOutside)
			must(t, mount(t, filepath.Join(top, "out/x.txt"), filepath.Join(dir, "file"), "", unix.MS_BIND, ""))
			refused(t, r, "file", ErrOutside)
		}
		served(t, m.open(t, dir, Options{CrossDevice: true}), "tmp/y.txt", canary)
		hanging(t, m, dir)
	})
}

// hanging mounts a file system that never answers: each call ends when its context does, the number of calls left
// behind is bounded, and a root without it is not touched.
func hanging(t *testing.T, m mode, dir string) {
	t.Helper()
	dev, err := os.OpenFile("/dev/fuse", os.O_RDWR, 0)
	if err != nil {
		t.Logf("no FUSE: %v", err)
		return
	}
	at := filepath.Join(dir, "stall")
	must(t, os.Mkdir(at, 0o755))
	options := "rootmode=40000,user_id=0,group_id=0,fd=" + strconv.Itoa(int(dev.Fd()))
	if err := mount(t, "stall", at, "fuse", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		dev.Close()
		t.Logf("no FUSE: %v", err)
		return
	}
	defer dev.Close() // ends the calls that hang
	closed := m.open(t, dir, Options{})
	if !m.portable { // the kernel refuses before it asks the file system
		neverBlocks(t, closed, "stall/x")
		served(t, closed, "a.txt", "a")
	}
	r := m.open(t, dir, Options{CrossDevice: true})
	ends := func(what string, call func(ctx context.Context)) {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		done := make(chan struct{})
		go func() { defer close(done); call(ctx) }()
		select {
		case <-done:
		case <-time.After(time.Minute):
			t.Errorf("%s hangs", what)
		}
	}
	ends("ReadFile", func(ctx context.Context) { r.ReadFile(ctx, "stall/x", nil) })
	ends("ReadDir", func(ctx context.Context) { r.ReadDir(ctx, "stall") })
	ends("Files", func(ctx context.Context) { r.Files(ctx, ".") })
	ends("Scan", func(context.Context) { // whose time ends when the other files are read
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var calls atomic.Int32
		stats, _ := r.Scan(ctx, []Entry{{Path: "a.txt"}, {Path: "stall/x"}, {Path: "file"}}, 2, func(int, int, Entry, []byte) {
			if calls.Add(1) == 2 {
				cancel()
			}
		})
		if !stats.Cut || stats.Files != 2 {
			t.Errorf("scan: %+v", stats)
		}
	})
	clocktest.Until(t, "calls are refused when many hang", func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
		defer cancel()
		_, err := r.ReadFile(ctx, "stall/x", nil)
		return errors.Is(err, ErrStalled)
	})
	if n := r.core.stuck.Load(); n != maxStuck {
		t.Errorf("%d calls hang, not %d", n, maxStuck)
	}
}
