package recording_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/model/recording"
)

// seen is what an adapter sees of an exchange.
type seen struct {
	status int
	header string
	body   string
	err    error // of the request or of the body
}

func ask(t *testing.T, ctx context.Context, client model.Doer, method, where, body string) seen {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, where, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer sk-sesame")
	res, err := client.Do(req)
	if err != nil {
		return seen{err: err}
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	return seen{res.StatusCode, res.Header.Get("Content-Type") + "|" + res.Header.Get("Retry-After"), string(data), err}
}

// recorded runs use against a server behind a recorder and gives the file.
func recorded(t *testing.T, serve http.HandlerFunc, use func(client model.Doer, base string)) string {
	t.Helper()
	srv := httptest.NewServer(serve)
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	rec, err := recording.Record(path)
	if err != nil {
		t.Fatal(err)
	}
	use(rec.Wrap("openai", model.NewClient()), srv.URL)
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t *testing.T, path string) *recording.Player {
	t.Helper()
	p, err := recording.Open(path, path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const chat = "/v1/chat/completions"

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		request, body := someBytes(r), someBytes(r)
		status := []int{200, 201, 400, 404, 429, 500, 503}[r.IntN(7)]
		kind := []string{"application/json", "text/event-stream", "text/html; charset=utf-8"}[r.IntN(3)]
		roundTrip(t, request, body, status, kind)
	}
}

// someBytes are text, JSON or noise.
func someBytes(r *rand.Rand) []byte {
	b := make([]byte, r.IntN(5000))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	switch r.IntN(3) {
	case 0:
		b = []byte(strings.ToValidUTF8(string(b), "ä\x00\u2028\n"))
	case 1:
		b, _ = json.Marshal(map[string]any{"b": string(b), "a": []any{1.5, nil, "<&>"}})
	}
	return b
}

func roundTrip(t *testing.T, request, body []byte, status int, kind string) {
	t.Helper()
	var live seen
	path := recorded(t, func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		if !bytes.Equal(got, request) {
			t.Errorf("the server got %q, not %q", got, request)
		}
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}, func(client model.Doer, base string) {
		live = ask(t, t.Context(), client, "POST", base+chat, string(request))
	})
	again := ask(t, t.Context(), open(t, path), "POST", "http://elsewhere"+chat, string(request))
	if live.err != nil || again != live || again.body != string(body) {
		t.Errorf("request %q, body %q:\nlive   %+v\nreplay %+v", request, body, live, again)
	}
}

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"user","content":"hi"}]}`), []byte("data: {}\n\ndata: [DONE]\n\n"), 200)
	f.Add([]byte("1],[2"), []byte{0xff, 0, '\n'}, 503)
	f.Add([]byte(`"\ud800"`), []byte("\u2028<>&"), 404)
	f.Fuzz(func(t *testing.T, request, body []byte, status int) {
		if status < 200 || status > 999 || status == 204 || status == 304 {
			t.Skip("without a body")
		}
		roundTrip(t, request, body, status, "application/json")
	})
}

// A stream must reach its reader while the server still speaks: the server
// here goes on only when its first piece has been read.
func TestStreamIsNotHeldBack(t *testing.T) {
	t.Parallel()
	read := make(chan bool)
	path := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("data: one\n\n"))
		w.(http.Flusher).Flush()
		<-read
		_, _ = w.Write([]byte("data: two\n\n"))
	}, func(client model.Doer, base string) {
		req, _ := http.NewRequestWithContext(t.Context(), "POST", base+chat, strings.NewReader("{}"))
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		first := make([]byte, len("data: one\n\n"))
		if _, err := io.ReadFull(res.Body, first); err != nil {
			t.Fatal(err)
		}
		close(read)
		_, _ = io.ReadAll(res.Body)
	})
	if got := ask(t, t.Context(), open(t, path), "POST", "http://x"+chat, "{}"); got.body != "data: one\n\ndata: two\n\n" {
		t.Errorf("replay: %q", got.body)
	}
}

// A reader of events stops at the last one; what the server sends after it is
// part of the recording all the same.
func TestStreamReadToItsLastEventIsWhole(t *testing.T) {
	t.Parallel()
	body := "data: [DONE]\n\n" + strings.Repeat(": end\n", 2000)
	path := recorded(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) },
		func(client model.Doer, base string) {
			req, _ := http.NewRequestWithContext(t.Context(), "POST", base+chat, strings.NewReader("{}"))
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.ReadFull(res.Body, make([]byte, 14))
			res.Body.Close()
		})
	if got := ask(t, t.Context(), open(t, path), "POST", "http://x"+chat, "{}"); got.body != body || got.err != nil {
		t.Errorf("replay: %d bytes of %d, %v", len(got.body), len(body), got.err)
	}
}

// hangUp answers half and breaks the connection.
func hangUp(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	_, _ = io.WriteString(w, "half")
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

func TestBreaksAreReplayed(t *testing.T) {
	t.Parallel()
	stuck := func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "half")
		w.(http.Flusher).Flush()
		_, _ = io.ReadAll(r.Body)
		<-r.Context().Done()
	}
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		use   func(client model.Doer, base string)
		body  string
		want  error
	}{
		"cut in the middle": {hangUp, func(client model.Doer, base string) { ask(t, t.Context(), client, "POST", base+chat, "{}") },
			"half", io.ErrUnexpectedEOF},
		"no answer": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			func(client model.Doer, base string) { ask(t, t.Context(), client, "POST", base+chat, "{}") }, "", io.EOF},
		"nobody listens": {hangUp, func(client model.Doer, _ string) {
			ask(t, t.Context(), client, "POST", "http://127.0.0.1:1"+chat, "{}")
		},
			"", syscall.ECONNREFUSED},
		"cancelled": {stuck, func(client model.Doer, base string) { cancelled(t, client, base) }, "half", context.Canceled},
		"closed":    {stuck, func(client model.Doer, base string) { halfRead(t, client, base).Body.Close() }, "half", io.ErrUnexpectedEOF},
		"never closed": {stuck, func(client model.Doer, base string) {
			res := halfRead(t, client, base)
			t.Cleanup(func() { res.Body.Close() })
		}, "half", io.ErrUnexpectedEOF},
	} {
		t.Run(name, func(t *testing.T) {
			got := ask(t, t.Context(), open(t, brokenRecording(t, c.serve, c.use)), "POST", "http://x"+chat, "{}")
			if got.body != c.body || !errors.Is(got.err, c.want) {
				t.Errorf("replay: %q and %v, want %q and %v", got.body, got.err, c.body, c.want)
			}
		})
	}
}

// brokenRecording is as recorded, with a server that may be left hanging.
func brokenRecording(t *testing.T, serve http.HandlerFunc, use func(model.Doer, string)) string {
	t.Helper()
	srv := httptest.NewServer(serve)
	srv.Config.ErrorLog = nil
	t.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	path := filepath.Join(t.TempDir(), "r.jsonl")
	rec, err := recording.Record(path)
	if err != nil {
		t.Fatal(err)
	}
	use(rec.Wrap("openai", model.NewClient()), srv.URL)
	if err := rec.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func halfRead(t *testing.T, client model.Doer, base string) *http.Response {
	t.Helper()
	return halfReadIn(t, t.Context(), client, base)
}

func halfReadIn(t *testing.T, ctx context.Context, client model.Doer, base string) *http.Response {
	t.Helper()
	req, _ := http.NewRequestWithContext(ctx, "POST", base+chat, strings.NewReader("{}"))
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(res.Body, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	return res
}

func cancelled(t *testing.T, client model.Doer, base string) {
	t.Helper()
	ctx, cancel := context.WithCancelCause(t.Context())
	res := halfReadIn(t, ctx, client, base)
	defer res.Body.Close()
	cancel(errors.New("a cause of its own"))
	_, _ = io.ReadAll(res.Body)
}

// A recording is committed and passed on: nothing of who was asked, and with
// which key, may be in it.
func TestNoKeyNoHostNoOtherHeader(t *testing.T) {
	t.Parallel()
	var host string
	path := recorded(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "session=sk-cookie")
		w.Header().Set("X-Request-Id", "sk-request")
		_, _ = io.WriteString(w, "{}")
	}, func(client model.Doer, base string) {
		u, _ := url.Parse(base)
		host = u.Host
		u.User = url.UserPassword("sk-user", "sk-word")
		u.Path, u.RawQuery = chat, "key=sk-query"
		ask(t, t.Context(), client, "POST", u.String(), "{}")
		ask(t, t.Context(), client, "POST", "http://127.0.0.1:1/refused?key=sk-query", "{}")
	})
	data, _ := os.ReadFile(path)
	for _, secret := range []string{"sk-", host, "127.0.0.1", "Set-Cookie", "set-cookie"} {
		if strings.Contains(string(data), secret) {
			t.Errorf("the recording has %q:\n%s", secret, data)
		}
	}
	if n := strings.Count(string(data), "\n"); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

func TestUnwritableIsToldAtTheStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, path := range []string{filepath.Join(dir, "missing", "r.jsonl"), dir} {
		if _, err := recording.Record(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Record(%s): %v", path, err)
		}
	}
}

// Exchanges that run at once end in any order. The file is the same each time,
// however they did.
func TestConcurrentExchangesGiveTheSameFile(t *testing.T) {
	t.Parallel()
	var files [2]string
	for i := range files {
		path := recorded(t, func(w http.ResponseWriter, r *http.Request) {
			data, _ := io.ReadAll(r.Body)
			_, _ = w.Write(bytes.Repeat(data, 300))
		}, func(client model.Doer, base string) {
			var all sync.WaitGroup
			for n := range 40 {
				n = n * (1 + 16*i) % 40 // the second time in another order
				all.Go(func() {
					ask(t, t.Context(), client, "POST", fmt.Sprint(base, "/", n%3), fmt.Sprintf(`{"n": %d}`, n))
				})
			}
			all.Wait()
		})
		data, _ := os.ReadFile(path)
		files[i] = string(data)
		if left, _ := filepath.Glob(path + ".*"); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
	if n := strings.Count(files[0], "\n"); n != 40 || files[0] != files[1] {
		t.Errorf("%d lines, want 40; equal: %v", n, files[0] == files[1])
	}
}

func TestPartIsWholeLinesWhileItGrows(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 9000)) }))
	defer srv.Close()
	path := filepath.Join(t.TempDir(), "r.jsonl")
	rec, err := recording.Record(path)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 20 {
		all.Go(func() {
			ask(t, t.Context(), rec.Wrap("ollama", model.NewClient()), "POST", srv.URL+"/api/chat", fmt.Sprint(n))
		})
	}
	all.Wait()
	parts, _ := filepath.Glob(path + ".*")
	if len(parts) != 1 {
		t.Fatalf("parts: %v", parts)
	}
	if got, err := recording.Read(parts[0]); err != nil || len(got) != 20 {
		t.Errorf("%d exchanges, %v", len(got), err)
	}
	rec.Discard()
	if left, _ := filepath.Glob(path + "*"); len(left) > 0 {
		t.Errorf("discarded, but %v is left", left)
	}
}
