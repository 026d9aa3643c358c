package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"
)

// peer is an MCP client of a few lines that shares no code with compactor: what
// it is told by a server itself is what it must be told through compactor.
type peer struct {
	t    *testing.T
	in   io.WriteCloser
	hear chan struct{} // a note came

	mu      sync.Mutex
	next    int
	waiting map[int]chan spoken
	notes   []spoken
	asked   []spoken
	answers map[string]string // results by method of what the server may ask; others are refused
	about   spoken            // what initialize gave
}

// spoken is one message as it came.
type spoken struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`

	notes []spoken // of an answer: the notes that came before it, after the request
}

// patience is how long a peer waits for anything: no test may hang.
const patience = 60 * time.Second

// dial starts a server and makes the handshake. capabilities is the object that
// says what the server may ask; answers are the results it gets.
func dial(t *testing.T, capabilities string, answers map[string]string, env []string, command ...string) *peer {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 10 * time.Second
	if testing.Verbose() {
		cmd.Stderr = t.Output()
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &peer{t: t, in: in, hear: make(chan struct{}, 1), waiting: map[int]chan spoken{}, answers: answers}
	ended := make(chan struct{})
	go func() { p.read(out); close(ended) }()
	t.Cleanup(func() {
		_ = in.Close()
		select {
		case <-ended:
		case <-time.After(patience):
			_ = cmd.Process.Kill()
		}
		_ = cmd.Wait()
	})
	p.about = p.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"peer","version":"1"}}`)
	if p.about.Error != nil {
		t.Fatalf("initialize: %s", p.about.Error)
	}
	p.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return p
}

func (p *peer) write(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Errorf("the server cannot be written to: %v", err)
	}
}

func (p *peer) read(out io.Reader) {
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var m spoken
		if json.Unmarshal(line, &m) != nil {
			p.t.Errorf("no JSON on standard output: %s", line)
			continue
		}
		switch {
		case m.Method != "" && m.ID != nil:
			p.answer(m)
		case m.Method != "":
			p.mu.Lock()
			p.notes = append(p.notes, m)
			p.mu.Unlock()
			select {
			case p.hear <- struct{}{}:
			default:
			}
		default:
			p.settle(m)
		}
	}
}

func (p *peer) settle(m spoken) {
	id, _ := strconv.Atoi(string(m.ID))
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.waiting[id]; c != nil {
		m.notes = append([]spoken(nil), p.notes...)
		c <- m
		delete(p.waiting, id)
	}
}

// answer replies to what the server asks.
func (p *peer) answer(m spoken) {
	p.mu.Lock()
	p.asked = append(p.asked, m)
	result, ok := p.answers[m.Method]
	p.mu.Unlock()
	if ok {
		p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
		return
	}
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"not here"}}`, m.ID))
}

// begin sends a request; the channel gives its answer.
func (p *peer) begin(method, params string) (id int, answer <-chan spoken) {
	p.mu.Lock()
	p.next++
	id = p.next
	c := make(chan spoken, 1)
	p.waiting[id] = c
	p.mu.Unlock()
	p.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params))
	return id, c
}

// ask sends a request and waits for its answer.
func (p *peer) ask(method, params string) spoken {
	p.t.Helper()
	p.mu.Lock()
	before := len(p.notes)
	p.mu.Unlock()
	_, c := p.begin(method, params)
	select {
	case m := <-c:
		m.notes = m.notes[before:]
		return m
	case <-time.After(patience):
		p.t.Fatalf("%s was not answered", method)
		panic("unreachable")
	}
}

// call calls a tool and gives its result or error.
func (p *peer) call(tool, arguments string) spoken {
	p.t.Helper()
	return p.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
}

// list gives the items of all pages of a list, by the member that names them.
func (p *peer) list(method, key, id string) map[string]json.RawMessage {
	p.t.Helper()
	out, params := map[string]json.RawMessage{}, `{}`
	for {
		m := p.ask(method, params)
		var page struct {
			Next string `json:"nextCursor"`
		}
		var parts map[string]json.RawMessage
		var items []json.RawMessage
		if m.Error != nil || json.Unmarshal(m.Result, &page) != nil || json.Unmarshal(m.Result, &parts) != nil || json.Unmarshal(parts[key], &items) != nil {
			p.t.Fatalf("%s: %s%s", method, m.Result, m.Error)
		}
		for _, raw := range items {
			var members map[string]json.RawMessage
			var name string
			if json.Unmarshal(raw, &members) != nil || json.Unmarshal(members[id], &name) != nil || out[name] != nil {
				p.t.Fatalf("%s: no %s of its own: %s", method, id, raw)
			}
			out[name] = raw
		}
		if page.Next == "" {
			return out
		}
		params = fmt.Sprintf(`{"cursor":%q}`, page.Next)
	}
}

// heard waits for a note that fits.
func (p *peer) heard(what string, fits func(spoken) bool) {
	p.t.Helper()
	late := time.After(patience)
	for {
		p.mu.Lock()
		for _, m := range p.notes {
			if fits(m) {
				p.mu.Unlock()
				return
			}
		}
		p.mu.Unlock()
		select {
		case <-p.hear:
		case <-late:
			p.t.Fatalf("never heard: %s", what)
		}
	}
}

// meaning is JSON with the order of members and the space taken away; numbers
// stay as they are written.
func meaning(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return v
}

func sameMeaning(t *testing.T, a, b json.RawMessage) bool {
	t.Helper()
	return reflect.DeepEqual(meaning(t, a), meaning(t, b))
}

// named is an object with another name.
func named(t *testing.T, raw json.RawMessage, name string) json.RawMessage {
	t.Helper()
	members, ok := meaning(t, raw).(map[string]any)
	if !ok {
		t.Fatalf("no object: %s", raw)
	}
	members["name"] = name
	out, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// short is text for a message of a test.
func short(raw []byte) string { return string(raw[:min(len(raw), 400)]) }
