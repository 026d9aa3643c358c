package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// onPostgres is a directory of a serve whose store is a server by way of a port, and the environment that has the password.
func onPostgres(t *testing.T, port int) (dir, binary, password string) {
	t.Helper()
	dir, binary = frontDir(t, fmt.Sprintf("gateway: surface: \"proxy\"\nstore: url: \"postgres://%s:${PG_PASSWORD}@127.0.0.1:%d/%s?sslmode=disable\"\n"+
		"servers: e: {command: \"toolserver\", args: [\"echo\", \"say\"]}\n", storetest.User, port, storetest.Database))
	return dir, binary, "PG_PASSWORD=" + storetest.Password
}

// caller is a client of the handshake era that waits for nobody.
type caller struct{ at, session string }

// ask sends one request. The error is one of the way; what is refused is in the text.
func (c *caller) ask(method, params string) (string, error) {
	req, err := http.NewRequest(http.MethodPost, c.at+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set("Mcp-Session-Id", c.session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if s := res.Header.Get("Mcp-Session-Id"); s != "" {
		c.session = s
	}
	return string(body), err
}

const greeting = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`

// say calls the tool, and reports whether it has answered.
func (c *caller) say(n int) (bool, error) {
	if c.session == "" {
		if _, err := c.ask("initialize", greeting); err != nil {
			return false, err
		}
	}
	text, err := c.ask("tools/call", fmt.Sprintf(`{"name":"e__say","arguments":{"n":%d}}`, n))
	return strings.Contains(text, fmt.Sprintf(`{\"n\":%d}`, n)), err
}

// listed waits until a serve lists the tool.
func listed(t *testing.T, at string) {
	t.Helper()
	c := &caller{at: at}
	_, _ = c.ask("initialize", greeting)
	var text string
	var err error
	clocktest.Until(t, "the tool is listed", func() bool {
		text, err = c.ask("tools/list", "{}")
		return strings.Contains(text, "e__say")
	}, func() any { return fmt.Sprint(text, err) })
}

// Two serves share one server, and one of them is killed while 200 clients call: each call that the other answered is
// there once, by what it was called with; of the killed one each that was answered before its last batch; and none twice.
func TestTwoServesShareOneServer(t *testing.T) {
	t.Parallel()
	server := storetest.New(t)
	dir, binary, password := onPostgres(t, server.Port)
	a, _, endA := serveWeb(t, dir, binary, password)
	b, _, endB := serveWeb(t, dir, binary, password)
	listed(t, a.at)
	listed(t, b.at)
	var answered, sent [2]atomic.Int64
	var refused atomic.Int64
	began := time.Now().Add(-time.Minute)
	calls := [2]*answeredCalls{{at: map[int]time.Time{}}, {at: map[int]time.Time{}}}
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for i := range 200 {
		clients.Go(func() {
			on := i % 2
			c := &caller{at: []string{a.at, b.at}[on]}
			for {
				select {
				case <-stop:
					return
				case <-t.Context().Done():
					return
				default:
				}
				n := 2*calls[on].number() + on // which no other call has
				sent[on].Add(1)
				ok, err := c.say(n)
				switch {
				case err != nil && on == 1: // it was killed: the client begins anew with the other
					on, c = 0, &caller{at: a.at}
				case ok:
					calls[on].took(n)
					answered[on].Add(1)
				default:
					refused.Add(1)
				}
			}
		})
	}
	const byRun = "SELECT count(*) FROM compactor.usage_calls AS c JOIN compactor.usage_sessions AS s ON s.id = c.session JOIN compactor.usage_runs AS r ON r.id = s.run WHERE r.ended "
	var written int
	clocktest.Until(t, "calls of both serves are written, and 200 answered by the second", func() bool {
		runs := server.Count(t, "SELECT count(DISTINCT s.run) FROM compactor.usage_calls AS c JOIN compactor.usage_sessions AS s ON s.id = c.session")
		written = server.Count(t, "SELECT count(*) FROM compactor.usage_calls")
		return runs == 2 && answered[1].Load() > 200
	}, func() any { return fmt.Sprint(written, answered[1].Load()) })
	process, err := os.FindProcess(b.pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	before := answered[0].Load()
	clocktest.Until(t, "200 more are answered by the first", func() bool { return answered[0].Load() >= before+200 }, func() any { return answered[0].Load() - before })
	close(stop)
	clients.Wait()
	endB()
	endA()
	got, lost := server.Count(t, byRun+"> 0"), server.Count(t, byRun+"= 0")
	if want := int(answered[0].Load()); got != want {
		t.Errorf("%d calls of the serve that stayed are kept, %d were answered", got, want)
	}
	if lost > int(sent[1].Load()) || got+lost < written {
		t.Errorf("%d calls of the killed one are kept, %d were sent; %d were there before", lost, sent[1].Load(), written)
	}
	s, err := store.Open(t.Context(), server.Address(server.Port, "compactor"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	salt, err := s.Usage().Salt(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	keptCalls, _, open := keptBy(t, s.Usage(), began)
	if len(open) != 1 || len(keptCalls) != got+lost {
		t.Fatalf("%d runs were killed, and %d of %d calls are told apart", len(open), len(keptCalls), got+lost)
	}
	missing := 0
	for on, of := range calls {
		for n, at := range of.at {
			switch times := keptCalls[digestOf(salt, n)]; {
			case times == 1:
			case times == 0 && on == 1 && !at.Before(open[0].Written):
				missing++
			default:
				t.Errorf("call %d of serve %d, answered %v after the last batch of the killed one, is kept %d times", n, on, at.Sub(open[0].Written), times)
			}
		}
	}
	if n := server.Count(t, "SELECT sum(count)::int FROM compactor.uses"); n < got || n > got+int(sent[1].Load()) {
		t.Errorf("%d uses are counted of %d and at most %d calls", n, got, sent[1].Load())
	}
	if n := server.Count(t, "SELECT count(*) FROM compactor.pins WHERE server = 'e' AND tool = 'say' AND state = 'trusted'"); n != 1 {
		t.Errorf("%d approvals", n)
	}
	if refused.Load() > 0 {
		t.Errorf("%d calls were refused", refused.Load())
	}
	t.Logf("%d calls answered by the serve that stayed, all kept once; %d by the killed one, of which %d came after its last batch and are lost", got, answered[1].Load(), missing)
}

// What is said of the time without a server.
var (
	keptAgain = regexp.MustCompile(`is kept again; it could not be from [-0-9]+ [:0-9]+ to [-0-9]+ [:0-9]+, and (nothing is missing|more came)`)
	tooMany   = regexp.MustCompile(`more came than could wait: ([0-9]+) calls, of [-0-9]+ [:.0-9]+ to [-0-9]+ [:.0-9]+, are missing`)
)

// Where the server goes away, calls go on, that is said without the password, and what was tracked is written when it is
// back. A serve that starts meanwhile has the tools once approvals can be read.
func TestCallsGoOnWithoutTheServer(t *testing.T) {
	t.Parallel()
	server := storetest.New(t)
	dir, binary, password := onPostgres(t, server.Port)
	a, errs, end := serveWeb(t, dir, binary, password)
	listed(t, a.at)
	c, answered := &caller{at: a.at}, 0
	away := 200
	if os.Getenv("COMPACTOR_LONG") != "" {
		away = 9000 // more than waits
	}
	call := func(n int) {
		t.Helper()
		for range n {
			if ok, err := c.say(answered); !ok || err != nil {
				t.Fatalf("call %d: %v", answered, err)
			}
			answered++
		}
	}
	call(20)
	server.Stop()
	call(away)
	b, _, endB := serveWeb(t, dir, binary, password)
	late := &caller{at: b.at}
	_, _ = late.ask("initialize", greeting)
	if text, err := late.ask("tools/list", "{}"); err != nil || strings.Contains(text, "e__say") {
		t.Errorf("a tool is trusted though approvals cannot be read: %s %v", text, err)
	}
	clocktest.Until(t, "it is said that calls cannot be kept", func() bool { return strings.Contains(errs.String(), "cannot be kept for now") }, func() any { return errs })
	server.Start(t)
	listed(t, b.at)
	call(20)
	clocktest.Until(t, "it is said that they are kept again", func() bool { return keptAgain.MatchString(errs.String()) }, func() any { return errs })
	end()
	endB()
	lost := 0
	if m := tooMany.FindStringSubmatch(errs.String()); m != nil {
		lost, _ = strconv.Atoi(m[1])
	}
	if strings.Contains(errs.String(), "faster than they could be kept") || (lost > 0) != (away > 8192) {
		t.Errorf("%d are said to be lost: %s", lost, errs)
	}
	if n := server.Count(t, "SELECT count(*) FROM compactor.usage_calls"); n+lost != answered {
		t.Errorf("%d calls are kept of %d, and %d are said to be lost", n, answered, lost)
	}
	if n := server.Count(t, "SELECT sum(count)::int FROM compactor.uses"); n != answered {
		t.Errorf("%d calls are counted of %d", n, answered)
	}
	for _, secret := range []string{storetest.Password, "pa%3Ass"} {
		if strings.Contains(errs.String(), secret) {
			t.Errorf("the password is shown: %s", errs)
		}
	}
}

// A store in files is copied by the command, and doctor says what is wrong with a server.
func TestMigrateAndDoctorByCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	server := storetest.New(t)
	dir, binary := frontDir(t, "gateway: surface: \"proxy\"\nservers: e: {command: \"toolserver\", args: [\"echo\", \"say\"]}\n")
	a, _, end := serveWeb(t, dir, binary)
	listed(t, a.at)
	c := &caller{at: a.at}
	for n := range 7 {
		if ok, err := c.say(n); !ok || err != nil {
			t.Fatal(n, err)
		}
	}
	end()
	run := func(args ...string) (string, error) {
		cmd := exec.CommandContext(t.Context(), binary, args...)
		var out bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stdout = dir, append(append(os.Environ(), frontEnv(dir)...), "PG_PASSWORD="+storetest.Password), &out
		said, err := &bytes.Buffer{}, error(nil)
		cmd.Stderr = said
		err = cmd.Run()
		if all := out.String() + said.String(); strings.Contains(all, storetest.Password) || strings.Contains(all, "pa%3Ass") {
			t.Errorf("%v shows the password: %s", args, all)
		}
		if err != nil {
			return said.String() + out.String(), err
		}
		return out.String(), nil
	}
	to := fmt.Sprintf("postgres://%s:${PG_PASSWORD}@127.0.0.1:%d/%s?sslmode=disable", storetest.User, server.Port, storetest.Database)
	if out, err := run("data", "migrate", "--to", to, "--dry-run"); err != nil || !strings.Contains(out, "Nothing was changed") {
		t.Fatal(out, err)
	}
	for _, want := range []int{7, 0} {
		out, err := run("data", "migrate", "--to", to, "--format", "json")
		var sum struct {
			Tables []struct {
				Table         string
				Read, Written int
			}
		}
		if err != nil || json.Unmarshal([]byte(out), &sum) != nil {
			t.Fatal(out, err)
		}
		for _, m := range sum.Tables {
			if m.Table == "usage_calls" && (m.Read != 7 || m.Written != want) {
				t.Errorf("%+v, want %d", m, want)
			}
		}
	}
	cue, _ := os.ReadFile(filepath.Join(dir, "compactor.cue"))
	if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), append(cue, fmt.Sprintf("store: url: %q\n", to)...), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run("data", "show"); err != nil || !strings.Contains(out, "7 calls") || !strings.Contains(out, fmt.Sprintf("postgres://%s@127.0.0.1:%d/", storetest.User, server.Port)) {
		t.Error(out, err)
	}
	if out, _ := run("doctor"); !strings.Contains(out, "ok    store: postgres://") {
		t.Error(out)
	}
	if out, err := run("config", "show", "store"); err != nil || !strings.Contains(out, "${PG_PASSWORD}") {
		t.Error(out, err)
	}
	server.Stop()
	if out, err := run("doctor"); err == nil || !strings.Contains(out, "BAD   store: store postgres://") || !strings.Contains(out, "does not answer") || !strings.Contains(out, "start it, or mend host and port") {
		t.Error(out, err)
	}
}
