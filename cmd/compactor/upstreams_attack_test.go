package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// lineClient is a client of a real `compactor serve`, spoken to line
// by line.
type lineClient struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	id     int
	answer func(method string) string // to what the server asks; nil: refused
	asked  []string                   // methods of what the server asked
}

// configOf writes a configuration with upstream servers. In it, TOOLSERVER is
// the program of toolserver.
func configOf(t *testing.T, cue string) (home string) {
	t.Helper()
	home = t.TempDir()
	program, err := exec.LookPath("toolserver")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, "config", "compactor")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	cue = strings.ReplaceAll(cue, "TOOLSERVER", program)
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\n\n"+cue), 0o600); err != nil {
		t.Fatal(err)
	}
	return home
}

func startLines(t *testing.T, home, capabilities string) *lineClient {
	t.Helper()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	s := &lineClient{t: t, cmd: exec.Command(binary, "serve")}
	s.cmd.Dir = home
	s.cmd.Env = environmentOf(home)
	s.cmd.Stderr = os.Stderr
	s.in, err = s.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.out = bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":`+capabilities+`,"clientInfo":{"name":"t","version":"1"}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return s
}

func environmentOf(home string) []string {
	config := filepath.Join(home, "config")
	return []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CONFIG_HOME=" + config, "COMPACTOR_CONFIG=" + filepath.Join(config, "compactor"), raceOptions()}
}

func (s *lineClient) stop() {
	_ = s.in.Close()
	_ = s.cmd.Wait()
}

func (s *lineClient) send(line string) {
	if _, err := io.WriteString(s.in, line+"\n"); err != nil {
		s.t.Fatal(err)
	}
}

// ask sends a request and gives its result. What the server asks meanwhile is
// answered.
func (s *lineClient) ask(method, params string) json.RawMessage {
	s.t.Helper()
	s.id++
	s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, s.id, method, params))
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			s.t.Fatalf("%s: %v", method, err)
		}
		var m struct {
			ID            json.RawMessage
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			s.t.Fatalf("%s: %v: %s", method, err, line)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			s.asked = append(s.asked, m.Method)
			if s.answer == nil {
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"not here"}}`, m.ID))
			} else {
				s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, s.answer(m.Method)))
			}
		case string(m.ID) != fmt.Sprint(s.id):
		case m.Error != nil:
			s.t.Fatalf("%s: %s", method, m.Error)
		default:
			return m.Result
		}
	}
}

func (s *lineClient) call(tool, args string) (text string, whole json.RawMessage) {
	s.t.Helper()
	raw := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, args))
	var r struct{ Content []struct{ Text string } }
	if err := json.Unmarshal(raw, &r); err == nil && len(r.Content) > 0 {
		text = r.Content[0].Text
	}
	return text, raw
}

func (s *lineClient) tools() (names []string) {
	s.t.Helper()
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(s.ask("tools/list", `{}`), &list); err != nil {
		s.t.Fatal(err)
	}
	for _, x := range list.Tools {
		names = append(names, x.Name)
	}
	return names
}

// until waits for what will be so.
func (s *lineClient) until(what string, so func() bool) {
	s.t.Helper()
	clocktest.Until(s.t, what, so)
}

// R13: of 20 servers, 5 never say a word and 5 end at once. Three of the silent
// may take ten minutes to start: nobody waits for them.
func TestServersThatHangOrCrashHoldNobodyUp(t *testing.T) {
	t.Parallel()
	var cue strings.Builder
	cue.WriteString("gateway: surface: \"both\"\n")
	for i := range 20 {
		switch {
		case i < 3:
			fmt.Fprintf(&cue, "servers: a_silent%d: {command: \"TOOLSERVER\", args: [\"hang\"], start: \"10m\"}\n", i)
		case i < 5:
			fmt.Fprintf(&cue, "servers: a_silent%d: {command: \"TOOLSERVER\", args: [\"hang\"], start: \"2s\"}\n", i)
		case i < 10:
			fmt.Fprintf(&cue, "servers: b_broken%d: {command: \"TOOLSERVER\", args: [\"crash\"]}\n", i)
		default:
			fmt.Fprintf(&cue, "servers: c_well%d: {command: \"TOOLSERVER\", args: [\"echo\", \"say%d\"]}\n", i, i)
		}
	}
	began := time.Now()
	s := startLines(t, configOf(t, cue.String()), `{}`)
	first := s.tools()
	ready := time.Since(began)
	if len(first) < 5 {
		t.Errorf("the first list has %v", first)
	}
	s.until("the tools of the ten that are well are listed", func() bool {
		return strings.Count(strings.Join(s.tools(), " "), "__say") == 10
	})
	t.Logf("answered initialize and tools/list after %v, listed the well after %v", ready, time.Since(began))
	for i := 10; i < 20; i++ {
		if text, _ := s.call(fmt.Sprintf("c_well%d__say%d", i, i), `{"n":1}`); text != `{"n":1}` {
			t.Errorf("server %d: %s", i, text)
		}
	}
	var list struct {
		Servers []struct{ Name, State, Problem string }
	}
	s.until("those that cannot be used are named with a cause", func() bool {
		text, _ := s.call("list_servers", `{}`)
		if err := json.Unmarshal([]byte(text), &list); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		named := 0
		for _, x := range list.Servers {
			switch {
			case strings.HasPrefix(x.Name, "a_silent3"), strings.HasPrefix(x.Name, "a_silent4"):
				if strings.Contains(x.Problem, "within 2s: allow it more time to start") {
					named++
				}
			case strings.HasPrefix(x.Name, "b_broken") && strings.Contains(x.Problem, "status 3") && strings.Contains(x.Problem, "LAKE_TOKEN is not set"):
				named++
			}
		}
		return named == 7
	})
}

// U06: what a server asks for itself is refused, whatever the client could do,
// and the client never hears of it. What its operator allows is passed on.
func TestAServerAsksNothingUnlessAllowed(t *testing.T) {
	home := configOf(t, `
gateway: surface: "both"
servers: strict: {command: "TOOLSERVER", args: ["ask"]}
servers: open: {command: "TOOLSERVER", args: ["ask"], allow: ["sampling", "elicitation", "roots"]}
`)
	s := startLines(t, home, `{"sampling":{},"elicitation":{},"roots":{}}`)
	s.answer = func(method string) string {
		switch method {
		case "sampling/createMessage":
			return `{"role":"assistant","content":{"type":"text","text":"from the client's model"},"model":"m"}`
		case "elicitation/create":
			return `{"action":"accept","content":{"p":"from the client's user"}}`
		}
		return `{"roots":[{"uri":"file:///from-the-client"}]}`
	}
	s.until("both are listed", func() bool { return strings.Count(strings.Join(s.tools(), " "), "__ask") == 2 })
	s.asked = nil
	for _, through := range []func() string{
		func() string { text, _ := s.call("strict__ask", `{}`); return text },
		func() string { text, _ := s.call("execute_tool", `{"tool":"strict__ask"}`); return text },
	} {
		text := through()
		if strings.Count(text, `"error"`) != 3 || strings.Contains(text, "from") || len(s.asked) > 0 {
			t.Errorf("a server that may not ask was answered, or the client was asked %v:\n%s", s.asked, text)
		}
	}
	text, _ := s.call("open__ask", `{}`)
	if strings.Count(text, "from") != 3 || strings.Contains(text, `"error"`) {
		t.Errorf("a server that may ask got:\n%s\nthe client was asked %v", text, s.asked)
	}
}

// U08: nobody follows a link that a result holds.
func TestLinksInResultsAreNotFollowed(t *testing.T) {
	var mu sync.Mutex
	var followed []string
	web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		followed = append(followed, r.Method+" "+r.URL.String())
	}))
	defer web.Close()
	s := startLines(t, configOf(t, `
gateway: surface: "both"
servers: a: {command: "TOOLSERVER", args: ["link", "`+web.URL+`"]}
servers: b: {command: "TOOLSERVER", args: ["link", "`+web.URL+`"]}
`), `{}`)
	s.until("both are listed", func() bool { return strings.Count(strings.Join(s.tools(), " "), "__link") == 2 })
	host, _ := os.Hostname()
	calls := [][2]string{{"a__link", `{}`}, {"b__link", `{}`}, {"execute_tool", `{"tool":"a__link"}`}}
	for _, call := range slices.Repeat(calls, 5) {
		_, whole := s.call(call[0], call[1])
		if call[0] == "a__link" && !strings.Contains(string(whole), "file:///etc/hostname") {
			t.Errorf("the link did not pass: %s", whole)
		}
		if host != "" && strings.Contains(string(whole), `"text":"`+host) {
			t.Errorf("a file was read: %s", whole)
		}
	}
	s.stop() // what would be fetched behind an answer has begun by now, for the calls before the last
	mu.Lock()
	defer mu.Unlock()
	if len(followed) > 0 {
		t.Errorf("followed: %v", followed)
	}
}
