package metrics_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"go.uber.org/goleak"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/observe/metrics"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// end emits an End as it is.
func end(s *event.Stream, e event.Event) {
	e.Call, e.Session, e.Elapsed, e.Time = "c", "one", 30*time.Millisecond, time.Now()
	s.Emit(e)
}

func TestWhatASessionLeaves(t *testing.T) {
	var stream event.Stream
	s := metrics.New(metrics.Options{Stream: &stream, Version: "1.2.3"})
	end(&stream, event.Event{Kind: event.Request, Name: "tools/call", Tool: "research", Outcome: event.OK})
	end(&stream, event.Event{Kind: event.Stage, Stage: "look", Outcome: event.OK})
	end(&stream, event.Event{Kind: event.Stage, Stage: "words", Outcome: event.Skipped})
	end(&stream, event.Event{Kind: event.Builtin, Name: "code.grep", Outcome: event.OK})
	end(&stream, event.Event{Kind: event.Model, Name: "default", TokensIn: 900, TokensOut: 40, Outcome: event.OK, Attrs: []slog.Attr{slog.String("purpose", "investigation")}})
	end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "list", Outcome: event.OK,
		Attrs: []slog.Attr{slog.Any("result", event.ID("r1")), slog.Int("original_tokens", 5000), slog.Int("summary_tokens", 800), slog.String("by", "structure")}})
	end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "drop\xff", Outcome: "TIMEOUT", Code: "TIMEOUT"})
	end(&stream, event.Event{Kind: event.Hook, Name: "tool_result", Outcome: event.Skipped, Code: "BUSY"})
	end(&stream, event.Event{Kind: event.Reload, Outcome: event.OK})
	s.Close()
	want := `# HELP compactor_model_calls_total Requests to models.
# TYPE compactor_model_calls_total counter
compactor_model_calls_total{model="default",outcome="ok",purpose="investigation"} 1
# HELP compactor_model_tokens_total Tokens that models read and wrote.
# TYPE compactor_model_tokens_total counter
compactor_model_tokens_total{direction="input",model="default"} 900
compactor_model_tokens_total{direction="output",model="default"} 40
# HELP compactor_events_dropped_total Events that came faster than they could be counted.
# TYPE compactor_events_dropped_total counter
compactor_events_dropped_total 0
# HELP compactor_hooks_skipped_total Hooks that did not run.
# TYPE compactor_hooks_skipped_total counter
compactor_hooks_skipped_total{code="BUSY",hook="tool_result"} 1
# HELP compactor_requests_total Requests of clients.
# TYPE compactor_requests_total counter
compactor_requests_total{method="tools/call",outcome="ok",tool="research"} 1
# HELP compactor_sessions_active Sessions with a request in the last five minutes.
# TYPE compactor_sessions_active gauge
compactor_sessions_active 1
# HELP compactor_stages_total Stages of pipelines that ran or were skipped.
# TYPE compactor_stages_total counter
compactor_stages_total{outcome="ok",stage="look"} 1
compactor_stages_total{outcome="skipped",stage="words"} 1
# HELP compactor_summaries_total Results that were summarized.
# TYPE compactor_summaries_total counter
compactor_summaries_total{by="structure",server="tickets"} 1
# HELP compactor_summary_tokens_saved_total Tokens that summaries left out.
# TYPE compactor_summary_tokens_saved_total counter
compactor_summary_tokens_saved_total{server="tickets"} 4200
# HELP compactor_upstream_calls_total Requests to upstream servers.
# TYPE compactor_upstream_calls_total counter
compactor_upstream_calls_total{outcome="TIMEOUT",server="tickets",tool="drop�"} 1
compactor_upstream_calls_total{outcome="ok",server="tickets",tool="list"} 1
# HELP compactor_upstream_errors_total Requests to upstream servers that failed.
# TYPE compactor_upstream_errors_total counter
compactor_upstream_errors_total{code="TIMEOUT",server="tickets",tool="drop�"} 1
`
	if err := testutil.GatherAndCompare(s.Registry(), strings.NewReader(want), "compactor_model_calls_total", "compactor_model_tokens_total", "compactor_events_dropped_total",
		"compactor_hooks_skipped_total", "compactor_requests_total", "compactor_sessions_active", "compactor_stages_total", "compactor_summaries_total",
		"compactor_summary_tokens_saved_total", "compactor_upstream_calls_total", "compactor_upstream_errors_total"); err != nil {
		t.Error(err)
	}
	if found, err := testutil.GatherAndLint(s.Registry()); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
	out := httptest.NewRecorder()
	s.Handler().ServeHTTP(out, httptest.NewRequestWithContext(context.Background(), "GET", metrics.Path, nil))
	text, _ := io.ReadAll(out.Body)
	for _, line := range []string{`compactor_stage_duration_seconds_bucket{stage="look",le="0.05"} 1`, `compactor_build_info{version="1.2.3"} 1`} {
		if !strings.Contains(string(text), line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

// What clients were listed, and what they called of it.
func TestListsOfTools(t *testing.T) {
	var stream event.Stream
	s := metrics.New(metrics.Options{Stream: &stream})
	list := func(l event.Listed) {
		stream.Emit(event.Event{Kind: event.Request, Phase: event.Step, Name: "tools/list", Detail: l})
	}
	list(event.Listed{Tools: []string{"a", "b", "own"}, Names: 2, Hidden: 48, Change: event.First})
	list(event.Listed{Tools: []string{"a", "b", "own"}, Names: 2, Hidden: 48, Change: event.None})
	list(event.Listed{Tools: []string{"a", "b", "own", "c"}, Names: 3, Hidden: 47, Change: event.Appended, Again: 700})
	for _, hidden := range []bool{true, false, false} {
		end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "list", Outcome: event.OK, Attrs: []slog.Attr{slog.Bool("hidden", hidden)}})
	}
	end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "list", Outcome: event.OK}) // of a session without a list
	s.Close()
	want := `# HELP compactor_prompt_tokens_reread_total Tokens of prompts that models read again for changed lists, about.
# TYPE compactor_prompt_tokens_reread_total counter
compactor_prompt_tokens_reread_total 700
# HELP compactor_tool_lists_total Lists of tools that clients were given, by what became of the session's last one.
# TYPE compactor_tool_lists_total counter
compactor_tool_lists_total{change="appended"} 1
compactor_tool_lists_total{change="first"} 1
compactor_tool_lists_total{change="none"} 1
# HELP compactor_tool_uses_total Calls of upstream tools in sessions that were listed such tools, by whether the tool was on the list.
# TYPE compactor_tool_uses_total counter
compactor_tool_uses_total{list="hidden",server="tickets"} 1
compactor_tool_uses_total{list="listed",server="tickets"} 2
# HELP compactor_tools_hidden_total Tools of upstream servers that there were and that were left out of those lists.
# TYPE compactor_tools_hidden_total counter
compactor_tools_hidden_total 143
# HELP compactor_tools_listed_total Tools of upstream servers on the lists that clients were given.
# TYPE compactor_tools_listed_total counter
compactor_tools_listed_total 7
`
	if err := testutil.GatherAndCompare(s.Registry(), strings.NewReader(want), "compactor_prompt_tokens_reread_total", "compactor_tool_lists_total", "compactor_tool_uses_total",
		"compactor_tools_hidden_total", "compactor_tools_listed_total"); err != nil {
		t.Error(err)
	}
}

// What became of collections, of searches in them and of answers from them.
func TestDocuments(t *testing.T) {
	var stream event.Stream
	s := metrics.New(metrics.Options{Stream: &stream})
	end(&stream, event.Event{Kind: event.Index, Name: "manual", Outcome: event.Failed, Error: "no directory"})
	for range 3 {
		end(&stream, event.Event{Kind: event.Retrieval, Name: "docs.search", Outcome: event.OK, Detail: event.Query{Text: "who pays"}})
	}
	end(&stream, event.Event{Kind: event.Rerank, Name: "manual", Outcome: event.Failed, Code: "TIMEOUT"})
	end(&stream, event.Event{Kind: event.Compose, Name: "docs.answer", Outcome: event.OK, Attrs: []slog.Attr{slog.Int("cited", 3), slog.Int("dropped", 2)}})
	end(&stream, event.Event{Kind: event.Compose, Name: "docs.answer", Outcome: "abstained", Attrs: []slog.Attr{slog.Int("cited", 0), slog.Int("dropped", 0)}})
	s.Close()
	want := `# HELP compactor_citations_dropped_total Citations and sentences of models that were left out: they did not stand in the documents.
# TYPE compactor_citations_dropped_total counter
compactor_citations_dropped_total 2
# HELP compactor_citations_total Citations that answers from documents were given.
# TYPE compactor_citations_total counter
compactor_citations_total 3
# HELP compactor_document_answers_total Answers and summaries made of documents; abstained are those without support.
# TYPE compactor_document_answers_total counter
compactor_document_answers_total{builtin="docs.answer",outcome="abstained"} 1
compactor_document_answers_total{builtin="docs.answer",outcome="ok"} 1
# HELP compactor_index_runs_total Runs over collections of documents that changed something or failed.
# TYPE compactor_index_runs_total counter
compactor_index_runs_total{collection="manual",outcome="failed"} 1
# HELP compactor_reranks_total Searches whose best passages a model was to judge.
# TYPE compactor_reranks_total counter
compactor_reranks_total{outcome="failed"} 1
# HELP compactor_searches_total Searches and look-ups in collections of documents.
# TYPE compactor_searches_total counter
compactor_searches_total{builtin="docs.search",outcome="ok"} 3
`
	if err := testutil.GatherAndCompare(s.Registry(), strings.NewReader(want), "compactor_citations_dropped_total", "compactor_citations_total", "compactor_document_answers_total",
		"compactor_index_runs_total", "compactor_reranks_total", "compactor_searches_total"); err != nil {
		t.Error(err)
	}
	if found, err := testutil.GatherAndLint(s.Registry()); err != nil || len(found) > 0 {
		t.Error(found, err)
	}
}

// Names that others choose take no more than so much room, and bring no secret.
func TestLabelsAreBounded(t *testing.T) {
	var stream event.Stream
	s := metrics.New(metrics.Options{Stream: &stream})
	for i := range 1000 {
		end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: fmt.Sprint("tool", i), Outcome: event.OK})
	}
	end(&stream, event.Event{Kind: event.Upstream, Server: "tickets", Tool: "ghp_16C7e42F292c6912E7710c838347Ae178B4a", Outcome: event.OK})
	end(&stream, event.Event{Kind: event.Upstream, Server: strings.Repeat("x", 300), Outcome: event.OK})
	s.Close()
	if n, err := testutil.GatherAndCount(s.Registry(), "compactor_upstream_calls_total"); err != nil || n < 200 || n > 203 {
		t.Error(n, err)
	}
	out := httptest.NewRecorder()
	s.Handler().ServeHTTP(out, httptest.NewRequestWithContext(context.Background(), "GET", metrics.Path, nil))
	if text := out.Body.String(); strings.Contains(text, "ghp_16C7") || !strings.Contains(text, `tool="other"`) {
		t.Error(text)
	}
}
