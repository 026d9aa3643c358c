package service_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs"
)

const moreSections = `package compactor

roles: reviewer: {purpose: "note what stands out", ground: "code.patterns", prompt: "Note."}
pipelines: research_codebase: stages: {
	review: {role: "reviewer", onError: "continue"}
	report: with: {reviewer: "review", uses: "callers", sections: reviewer: {doc: "what stands out", worth: 1}}
}
pipelines: wrapped: {
	stages: ask: {pipeline: "research_codebase", with: {question: "input.question", artifact: "false"}}
	output: "{report: ask.value, asked: input.question}"
}
tools: wrapped: {
	description: "Ask, and put the report into something."
	pipeline:    "wrapped"
	#input: {question: string, constraints?: {tokens?: int}}
}
`

func TestSectionsOfAUserAreInTheSchema(t *testing.T) {
	svc := start(t, options(t, map[string]string{"a.cue": moreSections}))
	tool, err := svc.Tool("research_codebase")
	if err != nil {
		t.Fatal(err)
	}
	spec := string(tool.Output.JSON())
	for _, want := range []string{`"thoughts":{"type":"object","description":"notes and decisions on the subject",`, `"reviewer":{"type":"object","description":"what stands out",`,
		`"required":["question","rootsSearched","answer","references","locator","meta"]`} {
		if !strings.Contains(spec, want) {
			t.Errorf("%s is not in %s", want, spec)
		}
	}
	if f := tool.Output.Field("uses"); f == nil || f.Required || f.Schema.Field("value").Schema.Field("calls") == nil {
		t.Errorf("the section of another stage is %+v", f)
	}
	reply, err := svc.Invoke(t.Context(), service.Call{Tool: "research_codebase", Args: json.RawMessage(`{"question":"where is NewPool?"}`)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := toolargs.Validate(tool.Output.JSON(), reply.JSON); err != nil {
		t.Errorf("%v\n%s", err, reply.JSON)
	}
	if !strings.Contains(string(reply.JSON), `"reviewer":{"status":"ok"`) || !strings.Contains(string(reply.JSON), `"uses":{"status":"ok","value":{"calls":[{"name":"NewPool"`) {
		t.Errorf("a section is missing: %s", reply.JSON)
	}
}

// A report in an expression leaves as it does by itself, also where it is cut.
func TestAWrappedReportIsCutTheSame(t *testing.T) {
	svc := start(t, options(t, map[string]string{"a.cue": moreSections}))
	ask := func(tool string, max int) string {
		args, _ := json.Marshal(map[string]any{"question": "where is NewPool?", "constraints": map[string]int{"tokens": max}})
		reply, err := svc.Invoke(t.Context(), service.Call{Tool: tool, Args: args, Deterministic: true})
		if err != nil {
			t.Fatal(err)
		}
		return string(reply.JSON)
	}
	for _, max := range []int{250, 320, 420, 1000} {
		alone := ask("research_codebase", max)
		head, tail := `{"asked":"where is NewPool?","report":`, `}`
		around := tokens.Count(head + alone + tail)
		if got := ask("wrapped", around+max-tokens.Count(alone)); got != head+alone+tail {
			t.Errorf("of %d tokens it leaves as\n%s\nnot\n%s", max, got, alone)
		}
	}
}
