package upstream

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// peer is a server written by hand: what it sends is exactly what is written here, in that order. It speaks one era, or
// both.
type peer struct {
	era string // "": both

	mu        sync.Mutex
	cancels   map[string]context.CancelFunc
	asks      map[string]chan json.RawMessage
	next      int
	listeners map[string]func([]byte) // where unasked notes go
	seen      []string                // methods, in order
	last      json.RawMessage         // params of the last request that is no subscription
	cancelled int
	pages     int    // of tools/list; 0: one
	tools     string // items of tools/list
	caps      string
	work      sync.WaitGroup
}

func newPeer(era string) *peer {
	return &peer{era: era, cancels: map[string]context.CancelFunc{}, asks: map[string]chan json.RawMessage{},
		listeners: map[string]func([]byte){}, tools: `{"name":"echo","inputSchema":{"type":"object"}}`,
		caps: `{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"x-own":{"n":9007199254740993}}`}
}

type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func (p *peer) methods() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.seen...)
}

func (p *peer) lastParams() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return string(p.last)
}

// take handles one message. out carries what belongs to it; it returns when the answer was written.
func (p *peer) take(ctx context.Context, raw []byte, out func([]byte)) {
	var m incoming
	if err := json.Unmarshal(raw, &m); err != nil {
		return
	}
	p.mu.Lock()
	if m.Method != "" {
		p.seen = append(p.seen, m.Method)
	}
	if m.Method == "" {
		if c := p.asks[string(m.ID)]; c != nil {
			answer := m.Result
			if m.Error != nil {
				answer = m.Error
			}
			c <- answer
		}
		p.mu.Unlock()
		return
	}
	if m.ID == nil {
		if m.Method == "notifications/cancelled" {
			p.cancelled++
			if cancel := p.cancels[string(rawjson.Get(m.Params, "requestId"))]; cancel != nil {
				cancel()
			}
		}
		p.mu.Unlock()
		return
	}
	if m.Method != "subscriptions/listen" { // it comes when it likes
		p.last = m.Params
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p.cancels[string(m.ID)] = cancel
	p.mu.Unlock()
	result, fault := p.answer(ctx, m, out)
	if ctx.Err() != nil {
		return
	}
	if fault != "" {
		out([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"error":` + fault + `}`))
		return
	}
	out([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":` + result + `}`))
}

const noMethod = `{"code":-32601,"message":"no such method"}`

func (p *peer) answer(ctx context.Context, m incoming, out func([]byte)) (result, fault string) {
	modern := rawjson.Get(rawjson.Get(m.Params, "_meta"), "io.modelcontextprotocol/protocolVersion") != nil
	switch m.Method {
	case "initialize":
		if p.era == Stateless {
			return "", noMethod
		}
		return `{"protocolVersion":"2025-11-25","capabilities":` + p.caps + `,"serverInfo":{"name":"peer","version":"1"},"instructions":"Ask."}`, ""
	case "server/discover":
		if p.era == Handshake {
			return "", noMethod
		}
		return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":` + p.caps +
			`,"instructions":"Ask.","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"peer","version":"1"}}}`, ""
	}
	if p.era != "" && modern != (p.era == Stateless) {
		return "", `{"code":-32602,"message":"wrong era"}`
	}
	switch m.Method {
	case "tools/list":
		return p.page(m), ""
	case "subscriptions/listen":
		p.listen(string(m.ID), out)
		out([]byte(`{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged"}`))
		<-ctx.Done()
		p.listen(string(m.ID), nil)
		return `{}`, ""
	case "resources/subscribe", "resources/unsubscribe", "logging/setLevel":
		return `{}`, ""
	case "tools/call":
		return p.call(ctx, m, modern, out)
	}
	return "", noMethod
}

func (p *peer) listen(id string, out func([]byte)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if out == nil {
		delete(p.listeners, id)
		return
	}
	p.listeners[id] = out
}

// say sends a note to all who listen.
func (p *peer) say(note string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, out := range p.listeners {
		out([]byte(note))
	}
	return len(p.listeners)
}

func (p *peer) page(m incoming) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.pages == 0 {
		return `{"tools":[` + p.tools + `]}`
	}
	n := 0
	_, _ = fmt.Sscanf(rawjson.GetText(m.Params, "cursor"), "page-%d", &n)
	cursor := ""
	if n+1 < p.pages {
		cursor = fmt.Sprintf(`,"nextCursor":"page-%d"`, n+1)
	}
	return fmt.Sprintf(`{"tools":[{"name":"a%d"},{"name":"b%d"}]%s}`, n, n, cursor)
}

func (p *peer) call(ctx context.Context, m incoming, modern bool, out func([]byte)) (string, string) {
	arguments := rawjson.Get(m.Params, "arguments")
	switch rawjson.GetText(m.Params, "name") {
	case "echo":
		return `{"content":[],"structuredContent":` + string(arguments) + `}`, ""
	case "big":
		return `{"content":[{"type":"text","text":"` + strings.Repeat("<é&\\n", 5<<20/6) + `"}],"n":12345678901234567890123}`, ""
	case "notes":
		for i := range 3 {
			progress(m, i, out)
		}
		return `{"content":[]}`, ""
	case "log":
		out([]byte(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`))
		return `{"content":[]}`, ""
	case "wait":
		progress(m, 0, out)
		<-ctx.Done()
		return "", "cancelled"
	case "fail":
		return "", `{"code":-32050,"message":"no luck","data":{"n":9007199254740993}}`
	case "ask":
		return p.ask(ctx, m, modern, out)
	case "exit":
		panic(errExit)
	}
	return "", `{"code":-32602,"message":"no such tool"}`
}

// progress tells of the n-th step of a call whose caller wants to know.
func progress(m incoming, n int, out func([]byte)) {
	if token := rawjson.Get(rawjson.Get(m.Params, "_meta"), "progressToken"); token != nil {
		out(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d,"total":9007199254740993}}`, token, n))
	}
}

var errExit = fmt.Errorf("exit")

// ask wants an elicitation, in the way of the era.
func (p *peer) ask(ctx context.Context, m incoming, modern bool, out func([]byte)) (string, string) {
	const wanted = `"method":"elicitation/create","params":{"message":"name?","requestedSchema":{"type":"object"}}`
	if modern {
		if given := rawjson.Get(m.Params, "inputResponses"); given != nil {
			return `{"content":[],"got":` + string(given) + `,"state":` + string(rawjson.Get(m.Params, "requestState")) + `}`, ""
		}
		return `{"resultType":"input_required","inputRequests":{"who":{` + wanted + `}},"requestState":"s1"}`, ""
	}
	p.mu.Lock()
	p.next++
	id := fmt.Sprintf(`"ask-%d"`, p.next)
	answer := make(chan json.RawMessage, 1)
	p.asks[id] = answer
	p.mu.Unlock()
	out([]byte(`{"jsonrpc":"2.0","id":` + id + `,` + wanted + `}`))
	select {
	case a := <-answer:
		return `{"content":[],"got":` + string(a) + `}`, ""
	case <-ctx.Done():
		return "", "cancelled"
	}
}

// serveLines serves over one message a line until the input ends.
func (p *peer) serveLines(in io.Reader, w io.Writer) {
	var mu sync.Mutex
	out := func(b []byte) {
		mu.Lock()
		defer mu.Unlock()
		_, _ = w.Write(append(b[:len(b):len(b)], '\n'))
	}
	if p.era != Stateless {
		p.listen("common", out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer p.work.Wait()
	defer cancel()
	r := bufio.NewReaderSize(in, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		p.work.Go(func() { p.take(ctx, line, out) })
	}
}
