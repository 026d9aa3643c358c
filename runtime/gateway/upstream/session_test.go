package upstream

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// forgetful is a server over streamable HTTP whose sessions end after their first call.
type forgetful struct {
	refuse  func(w http.ResponseWriter, method, id string) // says that a session is not known
	lasting bool                                           // they do not end: what refuse says is the tool's own
	never   bool                                           // they end before their first call

	mu      sync.Mutex
	started int
	calls   map[string]int // by session
	ran     int
}

func (f *forgetful) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	id, method, session := string(rawjson.Get(body, "id")), rawjson.GetText(body, "method"), r.Header.Get("Mcp-Session-Id")
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case method == "initialize":
		f.started++
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", f.started))
		answerJSON(w, id, `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}}}`)
	case id == "":
		w.WriteHeader(http.StatusAccepted)
	case !f.lasting && (f.never || f.calls[session] > 0), f.lasting && method == "tools/call" && f.ran > 0:
		f.refuse(w, method, id)
	case method == "tools/call":
		f.calls[session]++
		f.ran++
		answerJSON(w, id, fmt.Sprintf(`"result":{"ran":%d}`, f.ran))
	default:
		answerJSON(w, id, `"result":{}`)
	}
}

func answerJSON(w http.ResponseWriter, id, member string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, member)
}

// withStatus refuses with a status and a body in which ID is the request's.
func withStatus(status int, kind, body string) func(http.ResponseWriter, string, string) {
	return func(w http.ResponseWriter, _, id string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.ReplaceAll(body, "ID", id))
	}
}

// A session that the server does not know is opened again, in whatever way it says
// so, and what it refused is asked again, once and only if it did not run.
func TestALostSessionIsOpenedAgain(t *testing.T) {
	const (
		asJSON   = "application/json"
		asEvents = "text/event-stream"
		notFound = `{"jsonrpc":"2.0","id":ID,"error":{"code":-32600,"message":"Session not found"}}`
		note     = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"half of it is done\"}}\n\n"
	)
	for name, c := range map[string]struct {
		server *forgetful
		calls  string // "+" for a call that succeeds, "-" for one that fails
		starts int
		says   string
	}{
		"404":                 {&forgetful{refuse: withStatus(404, asJSON, `{"error":"no"}`)}, "+++", 3, ""},
		"400 of an SDK":       {&forgetful{refuse: withStatus(400, asJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: No valid session ID provided"}}`)}, "+++", 3, ""},
		"400 after a restart": {&forgetful{refuse: withStatus(400, asJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`)}, "+++", 3, ""},
		"400 in words":        {&forgetful{refuse: withStatus(400, "text/plain", "No transport found for sessionId")}, "+++", 3, ""},
		"410":                 {&forgetful{refuse: withStatus(410, asJSON, `{"error":{"code":-32001,"message":"session expired"}}`)}, "+++", 3, ""},
		"200 -32600":          {&forgetful{refuse: withStatus(200, asJSON, notFound)}, "+++", 3, ""},
		"200 -32001, null id": {&forgetful{refuse: withStatus(200, asJSON, `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Unknown session"}}`)}, "+++", 3, ""},
		"in the stream":       {&forgetful{refuse: withStatus(200, asEvents, "id: 1\ndata:\n\ndata: "+notFound+"\n\n")}, "+++", 3, ""},
		"in the stream, after something of the call": {&forgetful{refuse: withStatus(200, asEvents, note+"data: "+notFound+"\n\n")}, "+-+", 2, "Session not found"},
		"200 with a code of the tool's":              {&forgetful{refuse: withStatus(200, asJSON, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"the session was closed"}}`)}, "+-+", 2, "the session was closed"},
		"the tool's own session, 200":                {&forgetful{lasting: true, refuse: withStatus(200, asJSON, notFound)}, "+--", 1, "Session not found"},
		"the tool's own session, 400":                {&forgetful{lasting: true, refuse: withStatus(400, asJSON, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"no browser session"}}`)}, "+--", 1, "no browser session"},
		"a login":                                    {&forgetful{refuse: withStatus(401, asJSON, `{"error":"session expired"}`)}, "+--", 1, "HTTP 401"},
		"sessions that are lost at once":             {&forgetful{never: true, refuse: withStatus(400, asJSON, notFound)}, "-", 2, "forgot the session"},
	} {
		t.Run(name, func(t *testing.T) {
			f := c.server
			f.calls = map[string]int{}
			server := httptest.NewServer(f)
			defer server.Close()
			s := newServer(t, Spec{URL: server.URL, Era: Handshake}, Options{})
			defer s.Close()
			got, says := "", ""
			for range c.calls {
				if _, err := s.Do(t.Context(), toolCall("x", `{}`)); err != nil {
					got, says = got+"-", err.Error()
				} else {
					got += "+"
				}
			}
			if got != c.calls || f.started != c.starts || !strings.Contains(says, c.says) {
				t.Errorf("%s in %d sessions, want %s in %d: %s", got, f.started, c.calls, c.starts, says)
			}
			if f.ran != strings.Count(got, "+") {
				t.Errorf("%d calls ran", f.ran)
			}
		})
	}
}

// Over HTTP with events the address of the POSTs names the session.
func TestALostSessionOfEventsIsOpenedAgain(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter, string, string){
		"404": withStatus(404, "text/plain", "no such app"),
		"400": withStatus(400, "text/plain", "Could not find session"),
	} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(Handshake)
			inner := &eventful{peer: p, streams: map[string]func([]byte){}}
			var lost atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if rawjson.GetText(body, "method") == "tools/call" && !lost.Swap(true) {
					refuse(w, "", "")
					return
				}
				r.Body = io.NopCloser(bytes.NewReader(body))
				inner.ServeHTTP(w, r)
			}))
			t.Cleanup(func() { server.CloseClientConnections(); server.Close(); p.work.Wait() })
			s := newServer(t, Spec{URL: server.URL + "/sse", Kind: SSE}, Options{})
			_, err := s.Do(t.Context(), toolCall("echo", `{}`))
			starts := strings.Count(strings.Join(p.methods(), " "), "initialize ")
			if err != nil || starts != 2 {
				t.Errorf("%v after %d starts: %q", err, starts, p.methods())
			}
		})
	}
}
