//go:build unix

package gateway

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// faulty is a server on stdio that answers its tool "ok" rightly, and makes the fault that its tool "break" or "hang" is
// asked for.
type faulty struct {
	dir  string
	mu   sync.Mutex
	out  *os.File
	hot  map[string]bool // calls that have not been answered, by id
	new  int             // counts lists
	turn atomic.Int64    // counts faults: endless notes end with the next
}

func init() { playFaulty = serveFaults }

func serveFaults(dir string) {
	f := &faulty{dir: dir, out: os.Stdout, hot: map[string]bool{}}
	mode := f.mode()
	switch mode {
	case "exit at start":
		fmt.Fprintln(os.Stderr, "the lake is frozen")
		os.Exit(3)
	case "text at start":
		fmt.Println("Listening on port 3000\nReady.\n{}\n[]\nnull")
	}
	signal.Ignore(syscall.SIGTERM) // none of them goes willingly
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var m faultyRequest
		if json.Unmarshal(line, &m) == nil {
			f.take(m)
		}
	}
	if mode == "hang at shutdown" {
		<-time.After(time.Hour)
	}
}

type faultyRequest struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name      string
		Arguments struct{ How string }
		RequestID json.RawMessage
		Meta      struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
}

func (f *faulty) mode() string {
	data, _ := os.ReadFile(filepath.Join(f.dir, "mode"))
	return string(data)
}

func (f *faulty) write(s string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := io.WriteString(f.out, s); err != nil {
		os.Exit(1)
	}
}

func (f *faulty) answer(id json.RawMessage, result string) {
	f.write(`{"jsonrpc":"2.0","id":` + string(id) + `,"result":` + result + "}\n")
}

// flood writes one line for ever.
func (f *faulty) flood(begin, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	part := strings.Repeat(text, 1<<20/len(text))
	_, err := io.WriteString(f.out, begin)
	for err == nil {
		_, err = io.WriteString(f.out, part)
	}
	os.Exit(1)
}

func (f *faulty) take(m faultyRequest) {
	switch m.Method {
	case "initialize":
		switch f.mode() {
		case "hang at initialize":
		case "bad initialize":
			f.answer(m.ID, `{"protocolVersion":7}`)
		default:
			f.answer(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"faulty","version":"1"}}`)
		}
	case "tools/list":
		f.list(m)
	case "tools/call":
		f.call(m)
	case "notifications/cancelled":
		if id := string(m.Params.RequestID); f.hot[id] {
			delete(f.hot, id)
			f.answer(m.Params.RequestID, `{"content":[{"type":"text","text":"late"}]}`)
		}
	default:
		if m.ID != nil {
			f.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", m.ID))
		}
	}
}

const faultyTools = `{"name":"ok","inputSchema":{"type":"object"}},{"name":"break","inputSchema":{"type":"object"}},{"name":"hang","inputSchema":{"type":"object"}}`

func (f *faulty) list(m faultyRequest) {
	f.new++
	switch f.mode() {
	case "hang at list":
	case "exit at list":
		os.Exit(0)
	case "list is null":
		f.answer(m.ID, `{"tools":null}`)
	case "cyclic cursors":
		f.answer(m.ID, `{"tools":[`+faultyTools+`],"nextCursor":"again"}`)
	case "endless pages":
		f.answer(m.ID, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, f.new))
	case "100,000 tools":
		var b strings.Builder
		for i := range 100_000 {
			fmt.Fprintf(&b, `,{"name":"t%d","inputSchema":{"type":"object"}}`, i)
		}
		f.answer(m.ID, `{"tools":[`+faultyTools+b.String()+`]}`)
	case "another schema at each list":
		f.answer(m.ID, fmt.Sprintf(`{"tools":[%s,{"name":"mood","inputSchema":{"type":"object","properties":{"a%d-%d":{"type":"string"}}}}]}`,
			faultyTools, f.new, time.Now().UnixNano()))
	case "tools that are none":
		f.answer(m.ID, `{"tools":[`+faultyTools+`,7,null,"x",[],{},{"name":""},{"name":3},{"name":"no schema"},{"name":"odd","inputSchema":[1]},`+
			`{"name":"deep","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/properties/a"}}}}]}`)
	default:
		f.answer(m.ID, `{"tools":[`+faultyTools+`]}`)
	}
}

func (f *faulty) call(m faultyRequest) {
	id, right := string(m.ID), `{"content":[{"type":"text","text":"right"}]}`
	if m.Params.Name == "ok" || m.Params.Name == "mood" {
		f.answer(m.ID, right)
		return
	}
	f.turn.Add(1)
	if text, ok := faultyAnswers[m.Params.Arguments.How]; ok {
		f.write(strings.ReplaceAll(text, "ID", id) + "\n")
		return
	}
	switch m.Params.Arguments.How {
	case "line without end":
		f.flood(`{"jsonrpc":"2.0","id":`+id+`,"result":{"content":[{"type":"text","text":"`, "x")
	case "text without end":
		f.flood("", "hello ")
	case "answer after cancel":
		f.hot[id] = true
	case "hang":
	case "stand":
		_ = os.WriteFile(filepath.Join(f.dir, "stands"), nil, 0o600)
	case "exit":
		fmt.Fprintln(os.Stderr, "the ice breaks")
		os.Exit(1)
	case "exit within a line":
		f.write(`{"jsonrpc":"2.0","id":`)
		os.Exit(1)
	case "exit after the answer":
		f.answer(m.ID, right)
		os.Exit(0)
	case "leave a daemon":
		daemon := exec.Command(os.Args[0])
		daemon.Env = append(os.Environ(), faultyDaemon+"=1")
		daemon.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		daemon.Stdout, daemon.Stderr = os.Stdout, os.Stderr // it holds the pipes open too
		if daemon.Start() == nil {
			f.answer(m.ID, right)
		}
		os.Exit(0)
	case "close stdout":
		f.out.Close()
		<-time.After(time.Hour)
	case "flood stderr":
		line := strings.Repeat("e", 1<<16)
		for range 200 {
			fmt.Fprint(os.Stderr, line)
		}
		f.answer(m.ID, right)
	case "endless notes":
		token := cmp.Or(string(m.Params.Meta.ProgressToken), "1")
		turn := f.turn.Load()
		go func() {
			for i := int64(0); f.turn.Load() == turn; i++ {
				f.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+"\n", token, i))
				f.write(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"\u001b[31m"}}` + "\n")
			}
		}()
	case "storm of changes":
		f.write(strings.Repeat(`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`+"\n", 1000))
		f.answer(m.ID, right)
	case "asks back":
		for i, method := range []string{"sampling/createMessage", "elicitation/create", "roots/list", "tools/call", "x/y"} {
			f.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":"q%d","method":%q,"params":{}}`+"\n", i, method))
		}
		f.answer(m.ID, right)
	}
}

// faultyAnswers are answers of one line; ID stands for the id of the request.
var faultyAnswers = map[string]string{
	"nested 10,000 deep":  `{"jsonrpc":"2.0","id":ID,"result":{"a":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}}`,
	"wrong id":            `{"jsonrpc":"2.0","id":999ID,"result":{"content":[]}}`,
	"id as text":          `{"jsonrpc":"2.0","id":"ID","result":{"content":[{"type":"text","text":"right"}]}}`,
	"id is null":          `{"jsonrpc":"2.0","id":null,"result":{"content":[]}}`,
	"member twice":        `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"content":[1]}}`,
	"duplicate id":        `{"jsonrpc":"2.0","id":77,"id":ID,"result":{"content":[]}}`,
	"two answers":         `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"right"}]}}` + "\n" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"wrong"}]}}`,
	"answer and error":    `{"jsonrpc":"2.0","id":ID,"result":{},"error":{"code":1,"message":"x"}}`,
	"invalid UTF-8":       `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"` + "\xff\xfe" + `"}]}}`,
	"huge number":         `{"jsonrpc":"2.0","id":ID,"result":{"content":[],"structuredContent":{"n":` + strings.Repeat("9", 5000) + `e99999}}}`,
	"huge error code":     `{"jsonrpc":"2.0","id":ID,"error":{"code":1e999,"message":"x"}}`,
	"NaN":                 `{"jsonrpc":"2.0","id":ID,"result":{"a":NaN}}`,
	"null result":         `{"jsonrpc":"2.0","id":ID,"result":null}`,
	"result is a list":    `{"jsonrpc":"2.0","id":ID,"result":[]}`,
	"neither":             `{"jsonrpc":"2.0","id":ID}`,
	"cut off":             `{"jsonrpc":"2.0","id":ID,"result":{"content":[`,
	"text on stdout":      "Warning: ID things to do\n\x1b[31m\n" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"right"}]}}`,
	"raw ESC":             `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"` + "\x1b[31m" + `"}]}}`,
	"escaped ESC":         `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"\u001b[31m\u0000\u202e"}]}}`,
	"error full of ESC":   `{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"\u001b]0;owned\u0007\n\u202e` + strings.Repeat("long ", 10_000) + `"}}`,
	"content is no list":  `{"jsonrpc":"2.0","id":ID,"result":{"content":"right","isError":"maybe"}}`,
	"batch":               `[{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}]`,
	"empty lines":         "\n\n\r\n \n" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"right"}]}}`,
	"byte order mark":     "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}`,
	"answer of no method": `{"jsonrpc":"2.0","id":ID,"method":"tools/call","result":{"content":[]}}`,
}
