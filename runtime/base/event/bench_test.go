package event_test

import (
	"context"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// deep is a context as a builtin has it: with some layers of deadlines over the
// request.
func deep(ctx context.Context, b *testing.B) context.Context {
	for range 6 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		b.Cleanup(cancel)
	}
	return ctx
}

func BenchmarkEmit(b *testing.B) {
	var quiet, followed event.Stream
	sub := followed.Subscribe(1024, event.Builtin)
	defer sub.Close()
	seen := event.WithView(context.Background(), func(event.Event) {}, event.Model)
	for _, c := range []struct {
		name string
		ctx  context.Context
	}{
		{"nobody", deep(context.Background(), b)},
		{"nobody of this kind", deep(quiet.WithContext(seen, "", ""), b)},
		{"a full subscription", deep(followed.WithContext(seen, "", ""), b)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				event.Emit(c.ctx, event.Event{Kind: event.Builtin, Name: "code.grep", Bytes: 7})
			}
		})
		b.Run("span, "+c.name, func(b *testing.B) {
			for b.Loop() {
				_, span := event.Start(c.ctx, event.Event{Kind: event.Builtin, Name: "code.grep"})
				span.End(event.OK, "")
			}
		})
	}
}
