package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// openSessions is how many clients are connected while others are measured.
const openSessions = 500

// echoserver is an upstream server of 40 tools that answers each call at once,
// from bytes that are ready: what stands before it is seen the better.
func echoserver() {
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	var tools []string
	for i := range 40 {
		tools = append(tools, fmt.Sprintf(`{"name":"echo_%d","description":"Finds what the words describe in the named collection and gives the best matches first.",`+
			`"inputSchema":{"type":"object","properties":{"text":{"type":"string","description":"what to say"},"limit":{"type":"integer","description":"how many"},`+
			`"collection":{"type":"string","description":"where to look"},"exact":{"type":"boolean","description":"words as written only"}},"required":["text"]}}`, i))
	}
	list := `{"tools":[` + strings.Join(tools, ",") + `]}`
	for in.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(in.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		result := `{}`
		switch m.Method {
		case "initialize":
			result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}`
		case "tools/list":
			result = list
		case "tools/call":
			result = `{"content":[{"type":"text","text":"The lake is 251 m deep, measured in 1998 at its north end."}]}`
		}
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
		out.Flush()
	}
}

// rawClient speaks plain lines of JSON and looks into none.
type rawClient struct {
	b   *testing.B
	in  io.Writer
	out *bufio.Reader
}

// open shakes hands.
func open(b *testing.B, in io.Writer, out io.Reader, buffer int) *rawClient {
	c := &rawClient{b, in, bufio.NewReaderSize(out, buffer)}
	c.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`)
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		b.Fatal(err)
	}
	return c
}

// ask gives the answer as it came. Notes that come before it are passed over.
func (c *rawClient) ask(method, params string) []byte {
	if _, err := fmt.Fprintf(c.in, `{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}`+"\n", method, params); err != nil {
		c.b.Fatal(err)
	}
	for {
		line, err := c.out.ReadSlice('\n')
		if err != nil {
			c.b.Fatalf("%s: %v", method, err)
		}
		if strings.HasPrefix(string(line[:min(len(line), 40)]), `{"jsonrpc":"2.0","method"`) {
			continue
		}
		return line
	}
}

// piped starts a server that speaks over its standard input and output.
func piped(b *testing.B, name string, args ...string) *rawClient {
	cmd := exec.Command(name, args...)
	cmd.Env = quietEnv(b)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = cmd.Wait() })
	return open(b, in, out, 1<<20)
}

func quietEnv(b *testing.B) []string {
	dir := b.TempDir()
	return append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME="+dir, "XDG_STATE_HOME="+dir, "COMPACTOR_CONFIG=")
}

// served starts compactor at a unix socket and gives its address and process.
func served(b *testing.B, binary, config string) (socket string, pid int) {
	dir, err := os.MkdirTemp("", "mc") // the path of a socket is short
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	socket = filepath.Join(dir, "s")
	cmd := exec.Command(binary, "serve", "--config", config, "--transport", "unix", "--listen", socket)
	cmd.Env = quietEnv(b)
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() })
	clocktest.Until(b, "compactor serve listens", func() bool {
		conn, err := net.Dial("unix", socket)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return socket, cmd.Process.Pid
}

func dialed(b *testing.B, socket string, buffer int) *rawClient {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { conn.Close() })
	return open(b, conn, conn, buffer)
}

// BenchmarkGateway is what compactor adds to a list and to a call of an
// upstream server, over a pipe and over a socket at which 500 others are
// connected. All are asked in turns: what else the machine does falls on all of
// them alike. The metrics are microseconds more than the server itself takes.
func BenchmarkGateway(b *testing.B) {
	if runtime.GOOS == "windows" {
		b.Skip("has no unix sockets for this")
	}
	echo, err := exec.LookPath("echoserver")
	if err != nil {
		b.Fatal(err)
	}
	config := b.TempDir()
	text := "package compactor\ngateway: surface: \"both\"\nservers: echo: command: " + fmt.Sprintf("%q", echo) + "\n"
	if err := os.WriteFile(filepath.Join(config, "compactor.cue"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	binary := buildCommand(b)
	socket, pid := served(b, binary, config)
	direct, pipe, busy := piped(b, echo), piped(b, binary, "serve", "--config", config), dialed(b, socket, 1<<20)
	for _, c := range []*rawClient{pipe, busy} {
		c.knows("echo__echo_39")
	}
	before := resident(pid)
	for range openSessions {
		dialed(b, socket, 4<<10)
	}
	perSession := float64(resident(pid)-before) / openSessions / 1024

	const args = `"arguments":{"text":"how deep is the lake?","limit":3}}`
	b.Run("list", func(b *testing.B) {
		added(b, func() { direct.ask("tools/list", "{}") }, func() { pipe.ask("tools/list", "{}") }, func() { busy.ask("tools/list", "{}") })
	})
	b.Run("call", func(b *testing.B) {
		call := func(c *rawClient, name string) func() {
			return func() { c.ask("tools/call", `{"name":"`+name+`",`+args) }
		}
		added(b, call(direct, "echo_7"), call(pipe, "echo__echo_7"), call(busy, "echo__echo_7"))
	})
	b.Run("execute_tool", func(b *testing.B) {
		execute := func(c *rawClient) func() {
			return func() { c.ask("tools/call", `{"name":"execute_tool","arguments":{"tool":"echo__echo_7",`+args+`}`) }
		}
		added(b, func() { direct.ask("tools/call", `{"name":"echo_7",`+args) }, execute(pipe), execute(busy))
		if perSession > 0 {
			b.ReportMetric(perSession, "KiB/session")
		}
	})
}

// knows waits until a tool is listed.
func (c *rawClient) knows(name string) {
	clocktest.Until(c.b, name+" is listed", func() bool { return strings.Contains(string(c.ask("tools/list", "{}")), `"`+name+`"`) })
}

// added measures in turns how long each takes and reports what the second and
// the third take more than the first.
func added(b *testing.B, direct, pipe, busy func()) {
	var took [3][]time.Duration
	for b.Loop() {
		for i, do := range []func(){direct, pipe, busy} {
			began := time.Now()
			do()
			took[i] = append(took[i], time.Since(began))
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	for name, at := range map[string]int{"p50-us": len(took[0]) / 2, "p99-us": len(took[0]) * 99 / 100} {
		us := func(i int) float64 { return float64(took[i][at].Nanoseconds()) / 1e3 }
		b.ReportMetric(us(0), "direct-"+name)
		b.ReportMetric(us(1)-us(0), "pipe-"+name)
		b.ReportMetric(us(2)-us(0), "busy-"+name)
	}
	b.ReportMetric(0, "ns/op") // the sum says nothing
}
