package gateway

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// What was found of a server that does not answer server/discover is written down
// with its tools, for the next run.
func TestASilentServerIsRemembered(t *testing.T) {
	g := New(Options{})
	defer g.Close()
	at := time.Now().Truncate(time.Second)
	for _, silent := range []time.Time{at, {}} {
		was := &listing{Name: "lake", Fetched: at, Capabilities: json.RawMessage(`{}`), silent: silent}
		e := newEntry(config.Server{Name: "lake"})
		e.listing = g.parseRecalled(e, store.Catalog{Server: "lake", Fetched: at, Body: was.storedForm()})
		if e.listing == nil || !e.silentSince().Equal(silent) {
			t.Errorf("%+v, want it silent since %v", e.listing, silent)
		}
	}
}
