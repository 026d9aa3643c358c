package service

import (
	"context"
	"path/filepath"
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
	"github.com/compactor-mcp/compactor/runtime/world/githistory"
)

// historiesKept limits the repositories whose histories stay in memory; each takes a
// few megabytes.
const historiesKept = 4

// histories reads the past commits of roots and caches them by the HEAD of their
// repository.
type histories struct {
	mu   sync.Mutex
	kept []keptHistory // most recently used last
}

type keptHistory struct {
	key  historyKey
	list []catalog.Commit
}

type historyKey struct {
	dir, head string
	most      int
}

func (h *histories) get(key historyKey) ([]catalog.Commit, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	i := slices.IndexFunc(h.kept, func(k keptHistory) bool { return k.key == key })
	if i < 0 {
		return nil, false
	}
	k := h.kept[i]
	h.kept = append(slices.Delete(h.kept, i, i+1), k)
	return k.list, true
}

func (h *histories) put(key historyKey, list []catalog.Commit) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept = append(slices.DeleteFunc(h.kept, func(k keptHistory) bool { return k.key == key }), keptHistory{key, list})
	if over := len(h.kept) - historiesKept; over > 0 {
		h.kept = slices.Delete(h.kept, 0, over)
	}
}

// reader returns the historian of a call. keep permits caching.
func (h *histories) reader(keep bool) catalog.Historian {
	return func(ctx context.Context, root *sandbox.Root, most int) ([]catalog.Commit, error) {
		repo, err := githistory.Open(ctx, root.Path())
		if err != nil {
			return nil, err
		}
		key := historyKey{filepath.Clean(root.Path()), repo.Head(), most}
		if keep {
			if list, ok := h.get(key); ok {
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
			h.put(key, list)
		}
		return list, nil
	}
}
