package service_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/code/report"
	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway"
)

func inSession(t *testing.T, svc *service.Service, session, tool, input string) (report.Report, string) {
	t.Helper()
	reply, err := svc.Invoke(t.Context(), service.Call{Tool: tool, Args: json.RawMessage(input), Caller: gateway.Caller{Session: svc.Session(session)}, Deterministic: true})
	if err != nil {
		t.Fatal(err)
	}
	var r report.Report
	if err := json.Unmarshal(reply.JSON, &r); err != nil && tool == askTool {
		t.Fatal(err)
	}
	return r, string(reply.JSON)
}

const (
	first   = `{"question":"where is the pool of workers built?"}`
	then    = `{"question":"who calls it?"}`
	readAs  = "read as a follow-up to: where is the pool of workers built?"
	askTool = "research_codebase"
)

func TestSessionsDoNotSeeEachOther(t *testing.T) {
	svc := start(t, options(t, nil))
	_, alone := inSession(t, svc, "", askTool, then)
	inSession(t, svc, "a", askTool, first)
	inSession(t, svc, "", askTool, first)
	if r, text := inSession(t, svc, "a", askTool, then); !strings.Contains(text, readAs) || !slices.Contains(r.Meta.Keywords, "pool") || r.Section("locator").Result().Confidence == contract.High {
		t.Errorf("the follow-up was not read as one: %s", text)
	}
	for _, session := range []string{"b", ""} {
		if _, text := inSession(t, svc, session, askTool, then); text != alone {
			t.Errorf("session %q was told of another: %s", session, text)
		}
	}
	svc.SessionEnded("a")
	if _, text := inSession(t, svc, "a", askTool, then); text != alone {
		t.Errorf("the session is over and still known: %s", text)
	}
}

func TestFollowUpOfOtherTools(t *testing.T) {
	svc := start(t, options(t, nil))
	inSession(t, svc, "a", "analyze_component", `{"component":"NewPool"}`)
	for _, tool := range []string{"locate_in_codebase", "find_patterns"} {
		if _, text := inSession(t, svc, "a", tool, `{"question":"and where is it called?"}`); !strings.Contains(text, "read as a follow-up to: NewPool") {
			t.Errorf("%s: %s", tool, text)
		}
	}
}

// A question that refines a refinement is about what the first was about.
func TestFollowUpOfAFollowUp(t *testing.T) {
	svc := start(t, options(t, nil))
	inSession(t, svc, "a", "locate_in_codebase", first)
	inSession(t, svc, "a", "locate_in_codebase", then)
	r, text := inSession(t, svc, "a", askTool, `{"question":"and its tests?"}`)
	if !strings.Contains(text, readAs) || !slices.Contains(r.Meta.Keywords, "pool") {
		t.Errorf("%s", text)
	}
}

// What was found counts only where the new call may look, under the name that
// it has there.
func TestEarlierPlacesFollowTheRoots(t *testing.T) {
	opt := options(t, map[string]string{"c.cue": `package compactor
pipelines: seen: {
	#input: {question: string, roots?: [...string]}
	stages: ping: {builtin: "host.ping"}
	output: "{references: session.questions[0].references, answer: join(session.questions[0].references, ' ')}"
}
tools: seen: {description: "What was found before.", pipeline: "seen"}
`})
	svc := start(t, opt)
	seen := func(roots string) []string { // from the answer: egress takes dead references out of the list
		t.Helper()
		r, _ := inSession(t, svc, "a", "seen", `{"question":"x"`+roots+`}`)
		svc.SessionEnded("a")
		inSession(t, svc, "a", askTool, first)
		return strings.Fields(r.Answer)
	}
	inSession(t, svc, "a", askTool, first)
	if got := seen(""); len(got) == 0 || !strings.HasPrefix(got[0], "pool/pool.go:") {
		t.Fatalf("found before: %v", got)
	}
	if got := seen(`,"roots":["pool"]`); len(got) != 1 || !strings.HasPrefix(got[0], "pool.go:") {
		t.Errorf("below pool: %v, want pool.go alone", got)
	}
	if got := seen(`,"roots":["docs"]`); len(got) != 0 {
		t.Errorf("below docs, where it does not lie: %v", got)
	}
	if err := os.Remove(filepath.Join(opt.Work, "pool", "pool.go")); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Reload(context.Background(), opt); err != nil {
		t.Fatal(err)
	}
	if got := seen(""); slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "pool/") }) {
		t.Errorf("a file that is gone is named: %v", got)
	}
}

func TestEarlierQuestionsLeaveMasked(t *testing.T) {
	svc := start(t, options(t, nil))
	inSession(t, svc, "a", askTool, `{"question":"where is the pool with token ghp_16C7e42F292c6912E7710c838347Ae178B4a built?"}`)
	if _, text := inSession(t, svc, "a", askTool, then); strings.Contains(text, "ghp_16C7") || !strings.Contains(text, "read as a follow-up to: where is the pool with token") {
		t.Errorf("%s", text)
	}
}

func TestLongQuestionsAreKeptInPart(t *testing.T) {
	svc := start(t, options(t, map[string]string{"c.cue": `package compactor
pipelines: kept: {
	#input: {question: string}
	stages: ping: {builtin: "host.ping"}
	output: "{references: [], answer: string(len(session.questions)) + ' ' + string(len(session.questions[0].question))}"
}
tools: kept: {description: "What is kept.", pipeline: "kept"}
`}))
	for range 10 {
		inSession(t, svc, "a", "locate_in_codebase", `{"question":"where is the pool? `+strings.Repeat("log line ", 1000)+`"}`)
	}
	if r, _ := inSession(t, svc, "a", "kept", `{"question":"x"}`); r.Answer != "8 1024" {
		t.Errorf("questions and length of the last: %s, want 8 of 1024", r.Answer)
	}
}
