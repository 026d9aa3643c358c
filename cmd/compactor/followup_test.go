package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

// followUps are questions to this repository, a follow-up to each, and the
// files that answer the follow-up, any of them.
var followUps = []struct{ before, question, want string }{
	{"where is the worker pool built?", "and who admits a request?", "engine/pool.go engine/engine.go"},
	{"where is the worker pool built?", "who calls it?", "service/service.go"},
	{"where is the worker pool built?", "what about the tests?", "engine/engine_test.go engine/harness_test.go"},
	{"where is the budget ledger?", "and its tests?", "budget/ledger_test.go"},
	{"where is the budget ledger?", "where is it narrowed?", "budget/limits.go budget/ledger.go"},
	{"how does the redactor mask tokens?", "and in URLs?", "redact/url.go"},
	{"how does the redactor mask tokens?", "what about private keys?", "redact/pem.go"},
	{"how does the redactor mask tokens?", "and passwords?", "redact/password.go"},
	{"how are directories walked in the sandbox?", "and on Linux?", "sandbox/tree_linux.go sandbox/dir_linux.go"},
	{"how are directories walked in the sandbox?", "what about ignored ones?", "sandbox/rules.go sandbox/ruleset.go sandbox/walk.go"},
	{"where are MCP calls over HTTP handled?", "what about sessions?", "server/http_session.go server/sessions.go"},
	{"where are MCP calls over HTTP handled?", "and streams?", "server/http_stream.go"},
	{"where are diagnostics printed?", "and as SARIF?", "diag/sarif.go"},
	{"where are diagnostics printed?", "what about JSON?", "diag/json.go"},
	{"how is the reply fitted to the token budget?", "where are its tests?", "egress/egress_test.go"},
	{"how does the lexer of symbols read strings?", "and heredocs?", "symbols/lex_heredoc.go"},
	{"how does the lexer of symbols read strings?", "what about Ruby?", "symbols/lex_ruby.go symbols/ruby.go"},
	{"how does the lexer of symbols read strings?", "and in PHP?", "symbols/lex_php.go symbols/php.go"},
	{"where does the cache evict entries?", "who uses it?", "service/cache.go code/cache.go service/snapshot.go"},
	{"where does the cache evict entries?", "and how is it tested?", "cache/cache_test.go"},
	{"where is the git history read?", "what about commits?", "githistory/commits.go"},
	{"where is the git history read?", "and its layout?", "githistory/layout.go"},
	{"how is a configuration loaded?", "where is it merged?", "config/merge.go"},
	{"how is a configuration loaded?", "and how is it shown?", "config/show.go"},
	{"how is a configuration loaded?", "what about the starter?", "config/starter.go"},
	{"where is contract.Reference parsed?", "and where is it verified?", "contract/verify.go"},
	{"where is the handoff written?", "and read back?", "handoff/resume.go handoff/parse.go"},
	{"where is the handoff written?", "where does its name come from?", "handoff/name.go"},
	{"how are expressions compiled in a plan?", "and typed?", "plan/typing.go"},
	{"how are expressions compiled in a plan?", "what about the environment?", "plan/env.go"},
	{"where is confidence judged?", "which weights does it use?", "coderank/weights.go"},
	{"where does the ranking find stems?", "and synonyms?", "coderank/thesaurus.go coderank/parse.go"},
	{"where is the guard of origins?", "what about loopback addresses?", "listen/listen.go guard/guard.go"},
	{"how does a fan-out keep its order?", "and when all fail?", "engine/execute.go"},
	{"where is a unix socket opened?", "and on Windows?", "listen/dir_windows.go"},
	{"where is a message of a session too long?", "who checks that?", "server/lines_read.go server/lines.go"},
}

func TestFollowUpsFindMoreWithTheQuestionBefore(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	svc := ownTree(t, "runtime", "builtins")
	alone, with := 0, 0
	for _, f := range followUps {
		answer := func(session string) report.Report { return asked(t, svc, session, f.question) }
		asked(t, svc, t.Name(), f.before)
		was, is := hit(answer(""), f.want), hit(answer(t.Name()), f.want)
		svc.SessionEnded(t.Name())
		alone, with = alone+was, with+is
		t.Logf("%d %d  %s | %s", was, is, f.before, f.question)
	}
	t.Logf("hit@5 of %d: %d alone, %d with the question before", len(followUps), alone, with)
	if with < 22 || with-alone < 4 { // room for a tree that changes
		t.Errorf("hit@5 of %d follow-ups: %d alone, %d with the question before", len(followUps), alone, with)
	}
}

// hit is 1 when one of the first five references is in a wanted file.
func hit(r report.Report, want string) int {
	for _, ref := range r.References[:min(len(r.References), 5)] {
		path := contract.ParseReference(ref).Path
		if slices.ContainsFunc(strings.Fields(want), func(w string) bool { return strings.HasSuffix(path, "/"+w) }) {
			return 1
		}
	}
	return 0
}

// ownTree answers questions about the code of this repository below some directories.
func ownTree(t *testing.T, below ...string) *service.Service {
	t.Helper()
	up, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	snap, diags, err := service.Load(t.Context(), service.Options{Defaults: compactor.Defaults, Load: loadPatient, Work: up, Builtins: builtins.All,
		Roots: map[string][]string{"code": below}, NoModel: true, Cache: true, Memory: 64 << 20})
	if err != nil || snap == nil {
		t.Fatalf("%v %v", diags, err)
	}
	t.Cleanup(func() { _ = snap.Close() })
	return service.New(snap)
}

func asked(t *testing.T, svc *service.Service, session, question string) report.Report {
	t.Helper()
	var r report.Report
	if err := json.Unmarshal([]byte(reply(t, svc, session, question)), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func reply(t *testing.T, svc *service.Service, session, question string) string {
	t.Helper()
	args, err := json.Marshal(map[string]any{"question": question})
	if err != nil {
		t.Fatal(err)
	}
	reply, err := svc.Invoke(t.Context(), service.Call{Tool: "research_codebase", Args: args, Caller: gateway.Caller{Session: svc.Session(session)}, Deterministic: true})
	if err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return string(reply.JSON)
}

// A question that stands for itself gets the same bytes whatever was asked
// before it.
func TestFullQuestionsAreAnsweredAsWithoutASession(t *testing.T) {
	if testing.Short() {
		t.Skip("commands that do one thing, many times")
	}
	t.Parallel()
	svc := ownTree(t, "runtime", "builtins")
	seen := map[string]bool{}
	for _, f := range followUps {
		if seen[f.before] {
			continue
		}
		seen[f.before] = true
		alone, after := reply(t, svc, "", f.before), reply(t, svc, t.Name(), f.before)
		if alone != after {
			t.Errorf("%q after other questions:\n%s\nalone:\n%s", f.before, after, alone)
		}
	}
	if len(seen) < 20 {
		t.Errorf("only %d questions", len(seen))
	}
}
