package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// web is a raw HTTP client of one server.
type web struct {
	t      testing.TB
	client *http.Client
	url    string
	header http.Header // of each request
}

func openWeb(t testing.TB, s *server.Server) *web {
	t.Helper()
	addr := serve(t, s, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0"}).String()
	return &web{t, httpClient(t, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
}

// do sends one request. Headers come as name, value pairs; an empty value removes.
func (w *web) do(ctx context.Context, method, body string, headers ...string) *http.Response {
	w.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, w.url, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header = w.header.Clone()
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
		if headers[i+1] == "" {
			req.Header.Del(headers[i])
		}
	}
	res, err := w.client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { res.Body.Close() })
	return res
}

// post sends a message and gives status and body.
func (w *web) post(body string, headers ...string) (int, string) {
	w.t.Helper()
	res := w.do(w.t.Context(), http.MethodPost, body, headers...)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return res.StatusCode, string(data)
}

// login starts a session of the handshake era, to which later requests belong.
func (w *web) login() string {
	w.t.Helper()
	res := w.do(w.t.Context(), http.MethodPost, initialize, "Mcp-Session-Id", "")
	io.Copy(io.Discard, res.Body)
	res.Body.Close()
	id := res.Header.Get("Mcp-Session-Id")
	if id == "" {
		w.t.Fatalf("no session: %s", res.Status)
	}
	w.header.Set("Mcp-Session-Id", id)
	w.header.Set("Mcp-Protocol-Version", "2025-11-25")
	return id
}

// modern gives the headers of a stateless request.
func modern(method, name string) []string {
	h := []string{"Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", method}
	if name != "" {
		h = append(h, "Mcp-Name", name)
	}
	return h
}

// eventReader gives the data of the events of a stream, one by one.
func eventReader(t testing.TB, res *http.Response) func() (string, bool) {
	t.Helper()
	if kind := res.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("status %s, content type %q", res.Status, kind)
	}
	r := bufio.NewReader(res.Body)
	return func() (string, bool) {
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return "", false
			}
			if data, ok := strings.CutPrefix(strings.TrimSpace(line), "data: "); ok {
				return data, true
			}
		}
	}
}

// The trap of lost and late notes, over HTTP: 200 calls in each era, eight at a time.
func TestNotesComeBeforeTheAnswerOverHTTP(t *testing.T) {
	for _, era := range eras {
		t.Run(era.name, func(t *testing.T) {
			s, _ := newServer(t)
			w := openWeb(t, s)
			var headers []string
			if era.modern {
				headers = modern("tools/call", "notes")
			} else {
				w.login()
			}
			var workers sync.WaitGroup
			for worker := range 8 {
				workers.Go(func() {
					for i := range 25 {
						id := strconv.Itoa(worker*25 + i)
						res := w.do(t.Context(), http.MethodPost, era.message(id, "tools/call", callParams("notes", `{"n":3}`), `"progressToken":`+id), headers...)
						next := eventReader(t, res)
						var got []string
						for data, ok := next(); ok; data, ok = next() {
							m := decode(t, data)
							got = append(got, m.Method+string(m.ID)+between(string(m.Params), `"progress":`, ","))
						}
						res.Body.Close()
						got = slices.DeleteFunc(got, func(m string) bool { return strings.HasPrefix(m, "notifications/message") })
						if want := []string{"notifications/progress1", "notifications/progress2", "notifications/progress3", id}; !slices.Equal(got, want) {
							t.Errorf("call %s: %v", id, got)
						}
					}
				})
			}
			workers.Wait()
		})
	}
}

// One table for what HTTP itself is asked: status and what the text says.
func TestHTTPStatus(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.MaxMessage = 1000 })
	w := openWeb(t, s)
	session := w.login()
	w.header = http.Header{}
	old := []string{"Mcp-Session-Id", session}
	list, modernList := eras[0].message("1", "tools/list", "", ""), eras[1].message("1", "tools/list", "", "")
	routed := eras[1].message("1", "tools/call", callParams("routed", `{"region":"eu"}`), "")
	tests := []struct {
		name, method, body string
		headers            []string
		status             int
		want               string
	}{
		{"handshake list", "POST", list, old, 200, `"tools":[`},
		{"charset", "POST", list, append(old, "Content-Type", "application/json; charset=utf-8"), 200, `"tools":[`},
		{"notification", "POST", initialized, old, 202, ""},
		{"response", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, old, 202, ""},
		{"error of the protocol", "POST", eras[0].message("1", "no/such", "", ""), old, 200, "-32601"},
		{"no session", "POST", list, nil, 400, "Mcp-Session-Id is missing"},
		{"unknown session", "POST", list, []string{"Mcp-Session-Id", "GUESS"}, 404, "initialize again"},
		{"unknown version", "POST", list, append(old, "Mcp-Protocol-Version", "2024-01-01"), 400, "initialize again"},
		{"no json", "POST", "{", old, 400, "-32700"},
		{"batch", "POST", "[" + list + "]", old, 400, "-32600"},
		{"text/plain", "POST", list, append(old, "Content-Type", "text/plain"), 415, "application/json"},
		{"form", "POST", list, append(old, "Content-Type", "application/x-www-form-urlencoded"), 415, "application/json"},
		{"no type", "POST", list, append(old, "Content-Type", ""), 415, "application/json"},
		{"compressed", "POST", list, append(old, "Content-Encoding", "gzip"), 415, "application/json"},
		{"accept nothing of ours", "POST", list, append(old, "Accept", "text/html"), 406, "accept"},
		{"accept json", "POST", list, append(old, "Accept", "application/json"), 200, `"tools":[`},
		{"too large", "POST", `{"pad":"` + strings.Repeat("x", 1000) + `"}`, old, 413, "at most 1000 bytes"},
		{"put", "PUT", list, old, 405, ""},
		{"options", "OPTIONS", "", []string{"Access-Control-Request-Method", "POST"}, 405, ""},
		{"get without accept", "GET", "", append(old, "Accept", "application/json"), 406, ""},
		{"get without session", "GET", "", []string{"Accept", "text/event-stream"}, 400, ""},

		{"stateless list", "POST", modernList, modern("tools/list", ""), 200, `"resultType":"complete"`},
		{"stateless notification", "POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, modern("notifications/cancelled", ""), 202, ""},
		{"stateless response", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, modern("", ""), 400, "-32600"},
		{"header missing", "POST", modernList, []string{"Mcp-Method", "tools/list"}, 400, "-32020"},
		{"version differs", "POST", modernList, append(modern("tools/list", ""), "Mcp-Protocol-Version", "2026-07-29"), 400, "-32020"},
		{"method missing", "POST", modernList, []string{"Mcp-Protocol-Version", "2026-07-28"}, 400, "-32020"},
		{"method differs", "POST", modernList, modern("tools/call", ""), 400, "-32020"},
		{"name differs", "POST", routed, modern("tools/call", "echo"), 400, "-32020"},
		{"parameter missing", "POST", routed, modern("tools/call", "routed"), 400, "-32020"},
		{"parameter differs", "POST", routed, append(modern("tools/call", "routed"), "Mcp-Param-Region", "us"), 400, "-32020"},
		{"parameter agrees", "POST", routed, append(modern("tools/call", "routed"), "Mcp-Param-Region", "=?base64?ZXU=?="), 200, "routed raw"},
		{"resumption", "POST", modernList, append(modern("tools/list", ""), "Last-Event-ID", "1"), 400, "-32020"},
		{"unknown future version", "POST", strings.ReplaceAll(modernList, "2026-07-28", "2099-01-01"),
			[]string{"Mcp-Protocol-Version", "2099-01-01", "Mcp-Method", "tools/list"}, 400, "-32022"},
		{"no meta", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, modern("tools/list", ""), 400, "-32602"},
		{"no capabilities", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			modern("tools/list", ""), 400, "-32602"},
		{"missing capability", "POST", eras[1].message("1", "tools/call", callParams("fail", `{"how":"capability"}`), ""), modern("tools/call", "fail"), 400, "-32021"},
		{"unknown method", "POST", eras[1].message("1", "no/such", "", ""), modern("no/such", ""), 404, "-32601"},
		{"removed method", "POST", eras[1].message("1", "ping", "", ""), modern("ping", ""), 404, "-32601"},
		{"session is ignored", "POST", modernList, append(modern("tools/list", ""), "Mcp-Session-Id", "GUESS"), 200, "resultType"},
		{"stateless get", "GET", "", append(modern("", ""), "Accept", "text/event-stream"), 405, ""},
		{"stateless delete", "DELETE", "", append(modern("", ""), "Mcp-Session-Id", session), 405, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res := w.do(t.Context(), tt.method, tt.body, tt.headers...)
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != tt.status || !strings.Contains(string(body), tt.want) {
				t.Errorf("%s\n%s\nwant %d with %q", res.Status, body, tt.status, tt.want)
			}
			if res.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Error("a page of another origin was let in")
			}
			if res.StatusCode == 405 && res.Header.Get("Allow") == "" {
				t.Error("405 without Allow")
			}
		})
	}
}

// A client that takes no events gets the answer alone.
func TestNotesAreOptional(t *testing.T) {
	s, _ := newServer(t)
	w := openWeb(t, s)
	body := eras[1].message("1", "tools/call", callParams("notes", `{"n":3}`), `"progressToken":1`)
	status, got := w.post(body, append(modern("tools/call", "notes"), "Accept", "application/json")...)
	if m := decode(t, got); status != 200 || textOf(t, m.Result) != "noted" {
		t.Errorf("%d %s", status, got)
	}
}

// The streams on which clients hear of a changed list, in both eras.
func TestHTTPStreams(t *testing.T) {
	s, b := newServer(t)
	w := openWeb(t, s)
	w.login()
	get := func() func() (string, bool) {
		return eventReader(t, w.do(t.Context(), http.MethodGet, "", "Accept", "text/event-stream"))
	}
	first := get()
	second := get() // takes the place of the first
	if data, ok := first(); ok {
		t.Errorf("the first stream goes on: %s", data)
	}
	listen := eventReader(t, w.do(t.Context(), http.MethodPost, eras[1].message("5", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""),
		modern("subscriptions/listen", "")...))
	if data, _ := listen(); !strings.Contains(data, "acknowledged") {
		t.Error(data)
	}
	b.grow("extra")
	if data, _ := second(); data != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` {
		t.Error(data)
	}
	if data, _ := listen(); data != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":5}}}` {
		t.Error(data)
	}
	if status, _ := w.post(eras[0].message("1", "tools/list", "", "")); status != 200 {
		t.Error(status)
	}
	res := w.do(t.Context(), http.MethodDelete, "")
	if res.StatusCode != 204 {
		t.Error(res.Status)
	}
	if data, ok := second(); ok {
		t.Errorf("the stream of a deleted session goes on: %s", data)
	}
	if status, _ := w.post(eras[0].message("1", "tools/list", "", "")); status != 404 {
		t.Errorf("a deleted session answers %d", status)
	}
}

// A change while no stream was open is told when one opens.
func TestChangeWaitsForAStream(t *testing.T) {
	s, b := newServer(t)
	w := openWeb(t, s)
	w.login()
	b.grow("extra")
	b.grow("more")
	next := eventReader(t, w.do(t.Context(), http.MethodGet, "", "Accept", "text/event-stream"))
	if data, _ := next(); !strings.Contains(data, "list_changed") {
		t.Error(data)
	}
}

// Streams show a sign of life, by which a client that is gone is noticed too.
func TestStreamsBeat(t *testing.T) {
	s, _ := newServer(t, func(o *server.Options) { o.Beat = 5 * time.Millisecond })
	w := openWeb(t, s)
	w.login()
	for _, res := range []*http.Response{
		w.do(t.Context(), http.MethodGet, "", "Accept", "text/event-stream"),
		w.do(t.Context(), http.MethodPost, eras[1].message("5", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""),
			modern("subscriptions/listen", "")...),
	} {
		r := bufio.NewReader(res.Body)
		for beats := 0; beats < 3; {
			line, err := r.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, ":") {
				beats++
			}
		}
	}
}

// More requests than the limit are refused at once; a list of changes does not count.
func TestTooManyRequests(t *testing.T) {
	s, b := newServer(t, func(o *server.Options) { o.MaxRequests = 1 })
	w := openWeb(t, s)
	done := make(chan string, 1)
	go func() {
		_, body := w.post(eras[1].message("1", "tools/call", callParams("wait", `{}`), ""), modern("tools/call", "wait")...)
		done <- body
	}()
	receive(t, "start", b.started)
	if status, body := w.post(eras[1].message("2", "tools/list", "", ""), modern("tools/list", "")...); status != 503 || !strings.Contains(body, server.CodeBusy) {
		t.Errorf("%d %s", status, body)
	}
	close(b.release)
	receive(t, "answer", done)
}

// When the server stops, calls are cancelled and told so, streams end.
func TestStopOverHTTP(t *testing.T) {
	s, b := newServer(t)
	ctx, stop := context.WithCancel(t.Context())
	ready, done := make(chan string, 1), make(chan error, 1)
	go func() {
		done <- s.Serve(ctx, server.Transport{Kind: server.HTTP, Listen: "127.0.0.1:0", Ready: func(a net.Addr) { ready <- a.String() }})
	}()
	addr := receive(t, "address", ready)
	w := &web{t, httpClient(t, "tcp", addr), "http://" + addr + server.Path, http.Header{}}
	listen := eventReader(t, w.do(t.Context(), http.MethodPost, eras[1].message("5", "subscriptions/listen", `"notifications":{"toolsListChanged":true}`, ""),
		modern("subscriptions/listen", "")...))
	listen()
	body := make(chan string, 1)
	go func() {
		_, got := w.post(eras[1].message("1", "tools/call", callParams("wait", `{}`), ""), modern("tools/call", "wait")...)
		body <- got
	}()
	receive(t, "start", b.started)
	stop()
	if got := receive(t, "answer", body); !strings.Contains(got, server.CodeStopping) {
		t.Error(got)
	}
	if data, _ := listen(); !strings.Contains(data, `"resultType":"complete"`) {
		t.Errorf("the subscription ended with %s", data)
	}
	if err := receive(t, "end of Serve", done); err != nil {
		t.Error(err)
	}
}
