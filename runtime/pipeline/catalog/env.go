package catalog

import (
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/budget"
	"github.com/compactor-mcp/compactor/runtime/base/cache"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// Env is what the world looks like to a builtin: the roots it may read, the
// ledger it must book on, a clock. Fields that the builtin did not declare in
// its Caps are nil.
type Env struct {
	Roots         *sandbox.Set
	Artifacts     *sandbox.ArtifactDir
	Ledger        *budget.Ledger
	History       Historian     // nil where there is no history to read
	Upstreams     Upstreams     // nil where there are no servers
	Usage         Usage         // nil where nothing is learnt
	Web           Web           // nil where the configuration opens no host
	Documents     Library       // nil where the configuration has no collection
	Notes         *Notes        // pins on Documents; nil where there are none
	Scan          time.Duration // how long ranking may look at the tree
	Workers       int           // goroutines a scan may use
	Tokens        int           // tokens that the reply may have; 0 where nobody said
	Now           func() time.Time
	Deterministic bool
	Until         time.Time      // when a model must be done, so that those after it have time; zero for no limit
	Run           func() RunInfo // the run so far; never nil
	Progress      func(Progress) // never nil
	Memo          *Memo          // of the request; may be nil
	Tally         *Tally         // of the request; may be nil
	Cache         *cache.Cache   // of the process; nil when nothing is kept
}

// Progress is one step worth telling a waiting person: what is being done,
// and how far it is. Total 0 means unknown.
type Progress struct {
	Stage   string
	Message string
	Done    int
	Total   int
	Model   *Speech // set while a model is at work
}

// Line is the step in words, as a waiting person reads it: one line with nothing hidden in it.
func (p Progress) Line() string {
	if p.Model == nil {
		return sanitize.Line(p.Stage + ": " + p.Message)
	}
	return sanitize.Line(p.Stage + ": " + p.Model.String())
}

// Speech is how far a model is with a reply.
type Speech struct {
	Role  string        // that asks
	Model string        // as the configuration names it
	Doing string        // reading, writing, or Calling with a builtin's name
	In    int           // tokens put before it, an estimate
	Out   int           // tokens written so far, an estimate
	Rate  float64       // tokens written a second; 0 while none are
	Left  time.Duration // until it is not waited for any more; 0 for no limit
}

// Calling is what a Speech is doing while a tool runs that the model called; the
// tool's name follows.
const Calling = "calling "

// String is such as "qwen3-4b writes, 42 tokens at 18/s, 6 s left".
func (s Speech) String() string {
	text := s.Model
	tool, calling := strings.CutPrefix(s.Doing, Calling)
	switch {
	case calling:
		text += " calls " + tool
	case s.Doing == "reading":
		text += fmt.Sprintf(" reads %d tokens", s.In)
	case s.Doing == "writing":
		text += fmt.Sprintf(" writes, %d tokens", s.Out)
		if s.Rate > 0 {
			text += fmt.Sprintf(" at %.0f/s", s.Rate)
		}
	}
	if s.Left > 0 {
		text += fmt.Sprintf(", %.0f s left", s.Left.Seconds())
	}
	return text
}
