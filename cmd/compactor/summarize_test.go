package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// endless gives a line for ever.
type endless struct{ line string }

func (e endless) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], e.line)
	}
	return n, nil
}

// What cannot be read as a text is refused, with what to do, and never read whole.
func TestWhatIsNoTextIsRefused(t *testing.T) {
	png := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{0, 1, 200}, 4000)...)
	for name, c := range map[string]struct {
		in   io.Reader
		want string
	}{
		"endless": {endless{"a line of a log\n"}, "standard input has more than 64 MB, the most that is read at once; give a part of it: tail -c "},
		"binary":  {bytes.NewReader(png), "standard input is binary, not text"},
		"UTF-16":  {strings.NewReader("\xff\xfea\x00\x01\x00"), "is binary, not text"},
		"spaces":  {strings.NewReader(strings.Repeat(" \n", 9000)), "standard input is empty"},
		"nothing": {strings.NewReader(""), "standard input is empty"},
	} {
		a := &app{in: c.in}
		if _, err := a.readText(""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct{ in, want string }{
		"Latin-1": {strings.Repeat("caf\xe9 au lait, ", 90), strings.Repeat("café au lait, ", 90)},
		"ANSI":    {"\x1b[31mFAIL\x1b[0m x_test.go:12\n", "\x1b[31mFAIL\x1b[0m x_test.go:12\n"},
		"UTF-8":   {"長い\n", "長い\n"},
		"UTF-16":  {"\xff\xfeo\x00k\x00\n\x00", "ok\n"}, // what > writes in Windows PowerShell
	} {
		a := &app{in: strings.NewReader(c.in)}
		if got, err := a.readText("-"); err != nil || got != c.want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	big := filepath.Join(t.TempDir(), "big.log")
	f, err := os.Create(big)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(200 << 20); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if _, err := new(app).readText(big); err == nil || !strings.Contains(err.Error(), "big.log has more than 64 MB") {
		t.Errorf("200 MB: %v", err)
	}
}

// A text that is read as a named kind is worded too, and its structure is that kind's.
func TestANamedKindIsWordedToo(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"tiny","object":"model","meta":{"n_ctx":8192}}]}`)
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"model":"tiny","choices":[{"index":0,"delta":{"role":"assistant","content":"{\"summary\": \"The job 1042 lost its lease.\"}"}}]}`+
			"\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	svc := realService(t, `models: default: {provider: "openai", url: "`+server.URL+`/v1"}`)
	log := strings.Repeat("INFO worker-3 took job 17 of queue mail\n", 200) + "ERROR job 1042 lost its lease lease-88f1\n"
	for _, kind := range []string{"", "log"} {
		got := new(app).shortenText(t.Context(), svc, log, summarizeFlags{tokens: 200, kind: kind}, summaryContext{})
		if !strings.HasPrefix(got.Summary, "The job 1042 lost its lease.\n") || got.By != "tiny" || kind != "" && got.Kind != kind {
			t.Errorf("%q: %+v", kind, got)
		}
	}
}
