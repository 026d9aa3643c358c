//go:build unix

package upstream

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

func init() { programs["freezes"] = freezes }

// freezes is a program of its own that answers all but the tools "freeze", at which it stops as a whole, and "never", which
// it forgets. To ping it answers that it does not know it.
func freezes() {
	in := bufio.NewReader(os.Stdin)
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
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			time.Sleep(time.Hour) // another thread may take the signal, and this one must not read on until then
		case name == "later":
			go func() {
				time.Sleep(2 * time.Second)
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"pid":%d}}`+"\n", m.ID, os.Getpid())
			}()
		case name == "pid":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"pid":%d}}`+"\n", m.ID, os.Getpid())
		}
	}
}

func brief(tool string, d time.Duration) Request {
	r := toolCall(tool, `{}`)
	r.Time = d
	return r
}

func TestAFrozenProgramIsStartedAnew(t *testing.T) {
	s := newServer(t, Spec{Command: "child", Args: []string{"freezes"}, Era: Handshake}, Options{})
	s.pingTime = 100 * time.Millisecond
	first, err := s.Do(t.Context(), toolCall("pid", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Do(t.Context(), brief("freeze", 100*time.Millisecond)); codeOf(err) != CodeTimeout {
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
	s := newServer(t, Spec{Command: "child", Args: []string{"freezes"}, Era: Handshake}, Options{})
	first, err := s.Do(t.Context(), toolCall("pid", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	later := make(chan string)
	go func() {
		result, err := s.Do(t.Context(), toolCall("later", `{}`))
		later <- fmt.Sprint(string(result), err)
	}()
	for range 3 {
		if _, err := s.Do(t.Context(), brief("never", 100*time.Millisecond)); codeOf(err) != CodeTimeout {
			t.Fatalf("error = %v", err)
		}
	}
	if got := <-later; got != string(first)+"<nil>" {
		t.Errorf("%s, not %s", got, first)
	}
	if h := s.Health(); h.Restarts != 0 || h.State != StateReady {
		t.Errorf("health %+v", h)
	}
}
