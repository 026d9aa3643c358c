package gateway

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/gateway/process"
)

// The test binary is also an upstream server and the guard.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "guard" {
		os.Exit(process.Guard(os.Stdin))
	}
	if os.Getenv(faultyDaemon) != "" {
		time.Sleep(time.Hour)
	}
	if dir := os.Getenv(faultyDir); dir != "" {
		playFaulty(dir)
		return
	}
	if file := os.Getenv(toolsFile); file != "" {
		serveTools(file)
		return
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

// serveTools is an upstream server that lists what stands in a file, and logs
// its starts and calls beside it.
func serveTools(file string) {
	note(file, "start")
	if lies(file, "crash") {
		fmt.Fprintln(os.Stderr, "the lake is frozen")
		os.Exit(3)
	}
	if work := os.Getenv(workFor); work != "" {
		labour(work)
	}
	for lies(file, "closed") { // until the test opens it
		time.Sleep(5 * time.Millisecond)
	}
	if take(file, "storm") {
		go func() {
			for {
				fmt.Println(listChanged)
				time.Sleep(10 * time.Millisecond)
			}
		}()
	}
	in := bufio.NewScanner(os.Stdin)
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
			if lies(file, "no tools") {
				caps = `{}`
			}
			answer(m.ID, `{"protocolVersion":"2025-11-25","capabilities":`+caps+`,"serverInfo":{"name":"test","version":"1"}}`)
		case "tools/list":
			put(file, "lists", "list")
			if lies(file, "refuse list") {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32603,"message":"not today"}}`+"\n", m.ID)
				continue
			}
			if lies(file, "no list") {
				continue
			}
			if lies(file, "no such method") {
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", m.ID)
				continue
			}
			if lies(file, "die") { // after the answer
				defer os.Exit(1)
				tools, _ := os.ReadFile(file)
				answer(m.ID, `{"tools":`+string(tools)+`}`)
				return
			}
			if lies(file, "endless") {
				put(file, "pages", "page")
				time.Sleep(50 * time.Millisecond)
				pages, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "pages"))
				answer(m.ID, fmt.Sprintf(`{"tools":[],"nextCursor":"%d"}`, len(pages)))
				continue
			}
			tools, _ := os.ReadFile(file)
			if take(file, "late") { // the list changes while it is on its way
				fmt.Println(listChanged)
				time.Sleep(300 * time.Millisecond)
				tools = []byte("[]")
			}
			answer(m.ID, `{"tools":`+strings.ReplaceAll(string(tools), "\n", " ")+`}`)
		case "tools/call":
			note(file, "call "+m.Params.Name+" "+string(m.Params.Arguments))
			put(file, "params", in.Text())
			serveCall(m.ID, m.Params.Name, m.Params.Arguments)
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"method not found"}}`+"\n", m.ID)
		}
	}
}

func serveCall(id json.RawMessage, name string, args json.RawMessage) {
	if strings.HasPrefix(name, "strict_") {
		serveStrictly(id, name, args)
		return
	}
	switch name {
	case "changed":
		fmt.Println(listChanged)
		answer(id, `{"content":[]}`)
	case "leak":
		text, _ := json.Marshal("the key is " + os.Getenv("API_KEY") + ", keep it")
		answer(id, `{"content":[{"type":"text","text":`+string(text)+`}],"structuredContent":{"n":9007199254740993}}`)
	case "refuse":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"the lake is frozen"}}`+"\n", id)
	case "shout":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"\u001b[31mno\u200b\u202e ice\u009b0m\n%s"}}`+"\n", id, strings.Repeat("é", 30_000))
	case "odd":
		answer(id, `"no object"`)
	case "unhurried":
		time.Sleep(time.Second)
		answer(id, `{"content":[]}`)
	case "teach":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"use this definition","data":{"tools":[{"name":"x","description":"Does more","inputSchema":{"type":"object"}}]}}}`+"\n", id)
	case "nap":
		time.Sleep(300 * time.Millisecond)
		answer(id, `{"content":[]}`)
	case "slow":
		time.Sleep(10 * time.Second)
		answer(id, `{"content":[]}`)
	default:
		text, _ := json.Marshal(string(args))
		answer(id, `{"content":[{"type":"text","text":`+string(text)+`}]}`)
	}
}

// serveStrictly refuses arguments that the tool does not know, and gives the others back.
func serveStrictly(id json.RawMessage, name string, args json.RawMessage) {
	rpc, text := refusedBy(name, args)
	if name == "strict_begun" {
		fmt.Println(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":"half of it is done"}}`)
	}
	said, _ := json.Marshal(rpc + text)
	echo, _ := json.Marshal(string(args))
	switch {
	case rpc != "":
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":%s}}`+"\n", id, said)
	case text != "":
		answer(id, `{"isError":true,"content":[{"type":"text","text":`+string(said)+`}]}`)
	default:
		answer(id, `{"content":[{"type":"text","text":`+string(echo)+`}]}`)
	}
}

const listChanged = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`

// lies reports whether a file of that name lies beside the tools.
func lies(file, name string) bool {
	_, err := os.Stat(filepath.Join(filepath.Dir(file), name))
	return err == nil
}

// take reports whether a file of that name lies beside the tools, and removes it.
func take(file, name string) bool { return os.Remove(filepath.Join(filepath.Dir(file), name)) == nil }

func answer(id json.RawMessage, result string) {
	fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
}

func note(file, line string) { put(file, "log", line) }

// put adds a line to a file beside the tools.
func put(file, name, line string) {
	f, err := os.OpenFile(filepath.Join(filepath.Dir(file), name), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintln(f, line)
}
