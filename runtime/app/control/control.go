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

// About identifies a running compactor.
type About struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
	Serves  string    `json:"serves"` // how clients reach it: stdio, or an address
	Dir     string    `json:"dir"`    // in which it was started
	// Configuration identifies the configuration: equal ones have the same.
	Configuration string `json:"configuration,omitempty"`
}

// Server is the current state of an upstream server.
type Server struct {
	Name    string `json:"name"`
	Status  string `json:"status"` // connected, disconnected, error or disabled
	State   string `json:"state"`  // more detailed than Status: see catalog.UpstreamServer
	Tools   int    `json:"tools"`
	Enabled int    `json:"enabled_tools"`
	Problem string `json:"problem,omitempty"`
}

// Operator carries out the requests. Its errors are shown to people; those for an
// unknown name wrap ErrUnknown.
type Operator interface {
	Servers() []Server
	// Log returns the last lines that a server's program wrote to its standard error.
	Log(name string) ([]string, error)
	// Restart stops a server, if it runs, starts it again and lists its tools.
	Restart(ctx context.Context, name string) error
	// Relearn forgets which tools were used and learns again from the records that are kept. It also drops sessions
	// of the timeline whose last event came before the given time.
	Relearn(ctx context.Context, before time.Time) error
	// Switch turns a server on or off until this process ends.
	Switch(ctx context.Context, name string, on bool) error
}

// Pages are the web pages of a running compactor.
type Pages struct {
	Handler http.Handler
	// Entrance returns the address that a browser opens first, or "" if the process
	// does not listen for browsers.
	Entrance func() string
}

// socketIn returns the path of a process's socket in a directory of sockets.
func socketIn(dir string, pid int) string {
	return filepath.Join(dir, strconv.Itoa(pid)+".sock")
}

// Dir returns the directory of the sockets of this user's running compactors, below the user's cache directory; ""
// without a home directory. Variables such as XDG_RUNTIME_DIR are ignored: terminals have them, but chat clients
// start programs without them.
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
