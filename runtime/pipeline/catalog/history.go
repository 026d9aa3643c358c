package catalog

import (
	"context"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Historian returns the past commits of a root, newest first, at most the given number.
// Strangers wrote their texts: these may count in a ranking, but are never shown. The
// error says why there are none.
type Historian func(ctx context.Context, root *sandbox.Root, most int) ([]Commit, error)

// Commit is a past commit: its message, and the files of the root that it changed, under
// the names they have now.
type Commit struct {
	Message string
	Files   []string
}
