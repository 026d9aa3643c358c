package model

import (
	"context"
	"log/slog"
)

type purposeKey struct{}

// For returns a context whose requests to models have a purpose, which their events
// report.
func For(ctx context.Context, purpose string) context.Context {
	if purpose == "" {
		return ctx
	}
	return context.WithValue(ctx, purposeKey{}, purpose)
}

// purposeOf returns the attributes of a request's event.
func purposeOf(ctx context.Context) []slog.Attr {
	if purpose, ok := ctx.Value(purposeKey{}).(string); ok {
		return []slog.Attr{slog.String("purpose", purpose)}
	}
	return nil
}
