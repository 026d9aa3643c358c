package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// DefaultSocket returns the path of a unix socket if the user gives none: $XDG_RUNTIME_DIR/compactor/mcp.sock, else the
// same below the user's cache directory.
func DefaultSocket() (string, error) {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if base == "" {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", &Error{What: "no place for a socket", Err: err, Do: "name one with --listen"}
		}
	}
	return filepath.Join(base, "compactor", "mcp.sock"), nil
}

// Unix listens on a socket file of mode 0600 in a directory of mode 0700, which is created if missing. A file left
// behind by a dead server is replaced; a socket in use, or a file that is not a socket, is not touched. Only processes
// of the same user are accepted if the system identifies the peer. Close removes the file.
func Unix(ctx context.Context, path string) (net.Listener, error) {
	if err := ownDirectory(filepath.Dir(path)); err != nil {
		return nil, err
	}
	// The lock is held as long as we listen: otherwise two servers that start at once would both find the file stale.
	unlock, err := lockFile(path + ".lock")
	if err != nil {
		return nil, &Error{What: path + " is served by another process", Err: err, Do: "stop it, or choose another socket"}
	}
	l, err := bindSocket(ctx, path)
	if err != nil {
		unlock()
		return nil, err
	}
	return &owned{Listener: l, unlock: unlock}, nil
}

func bindSocket(ctx context.Context, path string) (net.Listener, error) {
	if err := removeStale(ctx, path); err != nil {
		return nil, err
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "unix", path)
	if err != nil {
		if errors.Is(err, syscall.EINVAL) {
			return nil, &Error{What: fmt.Sprintf("the socket path has %d bytes", len(path)), Err: err, Do: "choose one of at most 100 bytes"}
		}
		return nil, &Error{What: "cannot listen on " + path, Err: err, Do: "choose another path"}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, &Error{What: "cannot make " + path + " private", Err: err, Do: "choose a directory on a local file system"}
	}
	return l, nil
}

// removeStale removes a socket file that no server answers on.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &Error{What: "cannot look at " + path, Err: err, Do: "choose another path"}
	}
	if !isSocket(info) {
		return &Error{What: path + " exists and is not a socket", Do: "choose another path, or remove it"}
	}
	d := net.Dialer{Timeout: time.Second}
	if conn, err := d.DialContext(ctx, "unix", path); err == nil {
		conn.Close()
		return &Error{What: path + " is served by another process", Do: "stop it, or choose another socket"}
	}
	if err := os.Remove(path); err != nil {
		return &Error{What: "cannot replace the stale " + path, Err: err, Do: "remove it, or choose another path"}
	}
	return nil
}

// RemoveDead removes a socket file and its lock file unless a process holds the lock. A socket that refuses a
// connection may belong to a server that is just starting.
func RemoveDead(path string) {
	unlock, err := lockFile(path + ".lock")
	if err != nil {
		return
	}
	defer unlock()
	_ = os.Remove(path)
	if os.Remove(path+".lock") != nil { // Windows does not remove open files
		unlock()
		_ = os.Remove(path + ".lock")
	}
}

// owned accepts only the user's own processes and releases the lock when closed.
type owned struct {
	net.Listener
	unlock func()
}

func (o *owned) Accept() (net.Conn, error) {
	for {
		conn, err := o.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if sameUser(conn) {
			return conn, nil
		}
		conn.Close()
	}
}

func (o *owned) Close() error {
	err := o.Listener.Close()
	o.unlock()
	return err
}
