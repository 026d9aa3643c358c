//go:build unix

package gateway

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// httpFaults are what servers over HTTP do wrong beside what their answers say.
var httpFaults = []fault{
	{"cut body", atCall, failure}, {"cut stream", slowly, failure}, {"cut off JSON", atCall, failure}, {"no answer in the stream", slowly, failure},
	{"endless stream", slowly, failure}, {"endless event", atCall, failure}, {"endless comments", slowly, failure}, {"huge body", atCall, failure},
	{"gzip bomb", atCall, failure}, {"huge header", atCall, failure}, {"slow body", slowly, failure}, {"slow header", slowly, failure},
	{"text/html", atCall, failure}, {"no content type", atCall, anything}, {"204", atCall, failure}, {"202", slowly, failure},
	{"500", atCall, failure}, {"502 html", atCall, failure}, {"429", atCall, failure}, {"401", atCall, failure}, {"403", atCall, failure},
	{"redirect to another host", atCall, failure}, {"redirect to a file", atCall, failure}, {"redirect for ever", atCall, failure},
	{"redirect as GET", atCall, failure}, {"wrong id", slowly, failure}, {"two answers", atCall, right}, {"null result", atCall, failure},
	{"nested 10,000 deep", atCall, failure}, {"invalid UTF-8", atCall, failure}, {"another session", atCall, anything},
	{"session gone", atCall, anything}, {"reset", atCall, failure}, {"not HTTP", atCall, failure}, {"storm of changes", atCall, right},
	{"500 at start", atStart, failure}, {"429 at start", atStart, failure}, {"html at start", atStart, failure}, {"hang at start", atStart, failure},
	{"redirect at start", atStart, failure}, {"session gone at once", atStart, failure},
	{"500 at list", atList, anything}, {"hang at list", atList, anything}, {"cut list", atList, anything}, {"100,000 tools", atList, anything},
	{"cyclic cursors", atList, anything}, {"another schema at each list", atList, anything},
}

// sickWeb is a server over streamable HTTP that makes faults.
type sickWeb struct {
	mode    atomic.Value // string
	other   string       // address of somebody else
	lists   atomic.Int64
	session atomic.Int64 // the one that is known
	stands  atomic.Bool  // it holds a call
	end     chan struct{}
}

type webRequest struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name      string
		Arguments struct{ How string }
	}
}

func (h *sickWeb) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m webRequest
	_ = json.Unmarshal(body, &m)
	mode, _ := h.mode.Load().(string)
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "initialize":
		h.initialize(w, r, m, mode)
	case m.Method == "server/discover":
		http.Error(w, "bad request", http.StatusBadRequest)
	case r.Header.Get("Mcp-Session-Id") != fmt.Sprint(h.session.Load()) || mode == "session gone at once":
		w.WriteHeader(http.StatusNotFound)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "tools/list":
		h.list(w, r, m, mode)
	case m.Method == "tools/call" && (m.Params.Name == "ok" || m.Params.Name == "mood"):
		reply(w, m.ID, rightResult)
	case m.Method == "tools/call":
		h.call(w, r, m)
	default:
		send(w, "application/json", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`, m.ID))
	}
}

const rightResult = `{"content":[{"type":"text","text":"right"}]}`

func (h *sickWeb) initialize(w http.ResponseWriter, r *http.Request, m webRequest, mode string) {
	switch mode {
	case "500 at start":
		http.Error(w, "no", http.StatusInternalServerError)
	case "429 at start":
		w.Header().Set("Retry-After", "3600")
		http.Error(w, "no", http.StatusTooManyRequests)
	case "html at start":
		send(w, "text/html", "<html>Sign in</html>")
	case "hang at start":
		h.wait(r)
	case "redirect at start":
		http.Redirect(w, r, h.other, http.StatusPermanentRedirect)
	default:
		w.Header().Set("Mcp-Session-Id", fmt.Sprint(h.session.Add(1)))
		reply(w, m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"web","version":"1"}}`)
	}
}

// wait holds a request until its client leaves or the server ends.
func (h *sickWeb) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-h.end:
	}
}

func (h *sickWeb) list(w http.ResponseWriter, r *http.Request, m webRequest, mode string) {
	n := h.lists.Add(1)
	switch mode {
	case "500 at list":
		http.Error(w, "no", http.StatusInternalServerError)
	case "hang at list":
		h.wait(r)
	case "cut list":
		h.cut(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"tools":[`+faultyTools)
	case "100,000 tools":
		reply(w, m.ID, `{"tools":[`+faultyTools+strings.Repeat(`,{"name":"t","inputSchema":{"type":"object"}}`, 100_000)+`]}`)
	case "cyclic cursors":
		reply(w, m.ID, `{"tools":[`+faultyTools+`],"nextCursor":"again"}`)
	case "another schema at each list":
		reply(w, m.ID, fmt.Sprintf(`{"tools":[%s,{"name":"mood","inputSchema":{"type":"object","properties":{"a%d":{"type":"string"}}}}]}`, faultyTools, n))
	default:
		reply(w, m.ID, `{"tools":[`+faultyTools+`]}`)
	}
}

// cut sends less than it promises, and ends the connection.
func (h *sickWeb) cut(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Length", "100000")
	send(w, "application/json", body)
	panic(http.ErrAbortHandler)
}

func (h *sickWeb) call(w http.ResponseWriter, r *http.Request, m webRequest) {
	id := string(m.ID)
	how := m.Params.Arguments.How
	if text, ok := faultyAnswers[how]; ok && how != "two answers" {
		send(w, "application/json", strings.ReplaceAll(text, "ID", id))
		return
	}
	right := `{"jsonrpc":"2.0","id":` + id + `,"result":` + rightResult + `}`
	begin := `{"jsonrpc":"2.0","id":` + id + `,"result":{"content":[{"type":"text","text":"`
	const events = "text/event-stream"
	switch how {
	case "cut body":
		h.cut(w, begin)
	case "cut off JSON":
		send(w, "application/json", begin)
	case "cut stream":
		send(w, events, "data: "+begin)
	case "no answer in the stream":
		send(w, events, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n\n")
	case "endless stream":
		h.flood(w, r, events, "", `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`+"\n\n")
	case "endless comments":
		h.flood(w, r, events, "", ": ping\n\n")
	case "endless event":
		h.flood(w, r, events, "data: "+begin, strings.Repeat("x", 1<<16))
	case "huge body":
		h.flood(w, r, "application/json", begin, strings.Repeat("x", 1<<16))
	case "gzip bomb":
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		z := gzip.NewWriter(w)
		part := []byte(begin + strings.Repeat("x", 1<<20))
		for range 64 {
			if _, err := z.Write(part); err != nil {
				return
			}
			part = part[len(part)-1<<20:]
		}
	case "huge header":
		w.Header().Set("X-Long", strings.Repeat("x", 1<<20))
		send(w, "application/json", right)
	case "slow body":
		h.trickle(w, r, right)
	case "stand":
		h.stands.Store(true)
		h.wait(r)
	case "slow header":
		h.wait(r)
	case "text/html":
		send(w, "text/html; charset=utf-8", "<html>"+right)
	case "no content type":
		w.Header()["Content-Type"] = nil
		_, _ = io.WriteString(w, right)
	case "204", "202":
		w.WriteHeader(200 + int(how[2]-'0'))
	case "500":
		http.Error(w, strings.Repeat("no ", 1<<20), http.StatusInternalServerError)
	case "502 html":
		w.WriteHeader(http.StatusBadGateway)
		send(w, "text/html", "<html>\x1b[31m")
	case "429":
		w.Header().Set("Retry-After", "3600")
		http.Error(w, "slow down", http.StatusTooManyRequests)
	case "401":
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+h.other+`"`)
		w.WriteHeader(http.StatusUnauthorized)
	case "403":
		w.WriteHeader(http.StatusForbidden)
	case "redirect to another host":
		http.Redirect(w, r, h.other, http.StatusTemporaryRedirect)
	case "redirect to a file":
		http.Redirect(w, r, "file:///etc/passwd", http.StatusTemporaryRedirect)
	case "redirect for ever":
		http.Redirect(w, r, r.URL.Path+"x", http.StatusTemporaryRedirect)
	case "redirect as GET":
		http.Redirect(w, r, h.other, http.StatusSeeOther)
	case "two answers":
		send(w, events, "data: "+right+"\n\ndata: "+strings.Replace(right, "right", "wrong", 1)+"\n\n")
	case "another session":
		w.Header().Set("Mcp-Session-Id", "another")
		send(w, "application/json", right)
	case "session gone":
		h.session.Add(1)
		w.WriteHeader(http.StatusNotFound)
	case "reset":
		panic(http.ErrAbortHandler)
	case "not HTTP":
		if c, b, err := w.(http.Hijacker).Hijack(); err == nil {
			_, _ = b.WriteString("SSH-2.0-OpenSSH_9.9\r\n\r\n\x00")
			_ = b.Flush()
			_ = c.Close()
		}
	case "storm of changes":
		send(w, events, strings.Repeat(`data: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n\n", 1000)+"data: "+right+"\n\n")
	}
}

// trickle sends one character after another, and all but the last one again and again.
func (h *sickWeb) trickle(w http.ResponseWriter, r *http.Request, text string) {
	pace := time.NewTicker(50 * time.Millisecond)
	defer pace.Stop()
	for i := 0; ; i++ {
		c := " "
		if i < len(text)-1 {
			c = text[i : i+1]
		}
		send(w, "application/json", c)
		select {
		case <-r.Context().Done():
			return
		case <-h.end:
			return
		case <-pace.C:
		}
	}
}

func (h *sickWeb) flood(w http.ResponseWriter, r *http.Request, kind, begin, part string) {
	send(w, kind, begin)
	for {
		if _, err := io.WriteString(w, part); err != nil || r.Context().Err() != nil {
			return
		}
		select {
		case <-h.end:
			return
		default:
		}
	}
}

// R05 over HTTP: servers that do wrong what servers over HTTP can touch nobody else, and nobody they redirect to ever
// hears of us.
func TestFaultsOfWebServersTouchNobodyElse(t *testing.T) {
	faults := 80
	switch {
	case raced:
		faults = 40
	case testing.Short():
		faults = 40
	}
	var heard sync.Map
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { heard.Store(r.Method+" "+r.URL.Path, true) }))
	defer other.Close()
	end := make(chan struct{})
	var servers []*httptest.Server
	defer func() {
		close(end)
		for _, s := range servers {
			s.CloseClientConnections()
			s.Close()
		}
	}()
	open := func(h http.Handler) string {
		s := httptest.NewUnstartedServer(h)
		s.Config.ErrorLog = log.New(io.Discard, "", 0)
		s.Start()
		servers = append(servers, s)
		return s.URL
	}
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	servers = append(servers, tls)

	f := &fleet{world: newWorld(t, nil)}
	for i := range 6 {
		name := fmt.Sprintf("well%d", i)
		f.well = append(f.well, name)
		f.cfg.Servers[name] = config.Server{Name: name, Prefix: name, Enabled: true, Timeout: 20 * time.Second, URL: open(http.HandlerFunc(echoWeb))}
	}
	for i := range 14 {
		name := fmt.Sprintf("sick%d", i)
		h := &sickWeb{other: other.URL, end: end}
		f.addSick(name, config.Server{URL: open(h), Kind: "http", Headers: map[string]string{"Authorization": "Bearer s3cret"}})
		f.join(&sick{name: name, faults: httpFaults, restart: "session gone", mode: func(m string) { h.mode.Store(m) }, stands: h.stands.Load}, i, 14)
	}
	f.cfg.Servers["strange"] = config.Server{Name: "strange", Prefix: "strange", Enabled: true, Timeout: time.Second, URL: tls.URL}
	before := holding()
	f.open()
	f.chaos(number(faultsEnv, faults), before)
	heard.Range(func(what, _ any) bool {
		t.Errorf("somebody else was sent %v", what)
		return true
	})
	for _, s := range f.Servers() {
		if s.Name == "strange" && !strings.Contains(s.Problem, "certificate") {
			t.Errorf("a certificate that nobody signed: %+v", s)
		}
	}
}

// echoWeb is a server over HTTP that does all right.
func echoWeb(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Arguments json.RawMessage }
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "server/discover":
		http.Error(w, "bad request", http.StatusBadRequest)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "initialize":
		reply(w, m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"well","version":"1"}}`)
	case m.Method == "tools/list":
		reply(w, m.ID, `{"tools":[`+simple("echo")+`]}`)
	default:
		text, _ := json.Marshal(string(m.Params.Arguments))
		reply(w, m.ID, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
	}
}
