package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
)

// scripted is what a canaryserver says when its tool is called with a name.
type scripted struct {
	Notes  []json.RawMessage `json:"notes,omitempty"` // messages before the answer
	Result json.RawMessage   `json:"result,omitempty"`
	Error  json.RawMessage   `json:"error,omitempty"`
	Stderr string            `json:"stderr,omitempty"`
	Writes []string          `json:"writes,omitempty"` // to standard error, one by one
}

// canaryserver is an upstream MCP server on stdio whose tool gives what the file
// that $CANARIES names has under the name it is called with; under any other it
// gives its arguments back, many times.
func canaryserver() {
	file, err := os.ReadFile(os.Getenv("CANARIES"))
	says := map[string]scripted{}
	if err != nil || json.Unmarshal(file, &says) != nil {
		os.Exit(3)
	}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 8<<20)
	var early [][]byte // lines that came before the answer to a ping
	next := func() (line []byte) {
		if len(early) > 0 {
			line, early = early[0], early[1:]
		} else if in.Scan() {
			line = bytes.Clone(in.Bytes())
		}
		return line
	}
	// settle waits for the answer to a ping, in which what was written before is read.
	settle := func() {
		fmt.Println(`{"jsonrpc":"2.0","id":"settle","method":"ping"}`)
		for in.Scan() && !bytes.Contains(in.Bytes(), []byte(`"settle"`)) {
			early = append(early, bytes.Clone(in.Bytes()))
		}
	}
	for line := next(); line != nil; line = next() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Arguments struct{ What, Text string }
			}
		}
		if json.Unmarshal(line, &m) != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case "initialize":
			toolAnswer(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"logging":{}},"serverInfo":{"name":"canaries","version":"1"}}`)
		case "tools/list":
			toolAnswer(m.ID, `{"tools":[{"name":"read","description":"Read what there is.","inputSchema":{"type":"object","properties":{"what":{"type":"string"},"text":{"type":"string"}}}}]}`)
		case "tools/call":
			said, known := says[m.Params.Arguments.What]
			if !known {
				var b []byte
				for range 200 {
					b = append(b, "you said: "+m.Params.Arguments.Text+"\n"...)
				}
				toolText(m.ID, string(b))
				continue
			}
			fmt.Fprintln(os.Stderr, said.Stderr)
			for _, part := range said.Writes {
				fmt.Fprint(os.Stderr, part)
				settle()
			}
			for _, note := range said.Notes {
				fmt.Println(string(note))
			}
			if said.Error != nil {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":%s}`+"\n", m.ID, said.Error)
				continue
			}
			toolAnswer(m.ID, string(said.Result))
		default:
			toolAnswer(m.ID, `{}`)
		}
	}
}
