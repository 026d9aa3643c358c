package gateway

import (
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// Servers of two projects often have one name, and what is approved of one says
// nothing of the other; the user's own is one wherever he is.
func TestApprovalsOfAProjectsServerAreItsOwn(t *testing.T) {
	of := func(project string, theirs bool) string {
		g := New(Options{Project: project})
		t.Cleanup(func() { _ = g.Close() })
		return g.approvals.name(config.Server{Name: "db", Project: theirs})
	}
	if of("/a", true) == of("/b", true) || of("/a", true) == of("/a", false) {
		t.Error("two servers share their approvals")
	}
	if of("/a", false) != "db" || of("/b", false) != "db" || of("", true) != "db" {
		t.Error("a server of the user's has other approvals elsewhere")
	}
	first := of("/a", true)
	if again := of("/a", true); again != first {
		t.Error("approvals are not found again")
	}
}
