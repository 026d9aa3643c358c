package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/observe/eventlog"
)

// loggedServer is a serve process over stdio with an upstream server, the lines of its log
// and what else it said once it has ended.
type loggedServer struct {
	*peer
	dir  string
	errs *bytes.Buffer // to be read after end
	end  func()
}

func serveLogged(t *testing.T, cue string) *loggedServer {
	t.Helper()
	echo, err := exec.LookPath("echoserver")
	if err != nil {
		t.Fatal(err)
	}
	dir, binary := frontDir(t, fmt.Sprintf("gateway: surface: \"both\"\nservers: lake: command: %q\n", echo)+cue)
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "pool.go"), []byte("package src\n\n// Admit lets work in.\nfunc Admit() {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l := &loggedServer{dir: dir, errs: &bytes.Buffer{}}
	cmd := exec.Command(binary, "serve", "--root", "src", "--no-model")
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), frontEnv(dir)...), l.errs
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, w := io.Pipe()
	cmd.Stdout = w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l.peer = &peer{t: t, in: in, hear: make(chan struct{}, 1), waiting: map[int]chan spoken{}}
	go l.read(out)
	ended := false
	l.end = func() {
		if !ended {
			ended = true
			_ = in.Close()
			_ = cmd.Wait()
			_ = w.Close()
		}
	}
	t.Cleanup(l.end)
	l.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"peer","version":"1"}}`)
	l.write(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	settled(l.peer, 40)
	return l
}

// TestEachEventIsALine holds that what a server does can be followed in its log, one
// parsable line an event, from the client's own trace down, with no secret in it.
func TestEachEventIsALine(t *testing.T) {
	l := serveLogged(t, `log: {level: "debug", format: "json"}`)
	const research, upstream = "4bf92f3577b34da6a3ce929d0e0e4736", "0af7651916cd43dd8448eb211c80319c"
	const password = "Tr0ub4dor&3xyz"
	meta := func(trace string) string { return `"_meta":{"traceparent":"00-` + trace + `-00f067aa0ba902b7-01"}` }
	for _, params := range []string{
		`{"name":"research_codebase","arguments":{"question":"where is work let in? https://app:` + password + `@db/x"},` + meta(research) + `}`,
		`{"name":"lake__echo_7","arguments":{"text":"{\"password\":\"` + password + `\"}"},` + meta(upstream) + `}`,
		`{"name":"execute_tool","arguments":{"tool":"lake__echo_8","arguments":{"text":"Authorization: Bearer ` + password + password + `","password":"` + password + `"}}}`,
		`{"name":"` + password + `","arguments":{}}`,
	} {
		l.ask("tools/call", params)
	}
	l.ask(password, "{}")
	l.end()
	text := l.errs.String()
	if strings.Contains(text, password) {
		t.Errorf("a secret is in the log: %s", text)
	}
	kinds := map[string]map[string]int{} // trace → kinds
	calls := map[string]string{}         // call → trace
	var executed []map[string]any
	for line := range strings.Lines(text) {
		var m struct {
			Time, Level, Msg, Kind, Phase, Call, Parent, Tool, Name string

			Trace    string `json:"trace_id"`
			ToolCall string `json:"tool_call_id"` // in place of Call, where a tool is called
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Time == "" || m.Level == "" || m.Msg == "" {
			t.Fatalf("%v: %s", err, line)
		}
		if m.Msg == "tool executed" {
			var all map[string]any
			_ = json.Unmarshal([]byte(line), &all)
			executed = append(executed, all)
		}
		if m.Trace == "" {
			continue
		}
		if kinds[m.Trace] == nil {
			kinds[m.Trace] = map[string]int{}
		}
		kinds[m.Trace][strings.TrimSpace(m.Kind+" "+m.Phase)]++
		if m.Parent != "" && calls[m.Parent] != m.Trace {
			t.Errorf("its cause is not before it: %s", line)
		}
		calls[cmp.Or(m.Call, m.ToolCall)] = m.Trace
	}
	for trace, want := range map[string][]string{research: {"request begin", "request", "stage begin", "stage", "builtin begin", "builtin step", "builtin"},
		upstream: {"request begin", "request", "upstream begin", "upstream"}} {
		for _, w := range want {
			if kinds[trace][w] == 0 {
				t.Errorf("%s: no %s in %v", trace, w, kinds[trace])
			}
		}
		if kinds[trace]["request"] != 1 {
			t.Errorf("%s: %v", trace, kinds[trace])
		}
	}
	if len(executed) != 2 || executed[0]["surface"] != "proxy" || executed[1]["surface"] != "discovery" || executed[0]["trace_id"] != upstream ||
		executed[0]["session_id"] != executed[1]["session_id"] || executed[1]["outcome"] != "ok" {
		t.Errorf("%v", executed)
	}
}

func TestOverStdioNothingIsLoggedUnasked(t *testing.T) {
	l := serveLogged(t, "")
	l.call("lake__echo_7", `{"text":"x"}`)
	l.end()
	if text := l.errs.String(); text != "" {
		t.Errorf("%s", text)
	}
}

// TestALogThatCannotBeWritten is said once, and serving goes on.
func TestALogThatCannotBeWritten(t *testing.T) {
	for name, c := range map[string]struct{ file, says string }{"no directory": {"none/x.log", "no such file"}, "a full disk": {"/dev/full", "no space left"}} {
		t.Run(name, func(t *testing.T) {
			if _, err := os.Stat("/dev/full"); err != nil {
				t.Skip("there is no /dev/full")
			}
			l := serveLogged(t, fmt.Sprintf("log: {level: \"debug\", file: %q}", c.file))
			for range 5 {
				if m := l.call("lake__echo_7", `{"text":"x"}`); m.Error != nil || !bytes.Contains(m.Result, []byte("251 m")) {
					t.Fatalf("%s%s", m.Result, m.Error)
				}
			}
			l.end()
			if text := l.errs.String(); strings.Count(text, "compactor: ") != 1 || strings.Count(text, "\n") != 1 || !strings.Contains(text, c.says) || !strings.Contains(text, "serving goes on") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestTheLogFollowsTheConfiguration(t *testing.T) {
	l := serveLogged(t, `log: {level: "info", format: "text", file: "x.log"}`)
	l.call("lake__echo_7", `{"text":"x"}`)
	l.end()
	data, err := os.ReadFile(filepath.Join(l.dir, "x.log"))
	if err != nil || !bytes.Contains(data, []byte(" INFO  tool executed ")) || !bytes.Contains(data, []byte(" INFO  request name=tools/call ")) || bytes.Contains(data, []byte(" DEBUG ")) {
		t.Errorf("%v\n%s", err, data)
	}
	if info, err := os.Stat(filepath.Join(l.dir, "x.log")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	if text := l.errs.String(); text != "" {
		t.Errorf("said %s", text)
	}
}

func TestWhereAndHowALogIsWritten(t *testing.T) {
	shown := &app{err: newTerminal(io.Discard, 0, 80, false)}
	file := &app{err: io.Discard}
	for _, c := range []struct {
		name      string
		app       *app
		transport string
		flag      string
		said      eventlog.Settings
		want      eventlog.Settings
	}{
		{"over stdio", file, server.Stdio, "", eventlog.Settings{}, eventlog.Settings{Level: "off"}},
		{"over stdio, asked for", file, server.Stdio, "", eventlog.Settings{Level: "warn"}, eventlog.Settings{Level: "warn"}},
		{"over stdio, only how", file, server.Stdio, "", eventlog.Settings{Format: "text"}, eventlog.Settings{Level: "off", Format: "text"}},
		{"over stdio, a file", file, server.Stdio, "", eventlog.Settings{File: "x"}, eventlog.Settings{Level: "info", File: "x"}},
		{"over stdio, a file of the command line", file, server.Stdio, "y", eventlog.Settings{File: "x"}, eventlog.Settings{Level: "info", File: "y"}},
		{"over http", file, server.HTTP, "", eventlog.Settings{}, eventlog.Settings{Level: "info"}},
		{"over http on a terminal", shown, server.HTTP, "", eventlog.Settings{}, eventlog.Settings{Level: "info", Format: "text"}},
		{"over http on a terminal, told", shown, server.HTTP, "", eventlog.Settings{Format: "json"}, eventlog.Settings{Level: "info", Format: "json"}},
		{"over http on a terminal, a file", shown, server.HTTP, "y", eventlog.Settings{}, eventlog.Settings{Level: "info", File: "y"}},
		{"off", file, server.HTTP, "", eventlog.Settings{Level: "off"}, eventlog.Settings{Level: "off"}},
	} {
		l := &serveLog{app: c.app, transport: c.transport, file: c.flag}
		if got := l.fillSettings(c.said); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
