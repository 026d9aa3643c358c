package upstream

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
)

// messages gives a program's input, message by message.
func (p *piped) messages(f func(m incoming)) {
	r := bufio.NewReaderSize(p.in, 1<<16)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var m incoming
		if json.Unmarshal(line, &m) == nil {
			f(m)
		}
	}
}

// hello answers what belongs to the handshake; false for the rest.
func (p *piped) hello(m incoming) bool {
	switch m.Method {
	case "initialize":
		p.print(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)
	case "server/discover":
		p.print(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	default:
		return m.ID == nil
	}
	return true
}

func (p *piped) print(format string, args ...any) {
	_, _ = io.WriteString(p.stdout, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "")+"\n")
}

// pipedServer answers each request with what answer says.
func pipedServer(t testing.TB, answer func(m incoming) string, edit ...func(*Spec)) *Server {
	spec := Spec{Command: "pipe", Args: []string{unique(t)}}
	for _, f := range edit {
		f(&spec)
	}
	return newServer(t, spec, Options{Start: startPiped(func(p *piped) {
		p.messages(func(m incoming) {
			if !p.hello(m) {
				p.print(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer(m))
			}
		})
	})})
}
