package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// checkCollections checks whether the index of each collection can be searched.
func checkCollections(ctx context.Context, snap *service.Snapshot) []Check {
	var out []Check
	for _, c := range snap.Collections() {
		check := Check{"collection " + c.Name, Good, "", ""}
		switch s, err := stateOf(ctx, c); {
		case err != nil:
			check.Level, check.Found, check.Do = Bad, err.Error(), "see: compactor index status --collection "+c.Name
		case s.Version == "":
			check.Level, check.Found, check.Do = Warn, library.ErrEmpty.Error(), "run: compactor index --collection "+c.Name
		default:
			check.Found = fmt.Sprintf("%d documents in %d passages, of %s", s.Documents, s.Passages, s.Published.Local().Format(time.DateTime))
		}
		out = append(out, check)
	}
	return out
}

// stateOf returns the state of a collection, or the zero State if nothing was indexed.
func stateOf(ctx context.Context, c service.Collection) (library.State, error) {
	if c.File == "" || !store.Exists(c.File) {
		return library.State{}, nil
	}
	shelf, err := store.OpenLibrary(ctx, c.File)
	if err != nil {
		return library.State{}, err
	}
	defer shelf.Close()
	return shelf.State(ctx)
}
