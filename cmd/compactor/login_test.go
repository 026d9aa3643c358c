package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth/oauthtest"
)

// machine is one on which compactor is used, without a display and without a keyring.
type machine struct {
	t      *testing.T
	binary string
	home   string
}

func newMachine(t *testing.T, servers string) *machine {
	t.Helper()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	m := &machine{t, binary, t.TempDir()}
	dir := filepath.Join(m.home, "config", "compactor")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "servers.cue"), []byte("package compactor\n\n"+servers), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

func (m *machine) env() []string {
	var out []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "COMPACTOR_CONFIG":
			continue
		}
		out = append(out, v)
	}
	return append(out, "HOME="+m.home, "XDG_CONFIG_HOME="+filepath.Join(m.home, "config"), "XDG_STATE_HOME="+filepath.Join(m.home, "state"),
		"XDG_CACHE_HOME="+filepath.Join(m.home, "cache"))
}

func (m *machine) command(args ...string) *exec.Cmd {
	cmd := exec.Command(m.binary, args...)
	cmd.Env, cmd.Dir = m.env(), m.home
	return cmd
}

// run gives both outputs of a command, and its exit code.
func (m *machine) run(args ...string) (string, int) {
	m.t.Helper()
	cmd := m.command(args...)
	out, _ := cmd.CombinedOutput()
	return string(out), cmd.ProcessState.ExitCode()
}

// waiting is a login that was begun.
type waiting struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	address string
	rest    chan string // all else it says
}

// begin starts a login and waits for the address.
func (m *machine) begin(flag string) *waiting {
	m.t.Helper()
	cmd := m.command("servers", "login", "tracker", "--file", "--timeout", "5m", flag)
	in, err := cmd.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		m.t.Fatal(err)
	}
	w.Close()
	m.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait(); r.Close() })
	l := &waiting{cmd: cmd, in: in, rest: make(chan string, 1)}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<20)
	var said strings.Builder
	for lines.Scan() {
		if text := strings.TrimSpace(lines.Text()); strings.HasPrefix(text, "http") {
			l.address = text
			break
		}
		said.WriteString(lines.Text() + "\n")
	}
	if l.address == "" {
		m.t.Fatalf("no address was printed: %s", said.String())
	}
	go func() {
		for lines.Scan() {
			said.WriteString(lines.Text() + "\n")
		}
		l.rest <- said.String()
	}()
	return l
}

// end waits for the end.
func (l *waiting) end(t *testing.T) (string, int) {
	t.Helper()
	said := <-l.rest
	_ = l.cmd.Wait()
	return said, l.cmd.ProcessState.ExitCode()
}

// kept are the files of logins.
func (m *machine) kept() []string {
	files, _ := filepath.Glob(filepath.Join(m.home, "state", "compactor", "logins", "*.json"))
	return files
}

func (m *machine) access() string {
	m.t.Helper()
	var login struct {
		Secrets struct {
			Access string `json:"access_token"`
		}
	}
	files := m.kept()
	if len(files) != 1 {
		m.t.Fatalf("kept: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err == nil {
		err = json.Unmarshal(data, &login)
	}
	if err != nil || login.Secrets.Access == "" {
		m.t.Fatalf("%v: %s", err, data)
	}
	return login.Secrets.Access
}

// The whole way, in real processes: what says that a login is needed, a login on a machine without a browser, what is
// different afterwards, and the way back.
func TestServersLogin(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		m := newMachine(t, fmt.Sprintf("servers: tracker: url: %q\n", w.URL))
		const command = "log in with: compactor servers login tracker"
		if said, code := m.run("servers"); code != 1 || !strings.Contains(said, command) {
			t.Errorf("servers (%d): %s", code, said)
		}
		if said, _ := m.run("doctor"); !strings.Contains(said, command) {
			t.Errorf("doctor: %s", said)
		}
		l := m.begin("--timeout=4m") // no browser: the address is printed by itself
		page := oauthtest.Open(t, oauthtest.Browse(t, l.address).String())
		said, code := l.end(t)
		if code != 0 || !strings.Contains(said, "tracker: logged in at "+w.Issuer) || !strings.Contains(page, "You can close this page") {
			t.Fatalf("login (%d): %s\npage: %s", code, said, page)
		}
		token := m.access()
		if strings.Contains(said+page, token) || strings.Contains(said, "code=") {
			t.Error("a secret is shown")
		}
		if runtime.GOOS != "windows" {
			for _, at := range []string{m.kept()[0], filepath.Dir(m.kept()[0])} {
				if info, err := os.Stat(at); err != nil || info.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s: %v, %v", at, info.Mode(), err)
				}
			}
		}
		if said, code := m.run("servers"); code != 0 || !strings.Contains(said, "tracker: logged in at "+w.Issuer) {
			t.Errorf("servers (%d): %s", code, said)
		}
		if said, code := m.run("servers", "--format", "json"); code != 0 || !strings.Contains(said, `"login": "logged in at `) || strings.Contains(said, token) {
			t.Errorf("servers (%d): %s", code, said)
		}
		if said, code := m.run("tools", "call", "tracker__token"); code != 0 || strings.Contains(said, token) || !strings.Contains(said, "REDACTED") {
			t.Errorf("a call (%d): %s", code, said)
		}
		if said, _ := m.run("doctor"); !strings.Contains(said, "logged in at ") || strings.Contains(said, command) {
			t.Errorf("doctor: %s", said)
		}
		if said, code := m.run("servers", "logout", "tracker"); code != 0 || !strings.Contains(said, "its tokens are taken back") || len(m.kept()) != 0 {
			t.Errorf("logout (%d): %s", code, said)
		}
		if said, code := m.run("servers", "logout", "tracker"); code != 1 || !strings.Contains(said, "not logged in") {
			t.Errorf("logout (%d): %s", code, said)
		}
		if said, code := m.run("servers", "login", "traker"); code != 1 || !strings.Contains(said, "did you mean tracker") {
			t.Errorf("no such server (%d): %s", code, said)
		}
	})
}

// The browser may be on another machine: where it ends is pasted. The address is all that is on standard output.
func TestServersLoginPasted(t *testing.T) {
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		m := newMachine(t, fmt.Sprintf("servers: tracker: {url: %q, oauth: {client_id: %q, client_secret: \"${SECRET}\"}}\n", w.URL, oauthtest.ClientID))
		if said, code := m.run("servers", "login", "tracker"); code != 1 || !strings.Contains(said, "needs SECRET, which is not set") {
			t.Errorf("without the secret (%d): %s", code, said)
		}
		t.Setenv("SECRET", oauthtest.ClientSecret)
		l := m.begin("--print-url")
		back := oauthtest.Browse(t, l.address).String()
		fmt.Fprintf(l.in, "%s\n%s\n", strings.Replace(back, "state=", "state=0", 1), back)
		said, code := l.end(t)
		if code != 0 || !strings.Contains(said, "not the answer to this login") || strings.Contains(said, oauthtest.ClientSecret) || strings.Contains(said, "Open this") {
			t.Errorf("login (%d): %s", code, said)
		}
		m.access()
	})
}

// Each setting of servers.X.oauth acts.
func TestServersLoginSettings(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	w := oauthtest.Start(t, oauthtest.Options{})
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	servers := func(issuer string) string {
		return fmt.Sprintf("servers: tracker: {url: %q, oauth: {client_id: %q, client_secret: %q, scopes: [\"one\", \"two\"], redirect_port: %d, issuer: %q}}\n",
			w.URL, oauthtest.ClientID, oauthtest.ClientSecret, port, issuer)
	}
	if said, code := newMachine(t, servers("https://other.example")).run("servers", "login", "tracker"); code != 1 || !strings.Contains(said, "issuer mismatch") {
		t.Errorf("another issuer (%d): %s", code, said)
	}
	m := newMachine(t, servers(w.Issuer))
	if said, code := m.run("servers", "login", "tracker"); code != 1 || !strings.Contains(said, strconv.Itoa(port)) {
		t.Errorf("a port that is taken (%d): %s", code, said)
	}
	listener.Close()
	l := m.begin("--no-browser")
	u, err := url.Parse(l.address)
	if q := u.Query(); err != nil || q.Get("client_id") != oauthtest.ClientID || q.Get("scope") != "one two" || q.Get("redirect_uri") != fmt.Sprintf("http://127.0.0.1:%d/callback", port) {
		t.Errorf("asked: %s", l.address)
	}
	oauthtest.Open(t, oauthtest.Browse(t, l.address).String())
	if said, code := l.end(t); code != 0 {
		t.Errorf("login (%d): %s", code, said)
	}
	if said, code := m.run("servers"); code != 0 {
		t.Errorf("servers (%d): %s", code, said)
	}
}

// An interrupt ends a login at once, and nothing stays.
func TestServersLoginInterrupted(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("there are no interrupts to be sent")
	}
	w := oauthtest.Start(t, oauthtest.Options{})
	m := newMachine(t, fmt.Sprintf("servers: tracker: url: %q\n", w.URL))
	l := m.begin("--no-browser")
	_ = l.cmd.Process.Signal(os.Interrupt)
	if said, code := l.end(t); code != 1 || !strings.Contains(said, "given up; nothing was kept") || len(m.kept()) != 0 {
		t.Errorf("interrupted (%d): %s", code, said)
	}
}

// A server of a project's configuration is logged in to by nobody who has not allowed it.
func TestServersLoginOfAProject(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	w := oauthtest.Start(t, oauthtest.Options{})
	m := newMachine(t, "")
	dir := filepath.Join(m.home, "project", ".compactor")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	_ = os.WriteFile(filepath.Join(dir, "servers.cue"), fmt.Appendf(nil, "package compactor\n\nservers: tracker: {url: %q, oauth: scopes: [\"all\"]}\n", w.URL), 0o600)
	cmd := m.command("servers", "login", "tracker")
	cmd.Dir = filepath.Dir(dir)
	out, _ := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(string(out), "compactor allow") || len(w.Tokens()) != 0 {
		t.Errorf("%d: %s", cmd.ProcessState.ExitCode(), out)
	}
	cmd = m.command("allow")
	cmd.Dir = filepath.Dir(dir)
	if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), `scopes "all"`) || !strings.Contains(string(out), "by no other of yours") {
		t.Errorf("allow shows: %s", out)
	}
}

// Two running servers that find the token ended renew it once, and calls go on; a login that is made while they run is
// taken up.
func TestTwoServesShareALogin(t *testing.T) {
	t.Parallel()
	oauthtest.Each(t, oauthtest.Options{}, func(t *testing.T, w *oauthtest.World) {
		m := newMachine(t, fmt.Sprintf("servers: tracker: {url: %q, kind: \"http\"}\n", w.URL))
		clients := []*client.Client{m.serve(), m.serve()}
		if said, err := m.call(clients[0]); err == nil && strings.Contains(said, "hello") {
			t.Fatalf("without a login: %s", said)
		}
		l := m.begin("--no-browser")
		oauthtest.Open(t, oauthtest.Browse(t, l.address).String())
		if said, code := l.end(t); code != 0 {
			t.Fatalf("login (%d): %s", code, said)
		}
		var said string
		var err error
		clocktest.Until(t, "the login is taken up", func() bool { // and then at once in both
			said, err = m.call(clients[0])
			return err == nil && strings.Contains(said, "hello")
		}, func() any { return fmt.Sprint(said, err) })
		if said, err := m.call(clients[1]); err != nil {
			t.Fatalf("logged in: %s, %v", said, err)
		}
		for i := range int32(2) {
			m.expire(w)
			var wg sync.WaitGroup
			for _, c := range clients {
				for range 3 {
					wg.Go(func() {
						if said, err := m.call(c); err != nil || !strings.Contains(said, "hello") {
							t.Errorf("after its token ended: %s, %v", said, err)
						}
					})
				}
			}
			wg.Wait()
			if n := w.Renews.Load(); n != i+1 {
				t.Errorf("%d renewals after its token ended %d times", n, i+1)
			}
		}
		if said, code := m.run("servers", "--offline"); code != 0 || !strings.Contains(said, "logged in at") {
			t.Errorf("servers (%d): %s", code, said)
		}
	})
}

// expire has the token of a login end now, as this machine sees it and then as its
// server does.
func (m *machine) expire(w *oauthtest.World) {
	m.t.Helper()
	access := m.access()
	file := m.kept()[0]
	login := map[string]any{}
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &login)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	past := time.Now().Add(-time.Hour)
	login["since"], login["expires"] = past.Add(-time.Hour), past
	if data, err = json.Marshal(login); err == nil {
		err = os.WriteFile(file+".new", data, 0o600)
	}
	if err == nil {
		err = os.Rename(file+".new", file)
	}
	if err != nil {
		m.t.Fatal(err)
	}
	w.Refuse(access)
}

func (m *machine) serve() *client.Client {
	m.t.Helper()
	c, err := client.NewStdioMCPClient(m.binary, m.env(), "serve", "--root", m.home)
	if err != nil {
		m.t.Fatal(err)
	}
	m.t.Cleanup(func() { _ = c.Close() })
	if _, err := c.Initialize(m.t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: "2025-06-18", ClientInfo: mcp.Implementation{Name: "chat", Version: "1"}}}); err != nil {
		m.t.Fatal(err)
	}
	return c
}

// call has the chat's model run a tool of the server.
func (m *machine) call(c *client.Client) (string, error) {
	r := mcp.CallToolRequest{}
	r.Params.Name, r.Params.Arguments = "execute_tool", map[string]any{"name": "tracker__echo", "arguments": map[string]any{"text": "hello"}}
	result, err := c.CallTool(m.t.Context(), r)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(result.Content)
	if result.IsError {
		err = fmt.Errorf("%s", data)
	}
	return string(data), err
}
