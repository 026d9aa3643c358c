package modeltest

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// patience limits the start of a server; a busy machine reads weights slowly.
const patience = 2 * time.Minute

// Server is a running model server. It ends with its test.
type Server struct {
	Kind   Kind
	URL    string // base, without a path
	Model  string // its name on the server
	Window int    // tokens of context per request
	Slots  int

	t     testing.TB
	cmd   *exec.Cmd
	log   *record
	ended chan struct{} // closed when the process is gone
	kill  sync.Once
}

// OpenAI returns the base URL of the OpenAI-compatible interface, which both have.
func (s *Server) OpenAI() string { return s.URL + "/v1" }

// Kill ends the server and everything it started immediately, like a crash, and waits
// until it is gone.
func (s *Server) Kill() {
	s.kill.Do(func() { killGroup(s.cmd) })
	<-s.ended
	clocktest.Until(s.t, "its port is closed", func() bool { // a process closes its files one after the other
		c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
		if err == nil {
			c.Close()
		}
		return err != nil
	})
}

// launch starts a program that serves until its standard input ends, so that none
// survives a test run that was killed. address returns the server's base URL once it is
// known, and "" before that.
func launch(t testing.TB, s *Server, cmd *exec.Cmd, address func() string) {
	t.Helper()
	s.t, s.cmd, s.ended = t, cmd, make(chan struct{})
	s.log = &record{}
	cmd.Stdout, cmd.Stderr = s.log, s.log // pipes: Wait waits for every process that holds them
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatalf("%s does not start: %v", s.Kind, err)
	}
	go func() {
		_ = cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.Kill()
		if t.Failed() {
			t.Logf("%s with %s wrote:\n%s", s.Kind, s.Model, s.log.tail(4000))
		}
	})
	s.awaitReady(t, address)
}

// awaitReady waits until the server's address is known and it answers there.
func (s *Server) awaitReady(t testing.TB, address func() string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	next := time.NewTicker(50 * time.Millisecond)
	defer next.Stop()
	for !s.isReady(ctx, address()) {
		select {
		case <-s.ended:
			t.Fatalf("%s ended before it was ready:\n%s", s.Kind, s.log.tail(4000))
		case <-ctx.Done():
			t.Fatalf("%s was not ready after %v:\n%s", s.Kind, patience, s.log.tail(4000))
		case <-next.C:
		}
	}
}

func (s *Server) isReady(ctx context.Context, address string) bool {
	if address == "" {
		return false
	}
	s.URL = address
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/v1/models", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}
