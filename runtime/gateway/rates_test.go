package gateway

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// TestTheCatalogIsMostlyKnown plays sessions of chats over five working days and
// counts how often a list of tools or a checked schema had to be made anew. It
// reads the sessions of real agents from sessions.jsonl in the directory that
// COMPACTOR_TOOLSEQ names ({"tools": ["server/tool", …]} a line), or makes some.
func TestTheCatalogIsMostlyKnown(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	synctest.Test(t, func(t *testing.T) {
		sessions := madeSessions()
		if dir := os.Getenv("COMPACTOR_TOOLSEQ"); dir != "" {
			sessions = recordedSessions(t, filepath.Join(dir, "sessions.jsonl"))
		}
		o := newOffice(t, sessions)
		for i, s := range sessions {
			if i*5/len(sessions) != (i-1)*5/len(sessions) {
				o.pass(16 * time.Hour) // a night
			}
			o.chat(s)
			o.pass(time.Duration(o.r.ExpFloat64() * float64(12*time.Minute)))
		}
		r := o.Rates()
		t.Logf("%d sessions: %+v, after %d list changes and %s", len(sessions), r, o.changes, o.at().Sub(began))
		for what, n := range map[string][2]int64{"lists of tools": {r.ListHits, r.ListMisses}, "checked schemas": {r.DetailHits, r.DetailMisses}} {
			if rate := float64(n[0]) / float64(n[0]+n[1]); rate <= 0.8 {
				t.Errorf("%s: %.1f %% were known", what, 100*rate)
			} else {
				t.Logf("%s: %.1f %% were known", what, 100*rate)
			}
		}
		if r.ListMisses == 0 {
			t.Error("no list was ever fetched anew: neither time nor changes count")
		}
	})
}

var began = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)

// office is a gateway in use, by a clock of its own.
type office struct {
	*Gateway
	t       *testing.T
	r       *rand.Rand
	clock   atomic.Int64 // since began
	changes int
}

func newOffice(t *testing.T, sessions [][]string) *office {
	t.Helper()
	o := &office{t: t, r: rand.New(rand.NewPCG(3, 4))}
	tools := map[string][]string{}
	for _, s := range sessions {
		for _, name := range s {
			server, tool, _ := strings.Cut(name, "/")
			if !slices.Contains(tools[server], tool) {
				tools[server] = append(tools[server], tool)
			}
		}
	}
	cfg := &config.Config{Servers: map[string]config.Server{}, Gateway: config.Gateway{Trust: "first", TTL: time.Hour, Wait: 5 * time.Second}}
	for name := range tools {
		cfg.Servers[name] = config.Server{Name: name, Enabled: true, Prefix: name, Command: name, Era: upstream.Handshake, Idle: time.Hour}
	}
	o.Gateway = New(Options{Now: o.at, Starter: func(_ context.Context, s upstream.Spec) (upstream.Program, error) {
		return o.inside(s.Name, tools[s.Name]), nil
	}})
	t.Cleanup(func() { _ = o.Close() })
	o.Configure(cfg)
	o.DiscoverAll(t.Context())
	return o
}

func (o *office) at() time.Time { return began.Add(time.Duration(o.clock.Load())) }

// pass lets time go by. A server announces a change of its list every eight
// hours or so.
func (o *office) pass(d time.Duration) {
	o.clock.Add(int64(d))
	for _, e := range o.all() {
		if o.r.Float64() < 1-1/(1+d.Hours()/8) {
			o.changes++
			o.handleChange(e.cfg.Name, "tools")
			o.rest(false)
		}
	}
}

// rest waits until what is fetched anew is there, and after a look until no list
// is old: between two calls of a chat is more time than that takes.
func (o *office) rest(fresh bool) {
	o.t.Helper()
	clocktest.Until(o.t, "the lists of tools come", func() bool {
		synctest.Wait()
		for _, e := range o.all() {
			at, there := o.caches.lists.Peek(e.cfg.Name)
			if !there || fresh && o.at().Sub(at) >= time.Hour {
				return false
			}
		}
		return true
	})
}

// chat is one session: the model looks around, searches for each tool that it
// has not used, reads some schemas, and runs the tools.
func (o *office) chat(tools []string) {
	o.t.Helper()
	ctx := o.t.Context()
	if o.r.IntN(3) == 0 {
		o.look()
	}
	known := map[string]bool{}
	for _, name := range tools {
		name := strings.Replace(name, "/", "__", 1)
		if !known[name] {
			known[name] = true
			o.look()
			if o.r.IntN(3) == 0 {
				if _, err := o.For(Caller{}).Find(ctx, name, ""); err != nil {
					o.t.Fatal(err)
				}
			}
		}
		if _, err := o.For(Caller{}).Execute(ctx, name, "", json.RawMessage(`{"text":"x"}`)); err != nil {
			o.t.Fatal(err)
		}
		o.clock.Add(int64(3*time.Second) + o.r.Int64N(int64(20*time.Second)))
	}
}

// look is what list_servers, search_tools and list_tools do.
func (o *office) look() {
	o.Tools(o.t.Context())
	o.rest(true)
	o.clock.Add(int64(3*time.Second) + o.r.Int64N(int64(12*time.Second)))
}

func recordedSessions(t *testing.T, path string) (out [][]string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var s struct{ Tools []string }
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		out = append(out, s.Tools)
	}
	return out
}

// madeSessions are 120 sessions of three to twenty calls, most of them at few of
// 12 servers' tools.
func madeSessions() [][]string {
	r := rand.New(rand.NewPCG(1, 2))
	out := make([][]string, 120)
	for i := range out {
		here := r.IntN(12)
		for range 3 + r.IntN(18) {
			server := here
			if r.IntN(4) == 0 {
				server = r.IntN(12)
			}
			out[i] = append(out[i], fmt.Sprintf("server%d/tool_%d", server, int(r.ExpFloat64()*4)%20))
		}
	}
	return out
}

// inside starts a server that lists these tools and answers each call.
func (o *office) inside(server string, tools []string) upstream.Program {
	var list []string
	for _, name := range tools {
		schema := `{"type":"object","properties":{"text":{"type":"string","description":"for ` + server + `"}}}`
		list = append(list, `{"name":"`+name+`","inputSchema":`+schema+`}`)
	}
	return startInside(func(_ *inside, in io.Reader, out io.Writer) int {
		for lines := bufio.NewScanner(in); lines.Scan(); {
			var m struct {
				ID     json.RawMessage
				Method string
			}
			if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
				continue
			}
			result := `{"content":[]}`
			switch m.Method {
			case "initialize":
				result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"inside","version":"1"}}`
			case "tools/list":
				result = `{"tools":[` + strings.Join(list, ",") + `]}`
			}
			fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result)
		}
		return 0
	})
}
