package catalog

import (
	"time"

	"compactor/runtime/budget"
	"compactor/runtime/cache"
	"compactor/runtime/sandbox"
)

// Env is what the world looks like to a builtin: the roots it may read, the
// ledger it must book on, a clock. Fields that the builtin did not declare in
// its Caps are nil.
type Env struct {
	Roots         *sandbox.Set
	Artifacts     *sandbox.ArtifactDir
	Ledger        *budget.Ledger
	Scan          time.Duration // how long ranking may look at the tree
	Workers       int           // goroutines a scan may use
	Now           func() time.Time
	Deterministic bool
	Run           func() RunInfo // the run so far; never nil
	Progress      func(Progress) // never nil
	Memo          *Memo          // of the request; may be nil
	Cache         *cache.Cache   // of the process; nil when nothing is kept
	Probe         *Probe         // nil when nothing is measured
}

// Progress is one step worth telling a waiting person: what is being done,
// and how far it is. Total 0 means unknown.
type Progress struct {
	Stage   string
	Message string
	Done    int
	Total   int
}
