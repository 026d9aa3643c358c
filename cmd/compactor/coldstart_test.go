package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/mcp/clienttest"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
)

// What a list goes by falls back by stages, and the API says which: nothing learnt, what
// the session called, what earlier sessions used (a restart in between), and no choice at
// all. What was used together is told too.
func TestColdStartIsSaid(t *testing.T) {
	skipShort(t)
	t.Parallel()
	config := func(most int) string {
		return fmt.Sprintf("package compactor\ngateway: {surface: \"proxy\", selection: {min_tools: 2, max_tools: %d, room: 0}}\n", most) +
			"servers: files: {command: \"toolserver\", args: [\"shelf\", \"read\", \"write\"]}\nservers: mail: {command: \"toolserver\", args: [\"shelf\", \"draft\", \"send\"]}\n"
	}
	dir, binary := frontDir(t, "")
	write := func(most int) {
		if err := os.WriteFile(filepath.Join(dir, "compactor.cue"), []byte(config(most)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(2)
	output(t, binary, dir, "tools", "list") // of which the tools are known from then on
	var used []string
	// stage serves a session that asks for its list and calls these tools.
	stage := func(s *apiServer, calls ...string) (p api.Predictions) {
		t.Helper()
		c := connect(t, clienttest.HTTP(t, s.base+server.Path, transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + apiToken})), false)
		clienttest.Upstream(t, c)
		for _, name := range calls {
			var req mcp.CallToolRequest
			req.Params.Name, req.Params.Arguments = name, map[string]any{}
			if _, err := c.CallTool(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		var open api.Sessions
		var i int
		clocktest.Until(t, fmt.Sprintf("an open session has %d calls", len(calls)), func() bool {
			s.Ask("GET", "/sessions", nil).JSON(t, &open)
			i = slices.IndexFunc(open.Sessions, func(x api.Session) bool { return x.Live && x.Calls == len(calls) })
			return i >= 0
		}, func() any { return fmt.Sprintf("%+v", open) })
		s.Ask("GET", "/predictions/"+open.Sessions[i].ID, nil).JSON(t, &p)
		_ = c.Close()
		return p
	}
	s := serveAPIIn(t, dir, apiToken)
	p := stage(s)
	if p.Stage != "spread" || p.Of < 4 || len(p.List) != 2 {
		t.Errorf("before anything was learnt: %+v", p)
	}
	for _, x := range p.Tools[:2] {
		used = append(used, x.Tool)
	}
	if p = stage(s, used[0], used[1], used[1]); p.Stage != "session" {
		t.Errorf("after calls: %+v", p)
	}
	end := func() {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		_ = s.cmd.Wait()
	}
	end()
	s = serveAPIIn(t, dir, apiToken)
	if p = stage(s); p.Stage != "profile" || p.Tools[0].Chance == 0 || !slices.Contains(used, p.Tools[0].Tool) {
		t.Errorf("after a restart: %+v", p)
	}
	for i, after := range []float64{1, 0} {
		var st api.Stats
		s.Ask("GET", "/tools/"+used[i]+"/stats", nil).JSON(t, &st)
		if len(st.With) != 1 || st.With[0].Tool != used[1-i] || st.With[0].Count != 1 || st.With[0].After != after || st.With[0].Distance != 1 || st.With[0].Last == nil {
			t.Errorf("%s was used with %+v", used[i], st.With)
		}
	}
	end()
	write(50)
	s = serveAPIIn(t, dir, apiToken)
	if p = stage(s); p.Stage != "all" || len(p.List) != p.Of {
		t.Errorf("all tools fit: %+v", p)
	}
}
