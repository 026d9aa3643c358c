package service_test

import "testing"

// What says that the server is there is answered in a full pool too, and what
// waits for another program keeps nobody out; what reads files is work.
func TestSignsOfLifeNeedNoWorker(t *testing.T) {
	p := start(t, options(t, nil)).Snapshot().Plan
	for name, want := range map[string]bool{"ping": true, "list_roots": true, "execute_tool": true, "find_patterns": false, "research_codebase": false} {
		tool, ok := p.Tool(name)
		if !ok {
			t.Errorf("there is no %s", name)
			continue
		}
		if got := tool.Pipeline.NeedsNoWorker(); got != want {
			t.Errorf("%s needs no worker: %v, want %v", name, got, want)
		}
	}
}
