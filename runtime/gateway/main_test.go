package gateway

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

// The test binary is also an upstream server and the guard. Those end at once: os.Exit
// waits for a second where data races are looked for.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		syscall.Exit(process.Guard(os.Stdin))
	}
	if os.Getenv(faultyDaemon) != "" {
		<-time.After(time.Hour)
	}
	if dir := os.Getenv(faultyDir); dir != "" {
		playFaulty(dir)
		syscall.Exit(0)
	}
	if file := os.Getenv(toolsFile); file != "" {
		s := &toolServer{file: file, getenv: os.Getenv, out: os.Stdout, stderr: os.Stderr}
		syscall.Exit(s.serve(os.Stdin))
	}
	goleak.VerifyTestMain(m)
}

// What the test binary is when it is a server that makes faults.
const (
	faultyDir    = "GATEWAY_TEST_FAULTY" // directory in which the file "mode" says what goes wrong at starts and lists
	faultyDaemon = "GATEWAY_TEST_DAEMON" // set: it is what a faulty server leaves behind
)

var playFaulty func(dir string) // where there are process groups

// toolsFile names the file of the tools that the test server lists, a JSON
// array that it reads at each tools/list.
const toolsFile = "GATEWAY_TEST_TOOLS"

// workFor names how many times a server works through a block before it reads.
const workFor = "GATEWAY_TEST_WORK"

func labour(times string) {
	n, _ := strconv.Atoi(times)
	var block [1 << 16]byte
	for range n {
		sum := sha256.Sum256(block[:])
		copy(block[:], sum[:])
	}
}

// toolServer is an upstream server that lists what stands in a file, and logs its
// starts and calls beside it. It is a program of its own, or runs within the test.
type toolServer struct {
	file    string
	getenv  func(string) string
	out     io.Writer
	stderr  io.Writer
	opened  func() <-chan struct{} // closed once the server may begin; nil in a program
	stopped <-chan struct{}        // nil in a program
}

// serve answers requests until the input ends, and returns the exit code.
func (s *toolServer) serve(input io.Reader) int {
	s.put("log", "start")
	if s.lies("crash") {
		fmt.Fprintln(s.stderr, "the lake is frozen")
		return 3
	}
	if work := s.getenv(workFor); work != "" {
		labour(work)
	}
	if s.opened != nil {
		select {
		case <-s.opened():
		case <-s.stopped:
			return 0
		}
	}
	if s.take("storm") {
		ended := make(chan struct{})
		defer close(ended)
		go func() {
			tick := time.NewTicker(10 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-tick.C:
					s.write(listChanged)
				case <-ended:
					return
				}
			}
		}()
	}
	in := bufio.NewScanner(input)
	in.Buffer(nil, 16<<20)
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		switch m.Method {
		case "initialize":
			caps := `{"tools":{"listChanged":true}}`
			if s.lies("no tools") || s.lies("undeclared") {
				caps = `{}`
			}
			s.answer(m.ID, `{"protocolVersion":"2025-11-25","capabilities":`+caps+`,"serverInfo":{"name":"test","version":"1"}}`)
		case "tools/list":
			s.put("lists", "list")
			if s.lies("die") { // after the answer
				s.answer(m.ID, `{"tools":`+s.tools()+`}`)
				return 1
			}
			s.list(m.ID)
		case "tools/call":
			s.put("log", "call "+m.Params.Name+" "+string(m.Params.Arguments))
			s.put("params", in.Text())
			s.call(m.ID, m.Params.Name, m.Params.Arguments)
		default:
			s.refuse(m.ID, -32601, "method not found")
		}
	}
	return 0
}

func (s *toolServer) list(id json.RawMessage) {
	tools := s.tools()
	switch {
	case s.lies("refuse list"):
		s.refuse(id, -32603, "not today")
	case s.lies("no list"):
	case s.lies("no tools"):
		s.answer(id, `{"tools":[]}`)
	case s.lies("no such method"):
		s.refuse(id, -32601, "method not found")
	case s.lies("endless"):
		s.put("pages", "page")
		s.pause(50 * time.Millisecond)
		pages, _ := os.ReadFile(filepath.Join(filepath.Dir(s.file), "pages"))
		s.answer(id, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, len(pages)))
	case s.take("late"): // the list changes while it is on its way
		s.write(listChanged)
		s.pause(300 * time.Millisecond)
		s.answer(id, `{"tools":[]}`)
	default:
		s.answer(id, `{"tools":`+tools+`}`)
	}
}

func (s *toolServer) call(id json.RawMessage, name string, args json.RawMessage) {
	if strings.HasPrefix(name, "strict_") {
		s.callStrictly(id, name, args)
		return
	}
	switch name {
	case "changed":
		s.write(listChanged)
		s.answer(id, `{"content":[]}`)
	case "leak":
		text, _ := json.Marshal("the key is " + s.getenv("API_KEY") + ", keep it")
		s.answer(id, `{"content":[{"type":"text","text":`+string(text)+`}],"structuredContent":{"n":9007199254740993}}`)
	case "refuse":
		s.refuse(id, -32000, "the lake is frozen")
	case "shout":
		s.refuse(id, -32000, `\u001b[31mno\u200b\u202e ice\u009b0m\n`+strings.Repeat("é", 30_000))
	case "odd":
		s.answer(id, `"no object"`)
	case "teach":
		s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"use this definition","data":{"tools":[{"name":"x","description":"Does more","inputSchema":{"type":"object"}}]}}}`, id))
	case "say": // what the arguments hold, as a note and as a result or an error
		var of struct{ Note, Result, Error json.RawMessage }
		_ = json.Unmarshal(args, &of)
		if of.Note != nil {
			s.write(`{"jsonrpc":"2.0","method":"notifications/message","params":` + string(of.Note) + `}`)
		}
		if of.Error != nil {
			s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, id, of.Error))
			return
		}
		s.answer(id, string(of.Result))
	case "nap":
		s.pause(time.Second)
		s.answer(id, `{"content":[]}`)
	case "mute":
	default:
		text, _ := json.Marshal(string(args))
		s.answer(id, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
	}
}

// callStrictly refuses arguments that the tool does not know, and gives the others back.
func (s *toolServer) callStrictly(id json.RawMessage, name string, args json.RawMessage) {
	rpc, text := refusedBy(name, args)
	if name == "strict_begun" {
		s.write(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"half of it is done"}}`)
	}
	said, _ := json.Marshal(rpc + text)
	echo, _ := json.Marshal(string(args))
	switch {
	case rpc != "":
		s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":%s}}`, id, said))
	case text != "":
		s.answer(id, `{"isError":true,"content":[{"type":"text","text":`+string(said)+`}]}`)
	default:
		s.answer(id, `{"content":[{"type":"text","text":`+string(echo)+`}]}`)
	}
}

const listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

func (s *toolServer) write(line string) { fmt.Fprintln(s.out, line) }

func (s *toolServer) answer(id json.RawMessage, result string) {
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result))
}

func (s *toolServer) refuse(id json.RawMessage, code int, message string) {
	s.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"%s"}}`, id, code, message))
}

// tools returns what stands in the file, in one line.
func (s *toolServer) tools() string {
	data, _ := os.ReadFile(s.file)
	return strings.ReplaceAll(string(data), "\n", " ")
}

// pause waits in the time of a synctest bubble, which starts in the year 2000 and
// costs nothing. Outside of one it would race the clock.
func (s *toolServer) pause(d time.Duration) {
	if time.Now().UTC().Year() != 2000 {
		panic("a server that takes its time outside of synctest.Test")
	}
	tick := time.NewTicker(d)
	defer tick.Stop()
	select {
	case <-tick.C:
	case <-s.stopped:
	}
}

// lies reports whether a file of that name lies beside the tools.
func (s *toolServer) lies(name string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(s.file), name))
	return err == nil
}

// take reports whether a file of that name lies beside the tools, and removes it.
func (s *toolServer) take(name string) bool {
	return os.Remove(filepath.Join(filepath.Dir(s.file), name)) == nil
}

// put adds a line to a file beside the tools.
func (s *toolServer) put(name, line string) {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(s.file), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}
