package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/shared"
	"github.com/compactor-mcp/compactor/runtime/store"
)

// withShared opens what processes share, where there is any.
func (a *app) withShared(ctx context.Context, do func(shelf shared.Shelf, at string) error) error {
	svc, err := a.load(ctx)
	if err != nil {
		return err
	}
	at, err := svc.Snapshot().StoreAt()
	if at = store.SharedPath(at); err != nil || at == "" || !store.Exists(store.Shown(at)) && !store.OnServer(at) {
		return err
	}
	shelf, err := openShared(ctx, svc, store.Open)
	if err == nil {
		err = errors.Join(do(shelf, store.Shown(at)), shelf.Close())
	}
	if err != nil {
		return exit{exitBroken, "what is shared with other processes cannot be read or changed: " + store.Shown(at) + ": " + cause(err)}
	}
	return nil
}

// showShared says what other processes could go on with.
func (a *app) showShared(ctx context.Context) error {
	return a.withShared(ctx, func(shelf shared.Shelf, at string) error {
		sum, err := shelf.Totals(ctx)
		if err == nil && sum.Sessions+sum.Results > 0 {
			fmt.Fprintf(a.out, "%d sessions and %d long results are shared, in %s (%d kB)\n\n", sum.Sessions, sum.Results, at, sum.Bytes>>10)
		}
		return err
	})
}

// purgeShared deletes what is shared, and was last written before a while; 0 for all.
func (a *app) purgeShared(ctx context.Context, before time.Duration) error {
	return a.withShared(ctx, func(shelf shared.Shelf, at string) error {
		was, err := shelf.Totals(ctx)
		if err == nil {
			err = shelf.Forget(ctx, before)
		}
		if err != nil {
			return err
		}
		now, err := shelf.Totals(ctx)
		if gone := was.Sessions + was.Results - now.Sessions - now.Results; err == nil && gone > 0 {
			fmt.Fprintf(a.out, "deleted %d shared sessions and %d long results from %s\n", was.Sessions-now.Sessions, was.Results-now.Results, at)
		}
		return err
	})
}
