package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
)

// npmServer is the command of one of the reference servers.
// COMPACTOR_NPM_SERVERS is the node_modules/.bin directory of the npm packages
// @modelcontextprotocol/server-everything, server-filesystem and server-memory.
func npmServer(t *testing.T, name string) string {
	t.Helper()
	dir := os.Getenv("COMPACTOR_NPM_SERVERS")
	if dir == "" {
		t.Skip("COMPACTOR_NPM_SERVERS is not set")
	}
	path := filepath.Join(dir, "mcp-server-"+name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// front starts `compactor serve` as a process of its own on a configuration, and
// is its client over stdio.
func front(t *testing.T, cue, capabilities string, answers map[string]string) *peer {
	t.Helper()
	dir, binary := frontDir(t, cue)
	return dial(t, capabilities, answers, frontEnv(dir), binary, "serve", "--log", filepath.Join(dir, "log"))
}

func frontDir(t *testing.T, cue string) (dir, binary string) {
	t.Helper()
	binary, err := exec.LookPath("compactor")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\n"+cue), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if log, err := os.ReadFile(filepath.Join(dir, "log")); err == nil && t.Failed() {
			t.Logf("log of serve:\n%s", log)
		}
	})
	return dir, binary
}

func frontEnv(dir string) []string {
	return []string{"COMPACTOR_CONFIG=" + dir, "HOME=" + dir, "XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "XDG_CACHE_HOME=" + dir,
		"NOT_FOR_SERVERS=kept-to-itself", raceOptions()}
}

// settled waits until the client is listed n tools of upstream servers, and
// gives them by name.
func settled(p *peer, n int) map[string]bool {
	p.t.Helper()
	var names map[string]bool
	clocktest.Until(p.t, fmt.Sprintf("%d tools of upstream servers are listed", n), func() bool {
		names = map[string]bool{}
		for name := range p.list("tools/list", "tools", "name") {
			if strings.Contains(name, "__") {
				names[name] = true
			}
		}
		return len(names) >= n
	}, func() any { return names })
	return names
}

// upstreamCase is a way to reach a server, with a record of what it was sent.
type upstreamCase struct {
	cue  string // of servers: NAME
	sent func() string
}

// everything starts server-everything for a transport. The records of what it is
// sent are taken between compactor and the server.
func everything(t *testing.T, transport string) upstreamCase {
	t.Helper()
	program := npmServer(t, "everything")
	if transport == "stdio" {
		return tapped(t, program, "stdio")
	}
	argument, path := "streamableHttp", "/mcp"
	if transport == "sse" {
		argument, path = "sse", "/sse"
	}
	address := listening(t, program, argument)
	tap := &tape{}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: address})
	proxy.FlushInterval = -1
	proxy.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		tap.add(append(body, '\n'))
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	return upstreamCase{cue: fmt.Sprintf(`url: %q`, web.URL+path), sent: tap.String}
}

// tapped is a server over stdio whose input is written down.
func tapped(t *testing.T, command ...string) upstreamCase {
	t.Helper()
	tap, err := exec.LookPath("wiretap")
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "sent")
	return upstreamCase{
		cue:  fmt.Sprintf(`command: %q, args: %s`, tap, jsonList(append([]string{log}, command...))),
		sent: func() string { data, _ := os.ReadFile(log); return string(data) },
	}
}

func jsonList(list []string) string {
	quoted := make([]string, len(list))
	for i, s := range list {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// wiretap runs the command behind its first argument, a file to which it copies
// what it is told on standard input.
func wiretap() {
	log, err := os.Create(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	cmd := exec.Command(os.Args[2], os.Args[3:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = io.Copy(io.MultiWriter(log, in), os.Stdin)
	_ = in.Close()
	_ = cmd.Wait()
}

// listening starts a program that serves HTTP and gives its address.
func listening(t *testing.T, program string, args ...string) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	_, port, _ := net.SplitHostPort(address)
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "PORT="+port)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	clocktest.Until(t, program+" listens", func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return address
}

// tape keeps what is written to it.
type tape struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (r *tape) add(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.b.Write(p)
}

func (r *tape) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.b.String()
}
