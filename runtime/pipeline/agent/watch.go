package agent

import (
	"context"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// watch reports the progress of a reply to a waiting person, now and every half second
// until it is complete.
type watch struct {
	turn *roleRun
	ctx  context.Context
	end  chan struct{}
	done sync.WaitGroup

	mu    sync.Mutex
	at    catalog.Speech
	first time.Time
}

const tick = 500 * time.Millisecond

func (t *roleRun) startWatch(ctx context.Context, name string, in int) *watch {
	w := &watch{turn: t, ctx: ctx, end: make(chan struct{}), at: catalog.Speech{Role: t.role.Name, Model: name, Doing: "reading", In: in}}
	if t.env.Progress == nil {
		return w
	}
	w.reportProgress()
	w.done.Go(func() {
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for {
			select {
			case <-w.end:
				return
			case <-ticker.C:
				w.reportProgress()
			}
		}
	})
	return w
}

// countPiece counts a piece of the reply.
func (w *watch) countPiece(d model.Delta) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.first.IsZero() {
		w.first = time.Now()
	}
	w.at.Doing = "writing"
	w.at.Out += model.Estimate(d.Text + d.Reasoning)
}

func (w *watch) reportProgress() {
	w.mu.Lock()
	at := w.at
	if s := time.Since(w.first).Seconds(); !w.first.IsZero() && s > 0.1 {
		at.Rate = float64(at.Out) / s
	}
	w.mu.Unlock()
	if deadline, ok := w.ctx.Deadline(); ok {
		at.Left = max(time.Until(deadline), 0)
	}
	w.turn.env.Progress(catalog.Progress{Message: at.Doing, Model: &at})
}

func (w *watch) stop() {
	close(w.end)
	w.done.Wait()
}
