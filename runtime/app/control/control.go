package control

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"
)

// About is what a running compactor says of itself.
type About struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
	Serves  string    `json:"serves"` // how clients reach it: stdio, or an address
	Dir     string    `json:"dir"`    // it was started in
}

// Server is one upstream server as it is now.
type Server struct {
	Name    string `json:"name"`
	Status  string `json:"status"` // connected, disconnected, error or disabled
	State   string `json:"state"`  // the same in more words: see catalog.UpstreamServer
	Tools   int    `json:"tools"`
	Enabled int    `json:"enabled_tools"`
	Problem string `json:"problem,omitempty"`
}

// Operator does what is asked. Its errors are for people; those of a name that is
// none wrap ErrUnknown.
type Operator interface {
	Servers() []Server
	// Log gives the last lines that a server's program wrote to its standard error.
	Log(name string) ([]string, error)
	// Restart ends what runs of a server, starts it anew and asks for its tools.
	Restart(ctx context.Context, name string) error
	// Relearn forgets which tools were used, and learns anew what is kept of it. Sessions of
	// the timeline whose last event came before a moment it forgets too.
	Relearn(ctx context.Context, before time.Time) error
	// Switch turns a server on or off until this process ends.
	Switch(ctx context.Context, name string, on bool) error
}

// Pages are what a browser is shown of a running compactor.
type Pages struct {
	Handler http.Handler
	// Entrance is the address that a browser opens first; "" where none listens for
	// browsers.
	Entrance func() string
}

// socketIn is the socket of a process in a directory of sockets.
func socketIn(dir string, pid int) string {
	return filepath.Join(dir, strconv.Itoa(pid)+".sock")
}

// Dir is where the sockets of this user's running compactors are, below the user's
// caches; "" where there is no home. Variables such as XDG_RUNTIME_DIR do not
// count: chat clients start programs without them, terminals have them.
func Dir() string {
	if runtime.GOOS == "windows" {
		base, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(base, "compactor", "run")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Caches", "compactor", "run")
	}
	return filepath.Join(home, ".cache", "compactor", "run")
}
