package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/service"
	"github.com/compactor-mcp/compactor/runtime/shared"
	"github.com/compactor-mcp/compactor/runtime/store"
)

// withShared opens what processes share, where there is any.
func withShared(ctx context.Context, svc *service.Service, do func(shelf shared.Shelf, at string) error) error {
	at, err := storeBeside(svc, store.SharedPath)
	if err != nil || at == "" {
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
func (a *app) showShared(ctx context.Context, svc *service.Service) error {
	return withShared(ctx, svc, func(shelf shared.Shelf, at string) error {
		sum, err := shelf.Totals(ctx)
		if err == nil && sum.Sessions+sum.Results > 0 {
			fmt.Fprintf(a.out, "%d sessions and %d long results are shared, in %s (%d kB)\n\n", sum.Sessions, sum.Results, at, sum.Bytes>>10)
		}
		return err
	})
}

// storeBeside returns where a file beside the store is, "" for none.
func storeBeside(svc *service.Service, beside func(url string) string) (string, error) {
	at, err := svc.Snapshot().StoreAt()
	if at = beside(at); err != nil || at == "" || !store.Exists(store.Shown(at)) && !store.OnServer(at) {
		return "", err
	}
	return at, nil
}
