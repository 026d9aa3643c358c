package plan_test

import (
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

func TestACommandRunsTheToolThatSaysSo(t *testing.T) {
	for change, want := range map[string]string{
		``:                                      "research_codebase",
		`tools: research_codebase: command: ""`: "",
		`tools: research_codebase: enabled: false`: "",
		`tools: {research_codebase: command: "", ask: {description: "d", pipeline: "locate_in_codebase", command: "research"}}`: "ask",
	} {
		tool, ok := compiled(t, change).Command(plan.Research)
		if ok != (want != "") || ok && tool.Name != want {
			t.Errorf("%s: %v %+v, want %s", change, ok, tool, want)
		}
	}
}

// What a menu hides from clients can still be run by a person.
func TestReachingIsNotAskedOfTheMenu(t *testing.T) {
	p := compiled(t, `menu: only: ["research"]`)
	if list := p.Reaching(catalog.Execute); len(list) != 1 || len(p.ToolsFor(catalog.Execute)) != 0 {
		t.Errorf("%d tools run those of servers, %d are shown", len(list), len(p.ToolsFor(catalog.Execute)))
	}
	if got := p.Reaching(catalog.Execute | catalog.Write); len(got) != 0 {
		t.Errorf("%d tools can do both", len(got))
	}
}
