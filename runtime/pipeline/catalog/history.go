package catalog

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Historian reads the past commits of a root, newest first and at most so many. What
// they say is written by strangers: it may weigh in a ranking, and is never shown.
// An error says why there are none.
type Historian func(ctx context.Context, root *sandbox.Root, most int) ([]Commit, error)

// Commit is a past commit: what it says, and the files of the root that it changed, by
// the names they have now.
type Commit struct {
	Message string
	Files   []string
}
