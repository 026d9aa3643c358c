package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A client that lists once, as many do, gets what there is, and all else goes on
// meanwhile.
func TestTheFirstListWaitsForServersThatWereNeverSeen(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("toolserver")
	if err != nil {
		t.Fatal(err)
	}
	// start has three servers that read nothing before ready is called.
	start := func(t *testing.T) (p *peer, ready func()) {
		held, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { held.Close() })
		cue := fmt.Sprintf(`gateway: {surface: "proxy", wait: "2m"}
servers: one: {command: %[1]q, args: ["late", "depth", %[2]q], start: "2m"}
servers: two: {command: %[1]q, args: ["late", "depth", %[2]q], start: "2m"}
servers: three: {command: %[1]q, args: ["late", "depth", %[2]q], start: "2m"}
servers: broken: {command: %[1]q, args: ["crash"]}
`, program, held.Addr())
		return front(t, cue, `{}`, nil), func() { held.Close() }
	}
	t.Run("list", func(t *testing.T) {
		p, ready := start(t)
		_, list := p.begin("tools/list", `{}`)
		p.ask("ping", `{}`)
		select {
		case <-list:
			t.Error("the list did not wait, or the ping did")
		default:
		}
		ready()
		answer := string((<-list).Result)
		for _, want := range []string{"one__depth", "two__depth", "three__depth"} {
			if !strings.Contains(answer, want) {
				t.Errorf("the first list is without %s: %s", want, short([]byte(answer)))
			}
		}
		if m := p.call("broken__depth", `{}`); !strings.Contains(string(m.Result), "LAKE_TOKEN is not set") || !strings.Contains(string(m.Result), "SERVER_CONNECTION_ERROR") ||
			!strings.Contains(string(m.Result), "compactor servers broken") || strings.Contains(string(m.Result), "one__") {
			t.Errorf("a tool of the server that crashed: %s%s", m.Result, m.Error)
		}
		if m := p.call("nobody__depth", `{}`); m.Error == nil {
			t.Errorf("a tool of nobody: %s", m.Result)
		}
	})
	t.Run("call", func(t *testing.T) {
		p, ready := start(t)
		_, call := p.begin("tools/call", `{"name":"three__depth","arguments":{"n":1}}`)
		p.ask("ping", `{}`)
		ready()
		if m := <-call; !strings.Contains(string(m.Result), `{\"n\":1}`) {
			t.Errorf("called before it was known: %s%s", m.Result, m.Error)
		}
	})
}

// What is decided beside a running server acts at once, and clients hear of it
// without asking.
func TestARunningServerTakesUpApprovalsAndServers(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("toolserver")
	if err != nil {
		t.Fatal(err)
	}
	cue := fmt.Sprintf("gateway: trust: \"ask\"\nservers: lake: {command: %q, args: [\"echo\", \"depth\"]}\n", program)
	dir, binary := frontDir(t, cue)
	p := dial(t, `{}`, nil, frontEnv(dir), binary, "serve", "--log", filepath.Join(dir, "log"))
	find := func() string { return string(p.call("search_tools", `{"query":"tool of a test"}`).Result) }
	hear := func(what string) {
		t.Helper()
		p.heard(what, func(m spoken) bool { return m.Method == "notifications/tools/list_changed" })
		p.mu.Lock()
		defer p.mu.Unlock()
		p.notes = nil
	}
	if got := find(); strings.Contains(got, "lake__depth") {
		t.Fatalf("not approved, and found: %s", got)
	}
	hear("the server is known")
	approve := exec.Command(binary, "tools", "approve", "--all")
	approve.Env = append(os.Environ(), frontEnv(dir)...)
	if out, err := approve.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := find(); !strings.Contains(got, "lake__depth") {
		t.Errorf("approved, and not found: %s", got)
	}
	hear("the tool is approved")
	more := cue + fmt.Sprintf("servers: sea: {command: %q, args: [\"echo\", \"level\"], trust: \"off\"}\n", program)
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte("package compactor\n"+more), 0o600); err != nil {
		t.Fatal(err)
	}
	hear("the new server is known, which nobody has asked for")
	if got := find(); !strings.Contains(got, "sea__level") {
		t.Errorf("added, and not found: %s", got)
	}
}
