package egress

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// watchCut notes the reply as it is now. The function it returns emits an event if the reply has changed since.
func watchCut(ctx context.Context, whole func() json.RawMessage, out *json.RawMessage) func() {
	if !event.Wants(ctx, event.Cut) {
		return func() {}
	}
	before := bytes.Clone(whole())
	return func() {
		if !bytes.Equal(before, *out) {
			event.Emit(ctx, event.Event{Kind: event.Cut, Name: "reply", Bytes: len(*out), Message: "reply cut to its tokens",
				Attrs: []slog.Attr{slog.Int("of_bytes", len(before))}})
		}
	}
}
