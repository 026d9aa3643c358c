package dashboard_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

func TestLive(t *testing.T) {
	m, p := world()
	srv := httptest.NewServer(pages(m, p))
	defer srv.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL+"/dashboard/sessions/5e5510a1/live", nil)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(res.Header)
	}
	lines := bufio.NewScanner(res.Body)
	change := func() bool {
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "event: change") {
				return true
			}
		}
		return false
	}
	if !change() { // for what came between the page and its stream
		t.Fatal("a page that begins to listen is not told to read itself again")
	}
	for range 20 { // many spans are one word
		select {
		case m.watch <- timeline.Span{}:
		default:
		}
	}
	if !change() {
		t.Error("no word of what is new")
	}
	close(m.watch) // the reader ends: so does the stream
	for lines.Scan() {
	}
	http.DefaultClient.CloseIdleConnections()
}
