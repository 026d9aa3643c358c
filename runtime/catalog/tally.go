package catalog

import (
	"slices"
	"sync"
)

// Tally counts what models did for one request. A nil Tally counts nothing.
type Tally struct {
	mu  sync.Mutex
	use ModelUse
}

// ModelUse is what models did for one request.
type ModelUse struct {
	Models    []string       // that answered, as their servers name them, in the order of their names
	Calls     int            // requests sent
	Failed    int            // of those, without a usable reply
	TokensIn  int            // put before models, by the servers' count
	TokensOut int            // written by models
	Tools     int            // tool calls made for a model
	Refused   int            // calls of tools that are not granted
	Dropped   int            // claims that nothing supports, left out
	Rungs     map[string]int // replies by how much they needed to be mended
}

// Add counts.
func (t *Tally) Add(change func(*ModelUse)) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.use)
}

// Answered counts a reply of a model and the rung of the repair ladder that it
// needed.
func (u *ModelUse) Answered(model, rung string) {
	if at, found := slices.BinarySearch(u.Models, model); !found && model != "" {
		u.Models = slices.Insert(u.Models, at, model)
	}
	if u.Rungs == nil {
		u.Rungs = map[string]int{}
	}
	u.Rungs[rung]++
}

// Use is what was counted so far.
func (t *Tally) Use() ModelUse {
	if t == nil {
		return ModelUse{}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.use
	u.Models = slices.Clone(u.Models)
	u.Rungs = make(map[string]int, len(t.use.Rungs))
	for k, n := range t.use.Rungs {
		u.Rungs[k] = n
	}
	return u
}
