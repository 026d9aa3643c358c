package listen_test

import (
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen/listentest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "l")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// refused checks that a refusal says what and what to do.
func refused(t *testing.T, err error, want string) {
	t.Helper()
	var e *listen.Error
	if !errors.As(err, &e) || !strings.Contains(e.Error(), want) || e.Do == "" {
		t.Errorf("%v, want %q", err, want)
	}
}

func TestUnixReplacesOnlyStaleSockets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a killed listener's file cannot be made here")
	}
	path := filepath.Join(shortDir(t), "d", "s")
	l, err := listen.Unix(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = listen.Unix(t.Context(), path)
	refused(t, err, "served by another process")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket file stays after Close: %v", err)
	}

	// A server that was killed leaves its file behind.
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	if l, err = listen.Unix(t.Context(), path); err != nil {
		t.Fatalf("stale file: %v", err)
	}
	l.Close()

	// One that somebody else serves without our lock is left alone.
	other, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = listen.Unix(t.Context(), path)
	refused(t, err, "served by another process")
	if _, err := os.Lstat(path); err != nil {
		t.Errorf("the other's socket is gone: %v", err)
	}
	other.Close()

	// And so is what is no socket.
	if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = listen.Unix(t.Context(), path)
	refused(t, err, "not a socket")
	if data, _ := os.ReadFile(path); string(data) != "precious" {
		t.Error("the file was touched")
	}
	os.Remove(path)
	if err := os.Symlink("/dev/null", path); err != nil {
		t.Fatal(err)
	}
	_, err = listen.Unix(t.Context(), path)
	refused(t, err, "not a socket")
}

func TestUnixNeedsAPrivateDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes are Unix")
	}
	dir := shortDir(t)
	for _, mode := range []os.FileMode{0o755, 0o770, 0o701, 0o777} {
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		_, err := listen.Unix(t.Context(), filepath.Join(dir, "s"))
		refused(t, err, "others can enter")
	}
	_, err := listen.Unix(t.Context(), filepath.Join(dir, strings.Repeat("x", 200), "s"))
	refused(t, err, "socket path has")
	_, err = listen.Unix(t.Context(), "/")
	refused(t, err, "")
}

func TestDefaultSocket(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	if path, err := listen.DefaultSocket(); err != nil || path != filepath.FromSlash("/run/user/7/compactor/mcp.sock") {
		t.Error(path, err)
	}
}

func TestTCPResolvesToLoopback(t *testing.T) {
	for _, addr := range []string{"localhost:0", "127.0.0.1:0", "127.1.2.3:0"} {
		l, err := listen.TCP(t.Context(), addr, false, false)
		if err != nil {
			if strings.HasPrefix(addr, "127.1") && runtime.GOOS != "linux" {
				continue // only Linux has the whole network
			}
			t.Fatal(addr, err)
		}
		if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
			t.Errorf("%s became %s", addr, ip)
		}
		if addr == "127.0.0.1:0" {
			_, err := listen.TCP(t.Context(), l.Addr().String(), false, false)
			refused(t, err, "cannot listen on")
		}
		l.Close()
	}
}

func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := listentest.New(2)
		l := listen.Limit(inner, 1)
		accepted := make(chan net.Conn)
		go func() {
			defer close(accepted)
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				accepted <- conn
			}
		}()
		for range 2 {
			conn, err := inner.Dial()
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
		}
		first := <-accepted
		synctest.Wait()
		select {
		case <-accepted:
			t.Fatal("two connections at once")
		default:
		}
		first.Close()
		first.Close() // gives back one slot, not two
		second := <-accepted
		l.Close()
		second.Close()
		for range accepted {
		}
	})
}

func TestSplit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inner := listentest.New(0)
		lines := make(chan string, 10)
		s := listen.Split(inner, 50*time.Millisecond, func(conn net.Conn) {
			defer conn.Close()
			data, _ := io.ReadAll(conn)
			lines <- string(data)
		})
		send := func(text string) net.Conn {
			conn, err := inner.Dial()
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(conn, text)
			return conn
		}
		silent := send("")
		if _, err := silent.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("a client that sends nothing: %v", err)
		}
		for _, text := range []string{`{"a":1}`, "\n{}", "garbage", "\x16\x03"} {
			send(text).Close()
			if got := <-lines; got != text {
				t.Errorf("lines got %q of %q", got, text)
			}
		}
		send("GET / HTTP/1.1").Close()
		conn, err := s.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if data, _ := io.ReadAll(conn); string(data) != "GET / HTTP/1.1" {
			t.Errorf("http got %q", data)
		}
		conn.Close()
		waiting := send("")
		defer waiting.Close()
		s.Close()
		s.Wait()
		if _, err := s.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}
