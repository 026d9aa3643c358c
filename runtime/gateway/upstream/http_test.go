package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

func TestASessionIsEndedOnClose(t *testing.T) {
	wire, url := newStreamable(t, newPeer(Handshake))
	s := newServer(t, Spec{URL: url, Headers: map[string]string{"Authorization": "Bearer s3cret-token"}}, Options{})
	if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); err != nil {
		t.Fatal(err)
	}
	if wire.open() != 1 {
		t.Fatalf("%d sessions", wire.open())
	}
	s.Close()
	if wire.open() != 0 {
		t.Error("the session was left behind")
	}
	wire.mu.Lock()
	defer wire.mu.Unlock()
	for _, r := range wire.requests {
		if r.Header.Get("Authorization") != "Bearer s3cret-token" {
			t.Errorf("%s %s went without the headers", r.Method, r.URL)
		}
	}
}

func TestStatelessRequestsCarryTheirHeadersAndMeta(t *testing.T) {
	p := newPeer(Stateless)
	p.tools = `{"name":"echo","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}},` +
		`{"name":"bad","inputSchema":{"type":"object","properties":{"a":{"type":"object","x-mcp-header":"A"}}}}`
	wire, url := newStreamable(t, p)
	s := newServer(t, Spec{URL: url, Allow: []string{Roots}}, Options{})
	items, err := s.List(t.Context(), "tools/list", "tools")
	if err != nil || len(items) != 1 || rawjson.GetText(items[0], "name") != "echo" {
		t.Fatalf("a tool whose header cannot be sent is left out: %v %s", err, items)
	}
	_, err = s.Do(t.Context(), Request{Method: "tools/call", Header: map[string]string{"X-Trace": "1"}, Params: json.RawMessage(
		`{"name":"echo","arguments":{"region":"nord ost"},"_meta":{"own":[1],"progressToken":"theirs","io.modelcontextprotocol/protocolVersion":"1999-01-01"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	r := wire.request("tools/call")[0]
	for name, want := range map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Name": "echo", "Mcp-Param-Region": "nord ost", "X-Trace": "1"} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	want := `{"name":"echo","arguments":{"region":"nord ost"},"_meta":{"own":[1],"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
		`"io.modelcontextprotocol/clientInfo":{"name":"compactor","version":"test"},"io.modelcontextprotocol/clientCapabilities":{"roots":{}},"progressToken":N}}`
	if got := regexp.MustCompile(`"progressToken":\d+`).ReplaceAllString(p.lastParams(), `"progressToken":N`); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestACallBeforeTheToolsWereListed is refused for its headers, and asked again with them.
func TestACallBeforeTheToolsWereListed(t *testing.T) {
	web := httptest.NewServer(server.NewStreamableHTTPServer(goServer()))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	s := newServer(t, Spec{URL: web.URL + "/mcp"}, Options{})
	result, err := s.Do(t.Context(), toolCall("routed", `{"region":"nord"}`))
	if err != nil || !strings.Contains(string(result), "nord") {
		t.Errorf("%s %v", result, err)
	}
}

func TestCancelClosesTheStreamInTheStatelessEra(t *testing.T) {
	gone := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch rawjson.GetText(body, "method") {
		case "server/discover":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`, rawjson.Get(body, "id"))
		case "notifications/cancelled":
			t.Error("the end of the stream says it already")
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			cancel()
			<-r.Context().Done()
			close(gone)
		}
	}))
	defer server.Close()
	s := newServer(t, Spec{URL: server.URL}, Options{})
	if _, err := s.Do(ctx, toolCall("wait", `{}`)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	select {
	case <-gone:
	case <-time.After(time.Minute):
		t.Error("the server did not hear of it")
	}
	s.Close()
}

func TestSSEIsTriedWhenHTTPIsRefused(t *testing.T) {
	url := newEventful(t, newPeer(Handshake))
	s := newServer(t, Spec{URL: url}, Options{})
	about, err := s.About(t.Context())
	if err != nil || about.Kind != SSE {
		t.Errorf("%+v %v", about, err)
	}
}

// status is a server that answers with a status, and a body.
func status(t testing.TB, code int, body string) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		switch rawjson.GetText(got, "method") {
		case "server/discover":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"supportedVersions":["2026-07-28"],"capabilities":{}}}`, rawjson.Get(got, "id"))
		default:
			w.WriteHeader(code)
			_, _ = io.WriteString(w, strings.ReplaceAll(body, "%s", string(rawjson.Get(got, "id"))))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestRefusalsOverHTTP(t *testing.T) {
	for _, c := range []struct {
		code       int
		body, says string
	}{
		{404, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, "no such method (-32601)"},
		{400, `{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"header mismatch"}}`, "header mismatch (-32020)"},
		{400, `{"jsonrpc":"2.0","id":999,"error":{"code":-32020,"message":"another's"}}`, "HTTP 400 Bad Request"},
		{401, `secret body`, "HTTP 401 Unauthorized: set headers"},
		{500, `<html>secret body`, "HTTP 500 Internal Server Error"},
		{502, `{`, "HTTP 502 Bad Gateway"},
		{204, ``, "cannot be used"},
	} {
		s := newServer(t, Spec{URL: status(t, c.code, c.body)}, Options{})
		_, err := s.Do(t.Context(), Request{Method: "x"})
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%d %s: %v", c.code, c.body, err)
		}
		if s.Health().State != StateReady {
			t.Errorf("%d: the connection was given up", c.code)
		}
	}
}

func TestRedirectsDoNotCarryHeadersAway(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/mcp?key=s3cret-query", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	s := newServer(t, Spec{URL: server.URL, Headers: map[string]string{"X-Api-Key": "s3cret-key"}}, Options{})
	_, err := s.About(t.Context())
	if reached || err == nil || !strings.Contains(err.Error(), "redirects to "+other.URL+": write that address into url") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("reached %v: %v", reached, err)
	}
	s.Close()
}

func TestAnEndpointOfAnotherOriginIsRefused(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "event: endpoint\ndata: http://169.254.169.254/latest\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer server.Close()
	s := newServer(t, Spec{Kind: SSE, URL: server.URL}, Options{})
	if _, err := s.About(t.Context()); err == nil || !strings.Contains(err.Error(), "another origin") {
		t.Error(err)
	}
	s.Close()
}

func TestAStreamIsTakenUpWhereItEnded(t *testing.T) {
	var mu sync.Mutex
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		got = append(got, r.Method+" "+rawjson.GetText(body, "method")+r.Header.Get("Last-Event-ID"))
		mu.Unlock()
		switch {
		case rawjson.GetText(body, "method") == "initialize":
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, rawjson.Get(body, "id"))
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"late\":true}}\n\n")
		case rawjson.GetText(body, "method") == "x":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "id: e1\nretry: 20\ndata:\n\n")
		default:
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer server.Close()
	s := newServer(t, Spec{URL: server.URL, Era: Handshake}, Options{})
	result, err := s.Do(t.Context(), Request{Method: "x"})
	if err != nil || string(result) != `{"late":true}` {
		t.Errorf("%s %v", result, err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(got, "GET e1") {
		t.Error(got)
	}
	if noise := s.Health().Noise; len(noise) > 0 {
		t.Errorf("the event that primes is no noise: %q", noise)
	}
	s.Close()
}

// Messages that stand in a stream of events without their frame are taken; of
// anything else that stands there the caller is told.
func TestAStreamWithoutEvents(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":%s,"result":{"good":true}}`
	note := `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1}}`
	for name, c := range map[string]struct{ body, says string }{
		"bare":               {good, ""},
		"mark and blank":     {"\xef\xbb\xbf\r\n\n" + good + "\n\n", ""},
		"over several lines": {"{\n  \"jsonrpc\": \"2.0\",\n\n  \"id\": %s,\n  \"result\": {\"good\": true}\n}\n", ""},
		"a note before":      {note + "\n" + good, ""},
		"cut off":            {good[:len(good)-2], "the stream broke off"},
		"text":               {"upstream connect error: reset\n", `in place of an event it holds "upstream connect error: reset"`},
		"a page":             {"<html>\n<title>Bad Gateway</title>\n", `it holds "<html>"`},
		"comments alone":     {": ping\n\n", "the stream ended without an answer"},
		"too long":           {`{"jsonrpc":"2.0","x":"` + strings.Repeat("x", 2<<20), "over the limit"},
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				id := string(rawjson.Get(body, "id"))
				switch rawjson.GetText(body, "method") {
				case "initialize":
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`, id)
				case "x":
					w.Header().Set("Content-Type", "text/event-stream")
					_, _ = io.WriteString(w, strings.ReplaceAll(c.body, "%s", id))
				default:
					w.WriteHeader(http.StatusAccepted)
				}
			}))
			defer server.Close()
			s := newServer(t, Spec{URL: server.URL, Era: Handshake, MaxMessage: 1 << 20}, Options{})
			notes := 0
			result, err := s.Do(t.Context(), Request{Method: "x", Note: func(Note) { notes++ }})
			if c.says == "" && (err != nil || rawjson.Of(rawjson.Get(result, "good")) != rawjson.Bool) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
				t.Errorf("%s %v, want %s", result, err, c.says)
			}
			if want := strings.Count(c.body, "progressToken"); notes != want {
				t.Errorf("%d notes, want %d", notes, want)
			}
			s.Close()
		})
	}
}

func TestAServerThatWasAwayIsFoundAgain(t *testing.T) {
	p := newPeer(Handshake)
	handler, _ := newStreamable(t, p)
	server := httptest.NewServer(handler)
	url := server.URL
	s := newServer(t, Spec{URL: url}, Options{})
	if _, err := s.Do(t.Context(), toolCall("echo", `{}`)); err != nil {
		t.Fatal(err)
	}
	server.CloseClientConnections()
	server.Close()
	err := ask(t, s)
	if strings.Contains(err.Error(), "closed the connection") { // the old one, which was still open here
		err = ask(t, s)
	}
	if codeOf(err) != CodeConnection || !strings.Contains(err.Error(), "refused") || strings.Contains(err.Error(), "dial tcp: lookup") {
		t.Errorf("error = %v", err)
	}
	if h := s.Health(); h.State != StateFailing || !strings.Contains(h.LastError, "refused") {
		t.Errorf("health %+v", h)
	}
}

func TestNothingSecretIsLoggedOrShown(t *testing.T) {
	var log bytes.Buffer
	var mu sync.Mutex
	logger := slog.New(slog.NewTextHandler(&locked{&mu, &log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	secrets := []string{"s3cret-pass", "s3cret-query", "s3cret-header", "s3cret-env", "s3cret-argument", "s3cret-result"}
	texts := []string{}
	try := func(s *Server) {
		_, err := s.Do(t.Context(), toolCall("s3cret-argument", `{"a":"s3cret-argument"}`))
		if err != nil {
			texts = append(texts, err.Error())
		}
		texts = append(texts, fmt.Sprintf("%+v %q", s.Health(), s.Said()))
		s.Close()
	}
	for _, url := range []string{"http://user:s3cret-pass@127.0.0.1:1/mcp?key=s3cret-query", "http://user:s3cret-pass@[::bad/?key=s3cret-query",
		strings.Replace(status(t, 500, `s3cret-result`), "//", "//user:s3cret-pass@", 1) + "?key=s3cret-query"} {
		try(newServer(t, Spec{URL: url, Headers: map[string]string{"Authorization": "Bearer s3cret-header"}}, Options{Logger: logger}))
	}
	f := &flaky{}
	f.mode.Store("exits")
	try(newServer(t, Spec{Command: "x", Env: map[string]string{"A": "s3cret-env", "B": "s3cret-value"}}, Options{Logger: logger, Start: f.start}))
	mu.Lock()
	texts = append(texts, log.String())
	mu.Unlock()
	for _, text := range texts {
		for _, secret := range append(secrets, "s3cret") {
			if strings.Contains(text, secret) {
				t.Errorf("%s in %s", secret, text)
			}
		}
	}
	if len(log.String()) == 0 || len(texts) < 9 {
		t.Errorf("nothing to look at: %q", texts)
	}
}

type locked struct {
	mu *sync.Mutex
	w  io.Writer
}

func (l *locked) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// TestAnAnswerOnAnothersStreamDoesNotCount has a server answer one request on the stream of another.
func TestAnAnswerOnAnothersStreamDoesNotCount(t *testing.T) {
	held := make(chan json.RawMessage, 1)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		id := rawjson.Get(body, "id")
		w.Header().Set("Content-Type", "text/event-stream")
		switch rawjson.GetText(body, "method") {
		case "initialize":
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}\n\n", id)
		case "hold":
			held <- id
			<-release
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"right\":true}}\n\n", id)
		case "x":
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"wrong\":true}}\n\n", <-held)
		}
	}))
	s := newServer(t, Spec{URL: server.URL, Era: Handshake}, Options{})
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	var wg sync.WaitGroup
	wg.Go(func() {
		if result, err := s.Do(t.Context(), Request{Method: "hold"}); err != nil || string(result) != `{"right":true}` {
			t.Errorf("%s %v", result, err)
		}
	})
	clocktest.Until(t, "held", func() bool { return len(held) == 1 })
	if result, err := s.Do(t.Context(), Request{Method: "x"}); err == nil || !strings.Contains(err.Error(), "ended without an answer") {
		t.Errorf("%s %v", result, err)
	}
	close(release)
	wg.Wait()
}
