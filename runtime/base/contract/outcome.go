package contract

import (
	"context"
	"errors"
	"time"
)

// Status is the way in which a run ended.
type Status string

// The four ends of a run.
const (
	OK       Status = "ok"
	Timeout  Status = "timeout"
	Canceled Status = "canceled"
	Failed   Status = "error"
)

// Error is a failure as it is sent: a stable code, and one line about what happened and what to do.
// It contains no stack, no secret and no path outside the roots.
type Error struct {
	Name    string `json:"name" doc:"class of the failure"`
	Message string `json:"message" doc:"what happened and what to do"`
	Code    string `json:"code" doc:"stable code"`

	Data *ErrorData `json:"-"` // for programs; masked where it is created
}

// ErrorData holds details of an error about an upstream server, for programs. All may be empty.
type ErrorData struct {
	Server  string
	Tool    string // its name on the server
	Details any
}

// Members returns the details that are known, by name.
func (d *ErrorData) Members() map[string]any {
	out := map[string]any{}
	if d == nil {
		return out
	}
	if d.Server != "" {
		out["server"] = d.Server
	}
	if d.Tool != "" {
		out["tool"] = d.Tool
	}
	if d.Details != nil {
		out["details"] = d.Details
	}
	return out
}

func (e *Error) Error() string { return e.Message }

// Timing is when a run began and how long it took, in milliseconds. Both are zero in a
// deterministic run.
type Timing struct {
	StartedAt int64 `json:"startedAt" doc:"Unix time in milliseconds"`
	ElapsedMs int64 `json:"elapsedMs" doc:"duration in milliseconds"`
}

// Outcome wraps the result of a run. Value is set exactly if Status is ok, Error exactly if it is
// not.
type Outcome[T any] struct {
	Status Status `json:"status" doc:"how the run ended" enum:"ok,timeout,canceled,error"`
	Value  *T     `json:"value,omitempty" doc:"present when status is ok"`
	Error  *Error `json:"error,omitempty" doc:"present when status is not ok"`
	Timing Timing `json:"timing" doc:"zero in a deterministic run"`
}

// Succeeded wraps a value.
func Succeeded[T any](v T, t Timing) Outcome[T] {
	return Outcome[T]{Status: OK, Value: &v, Timing: t}
}

// Coded is an error with a stable code, such as BUDGET_EXHAUSTED.
type Coded interface {
	error
	Code() string
}

// AsError classifies any error: an expired deadline is a timeout, a canceled context is canceled,
// anything else is an error with the code it carries or INTERNAL.
func AsError(err error) (Status, *Error) {
	var own *Error
	var coded Coded
	switch {
	case errors.As(err, &own):
		return Failed, own
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout, &Error{Name: "TimeoutError", Code: "TIMEOUT", Message: err.Error()}
	case errors.Is(err, context.Canceled):
		return Canceled, &Error{Name: "CanceledError", Code: "CANCELED", Message: err.Error()}
	case errors.As(err, &coded):
		return Failed, &Error{Name: "Error", Code: coded.Code(), Message: err.Error()}
	}
	return Failed, &Error{Name: "Error", Code: "INTERNAL", Message: err.Error()}
}

// Since returns the timing of a run that began at start and ends now; zero if the run is
// deterministic.
func Since(start, now time.Time, deterministic bool) Timing {
	if deterministic {
		return Timing{}
	}
	return Timing{StartedAt: start.UnixMilli(), ElapsedMs: now.Sub(start).Milliseconds()}
}
