package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard/browsertest"
)

// seen is what a browser gets that nobody has let in before.
func seen(t *testing.T, address string) (status int, text string) {
	t.Helper()
	return seenBy(t, newBrowser(), address)
}

// newBrowser returns one that keeps cookies.
func newBrowser() *http.Client {
	jar, _ := cookiejar.New(nil)
	return &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
}

// letIn returns a browser that is in the dashboard of the serve of an environment.
func letIn(t *testing.T, binary string, env []string, args ...string) (browser *http.Client, base string) {
	t.Helper()
	at := dashboardOfServe(t, binary, env, args...)
	browser = newBrowser()
	if status, text := seenBy(t, browser, at); status != http.StatusOK {
		t.Fatal(at, status, text)
	}
	base, _, _ = strings.Cut(at, "enter?")
	return browser, base
}

func seenBy(t *testing.T, browser *http.Client, address string) (status int, text string) {
	t.Helper()
	res, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// The address that is printed for a serve lets one browser in, with a token and without
// one, and the token is nowhere in it. Others of this machine get nothing.
func TestDashboardOverHTTPIsItsUsers(t *testing.T) {
	const token = "0123456789abcdef0123"
	for name, flags := range map[string][]string{"token": {"--token", token}, "none": nil} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dashboardIsItsUsers(t, token, flags...)
		})
	}
}

func dashboardIsItsUsers(t *testing.T, token string, flags ...string) {
	dir, binary := frontDir(t, "")
	env := frontEnv(dir)
	cmd := exec.Command(binary, append([]string{"serve", "--transport", "http", "--listen", "127.0.0.1:0", "--log", filepath.Join(dir, "log")}, flags...)...)
	cmd.Env = append(os.Environ(), env...)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	if lines := bufio.NewScanner(said); !lines.Scan() || !strings.Contains(lines.Text(), "listening on ") {
		t.Fatal("it does not listen")
	}
	at := dashboardOfServe(t, binary, env)
	if strings.Contains(at, token) {
		t.Error("the address has the token: ", at)
	}
	base, _, _ := strings.Cut(at, "enter?")
	isShut(t, base)
	browser := newBrowser()
	for range 2 { // who is in may follow the link again
		if status, text := seenBy(t, browser, at); status != http.StatusOK || !strings.Contains(text, "<h1>Sessions</h1>") {
			t.Error(status, text)
		}
	}
	if status, text := seen(t, at); status != http.StatusUnauthorized || !strings.Contains(text, "once, within ten minutes") {
		t.Error("the address is good twice, or does not say what to do: ", status, text)
	}
	log, _ := os.ReadFile(filepath.Join(dir, "log"))
	if _, code, _ := strings.Cut(at, "code="); code == "" || strings.Contains(string(log), code) || strings.Contains(string(log), token) {
		t.Errorf("the log has what lets in: %s", log)
	}
}

// isShut holds that a dashboard tells nothing to who has no code, as another account of
// this machine or a tool that fetches addresses.
func isShut(t *testing.T, base string) {
	t.Helper()
	for _, path := range []string{"", "live", "answers", "tools", "lists", "configuration", "sessions/x", "sessions/x.json", "sessions/x/results/y", "enter", "enter?code="} {
		if status, text := seen(t, base+path); status != http.StatusUnauthorized || !strings.Contains(text, "compactor dashboard --open") {
			t.Fatal(path, status, text)
		}
	}
}

// Where a chat client started it over stdio, the address of the command is its user's too.
func TestDashboardOverStdioIsItsUsers(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, "")
	env := frontEnv(dir)
	dial(t, `{}`, nil, env, binary, "serve", "--log", filepath.Join(dir, "log")).list("tools/list", "tools", "name")
	at := dashboardOfServe(t, binary, env, "--listen", "127.0.0.1:0")
	base, _, _ := strings.Cut(at, "enter?")
	isShut(t, base)
	if status, text := seen(t, at); status != http.StatusOK || !strings.Contains(text, "<h1>Sessions</h1>") {
		t.Error(status, text)
	}
	if status, _ := seen(t, at); status != http.StatusUnauthorized {
		t.Error("the address is good twice: ", status)
	}
}

func TestDashboardWhereNobodyServes(t *testing.T) {
	t.Parallel()
	dir, binary := frontDir(t, "models: mine: {provider: \"openai\", url: \"http://127.0.0.1:9/v1\", model: \"qwen\"}\nroles: locator: model: \"mine\"\n"+
		`servers: keyed: {command: "sampleserver", args: ["memory", "--token", "q8Zr2LmX0vTn5cWd"], env: API_KEY: "kJ7tPq3ZsW9xLb2V", enabled: false}`+"\n")
	browser, at := letIn(t, binary, frontEnv(dir), "--listen", "127.0.0.1:0")
	isShut(t, at)
	if status, text := seenBy(t, browser, at); status != http.StatusOK || !strings.Contains(text, "No compactor is serving") {
		t.Error(status, text)
	}
	if status, text := seenBy(t, browser, at+"configuration?own=1"); status != http.StatusOK || !strings.Contains(text, "compactor.cue:2:") {
		t.Error(status, text)
	}
	for _, path := range []string{"configuration", "tools", "configuration?q=keyed"} {
		if _, text := seenBy(t, browser, at+path); strings.Contains(text, "q8Zr2LmX0vTn5cWd") || strings.Contains(text, "kJ7tPq3ZsW9xLb2V") || !strings.Contains(text, "keyed") {
			t.Error(path, "shows a key, or nothing at all")
		}
	}
	if status, text := seenBy(t, browser, at+"tools"); status != http.StatusOK || !strings.Contains(text, "unreachable") && !strings.Contains(text, "resting") {
		t.Error(status, text)
	}
	out, err := exec.Command(binary, "dashboard", "--listen", "0.0.0.0:0").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "for this machine alone") {
		t.Errorf("%s %v", out, err)
	}
}

// dashboardOfServe starts `compactor dashboard` for the serve of an environment,
// and gives the address that it prints.
func dashboardOfServe(t *testing.T, binary string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"dashboard"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("no address was printed")
	}
	return lines.Text()
}

// opened is what the system was given to open.
type opened struct{ arguments, mode, page, text string }

// openDashboard is dashboardOfServe with --open, and a system that has no browser but
// takes note.
func openDashboard(t *testing.T, binary string, env []string, args ...string) (at string, got opened) {
	t.Helper()
	dir := t.TempDir()
	note := filepath.Join(dir, "note")
	script := "#!/bin/sh\n{ echo \"$*\"; stat -c %a \"$1\"; cat \"$1\"; } >" + note + ".new 2>&1\nmv " + note + ".new " + note + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	at = dashboardOfServe(t, binary, append(env, "PATH="+dir+":"+os.Getenv("PATH")), append(args, "--open")...)
	var text []byte
	clocktest.Until(t, "a browser is started", func() bool { text, _ = os.ReadFile(note); return len(text) > 0 })
	got.arguments, got.text, _ = strings.Cut(string(text), "\n")
	got.mode, got.text, _ = strings.Cut(got.text, "\n")
	got.page = got.arguments
	return at, got
}

// Every account can read the arguments of programs: a browser is started with a file that
// its user alone can read, and that is gone once it was used.
func TestDashboardIsOpenedByAFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system's browser is started by xdg-open on Linux")
	}
	t.Parallel()
	dir, binary := frontDir(t, "")
	env := frontEnv(dir)
	serveWith(t, binary, dir)
	for name, args := range map[string][]string{"of the server": nil, "of the command": {"--listen", "127.0.0.1:0"}} {
		t.Run(name, func(t *testing.T) {
			at, got := openDashboard(t, binary, env, args...)
			_, code, _ := strings.Cut(at, "code=")
			if code == "" || strings.Contains(got.arguments, code) || strings.Contains(got.arguments, "http") {
				t.Errorf("the browser is started with %q", got.arguments)
			}
			if got.mode != "600" || !strings.Contains(got.text, `content="0; url=`+at+`"`) {
				t.Errorf("mode %s: %s", got.mode, got.text)
			}
			if _, err := os.Stat(got.page); err != nil {
				t.Error("the page is gone before it was used:", err)
			}
			if status, text := seen(t, at); status != http.StatusOK || !strings.Contains(text, "<h1>Sessions</h1>") {
				t.Error(status, text)
			}
			clocktest.Until(t, "the page is removed", func() bool { _, err := os.Stat(got.page); return errors.Is(err, os.ErrNotExist) })
		})
	}
}

// A person follows a chat in a real browser: serve runs over stdio for its client,
// with real upstream servers, and compactor dashboard shows it. A result is made
// short while the page is open; its summary appears, and is opened to the original,
// by the keyboard alone.
func TestDashboardInABrowser(t *testing.T) {
	t.Parallel()
	page := browsertest.Open(t)
	files := t.TempDir()
	var long strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&long, "%04d GET /orders/%d 200 in %d ms\n", i, 7000+i, i%91)
	}
	long.WriteString("ERROR: order 7042 has no customer: row 88f1-22aa\n")
	for name, text := range map[string]string{"access.log": long.String() + "the last line of all\n", "todo.txt": "buy milk"} {
		if err := os.WriteFile(filepath.Join(files, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, binary := frontDir(t, fmt.Sprintf(`
gateway: surface: "proxy"
servers: files: {command: "sampleserver", args: ["files", %q], summarization: {}}
servers: memory: {command: "sampleserver", args: ["memory"]}
servers: broken: {command: "sampleserver", args: ["crash"]}
`, files))
	env := frontEnv(dir)
	client := dial(t, `{}`, nil, env, binary, "serve", "--log", filepath.Join(dir, "log"))
	settled(client, 3)
	client.call("memory__add_observations", `{"about":"the pool","text":"is built in engine.New"}`)

	at, got := openDashboard(t, binary, env, "--listen", "127.0.0.1:0")
	page.Go("file://" + got.page)
	page.Until(`document.querySelector("#live.is-live")`)
	// What happened outside of sessions has a row too, and may be there first.
	page.Until(`document.body.innerText.includes("memory: add_observations")`)
	for range 5 {
		page.Keys("ArrowDown")
		if page.Is(`document.activeElement.innerText.includes("memory: add_observations")`) {
			break
		}
	}
	page.Keys("Enter")
	page.Until(`document.querySelector("#timeline") && document.querySelector("#live.is-live")`)
	page.Until(`document.querySelector("h1").innerText === "memory: add_observations"`)

	page.Says(`window.unbroken = "yes"`)
	client.call("files__read_text_file", `{"path":"access.log"}`)
	client.call("files__read_text_file", `{"path":"not/there.txt"}`)
	client.call("files__write_file", `{"path":"new.txt","content":"x"}`)
	page.Until(`document.body.innerText.includes("write_file") && document.querySelector("a[id^=result-]")`)
	if !page.Is(`window.unbroken === "yes"`) {
		t.Error("the page was loaded anew: it is not live")
	}
	for _, want := range []string{"Summary by structure", "tokens, 9", "Tools: 13 shown, 3 used"} {
		if text := page.Text(); !strings.Contains(text, want) {
			t.Errorf("the page lacks %q: %.3000s", want, text)
		}
	}

	// To the row by the keyboard alone, and its details beside it.
	for range 100 {
		if page.Is(`document.activeElement.id.startsWith("result-")`) {
			break
		}
		page.Keys("ArrowDown")
	}
	page.Keys("ArrowUp", "Enter")
	page.Until(`document.querySelector("#detail .panel[data-row]") && document.activeElement.id === "detail-head"`)
	accessible(page, "session")
	page.Keys("Escape")
	page.Until(`!document.querySelector("#detail .panel[data-row]") && document.activeElement.classList.contains("row")`)

	// The summary, opened to its original, and back.
	page.Keys("ArrowDown")
	page.Until(`document.activeElement.id.startsWith("result-")`)
	page.Keys("Enter")
	page.Until(`document.getElementById("summary") && document.getElementById("original")`)
	for part, want := range map[string]string{"summary": "order 7042 has no customer: row 88f1-22aa", "original": "0001 GET /orders/7001 200 in 1 ms"} {
		if text := page.Says(`document.querySelector("pre[aria-labelledby=` + part + `]").innerText`); !strings.Contains(text, want) {
			t.Errorf("the %s lacks %q: %.600s", part, want, text)
		}
	}
	accessible(page, "result")
	page.Keys("Escape")
	page.Until(`document.getElementById("timeline")`)

	base, _, _ := strings.Cut(at, "/dashboard/")
	for name, says := range map[string]string{"": "memory: add_observations", "tools": "the database is locked", "lists": "Lists of tools", "configuration?own=1": "summarization"} {
		page.Go(base + "/dashboard/" + name)
		page.Until(`document.body.innerText.includes(` + strconv.Quote(says) + `)`)
		accessible(page, cmp.Or(name[:min(len(name), 5)], "overview"))
	}
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/dashboard/", nil)
	req.Host = "rebound.example"
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusForbidden {
		t.Error("another host is served:", res, err)
	}
	_ = res.Body.Close()
}

// accessible holds a page against axe-core, where that is here, in both schemes on a
// wide screen and on a telephone.
func accessible(page *browsertest.Page, name string) {
	for size, width := range map[string]int64{"wide": 1440, "small": 390} {
		page.Size(width, 900)
		for _, scheme := range []string{"light", "dark"} {
			page.Scheme(scheme)
			if os.Getenv("COMPACTOR_AXE") != "" {
				page.Accessible(name + ", " + size + ", " + scheme)
			}
			page.Fits(name + ", " + size)
			page.Shot("serve_" + name + "_" + size + "_" + scheme)
		}
	}
	page.Size(1440, 1000)
	page.Scheme("light")
}
