package supervise

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/control"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
)

const (
	askTime  = 2 * time.Second // for an answer of the running supervisor
	maxReply = 4 << 20         // bytes
)

// Identity returns a short name for the configuration in a directory; "" stands for the embedded one.
func Identity(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil && dir != "" {
		dir = abs
	}
	sum := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(sum[:6])
}

// Socket returns the path of the socket on which the supervisor of the configuration in a directory answers; "" if there
// is no place for it.
func Socket(configuration string) string {
	dir := control.Dir()
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "supervise", Identity(configuration)+".sock")
}

// Serve answers on the socket until stop is called. It returns once it listens. The error says why it cannot, such as
// another process that supervises the same configuration.
func (s *Supervisor) Serve(ctx context.Context, socket string) (stop func(), err error) {
	if socket == "" {
		return nil, errors.New("there is no home directory, in which other processes could find this one")
	}
	l, err := listen.Unix(ctx, socket)
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /dependencies", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(s.Statuses()) // the client may have disconnected
	})
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: askTime, MaxHeaderBytes: 1 << 14}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(l) // it ends when it is closed
	}()
	return func() {
		_ = srv.Close()
		<-done
	}, nil
}

// Find returns the states of a configuration's dependencies, or false if no supervisor of it runs.
func Find(ctx context.Context, socket string) ([]Status, bool) {
	if _, err := os.Stat(socket); err != nil {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	var d net.Dialer
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return d.DialContext(ctx, "unix", socket) }}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://compactor/dependencies", nil)
	if err != nil {
		return nil, false
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, false
	}
	defer res.Body.Close()
	var out []Status
	if res.StatusCode != http.StatusOK || json.NewDecoder(io.LimitReader(res.Body, maxReply)).Decode(&out) != nil {
		return nil, false
	}
	return out, true
}

// Value returns the value of a variable that holds the address of a dependency that is ready. A dependency that the
// project declares provides variables to the project's own programs and servers only: those of the user could send their
// keys there.
func Value(list []Status, name string, project bool) (string, bool) {
	for _, st := range list {
		if st.State != Ready || st.Project && !project {
			continue
		}
		if name == config.AddrVariable(st.Name) && st.Addr != "" {
			return st.Addr, true
		}
	}
	return "", false
}
