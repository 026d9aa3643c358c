package ollama

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// What was recorded of a server is answered the same without it, down to the
// times, and so are its errors.
func TestReplayed(t *testing.T) {
	s := serve(t, routes{"/api/chat": {file: "chat_text.ndjson"}, "/api/embed": {status: 400, file: "err_embed_overflow.json"}})
	path := filepath.Join(t.TempDir(), "recording.jsonl")
	rec, err := recording.Record(path)
	if err != nil {
		t.Fatal(err)
	}
	asked := exchange(t, s.URL, rec.Wrap("ollama", model.NewClient()))
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	player, err := recording.Open(path, path)
	if err != nil {
		t.Fatal(err)
	}
	if replayed := exchange(t, player.URL(), player); asked != replayed {
		t.Error(cmp.Diff(asked, replayed))
	}
	if misses := player.Misses(); len(misses) > 0 {
		t.Error(misses)
	}
}

// exchange is all that an endpoint answers there, as text.
func exchange(t *testing.T, url string, via model.Doer) string {
	t.Helper()
	e, err := New(model.Options{URL: url, Model: "smollm2:135m", Client: via})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := e.Chat(background, hello(), nil)
	info, infoErr := e.Info(background)
	_, embedErr := e.Embed(background, []string{"a"})
	wantError(t, embedErr, model.Overflow)
	if err := errors.Join(err, infoErr); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal([]any{reply, info, embedErr.Error()})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
