package eventlog_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/eventlog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// buffer may be read while it is written.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// written is what a log of these settings writes of what do emits.
func written(t *testing.T, set eventlog.Settings, do func(*event.Stream)) string {
	t.Helper()
	var s event.Stream
	var out buffer
	l := eventlog.New(eventlog.Options{Stream: &s, Err: &out})
	if err := l.Set(set); err != nil {
		t.Fatal(err)
	}
	do(&s)
	l.Close()
	return out.String()
}

// parsed are the lines of a log in JSON.
func parsed(t *testing.T, text string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		out = append(out, m)
	}
	return out
}
