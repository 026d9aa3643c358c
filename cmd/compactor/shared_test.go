package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/world/store/storetest"
)

// rover is a client of the handshake era that keeps its session whichever serve it speaks to.
type rover struct {
	t                    testing.TB
	name, token, session string
	list                 []string // of upstream tools, as last listed
	kept                 []announced
	missed               []announced // were not to be had
	calls                int
	killed               func(at string) bool // reports a serve that takes along what it had not shared yet
	beside               int                  // differs among rovers that use one session at once
}

// announced is a page that a serve told of.
type announced struct{ id, by string }

const sharedToken = "a-token-of-this-test-that-is-long"

// send posts a message to a serve. The error is one of the way.
func (r *rover) send(at, method, params string) (status int, text string, err error) {
	req, err := http.NewRequest(http.MethodPost, at+"/mcp", strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, r.beside, method, params)))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+r.token)
	if r.session != "" {
		req.Header.Set("Mcp-Session-Id", r.session)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if s := res.Header.Get("Mcp-Session-Id"); s != "" && r.session == "" {
		r.session = s
	}
	return res.StatusCode, string(body), err
}

// begin initializes at one of several serves.
func (r *rover) begin(at string) error {
	status, text, err := r.send(at, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"`+r.name+`","version":"1"}}`)
	if err == nil && (status != 200 || r.session == "") {
		return fmt.Errorf("initialize: %d %s", status, text)
	}
	return err
}

var nextPage = regexp.MustCompile(`Next: fetch_result \{\\"id\\":\\"([a-z0-9-]+)\\"`)

// resultText is what a result of tools/call says, with its structure unfolded once.
func resultText(raw string) string {
	if i := strings.Index(raw, "{"); i > 0 { // an event
		raw = raw[i:]
	}
	return raw
}

// step does one thing at a serve, and says what is wrong with the answer. An error is one of the way: it may have happened.
func (r *rover) step(at string, n int) (wrong string, err error) {
	switch what := n % 5; {
	case what == 4 && len(r.kept) > 0:
		i := rand.IntN(len(r.kept))
		page := r.kept[i]
		var status int
		var text string
		var err error
		gone := func() bool { return err == nil && strings.Contains(text, "RESULT_NOT_FOUND") && page.by != at }
		clocktest.Until(r.t, "the page "+page.id+" of another serve is shared", func() bool {
			last := r.killed(page.by)
			status, text, err = r.send(at, "tools/call", `{"name":"fetch_result","arguments":{"id":"`+page.id+`"}}`)
			return last || !gone()
		})
		if gone() {
			r.kept = slices.Delete(r.kept, i, i+1)
			r.missed = append(r.missed, page)
			return "", nil
		}
		if err == nil && (status != 200 || !strings.Contains(text, "of "+r.name+" ")) {
			return fmt.Sprintf("page %s: %d %.300s", page.id, status, text), nil
		}
		return "", err
	case what == 3:
		return r.relist(at)
	case what == 2:
		long := strings.Repeat(fmt.Sprintf("line of %s in its call %d\\n", r.name, n), 120)
		status, text, err := r.send(at, "tools/call", fmt.Sprintf(`{"name":"e__alpha","arguments":{"text":"%s"}}`, long))
		m := nextPage.FindStringSubmatch(resultText(text))
		if err == nil && (status != 200 || m == nil) {
			return fmt.Sprintf("a long result: %d %.300s", status, text), nil
		}
		if err == nil {
			r.kept = append(r.kept, announced{m[1], at})
			r.calls++
		}
		return "", err
	}
	tool := []string{"alpha", "zwei", "six", "gamma"}[rand.IntN(4)] // some on no first list, and not in the order of their names
	status, text, err := r.send(at, "tools/call", fmt.Sprintf(`{"name":"e__%s","arguments":{"by":"%s","n":%d}}`, tool, r.name, n))
	if err == nil && (status != 200 || !strings.Contains(text, r.name)) {
		return fmt.Sprintf("a call: %d %.300s", status, text), nil
	}
	if err == nil {
		r.calls++
	}
	return "", err
}

// relist asks for the list. A tool may have given way to another by what was learnt meanwhile, but those that stay keep their
// order and stand before the new ones. A serve that does not know the last list makes a new one, which is sorted.
func (r *rover) relist(at string) (wrong string, err error) {
	status, text, err := r.send(at, "tools/list", "{}")
	if err != nil {
		return "", err
	}
	var answer struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if status != 200 || json.Unmarshal([]byte(resultText(strings.TrimSpace(text))), &answer) != nil {
		return fmt.Sprintf("a list: %d %.300s", status, text), nil
	}
	var names []string
	for _, t := range answer.Result.Tools {
		if strings.HasPrefix(t.Name, "e__") {
			names = append(names, t.Name)
		}
	}
	stay := slices.DeleteFunc(slices.Clone(r.list), func(name string) bool { return !slices.Contains(names, name) })
	if len(names) < 3 || !slices.Equal(names[:len(stay)], stay) {
		return fmt.Sprintf("the list was %v and is %v", r.list, names), nil
	}
	r.list = names
	return "", nil
}

// mark says of a tool that it is relevant to a client of a name nobody else has.
func mark(at, client string) (bool, error) {
	req, err := http.NewRequest(http.MethodPost, at+"/override", strings.NewReader(`{"tool":"e__beta","relevant":true,"client":"`+client+`"}`))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+sharedToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return false, err
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return res.StatusCode == 200, err
}

// sharedDir is a directory of serves that share a server.
func sharedDir(t *testing.T, port int) (dir, binary string, env []string) {
	dir, binary = frontDir(t, fmt.Sprintf("gateway: {surface: \"proxy\", result: 300, selection: {min_tools: 3, max_tools: 6}}\nstore: url: \"postgres://%s:${PG_PASSWORD}@127.0.0.1:%d/%s?sslmode=disable\"\n"+
		"servers: e: {command: \"toolserver\", args: [\"shelf\", \"alpha\", \"beta\", \"gamma\", \"delta\", \"eins\", \"zwei\", \"drei\", \"vier\", \"five\", \"six\", \"seven\", \"eight\"]}\n", storetest.User, port, storetest.Database))
	return dir, binary, []string{"PG_PASSWORD=" + storetest.Password, "COMPACTOR_TOKEN=" + sharedToken}
}

func ready(t *testing.T, at string) {
	t.Helper()
	r := &rover{name: "first", token: sharedToken}
	if err := r.begin(at); err != nil {
		t.Fatal(err)
	}
	var text string
	var err error
	clocktest.Until(t, "tools are listed", func() bool {
		_, text, err = r.send(at, "tools/list", "{}")
		return strings.Contains(text, "e__")
	}, func() any { return fmt.Sprint(text, err) })
}

// Clients that move between two serves at random go on in their sessions, also when one serve is killed: their lists go on
// from the last one, what was announced can be fetched wherever, by nobody else, and no mark that was acknowledged is lost.
func TestClientsMoveBetweenServes(t *testing.T) {
	clients, steps := 16, 40
	if os.Getenv("COMPACTOR_LONG") != "" {
		clients, steps = 200, 100
	}
	server := storetest.New(t)
	dir, binary, env := sharedDir(t, server.Port)
	a, _, endA := serveWeb(t, dir, binary, env...)
	b, _, endB := serveWeb(t, dir, binary, env...)
	ready(t, a.at)
	ready(t, b.at)
	var dead, moved, killed atomic.Bool
	at := func() string {
		if dead.Load() || rand.IntN(2) == 0 {
			return a.at
		}
		return b.at
	}
	var lost, done atomic.Int64
	var mu sync.Mutex
	var acknowledged, unknown []string
	type told struct {
		by   *rover
		page announced
	}
	var pages []told
	half := make(chan struct{}) // of the steps are done
	rovers := make([]*rover, clients)
	var all sync.WaitGroup
	defer all.Wait()
	defer moved.Store(true)
	for i := range rovers {
		r := &rover{t: t, name: fmt.Sprintf("rover-%d-", i), token: sharedToken, killed: func(at string) bool { return at == b.at && killed.Load() }}
		rovers[i] = r
		all.Go(func() {
			for r.begin(at()) != nil {
			}
			left := steps / 2 // once one is killed
			for n := 0; left > 0; n++ {
				if moved.Load() {
					left--
				}
				where := at()
				wrong, err := r.step(where, n)
				if err != nil && where == b.at {
					dead.Store(true)
					lost.Add(1)
					continue
				}
				if wrong != "" || err != nil {
					t.Errorf("%s at step %d on %s: %s %v", r.name, n, where, wrong, err)
					return
				}
				if n%5 == 2 {
					mu.Lock()
					pages = append(pages, told{r, r.kept[len(r.kept)-1]})
					mu.Unlock()
				}
				if done.Add(1) == int64(clients*steps/2) {
					close(half)
				}
				if n%10 == 5 {
					client := fmt.Sprint(r.name, n)
					ok, err := mark(where, client)
					mu.Lock()
					switch {
					case ok && err == nil:
						acknowledged = append(acknowledged, client)
					case err != nil && where == b.at:
						dead.Store(true)
						unknown = append(unknown, client)
					default:
						t.Errorf("a mark at %s: %v", where, err)
					}
					mu.Unlock()
				}
			}
		})
	}
	ended := make(chan struct{})
	go func() {
		all.Wait()
		close(ended)
	}()
	select {
	case <-half:
	case <-ended: // all have failed
	}
	mu.Lock()
	before := slices.Clone(pages)
	mu.Unlock()
	written := map[announced]bool{} // before the kill: they are not lost
	for _, p := range before {
		if p.page.by != b.at {
			continue
		}
		asks := &rover{token: sharedToken, session: p.by.session, beside: 1}
		clocktest.Until(t, "the page "+p.page.id+" of a serve is shared", func() bool {
			_, text, err := asks.send(a.at, "tools/call", `{"name":"fetch_result","arguments":{"id":"`+p.page.id+`"}}`)
			return err == nil && strings.Contains(text, "of "+p.by.name+" ")
		})
		written[p.page] = true
	}
	killed.Store(true)
	if p, err := os.FindProcess(b.pid); err != nil || p.Kill() != nil {
		t.Error(err)
	}
	moved.Store(true)
	all.Wait()
	endB()
	if t.Failed() {
		return
	}
	missed := 0
	var thieves sync.WaitGroup
	for i, r := range rovers { // at the one that is left, as before
		for _, page := range r.missed { // those that the killed one had not written yet
			if missed++; page.by != b.at || written[page] {
				t.Errorf("page %s of %s is lost, told of by %s; it was shared before the kill: %v", page.id, r.name, page.by, written[page])
			}
		}
		if wrong, err := r.relist(a.at); wrong != "" || err != nil {
			t.Error(r.name, wrong, err)
		}
		if len(r.kept) == 0 {
			continue
		}
		thief := &rover{name: rovers[(i+1)%len(rovers)].name, token: sharedToken, session: rovers[(i+1)%len(rovers)].session, beside: 1}
		thieves.Go(func() { // a result that is not there is waited for
			if _, text, err := thief.send(a.at, "tools/call", `{"name":"fetch_result","arguments":{"id":"`+r.kept[0].id+`"}}`); err != nil || strings.Contains(text, "of "+r.name) || !strings.Contains(text, "RESULT_NOT_FOUND") {
				t.Errorf("%s reads what %s has: %.200s %v", thief.name, r.name, text, err)
			}
		})
		other := &rover{name: r.name, token: "another", session: r.session}
		if status, _, _ := other.send(a.at, "tools/list", "{}"); status != http.StatusUnauthorized {
			t.Errorf("another token: %d", status)
		}
	}
	thieves.Wait()
	endA()
	if n := server.Count(t, "SELECT count(*) FROM compactor.usage_marks"); n < len(acknowledged) || n > len(acknowledged)+len(unknown) {
		t.Errorf("%d marks are kept, %d were acknowledged and %d may have been", n, len(acknowledged), len(unknown))
	}
	if n := server.Count(t, "SELECT count(*) FROM compactor.pins WHERE server = 'e' AND state = 'trusted'"); n != 12 {
		t.Errorf("%d approvals", n)
	}
	if n := server.Count(t, "SELECT count(*) FROM compactor.shared_sessions WHERE NOT ended"); n != clients+2 {
		t.Errorf("%d sessions are shared", n)
	}
	t.Logf("%d steps of %d clients, %d cut off by the kill with %d results that were not written yet, %d marks", done.Load(), clients, lost.Load(), missed, len(acknowledged))
}

// What a session remembers comes along with it, also the end that its client made.
func TestASessionIsRememberedElsewhere(t *testing.T) {
	server := storetest.New(t)
	dir, binary, env := sharedDir(t, server.Port)
	a, _, endA := serveWeb(t, dir, binary, env...)
	ready(t, a.at)
	r := &rover{name: "one", token: sharedToken}
	if err := r.begin(a.at); err != nil {
		t.Fatal(err)
	}
	if wrong, err := r.relist(a.at); wrong != "" || err != nil {
		t.Fatal(wrong, err)
	}
	for n := range 4 {
		if wrong, err := r.step(a.at, 5*n); wrong != "" || err != nil {
			t.Fatal(wrong, err)
		}
	}
	endA() // writes what waits
	b, said, endB := serveWeb(t, dir, binary, env...)
	defer endB()
	ready(t, b.at)
	if wrong, err := r.relist(b.at); wrong != "" || err != nil {
		t.Fatal(wrong, err)
	}
	if _, text, err := r.send(b.at, "tools/call", `{"name":"fetch_result","arguments":{"id":"zzzzzzzz"}}`); err != nil || !strings.Contains(text, "RESULT_NOT_FOUND") {
		t.Error(text, err)
	}
	stranger := &rover{name: "x", token: sharedToken, session: strings.Repeat("A", 26)}
	if status, text, _ := stranger.send(b.at, "tools/list", "{}"); status != 404 || !strings.Contains(text, "initialize again") {
		t.Error(status, text)
	}
	server.Stop()
	for range 5 {
		if status, text, _ := stranger.send(b.at, "tools/list", "{}"); status != 404 || !strings.Contains(text, "cannot be known now: initialize again") {
			t.Error(status, text)
		}
		if wrong, err := r.step(b.at, 0); wrong != "" || err != nil { // goes on from memory
			t.Error(wrong, err)
		}
	}
	fresh := &rover{name: "fresh", token: sharedToken}
	if err := fresh.begin(b.at); err != nil {
		t.Error(err)
	}
	server.Start(t)
	clocktest.Until(t, "the session that began meanwhile is shared", func() bool {
		return server.Count(t, "SELECT count(*) FROM compactor.shared_sessions") >= 4
	}, func() any { return said })
	req, _ := http.NewRequest(http.MethodDelete, b.at+"/mcp", nil)
	req.Header.Set("Mcp-Session-Id", r.session)
	req.Header.Set("Authorization", "Bearer "+sharedToken)
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != 204 {
		t.Fatal(err, res)
	}
	res.Body.Close()
	if n := server.Count(t, "SELECT count(*) FROM compactor.shared_sessions WHERE ended AND length(body) = 0"); n != 1 {
		t.Errorf("%d have ended", n)
	}
	if status, _, _ := r.send(b.at, "tools/list", "{}"); status != 404 {
		t.Errorf("after its end: %d", status)
	}
}
