package dashboard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// memory is a timeline that is made up.
type memory struct {
	sessions []timeline.Session // newest first
	spans    map[string][]timeline.Span
	savings  []timeline.Saving
	err      error
	watch    chan timeline.Span
}

func (m *memory) Sessions(_ context.Context, q timeline.Query) ([]timeline.Session, error) {
	var out []timeline.Session
	behind := q.After == ""
	for _, s := range m.sessions {
		if behind && !s.Last.Before(q.Since) && strings.Contains(s.Title+s.Client, q.Text) {
			out = append(out, s)
		}
		behind = behind || s.ID == q.After
	}
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, m.err
}

func (m *memory) Session(_ context.Context, id string) (timeline.Session, []timeline.Span, error) {
	for _, s := range m.sessions {
		if s.ID == id {
			return s, slices.Clone(m.spans[id]), m.err
		}
	}
	return timeline.Session{}, nil, timeline.ErrUnknown
}

func (m *memory) Savings(context.Context, time.Time, time.Duration) ([]timeline.Saving, error) {
	return m.savings, m.err
}

func (m *memory) Watch(ctx context.Context, _ string) <-chan timeline.Span { return m.watch }

// parts is what stands behind the pages.
type parts struct {
	state dashboard.State
	cfg   dashboard.Configuration
	lists dashboard.Lists
	kept  map[string]dashboard.Kept
}

func (p *parts) State(context.Context) dashboard.State                 { return p.state }
func (p *parts) Configuration(context.Context) dashboard.Configuration { return p.cfg }
func (p *parts) Lists(context.Context) (dashboard.Lists, error)        { return p.lists, nil }
func (p *parts) Kept(id string) (dashboard.Kept, bool)                 { k, ok := p.kept[id]; return k, ok }
func (p *parts) Mask(text string) string {
	return strings.ReplaceAll(text, "hunter2", "[REDACTED:password]")
}

func content(text string) json.RawMessage {
	raw, _ := json.Marshal(map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}})
	return raw
}

// world is a session as they are, and one of somebody who means harm.
func world() (*memory, *parts) {
	at := func(ms int) time.Time { return now.Add(-time.Hour + time.Duration(ms)*time.Millisecond) }
	ms := func(n int) time.Duration { return time.Duration(n) * time.Millisecond }
	spans := []timeline.Span{
		{Trace: "t1", ID: "a1", Kind: "request", Name: "tools/call", Tool: "research_codebase", Started: at(0), Elapsed: ms(1240), Outcome: "ok"},
		{Trace: "t1", ID: "a2", Parent: "a1", Kind: "stage", Stage: "locate", Started: at(10), Elapsed: ms(300), Outcome: "ok"},
		{Trace: "t1", ID: "a3", Parent: "a2", Kind: "builtin", Name: "code.locate", Stage: "locate", Started: at(12), Elapsed: ms(290), Outcome: "ok"},
		{Trace: "t1", ID: "a4", Parent: "a1", Kind: "stage", Stage: "thoughts", Role: "analyzer", Started: at(310), Elapsed: ms(900), Outcome: "ok"},
		{Trace: "t1", ID: "a5", Parent: "a4", Kind: "model", Purpose: "investigation", Name: "default", Role: "analyzer", Started: at(320), Elapsed: ms(880), Outcome: "ok", In: 2310, Out: 164},
		{Trace: "t2", ID: "b1", Kind: "request", Name: "tools/call", Tool: "execute_tool", Started: at(5000), Elapsed: ms(2900), Outcome: "ok"},
		{Trace: "t2", ID: "b2", Parent: "b1", Kind: "upstream", Server: "github", Tool: "list_issues", Started: at(5020), Elapsed: ms(640), Outcome: "ok", Bytes: 51200,
			Attrs: map[string]string{"result": "k7m2", "original_tokens": "12408", "summary_tokens": "893", "by": "qwen3-4b"}},
		{Trace: "t2", ID: "b3", Parent: "b2", Kind: "hook", Name: "tool_result", Started: at(5680), Elapsed: ms(2200), Outcome: "ok"},
		{Trace: "t2", ID: "b4", Parent: "b3", Kind: "model", Purpose: "summarization", Name: "default", Started: at(5700), Elapsed: ms(2100), Outcome: "ok", In: 4100, Out: 612},
		{Trace: "t3", ID: "c1", Kind: "request", Name: "tools/call", Tool: "execute_tool", Started: at(9000), Elapsed: ms(30), Outcome: "failed", Code: "UPSTREAM_UNAVAILABLE", Error: "server memory is not reachable: the database is locked, password hunter2"},
		{Trace: "t3", ID: "c2", Parent: "c1", Kind: "upstream", Server: "memory", Tool: "add_observations", Started: at(9005), Elapsed: ms(20), Outcome: "failed", Code: "UPSTREAM_UNAVAILABLE", Error: "the database is locked"},
		{Trace: "t4", ID: "d1", Kind: "request", Name: "tools/call", Tool: "ping", Started: at(3_599_000), Running: true},
		{ID: "e1", Kind: "reload", Message: "configuration reloaded", Started: at(8000), Outcome: "ok"},
	}
	m := &memory{
		sessions: []timeline.Session{
			{ID: "5e5510a1", Client: "LM Studio", Title: "where is the worker pool built?", Started: at(0), Last: at(3_599_000), Requests: 4, Models: 2, Upstream: 2, Failed: 1, TokensIn: 6410, TokensTo: 776, Saved: 11515,
				Shown: []string{"execute_tool", "github__get_file", "ping", "research_codebase", "search_tools"}, ShownAll: 5},
			{ID: "5e5510b2", Client: "claude-code", Title: "list the open issues", Started: at(-90_000_000), Last: at(-80_000_000), Requests: 3, Saved: 2200},
		},
		spans:   map[string][]timeline.Span{"5e5510a1": spans},
		savings: []timeline.Saving{{From: now.Add(-48 * time.Hour), Original: 5200, Given: 1800, Results: 2}, {From: now.Add(-time.Hour), Original: 12408, Given: 893, Results: 1}},
		watch:   make(chan timeline.Span, 8),
	}
	p := &parts{
		kept: map[string]dashboard.Kept{"k7m2": {ID: "k7m2", Server: "github", Tool: "list_issues", OriginalTokens: 12408, SummaryTokens: 893, By: "qwen3-4b", At: at(5660),
			Original: content(strings.Repeat("issue #1417 open: pool leaks a worker\n", 20) + "last line of it, password hunter2"), Summary: content("20 issues, all open.\n#1417 pool leaks a worker")}},
		lists: dashboard.Lists{Known: true, Since: at(-90_000_000), Sessions: 14, Listed: 12, Shown: 219, Offered: 876, Calls: 96, Hidden: 9, Tools: []dashboard.ListedTool{
			{Name: "github/list_issues", Listed: 12, Used: 9, Calls: 41, LastUsed: at(5000)}, {Name: "memory/add_observations", Listed: 3, Used: 6, Missed: 4, Calls: 22, LastUsed: at(9000)},
			{Name: "github/get_file hunter2", Listed: 12}, {Name: "<script>alert(1)</script>\x1b[2J", Used: 1, Missed: 1, Calls: 2, LastUsed: at(1)}},
			Profiles: []dashboard.ListedProfile{{Sessions: 9, Listed: 8, Calls: 60, Hidden: 7}, {Name: "reading", Sessions: 5, Listed: 4, Calls: 36, Hidden: 2}}},
		state: dashboard.State{
			Tools: []dashboard.Tool{{Name: "research_codebase", Description: "Answers a question about the code.", Shown: true, Uses: 4},
				{Name: "execute_tool", Shown: true, Uses: 9}, {Name: "github__list_issues", Server: "github", Description: "Lists issues.", Uses: 12}, {Name: "memory__erase", Server: "memory", Off: "waits for approval"}},
			Servers: []dashboard.Server{{Name: "github", Status: "connected", Reached: "api.github.example", Known: true, Tools: 41, Hidden: 2, Waiting: 2},
				{Name: "memory", Status: "error", Reached: "mcp-memory", Problem: "its program ended: exit status 3", Do: "mend it, then: compactor servers restart memory", Said: []string{"Error: the database is locked"}}},
			Models: []dashboard.Model{{Name: "default", Provider: "openai", Status: "ready", Found: "qwen3-4b, 8192 tokens of context", Roles: []string{"analyzer", "summarizer"}, Slots: 2, Busy: 1, In: 410, Out: 38}},
			Collections: []dashboard.Collection{
				{Name: "manual", Description: "how pools are kept, token hunter2", Status: "warm", Version: "9f86d081", Published: at(0), Documents: 41, Passages: 1280, Failed: 1, Left: 3, Watched: true, Problems: []string{"manual/a.pdf: it is damaged"}},
				{Name: "notes", Status: "running", Stage: "extract", Done: 340, Total: 900},
				{Name: "old", Status: "error", Problem: "the index is damaged", Do: "see: compactor index status --collection old"},
				{Name: "new", Status: "not indexed", Do: "compactor index --collection new"}},
			Hooks: []dashboard.Hook{{Name: "tool_result", Skipped: 2, Last: "its time ran out"}},
			Pool:  dashboard.Pool{Workers: 4, Busy: 1, Queue: 32, Inside: 1},
		},
		cfg: dashboard.Configuration{Layers: []string{"built-in", ".compactor (this project's)"},
			Settings: []dashboard.Setting{{Path: "gateway.surface", Value: `"both"`, From: "from .compactor/my.cue:3:11", Own: true}, {Path: "gateway.ttl", Value: `"1h"`, From: "default"}, {Path: "log.level", Value: `"info"`, From: "default"}},
			Problems: []dashboard.Problem{{Code: "C128", Place: ".compactor/my.cue:9:2", Path: "servers.odd.args", Message: "is not used: a server with a url is not started", Help: "leave it out"}},
		},
	}
	return m, p
}

// roundsOfAsking is a session with a stage that ran in two rounds.
func roundsOfAsking() *memory {
	span := func(id, parent, kind string, from, took int, attrs map[string]string) timeline.Span {
		return timeline.Span{Trace: "t1", ID: id, Parent: parent, Kind: kind, Name: "search", Stage: "look", Started: now.Add(time.Duration(from-2000) * time.Millisecond), Elapsed: time.Duration(took) * time.Millisecond, Outcome: "ok", Attrs: attrs}
	}
	return &memory{sessions: []timeline.Session{{ID: "5e5510c3", Title: "why does it retry?", Started: now.Add(-2 * time.Second), Last: now, Requests: 1}},
		spans: map[string][]timeline.Span{"5e5510c3": {
			{Trace: "t1", ID: "r", Kind: "request", Name: "tools/call", Tool: "dig", Started: now.Add(-2 * time.Second), Elapsed: 2 * time.Second, Outcome: "ok"},
			span("s", "r", "stage", 10, 1900, map[string]string{"rounds": "2"}),
			span("1", "s", "round", 20, 900, map[string]string{"round": "1", "gain": "4"}),
			span("2", "s", "round", 930, 900, map[string]string{"round": "2", "gain": "0", "ended": "nothing gained"})}}}
}

// answersFromDocuments is a session with an answer and a question that the documents do not answer.
func answersFromDocuments() *memory {
	span := func(kind, id, parent string, from int, attrs map[string]string) timeline.Span {
		return timeline.Span{Trace: "t1", ID: id, Parent: parent, Kind: kind, Name: "docs.answer", Started: now.Add(time.Duration(from-5000) * time.Millisecond), Elapsed: 20 * time.Millisecond, Outcome: "ok", Attrs: attrs}
	}
	open := span("compose", "c2", "b2", 40, map[string]string{"query": "who painted hunter2?", "because": "no evidence", "cited": "0", "confidence": "none"})
	open.Outcome = "abstained"
	return &memory{sessions: []timeline.Session{{ID: "5e5510d4", Client: "LM Studio", Title: "how many?", Started: now.Add(-5 * time.Second), Last: now, Requests: 2}},
		spans: map[string][]timeline.Span{"5e5510d4": {
			span("retrieval", "r1", "b1", 0, map[string]string{"query": "how many connections does a pool keep?"}),
			span("compose", "c1", "b1", 10, map[string]string{"query": "how many connections does a pool keep?", "citations": "ab-1-0@v[3:9]", "cited": "2", "confidence": "high"}),
			span("retrieval", "r2", "b2", 30, nil), open, span("compose", "c3", "b3", 60, map[string]string{"cited": "4"})}}}
}

// longRequest is a request of n steps, one below the other but for the first.
func longRequest(trace string, n int) []timeline.Span {
	spans := []timeline.Span{{Trace: trace, ID: "s0", Kind: "request", Tool: "research_codebase", Started: now.Add(-time.Minute), Elapsed: time.Minute, Outcome: "ok"}}
	for i := 1; i < n; i++ {
		spans = append(spans, timeline.Span{Trace: trace, ID: fmt.Sprint("s", i), Parent: "s0", Kind: "upstream", Server: "files", Tool: fmt.Sprint("read_", i%40),
			Started: now.Add(-time.Minute + time.Duration(i)*5*time.Millisecond), Elapsed: 4 * time.Millisecond, Outcome: "ok"})
	}
	return spans
}

// hostile adds a session whose every text means harm.
func hostile(m *memory, n int) {
	bad := `<script>alert(1)</script>"'><img src=x onerror=alert(1)> {{.}} ` + "\u202egnp.exe\u202c\u2028\x1b[31m\x00 hunter2 "
	long := bad + strings.Repeat("W", 10_000)
	m.sessions = append(m.sessions, timeline.Session{ID: `x"><script>`, Client: long, Title: long, Started: now.Add(-time.Hour), Last: now, Requests: 1 << 40})
	var spans []timeline.Span
	name := func(i int) string { return fmt.Sprintf(`%d"><script>`, i) } // ids are made here and hold no secrets
	for i := range n {
		spans = append(spans, timeline.Span{Trace: name(-2), ID: name(i), Parent: name(i - 1), Kind: long, Name: long, Stage: long, Role: long, Server: long, Tool: long, Purpose: long,
			Started: now.Add(time.Duration(-i) * time.Hour), Elapsed: -5, Outcome: long, Code: long, Error: long, Message: long, Attrs: map[string]string{"result": "k7m2", bad: long, "original_tokens": "-1"}})
	}
	spans[0].Parent = spans[n-1].ID // a circle
	spans = append(spans, timeline.Span{Kind: "compose", ID: name(n), Started: now, Outcome: long, Attrs: map[string]string{"query": long, "confidence": long, "citations": long, "cited": "-1"}})
	m.spans[`x"><script>`] = spans
}
