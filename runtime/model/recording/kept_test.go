package recording_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// A day on which the server is down does not cost the recording of a day on which
// it was up.
func TestAFailedRunReplacesNoGoodRecording(t *testing.T) {
	t.Parallel()
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	run := func(base string) error {
		rec, err := recording.Record(path)
		if err != nil {
			t.Fatal(err)
		}
		client := rec.Wrap("openai", http.DefaultClient)
		ask(t, t.Context(), client, "GET", server.URL+"/v1/models", "")
		ask(t, t.Context(), client, "POST", base+chat, "{}")
		return rec.Close()
	}
	if err := run(server.URL); err != nil {
		t.Fatal(err)
	}
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	broken := func(name, base string) {
		if err := run(base); !errors.Is(err, recording.ErrKept) {
			t.Errorf("%s: %v", name, err)
		}
		if now, _ := os.ReadFile(path); string(now) != string(good) {
			t.Errorf("%s: the recording is now %s", name, now)
		}
	}
	broken("nobody listens", "http://127.0.0.1:1")
	status = http.StatusInternalServerError
	broken("the server fails", server.URL)
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := run(server.URL); err != nil {
		t.Errorf("with nothing there: %v", err)
	}
}
