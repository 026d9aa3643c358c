package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/words"
	"github.com/compactor-mcp/compactor/runtime/pipeline/shared"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// withShared calls do with what processes share, if there is any.
func withShared(ctx context.Context, svc *service.Service, do func(shelf shared.Shelf, at string) error) error {
	return withBeside(ctx, svc, store.SharedPath, "what is shared with other processes cannot be read or changed", func(s *store.Store, at string) error {
		return do(s.Shared(), at)
	})
}

// showShared prints how many sessions and long results other processes could continue with.
func (a *app) showShared(ctx context.Context, svc *service.Service) error {
	return withShared(ctx, svc, func(shelf shared.Shelf, at string) error {
		sum, err := shelf.Totals(ctx)
		if err == nil && sum.Sessions+sum.Results > 0 {
			fmt.Fprintf(a.out, "shared: %s and %s, in %s (%d kB)\n\n", words.Count(sum.Sessions, "session"), words.Count(sum.Results, "long result"), at, sum.Bytes>>10)
		}
		return err
	})
}

// withBeside opens a file next to the store, if it exists. failed is the text that precedes an error.
func withBeside(ctx context.Context, svc *service.Service, beside func(url string) string, failed string, do func(s *store.Store, at string) error) error {
	at, err := svc.Snapshot().StoreAt()
	if at = beside(at); err != nil || at == "" || !store.Exists(store.Shown(at)) && !store.OnServer(at) {
		return err
	}
	s, err := store.Open(ctx, at)
	if err == nil {
		err = errors.Join(do(s, store.Shown(at)), s.Close())
	}
	if err != nil {
		return exit{exitBroken, failed + ": " + store.Shown(at) + ": " + causeOf(err)}
	}
	return nil
}
