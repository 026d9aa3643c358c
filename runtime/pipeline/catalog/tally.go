package catalog

import (
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// Tally counts what models did for one request. A nil Tally counts nothing.
type Tally struct {
	mu  sync.Mutex
	use ModelUse

	of  *Tally         // counts the changes passed to say
	say func(ModelUse) // nil: the tally counts changes itself
}

// Through returns a tally for one run of a role: it passes each change to say, which
// emits an event with it, and t counts the change when it views that event.
func (t *Tally) Through(say func(ModelUse)) *Tally { return &Tally{of: t, say: say} }

// Add counts a change, given as a function that applies it to a zero ModelUse.
func (t *Tally) Add(change func(*ModelUse)) {
	if t == nil {
		return
	}
	var by ModelUse
	change(&by)
	if t.say != nil {
		t.say(by)
		return
	}
	t.add(by)
}

// View counts the ModelUse that an event carries, if any.
func (t *Tally) View(e event.Event) {
	if by, is := e.Detail.(ModelUse); is {
		t.add(by)
	}
}

func (t *Tally) add(by ModelUse) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.use.add(by)
}

// ModelUse is what models did for one request.
type ModelUse struct {
	Models    []string       // models that answered, by their servers' names for them, sorted
	Calls     int            // requests sent
	Failed    int            // requests without a usable reply
	TokensIn  int            // sent to models, as counted by the servers
	TokensOut int            // written by models
	Tools     int            // tool calls made for a model
	Refused   int            // calls of tools that were not granted
	Dropped   int            // unsupported claims that were left out
	Rungs     map[string]int // replies by how much repair they needed
}

// Answered counts a model's reply and the rung of the repair ladder that it needed.
func (u *ModelUse) Answered(model, rung string) {
	if model != "" {
		u.addModel(model)
	}
	u.addRung(rung, 1)
}

func (u *ModelUse) addModel(model string) {
	if at, found := slices.BinarySearch(u.Models, model); !found {
		u.Models = slices.Insert(u.Models, at, model)
	}
}

func (u *ModelUse) addRung(name string, by int) {
	if u.Rungs == nil {
		u.Rungs = map[string]int{}
	}
	u.Rungs[name] += by
}

func (u *ModelUse) add(by ModelUse) {
	for _, m := range by.Models {
		u.addModel(m)
	}
	u.Calls += by.Calls
	u.Failed += by.Failed
	u.TokensIn += by.TokensIn
	u.TokensOut += by.TokensOut
	u.Tools += by.Tools
	u.Refused += by.Refused
	u.Dropped += by.Dropped
	for name, n := range by.Rungs {
		u.addRung(name, n)
	}
}

// String describes a change in a few words.
func (u ModelUse) String() string {
	for rung := range u.Rungs {
		return "reply used: " + rung
	}
	switch {
	case u.Calls > 0:
		return "asked"
	case u.Failed > 0:
		return "no usable reply"
	case u.Tools > 0:
		return "tool called"
	case u.Refused > 0:
		return "tool refused"
	case u.Dropped > 0:
		return "unsupported claim left out"
	}
	return "tokens counted"
}

// Use returns what has been counted so far.
func (t *Tally) Use() ModelUse {
	if t == nil {
		return ModelUse{}
	}
	if t.of != nil {
		return t.of.Use()
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
