package service

import (
	"context"
	"path/filepath"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/compactor-mcp/compactor/runtime/catalog"
	"github.com/compactor-mcp/compactor/runtime/githistory"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// historiesKept is how many repositories' histories stay in memory, each of some
// megabyte.
const historiesKept = 4

// histories reads the past commits of roots, and keeps them by the head of their
// repository.
type histories struct {
	kept *lru.Cache[historyKey, []catalog.Commit]
}

type historyKey struct {
	dir, head string
	most      int
}

func newHistories() histories {
	kept, _ := lru.New[historyKey, []catalog.Commit](historiesKept) // fails for a size below 1 only
	return histories{kept}
}

// reader is the historian of a call; keep is whether what was read may stay in memory.
func (h histories) reader(keep bool) catalog.Historian {
	return func(ctx context.Context, root *sandbox.Root, most int) ([]catalog.Commit, error) {
		repo, err := githistory.Open(ctx, root.Path())
		if err != nil {
			return nil, err
		}
		key := historyKey{filepath.Clean(root.Path()), repo.Head(), most}
		if keep {
			if list, ok := h.kept.Get(key); ok {
				return list, nil
			}
		}
		var list []catalog.Commit
		err = repo.Past(ctx, most, func(p githistory.Past) error {
			list = append(list, catalog.Commit{Message: p.Message, Files: p.Files})
			return nil
		})
		if err != nil {
			return nil, err
		}
		if keep {
			h.kept.Add(key, list)
		}
		return list, nil
	}
}
