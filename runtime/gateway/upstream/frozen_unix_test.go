//go:build unix

package upstream

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

func init() { programs["freezes"] = freezes }

// freezes is a program of its own that answers all but the tools "freeze", at which it stops as a whole; "never", which
// it forgets; and "later", which it answers at "now". That it froze or is asked for later it says on stderr. To ping it
// answers that it does not know it.
func freezes() {
	in := bufio.NewReader(os.Stdin)
	var later json.RawMessage
	pid := func(id json.RawMessage) {
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"pid":%d}}`+"\n", id, os.Getpid())
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m incoming
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		switch name := rawjson.GetText(m.Params, "name"); {
		case m.Method == "initialize":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`+"\n", m.ID)
		case m.Method != "tools/call":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}`+"\n", m.ID)
		case name == "freeze":
			fmt.Fprintln(os.Stderr, "freezing")
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			_, _ = io.Copy(io.Discard, in) // another thread may take the signal, and this one must not answer until then
		case name == "later":
			later = m.ID
			fmt.Fprintln(os.Stderr, "asked")
		case name == "now":
			pid(later)
			pid(m.ID)
		case name == "pid":
			pid(m.ID)
		}
	}
}

func brief(tool string, d time.Duration) Request {
	r := toolCall(tool, `{}`)
	r.Time = d
	return r
}

// expiring is a context whose deadline passes when expired is closed.
type expiring struct {
	context.Context
	expired chan struct{}
}

func (e expiring) Done() <-chan struct{} { return e.expired }

func (e expiring) Err() error {
	select {
	case <-e.expired:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// newFreezing returns a server that freezes, and a condition: its last program has said something on stderr.
func newFreezing(t *testing.T) (s *Server, said func() bool) {
	var last atomic.Pointer[child]
	s = newServer(t, Spec{Command: "child", Args: []string{"freezes"}, Era: Handshake}, Options{Start: func(ctx context.Context, spec Spec) (Program, error) {
		p, err := startChild(ctx, spec)
		c, _ := p.(*child)
		last.Store(c)
		return p, err
	}})
	return s, func() bool { return len(last.Load().Stderr()) > 0 }
}

func TestAFrozenProgramIsStartedAnew(t *testing.T) {
	s, said := newFreezing(t)
	s.pingTime = 100 * time.Millisecond
	first, err := s.Do(t.Context(), toolCall("pid", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	ctx := expiring{t.Context(), make(chan struct{})}
	frozen := make(chan error, 1)
	go func() {
		_, err := s.Do(ctx, toolCall("freeze", `{}`))
		frozen <- err
	}()
	clocktest.Until(t, "it freezes", said)
	close(ctx.expired)
	if err := <-frozen; codeOf(err) != CodeTimeout {
		t.Fatalf("error = %v", err)
	}
	second, err := s.Do(t.Context(), toolCall("pid", `{}`))
	if err != nil || string(second) == string(first) {
		t.Errorf("%s after %s, %v", second, first, err)
	}
	if h := s.Health(); h.Restarts != 1 || h.LastError != errMute.Error() {
		t.Errorf("health %+v", h)
	}
}

func TestASlowProgramIsLeftAlone(t *testing.T) {
	s, said := newFreezing(t)
	first, err := s.Do(t.Context(), toolCall("pid", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	later := make(chan string, 1)
	go func() {
		result, err := s.Do(t.Context(), toolCall("later", `{}`))
		later <- fmt.Sprint(string(result), err)
	}()
	clocktest.Until(t, "it is asked", said)
	for range 3 {
		if _, err := s.Do(t.Context(), brief("never", 100*time.Millisecond)); codeOf(err) != CodeTimeout {
			t.Fatalf("error = %v", err)
		}
	}
	if _, err := s.Do(t.Context(), toolCall("now", `{}`)); err != nil {
		t.Error(err)
	}
	if got := <-later; got != string(first)+"<nil>" {
		t.Errorf("%s, not %s", got, first)
	}
	if h := s.Health(); h.Restarts != 0 || h.State != StateReady {
		t.Errorf("health %+v", h)
	}
}
