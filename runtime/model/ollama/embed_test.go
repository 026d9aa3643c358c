package ollama

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

func TestEmbed(t *testing.T) {
	s := serve(t, routes{"/api/embed": {file: "embed.json"}})
	got := must[[][]float32](t)(at(t, s.URL, "smollm2:135m", 2048).Embed(background, []string{"alpha", "beta"}))
	if len(got) != 2 || len(got[0]) != 576 || got[0][0] != -0.010833421 {
		t.Errorf("%d vectors", len(got))
	}
	want := `{"model":"smollm2:135m","input":["alpha","beta"],"truncate":false,"options":{"num_ctx":2048}}`
	if ask := lastOf(s, "/api/embed"); ask != want {
		t.Errorf("asked %s, want %s", ask, want)
	}
}

func TestEmbeddingsThatAreNone(t *testing.T) {
	for name, c := range map[string]struct {
		canned
		kind, words string
	}{
		"too long":        {canned{status: 400, file: "err_embed_overflow.json"}, model.Overflow, "context length"},
		"too few":         {canned{body: `{"embeddings":[[1]]}`}, model.Broken, "1 vectors came back for 2 texts"},
		"uneven":          {canned{body: `{"embeddings":[[1],[1,2]]}`}, model.Broken, "vectors of 1 and of 2 numbers"},
		"without numbers": {canned{body: `{"embeddings":[[],[]]}`}, model.Empty, "without numbers"},
		"no JSON":         {canned{body: `<html>`}, model.Broken, ""},
		"too large":       {canned{body: `{"embeddings":[[1e99],[1]]}`}, model.Broken, ""},
		"another model":   {canned{body: `{"model":"phi3","embeddings":[[1],[1]]}`}, model.Wrong, "phi3 answered"},
		"a long reply":    {canned{body: `{"embeddings":[[` + strings.Repeat("1,", model.MaxReply/2) + `1]]}`}, model.Broken, "8 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, routes{"/api/embed": c.canned})
			_, err := at(t, s.URL, "smollm2:135m", 0).Embed(background, []string{"a", "b"})
			wantError(t, err, c.kind, c.words)
		})
	}
	s := serve(t, nil)
	e := at(t, s.URL, "smollm2:135m", 0)
	_, err := e.Embed(background, []string{"a", ""})
	wantError(t, err, model.Refused, "text 2 of 2 is empty")
	if got, err := e.Embed(background, nil); got != nil || err != nil {
		t.Errorf("%v, %v for no texts", got, err)
	}
}

// More texts than one reply has room for are asked in parts, in their order.
func TestEmbedManyTexts(t *testing.T) {
	calls := 0
	e, err := New(model.Options{Model: "smollm2:135m", Client: doer(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path != "/api/embed" {
			name := map[string]string{"/api/ps": "ps_none.json", "/api/show": "show_smollm2_135m.json"}[r.URL.Path]
			return response(200, fixture(t, name)), nil
		}
		calls++
		var ask struct{ Input []string }
		body, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(body, &ask); err != nil {
			return nil, err
		}
		return response(200, []byte(`{"embeddings":[[`+strings.Join(ask.Input, `],[`)+`]]}`)), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range 3*batch + 1 {
		texts = append(texts, fmt.Sprint(i))
	}
	for i, v := range must[[][]float32](t)(e.Embed(background, texts)) {
		if int(v[0]) != i {
			t.Fatalf("vector %d is that of %v", i, v)
		}
	}
	if calls != 4 {
		t.Errorf("%d calls", calls)
	}
}
