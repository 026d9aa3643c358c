package code

import (
	"context"
	"time"

	"github.com/compactor-mcp/compactor/builtins/code/rank"
	"github.com/compactor-mcp/compactor/runtime/catalog"
)

// Bounds of what is read of a repository's history. The newest commits give most of
// what there is to gain. Where they are not there in time the ranking goes on without
// all of them, never with a part: a reply must not depend on how fast git was by more
// than that.
const (
	historyCommits = 2000
	historyTime    = time.Second
)

// history is the past of the roots, read while their files are scanned.
type history struct {
	done     chan struct{}
	messages []rank.Message
	late     bool
}

// beginHistory starts to read; most is how many commits of each root, 0 for none.
func beginHistory(ctx context.Context, env *catalog.Env, most int) *history {
	h := &history{done: make(chan struct{})}
	if env.History == nil || most == 0 {
		close(h.done)
		return h
	}
	var cancel context.CancelFunc
	if env.Deterministic {
		ctx, cancel = context.WithCancel(ctx)
	} else {
		ctx, cancel = context.WithTimeout(ctx, historyTime)
	}
	go func() {
		defer close(h.done)
		defer cancel()
		for _, root := range env.Roots.Roots() {
			list, err := env.History(ctx, root, most)
			if err != nil {
				h.late = h.late || ctx.Err() != nil
				continue // no repository, or not one that can be read: the tree stands for itself
			}
			for _, c := range list {
				m := rank.Message{Text: c.Message, Files: make([]string, len(c.Files))}
				for i, f := range c.Files {
					m.Files[i] = env.Roots.Ref(root, f)
				}
				h.messages = append(h.messages, m)
			}
		}
		if h.late {
			h.messages = nil
		}
	}()
	return h
}

// wait returns what was read, once it is.
func (h *history) wait() []rank.Message {
	<-h.done
	return h.messages
}
