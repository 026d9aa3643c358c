package timeline

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// Names of attributes with a meaning here.
const (
	attrPurpose  = "purpose"         // of a model call
	attrResult   = "result"          // id of a summarized result
	attrOriginal = "original_tokens" // of that result
	attrSummary  = "summary_tokens"
	attrQuotes   = "quotes" // digests of what an answer quotes
	attrHomes    = "homes"  // of the collections that those are of
)

// PublicAttrs returns the attributes that may be shown and exported, sorted: a short quote can be guessed from its digest.
func (s *Span) PublicAttrs() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(s.Attrs)), func(name string) bool { return name == attrQuotes || name == attrHomes })
}

// spanOf converts a masked event to a span.
func spanOf(e event.Event) *Span {
	s := &Span{Session: e.Session, Trace: e.Trace, ID: e.Call, Parent: e.Parent, Kind: e.Kind.String(), Name: e.Name, Stage: e.Stage, Role: e.Role,
		Server: e.Server, Tool: e.Tool, Started: e.Time.Add(-e.Elapsed), Elapsed: e.Elapsed, Running: e.Phase == event.Begin,
		Outcome: e.Outcome, Code: e.Code, Message: e.Message, Error: e.Error, In: e.TokensIn, Out: e.TokensOut, Bytes: e.Bytes}
	for _, a := range e.Attrs {
		value := a.Value.String()
		if a.Key == attrPurpose {
			s.Purpose = value
			continue
		}
		if s.Attrs == nil {
			s.Attrs = map[string]string{}
		}
		s.Attrs[a.Key] = value
	}
	return s
}

// Summarized returns the number of tokens of a result and of its summary.
func (s *Span) Summarized() (original, given int, ok bool) {
	if s.Attrs[attrResult] == "" {
		return 0, 0, false
	}
	original, before := strconv.Atoi(s.Attrs[attrOriginal])
	given, after := strconv.Atoi(s.Attrs[attrSummary])
	return original, given, before == nil && after == nil
}

// overhead estimates the size of a span in addition to its texts.
const overhead = 480

// size estimates the memory that a span takes.
func (s *Span) size() int {
	n := overhead + len(s.Session) + len(s.Trace) + len(s.ID) + len(s.Parent) + len(s.Purpose) + len(s.Name) + len(s.Stage) + len(s.Role) + len(s.Server) +
		len(s.Tool) + len(s.Outcome) + len(s.Code) + len(s.Message) + len(s.Error)
	for k, v := range s.Attrs {
		n += 64 + len(k) + len(v)
	}
	return n
}

// Steps adds up the savings of summaries, by steps of time.
type Steps struct {
	since time.Time
	step  time.Duration
	list  []Saving
}

// maxSteps limits a list of steps.
const maxSteps = 10_000

// NewSteps returns steps that begin at since; for the zero time they are multiples of step.
func NewSteps(since time.Time, step time.Duration) *Steps {
	if step <= 0 {
		step = time.Hour
	}
	return &Steps{since: since, step: step}
}

// Add adds a summary. Summaries may come in any order.
func (s *Steps) Add(at time.Time, original, given int) {
	if at.Before(s.since) {
		return
	}
	from := s.since.Add(at.Sub(s.since) / s.step * s.step)
	if s.since.IsZero() {
		from = at.Truncate(s.step)
	}
	i := len(s.list)
	for i > 0 && s.list[i-1].From.After(from) {
		i--
	}
	if i == 0 || !s.list[i-1].From.Equal(from) {
		if len(s.list) >= maxSteps {
			return
		}
		s.list = append(s.list, Saving{})
		copy(s.list[i+1:], s.list[i:])
		s.list[i] = Saving{From: from}
		i++
	}
	x := &s.list[i-1]
	x.Original, x.Given, x.Results = x.Original+original, x.Given+given, x.Results+1
}

// List returns the steps that have any, oldest first.
func (s *Steps) List() []Saving {
	if s.list == nil {
		return []Saving{}
	}
	return s.list
}
