package event

import (
	"log/slog"
	"slices"
	"strconv"
	"time"
)

// Kind is the subject of an event.
type Kind uint8

// The kinds of events.
const (
	Request   Kind = iota // of a client
	Stage                 // of a pipeline
	Round                 // of a repeated stage
	Builtin               // run by a stage, a role or a model
	Model                 // a request to a model, and the outcome of its reply
	Upstream              // a call of an upstream server, or a change of its state
	Cut                   // something was left out of a reply
	Hook                  // a pipeline ran on upstream traffic, or was skipped
	Reload                // the configuration was read again
	Index                 // a collection of documents was indexed
	Retrieval             // a search for passages, or a document lookup
	Rerank                // a model rated the best of them
	Compose               // an answer was composed of passages, with citations
	Note                  // a line that the program logs
	kinds
)

var kindNames = [kinds]string{"request", "stage", "round", "builtin", "model", "upstream", "cut", "hook", "reload", "index", "retrieval", "rerank", "compose", "note"}

// String returns the name of the kind.
func (k Kind) String() string {
	if k >= kinds {
		return "kind" + strconv.Itoa(int(k))
	}
	return kindNames[k]
}

// Kinds lists all kinds.
func Kinds() []Kind {
	out := make([]Kind, kinds)
	for i := range out {
		out[i] = Kind(i)
	}
	return out
}

// set is a set of kinds.
type set = uint32

func setOf(list []Kind) (s set) {
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

// Phase tells how far something has progressed. An instantaneous event has no Begin:
// its only event is End.
type Phase uint8

// The phases.
const (
	End Phase = iota
	Begin
	Step // in between
)

// String returns the name of the phase.
func (p Phase) String() string { return [...]string{"end", "begin", "step"}[min(p, Step)] }

// Outcomes that have the same name for all kinds. Each kind may add its own.
const (
	OK      = "ok"
	Failed  = "failed"
	Skipped = "skipped"
)

// Event is one thing that happened. Emit fills in what the context knows: Time, Trace,
// Session, Parent, and Stage and Role if they are empty.
type Event struct {
	Time    time.Time
	Kind    Kind
	Phase   Phase
	Trace   string // of the request, 32 hexadecimal digits
	Session string // of the client: an opaque ID, equal for the same session and useless for anything else
	Call    string // this call among those of the request, 16 hexadecimal digits
	Parent  string // the call that caused it; "" for none

	Name      string // the subject: a method, a builtin, a model, a hook
	Stage     string // including the names of the pipelines that it is nested in
	Role      string
	Server    string
	Tool      string
	TokensIn  int
	TokensOut int
	Bytes     int
	Elapsed   time.Duration // for an End that had a Begin
	Outcome   string
	Code      string // stable code of what went wrong
	Message   string // what happened, in words; "" for the default of the kind
	Error     string // what went wrong, in words
	Attrs     []slog.Attr
	Level     slog.Level // of a Note

	Dropped int // events that the reader lost before this one
	Detail  any // data for a view instead of words; sinks ignore it
}

// Limits on the texts of an event, in bytes. A queue is bounded in events, so each
// event must be bounded too; a text over the limit is left out and not cut, since half
// a secret is not recognized.
const (
	maxName = 512
	maxText = 16 << 10
)

// dropLongTexts leaves out texts that are too long.
func (e *Event) dropLongTexts() {
	for _, s := range []*string{&e.Name, &e.Stage, &e.Role, &e.Server, &e.Tool, &e.Outcome, &e.Code} {
		leaveOut(s, maxName)
	}
	leaveOut(&e.Message, maxText)
	leaveOut(&e.Error, maxText)
	for i, a := range e.Attrs {
		if a.Value.Kind() == slog.KindString && len(a.Value.String()) > maxText {
			text := a.Value.String()
			leaveOut(&text, maxText)
			e.Attrs = slices.Clone(e.Attrs) // the slice is shared
			e.Attrs[i].Value = slog.StringValue(text)
		}
	}
}

func leaveOut(s *string, most int) {
	if len(*s) > most {
		*s = "(" + strconv.Itoa(len(*s)) + " bytes, left out)"
	}
}
