package listen_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
)

// dialEnv makes the test binary a stranger: another user who connects to the socket it names.
const dialEnv = "LISTEN_TEST_DIAL"

const nobody = 65534

func init() {
	path := os.Getenv(dialEnv)
	if path == "" {
		return
	}
	err := syscall.Setgid(nobody)
	if err == nil {
		err = syscall.Setuid(nobody)
	}
	if err == nil {
		err = greet(path)
	}
	fmt.Println(err)
	os.Exit(0)
}

// greet connects and waits for the server's greeting.
func greet(path string) error {
	conn, err := net.Dial("unix", path)
	if err != nil {
		return err
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.ReadFull(conn, make([]byte, len("hello"))); err != nil {
		return fmt.Errorf("closed: %w", err)
	}
	return nil
}

// The modes of socket and directory are the first wall. Where they were opened, another user is not served either.
func TestUnixServesItsOwnUserOnly(t *testing.T) { // H07
	if os.Geteuid() != 0 {
		t.Skip("only root can become another user")
	}
	path := filepath.Join(shortDir(t), "private", "s")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l, err := listen.Unix(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			io.WriteString(conn, "hello")
			conn.Close()
		}
	}()
	defer func() { l.Close(); <-done }()
	for name, mode := range map[string]os.FileMode{filepath.Dir(filepath.Dir(path)): 0o755, filepath.Dir(path): 0o755, path: 0o666} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := greet(path); err != nil {
		t.Errorf("its own user: %v", err)
	}
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = []string{dialEnv + "=" + path}
	if out, err := cmd.CombinedOutput(); err != nil || string(out) != "closed: EOF\n" {
		t.Errorf("another user: %s %v", out, err)
	}
}
