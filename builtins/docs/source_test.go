package docs

import (
	"testing"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// TestNearestFoundReadsMarkup has a definition whose heading only reStructuredText has: in Markdown its underline opens a block
// of code.
func TestNearestFoundReadsMarkup(t *testing.T) {
	found := func(uri, text string, score float64) library.Found {
		return library.Found{Passage: library.Passage{Document: library.Document{URI: uri}, Text: text, End: len(text)}, Score: score}
	}
	list := []library.Found{
		found("guide/start.md", "Start the worker, and wait for the worker.\n", 1),
		found("guide/words.rst", "Worker\n~~~~~~\n\nPrograms that take tasks from a queue.\n", 0.6),
	}
	if got := nearestFound("what is a worker?", list, 1); len(got) != 1 || got[0].Document.URI != "guide/words.rst" {
		t.Errorf("the nearest is %+v, want the section on workers", got)
	}
}
