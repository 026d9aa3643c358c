package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// canned is one answer.
type canned struct {
	status int // 0 is 200
	file   string
	body   string
	header map[string]string
}

// routes are answers by path, or by path and model where both are given, as
// in "/api/show smollm2:135m".
type routes map[string]canned

// fake is a server that answers from routes and keeps what it was asked. What
// is not in routes is answered as an Ollama does that has the recorded models
// and none loaded.
type fake struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[string][]string // bodies by path
	heads []http.Header
}

var usual = routes{
	"/api/version":                 {file: "version.json"},
	"/api/ps":                      {file: "ps_none.json"},
	"/api/tags":                    {file: "tags.json"},
	"/api/show smollm2:135m":       {file: "show_smollm2_135m.json"},
	"/api/show gemma3-270m:latest": {file: "show_gemma3-270m.json"},
	"/api/show smol-tools:latest":  {file: "show_smol-tools.json"},
	"/api/show smol-think:latest":  {file: "show_smol-think.json"},
	"/api/show":                    {status: 404, file: "err_not_found.json"},
}

func serve(t *testing.T, special routes) *fake {
	t.Helper()
	f := &fake{asked: map[string][]string{}}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		f.mu.Lock()
		f.asked[r.URL.Path] = append(f.asked[r.URL.Path], string(body))
		f.heads = append(f.heads, r.Header)
		f.mu.Unlock()
		var named struct{ Model string }
		json.Unmarshal(body, &named)
		for _, from := range []routes{special, usual} {
			for _, key := range []string{r.URL.Path + " " + named.Model, r.URL.Path} {
				if c, ok := from[key]; ok {
					c.write(t, w)
					return
				}
			}
		}
		w.WriteHeader(http.StatusNotFound)
		w.Write(fixture(t, "err_path.txt"))
	}))
	t.Cleanup(f.Close)
	return f
}

func (c canned) write(t *testing.T, w http.ResponseWriter) {
	for k, v := range c.header {
		w.Header().Set(k, v)
	}
	if c.status != 0 {
		w.WriteHeader(c.status)
	}
	if c.file != "" {
		w.Write(fixture(t, c.file))
	}
	io.WriteString(w, c.body)
}

func fixture(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// at is an endpoint of that server.
func at(t testing.TB, url, name string, window int) *Endpoint {
	t.Helper()
	e, err := New(model.Options{URL: url, Model: name, Window: window})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func hello() model.Request {
	return model.Request{Messages: []model.Message{{Role: model.User, Content: "hello"}}, MaxTokens: 40}
}

// doer answers without a network.
type doer func(*http.Request) (*http.Response, error)

func (d doer) Do(r *http.Request) (*http.Response, error) { return d(r) }

func response(status int, body []byte) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body))}
}

// wantError holds the rule of the port and looks for a code and for words.
func wantError(t *testing.T, err error, kind string, words ...string) {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %T %v, want a *model.Error %s", err, err, kind)
	}
	if e.Kind != kind {
		t.Errorf("code is %s, want %s: %v", e.Kind, kind, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error does not say %q: %v", w, err)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error is more than one line: %q", err.Error())
	}
}

func lastOf(f *fake, path string) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := len(f.asked[path]); n > 0 {
		return f.asked[path][n-1]
	}
	return ""
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

var background = context.Background()

// replying is an endpoint whose server answers every chat and embedding so,
// and everything else as usual.
func replying(t testing.TB, status int, body []byte) *Endpoint {
	t.Helper()
	answers := map[string][]byte{}
	for path, c := range usual {
		if c.status == 0 {
			answers[strings.Fields(path)[0]] = fixture(t, c.file)
		}
	}
	answers["/api/show"] = fixture(t, "show_smollm2_135m.json")
	e, err := New(model.Options{Model: "smollm2:135m", Client: doer(func(r *http.Request) (*http.Response, error) {
		if usual, ok := answers[r.URL.Path]; ok {
			return response(200, usual), nil
		}
		return response(status, body), nil
	})})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
