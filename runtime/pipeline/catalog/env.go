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

// Env is all that a builtin sees of the world: the roots it may read, the ledger it must
// book on, a clock. Fields that the builtin did not declare in its Caps are nil.
type Env struct {
	Roots         *sandbox.Set
	Artifacts     *sandbox.ArtifactDir
	Ledger        *budget.Ledger
	History       Historian     // nil if there is no history to read
	Upstreams     Upstreams     // nil if there are no servers
	Usage         Usage         // nil if nothing is learnt
	Web           Web           // nil if the configuration opens no host
	Documents     Library       // nil if the configuration has no collection
	Notes         *Notes        // pins on Documents; nil if there are none
	Scan          time.Duration // how long ranking may scan the tree
	Workers       int           // goroutines a scan may use
	Tokens        int           // tokens that the reply may have; 0 if not given
	Now           func() time.Time
	Deterministic bool
	Until         time.Time      // when a model must be done, to leave time for the stages after it; zero for no limit
	Run           func() RunInfo // the run so far; never nil
	Progress      func(Progress) // never nil
	Memo          *Memo          // of the request; may be nil
	Tally         *Tally         // of the request; may be nil
	Cache         *cache.Cache   // of the process; nil when nothing is kept
}

// Progress is one step worth reporting to a waiting person: what is being done, and how
// far it is. Total 0 means unknown.
type Progress struct {
	Stage   string
	Message string
	Done    int
	Total   int
	Model   *Speech // set while a model is at work
}

// Line returns the step in words for a waiting person: one line without hidden characters.
func (p Progress) Line() string {
	if p.Model == nil {
		return sanitize.Line(p.Stage + ": " + p.Message)
	}
	return sanitize.Line(p.Stage + ": " + p.Model.String())
}

// Speech describes the progress of a model's reply.
type Speech struct {
	Role  string        // the role that asks
	Model string        // its name in the configuration
	Doing string        // reading, writing, or Calling with a builtin's name
	In    int           // estimated tokens of the prompt
	Out   int           // estimated tokens written so far
	Rate  float64       // tokens written per second; 0 before the first
	Left  time.Duration // time until it is abandoned; 0 for no limit
}

// Calling is the prefix of Speech.Doing while a tool runs that the model called; the
// tool's name follows.
const Calling = "calling "

// String returns a text such as "qwen3-4b writes, 42 tokens at 18/s, 6 s left".
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
