package ollama

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// FuzzReply holds the rule of the port for any server: what it answers to
// whatever it is asked makes no panic, and every error is one of the port's.
func FuzzReply(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*json")
	if err != nil || len(files) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(200, strings.Replace(strings.Split(filepath.Base(name), ".")[0], "chat", "", 1), data)
		f.Add(500, "", data)
	}
	for _, body := range []string{`{"message":{"tool_calls":[{"function":{"arguments":{"a":[1e999]}}}]},"done":true}`,
		`{"models":[{}]}`, `{"model_info":{"general.architecture":"a","a.context_length":-1}}`, "\xff\x00", `null`, `{"error":""}`} {
		f.Add(404, "", []byte(body))
		f.Add(200, "", []byte(body))
	}
	f.Fuzz(func(t *testing.T, status int, name string, body []byte) {
		if status < 100 || status > 999 || len(body) > 1<<16 {
			return
		}
		e, err := New(model.Options{Model: name, Client: doer(func(r *http.Request) (*http.Response, error) {
			return response(status, body), nil
		})})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range []*Endpoint{e, replying(t, status, body)} {
			reply, err := e.Chat(background, hello(), func(model.Delta) {})
			inOrder(t, err)
			if err == nil && reply == nil {
				t.Fatal("neither a reply nor an error")
			}
			vectors, err := e.Embed(background, []string{"a", "b"})
			if inOrder(t, err); err == nil && len(vectors) != 2 {
				t.Fatalf("%d vectors", len(vectors))
			}
			_, err = e.Info(background)
			inOrder(t, err)
			_, err = e.List(background)
			inOrder(t, err)
		}
	})
}

func inOrder(t *testing.T, err error) {
	t.Helper()
	var e *model.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	case !errors.As(err, &e) || e.Kind == "" || e.Message == "":
		t.Fatalf("error is %T %v", err, err)
	case strings.ContainsAny(err.Error(), "\r\n\x00\x1b") || len(err.Error()) > 4000:
		t.Fatalf("error is no short line: %q", err)
	}
}
