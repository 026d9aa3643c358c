package service

import (
	"context"
	"log/slog"
	"maps"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/event"
)

// HookUse counts what hooks did since the start.
type HookUse struct {
	Skipped int64  `json:"skipped"`
	Last    string `json:"last"` // why the last one was skipped
}

// hookUse counts the hooks that were skipped. It is a view of the events of hooks.
type hookUse struct {
	mu sync.Mutex
	of map[string]HookUse
}

func (h *hookUse) view(e event.Event) {
	if e.Outcome != event.Skipped {
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of == nil {
		h.of = map[string]HookUse{}
	}
	h.of[e.Name] = HookUse{h.of[e.Name].Skipped + 1, e.Error}
}

// Hooks are the hooks that were skipped, by name.
func (s *Service) Hooks() map[string]HookUse {
	s.hookUse.mu.Lock()
	defer s.hookUse.mu.Unlock()
	return maps.Clone(s.hookUse.of)
}

// skipped emits that a hook was skipped, and why.
func (s *Service) skipped(ctx context.Context, hook string, err error) {
	_, e := contract.AsError(err)
	event.Emit(s.events.Into(ctx, "", ""), event.Event{Kind: event.Hook, Name: hook, Outcome: event.Skipped, Code: e.Code,
		Message: "a hook was skipped", Error: s.Snapshot().Egress.Line(e.Message), Attrs: []slog.Attr{slog.String("hook", hook)}})
}
