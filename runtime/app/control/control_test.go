package control

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

type operator struct {
	relearnt  time.Time
	restarted []string
	turned    map[string]bool
}

func (o *operator) Servers() []Server { return []Server{{Name: "a/b?c", Status: "connected"}} }
func (o *operator) Log(name string) ([]string, error) {
	if name != "a/b?c" {
		return nil, ErrUnknown
	}
	return []string{"one", "two"}, nil
}
func (o *operator) Restart(_ context.Context, name string) error {
	o.restarted = append(o.restarted, name)
	if name == "sick" {
		return errors.New("its program ended: exit status 1")
	}
	return nil
}
func (o *operator) Relearn(_ context.Context, before time.Time) error {
	o.relearnt = before
	return nil
}
func (o *operator) Switch(_ context.Context, name string, on bool) error {
	o.turned[name] = on
	return nil
}

func serve(t *testing.T, dir string, op Operator) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- Serve(ctx, dir, About{PID: os.Getpid(), Version: "v1", Started: time.Unix(9, 0), Serves: "stdio"}, op, somePages)
	}()
	stop = func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	clocktest.Until(t, "somebody answers on the socket", func() bool {
		list, _, _ := Find(t.Context(), dir)
		return len(list) == 1
	})
	return stop
}

func TestCommandsReachARunningCompactor(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	op := &operator{turned: map[string]bool{}}
	stop := serve(t, dir, op)
	list, _, err := Find(t.Context(), dir)
	if err != nil || len(list) != 1 || list[0].About.Version != "v1" {
		t.Fatalf("%v, %v", list, err)
	}
	c := list[0]
	if lines, err := c.Log(t.Context(), "a/b?c"); err != nil || strings.Join(lines, " ") != "one two" {
		t.Errorf("log: %v, %v", lines, err)
	}
	for _, name := range []string{"nothere", "../about", "", "..", "%2e%2e"} {
		if _, err := c.Log(t.Context(), name); err == nil {
			t.Errorf("a log of %q", name)
		}
	}
	if err := c.Restart(t.Context(), "a/b?c"); err != nil || len(op.restarted) != 1 || op.restarted[0] != "a/b?c" {
		t.Errorf("restarted %v, %v", op.restarted, err)
	}
	if err := c.Restart(t.Context(), "sick"); err == nil || err.Error() != "its program ended: exit status 1" {
		t.Errorf("restart of a sick one: %v", err)
	}
	before := time.Now()
	if err := c.Relearn(t.Context(), before); err != nil || !op.relearnt.Equal(before) {
		t.Errorf("forgot what is before %v, want %v; %v", op.relearnt, before, err)
	}
	for _, on := range []bool{false, true} {
		if err := c.Switch(t.Context(), "x", on); err != nil || op.turned["x"] != on {
			t.Errorf("switched %v, %v", op.turned, err)
		}
	}
	stop()
	if left, err := os.ReadDir(dir); len(left) != 0 || err != nil {
		t.Errorf("it left %v, %v", left, err)
	}
	if list, _, err := Find(t.Context(), dir); len(list) != 0 || err != nil {
		t.Errorf("after its end: %v, %v", list, err)
	}
}

func TestTheSocketIsTheUsersOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	defer serve(t, dir, &operator{})()
	for path, want := range map[string]os.FileMode{dir: 0o700, socketIn(dir, os.Getpid()): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", filepath.Base(path), info.Mode(), err)
		}
	}
}

// What a killed compactor left behind is removed; what is no socket is left alone.
func TestWhatNobodyServesIsRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	dead := filepath.Join(dir, "1.sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: dead, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	file := filepath.Join(dir, "2.sock")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if list, _, err := Find(t.Context(), dir); len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := os.Lstat(dead); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the dead socket: %v", err)
	}
	if _, err := os.Lstat(file); err != nil {
		t.Errorf("the file: %v", err)
	}
	if list, _, err := Find(t.Context(), filepath.Join(dir, "nothere")); len(list) != 0 || err != nil {
		t.Errorf("no directory: %v, %v", list, err)
	}
}

// One that does not answer is told by its number: it may go on with what it knows.
func TestTheSilentAreTold(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "run")
	defer serve(t, dir, &operator{})()
	l, err := net.Listen("unix", filepath.Join(dir, "7.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	list, silent, err := Find(t.Context(), dir)
	if err != nil || len(list) != 1 || !slices.Equal(silent, []int{7}) {
		t.Errorf("%v, %v, %v", list, silent, err)
	}
}

var somePages = Pages{
	Handler:  http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "page "+r.URL.Path) }),
	Entrance: func() string { return "http://127.0.0.1:7/dashboard/" },
}

func TestPagesOverTheSocket(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	defer serve(t, dir, &operator{turned: map[string]bool{}})()
	list, _, err := Find(t.Context(), dir)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	if at, err := list[0].Entrance(t.Context()); at != somePages.Entrance() || err != nil {
		t.Error(at, err)
	}
	for method, want := range map[string]string{"GET": "page /dashboard/x", "POST": "Method Not Allowed\n"} {
		req, _ := http.NewRequestWithContext(t.Context(), method, "http://compactor/dashboard/x", nil)
		res, err := list[0].Pages().RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if string(body) != want {
			t.Errorf("%s: %q", method, body)
		}
	}
}
