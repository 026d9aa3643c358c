package plan_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/builtins"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

func TestHintsAreReadOffWhatAToolCanReach(t *testing.T) {
	const far = `models: default: {provider: "openai", url: "https://api.example/v1", model: "m"}` + "\n"
	cases := []struct {
		name, config, tool string
		want               plan.Hints
	}{
		{"reads", ``, "locate_in_codebase", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"may write a handoff", ``, "research_codebase", plan.Hints{Idempotent: true}},
		{"lists handoffs", ``, "list_handoffs", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"reads handoffs", ``, "resume_handoff", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"runs tools of servers", ``, "execute_tool", plan.Hints{Destructive: true, OpenWorld: true}},
		{"lists tools of servers", ``, "search_tools", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"asks a model elsewhere", far, "locate_in_codebase", plan.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true}},
		{"asks one of this machine", `models: default: {provider: "openai", url: "http://127.0.0.1:1/v1", model: "m"}`, "locate_in_codebase", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"asks one elsewhere when that fails", far + `models: near: {provider: "ollama", fallback: ["default"]}
roles: locator: model: "near"`, "locate_in_codebase", plan.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true}},
		{"runs them through another pipeline", `pipelines: {
			find_patterns: stages: x: pipeline: "mine"
			mine: {input: {}, stages: s: {builtin: "tools.execute", with: call: {tool: "a"}}, output: "s"}
		}`, "find_patterns", plan.Hints{Destructive: true, OpenWorld: true}},
		{"rules out what another pipeline would write", `pipelines: find_patterns: stages: x: {pipeline: "research_codebase", with: artifact: "false"}`, "find_patterns", plan.Hints{ReadOnly: true, Idempotent: true}},
		{"may have it written", `pipelines: find_patterns: stages: x: {pipeline: "research_codebase", with: artifact: "len(roots) > 1"}`, "find_patterns", plan.Hints{Idempotent: true}},
		{"has it written by one of two", `pipelines: find_patterns: stages: {
			x: {pipeline: "research_codebase", with: artifact: "false"}
			y: {pipeline: "research_codebase", with: artifact: "true"}
		}`, "find_patterns", plan.Hints{Idempotent: true}},
		{"lets a role's model run them", `roles: locator: tools: ["tools.*"]`, "locate_in_codebase", plan.Hints{Destructive: true, OpenWorld: true}},
		{"is claimed more careful", `tools: locate_in_codebase: annotations: {readOnly: false, openWorld: true}`, "locate_in_codebase", plan.Hints{Idempotent: true, OpenWorld: true}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := compiled(t, c.config)
			tool, _ := p.Tool(c.tool)
			if tool.Hints != c.want {
				t.Errorf("%+v, want %+v", tool.Hints, c.want)
			}
		})
	}
}

// compiled is the shipped configuration with a change.
func compiled(t *testing.T, change string) *plan.Plan {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte("package compactor\n"+change), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	cat, err := catalog.Of(builtins.All(func(s string) string { return s })...)
	if err != nil {
		t.Fatal(err)
	}
	p, list := plan.Compile(cfg, cat)
	if p == nil {
		t.Fatal(list.Err())
	}
	return p
}
