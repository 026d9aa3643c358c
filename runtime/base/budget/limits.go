// Package budget implements the ledger that all stages of one request share. It refuses
// work before the work is done, so that a limit is enforced and not just measured.
//
// The package knows nothing about files or models: callers say what they are about to
// spend. A child ledger may only narrow its parent.
package budget

import "time"

// Limits bounds a request, a stage or a role. Zero means no limit at this level, so
// that the parent's limit applies.
type Limits struct {
	Files     int           `json:"files,omitempty"`      // files read as evidence
	Bytes     int64         `json:"bytes,omitempty"`      // bytes read as evidence
	Time      time.Duration `json:"time,omitempty"`       // wall time
	Steps     int           `json:"steps,omitempty"`      // model turns and tool calls
	TokensIn  int           `json:"tokens_in,omitempty"`  // prompt tokens
	TokensOut int           `json:"tokens_out,omitempty"` // tokens of the reply
	Tasks     int           `json:"tasks,omitempty"`      // concurrent stages and fan-out items
}

// Narrow returns the tighter of both, field by field.
func (l Limits) Narrow(by Limits) Limits {
	return Limits{
		Files: tighter(l.Files, by.Files), Bytes: tighter(l.Bytes, by.Bytes), Time: tighter(l.Time, by.Time),
		Steps: tighter(l.Steps, by.Steps), TokensIn: tighter(l.TokensIn, by.TokensIn),
		TokensOut: tighter(l.TokensOut, by.TokensOut), Tasks: tighter(l.Tasks, by.Tasks),
	}
}

// named returns the limit with the name that an ExhaustedError has.
func (l Limits) named(limit string) int64 {
	switch limit {
	case "files":
		return int64(l.Files)
	case "bytes":
		return l.Bytes
	case "steps":
		return int64(l.Steps)
	case "tokens_in":
		return int64(l.TokensIn)
	}
	return int64(l.TokensOut)
}

func tighter[T int | int64 | time.Duration](a, b T) T {
	if a <= 0 || (b > 0 && b < a) {
		return b
	}
	return a
}
