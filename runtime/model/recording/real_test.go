package recording_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/modeltest"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// TestRealModelReplays asks real servers for what adapters ask them for, and
// holds that the replay is the same to the byte: an answer, a stream, a stream
// that was given up, and refusals.
func TestRealModelReplays(t *testing.T) {
	for _, pair := range modeltest.All(t) {
		t.Run(pair.String(), func(t *testing.T) {
			srv := pair.Start(t, modeltest.Options{})
			path := filepath.Join(t.TempDir(), "r.jsonl")
			rec, err := recording.Record(path)
			if err != nil {
				t.Fatal(err)
			}
			live := conversation(t, rec.Wrap("openai", model.NewClient()), srv.URL, srv.Model)
			if err := rec.Close(); err != nil {
				t.Fatal(err)
			}
			again := conversation(t, open(t, path), "http://recording.invalid", srv.Model)
			for name, want := range live {
				if got := again[name]; got != want {
					t.Errorf("%s:\nlive   %+v\nreplay %+v", name, want, got)
				}
			}
			if !strings.Contains(live["stream"].body, "data: [DONE]") || live["unknown"].status/100 != 4 {
				t.Errorf("no stream or no refusal: %+v", live)
			}
		})
	}
}

// conversation asks in several ways. The one that is given up reads only the
// first bytes of its stream.
func conversation(t *testing.T, client model.Doer, base, name string) map[string]seen {
	t.Helper()
	chatWith := func(more string) string {
		return fmt.Sprintf(`{"model":%q,"max_tokens":12,"temperature":0,"messages":[{"role":"user","content":"Count to nine."}]%s}`, name, more)
	}
	out := map[string]seen{
		"models":  ask(t, t.Context(), client, "GET", base+"/v1/models", ""),
		"answer":  ask(t, t.Context(), client, "POST", base+chat, chatWith("")),
		"stream":  ask(t, t.Context(), client, "POST", base+chat, chatWith(`,"stream":true`)),
		"unknown": ask(t, t.Context(), client, "GET", base+"/v1/nothing", ""),
		"broken":  ask(t, t.Context(), client, "POST", base+chat, `{"messages":7}`),
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", base+chat, strings.NewReader(chatWith(`,"stream":true,"seed":1`)))
	if err != nil {
		t.Fatal(err)
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	first := make([]byte, 6)
	_, err = io.ReadFull(res.Body, first)
	out["given up"] = seen{status: res.StatusCode, body: string(first), err: err}
	cancel()
	if _, err := res.Body.Read(first); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	return out
}
