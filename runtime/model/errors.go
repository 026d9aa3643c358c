package model

import (
	"errors"
	"time"
)

// Codes of errors of models. They are stable.
const (
	Unreachable = "MODEL_UNREACHABLE" // no server listens, or the connection broke
	Busy        = "MODEL_BUSY"        // the server is full, or still loading
	Overflow    = "MODEL_OVERFLOW"    // the prompt is longer than the context window
	NotFound    = "MODEL_NOT_FOUND"   // the server has no such model
	Wrong       = "MODEL_WRONG"       // another model answered
	Empty       = "MODEL_EMPTY"       // an answer without content
	Broken      = "MODEL_BROKEN"      // not the protocol, or cut off
	Refused     = "MODEL_REFUSED"     // key, quota, or a request that the server rejects
	Unsupported = "MODEL_UNSUPPORTED" // tools, a schema or thinking that this model does not support
	Unrecorded  = "MODEL_UNRECORDED"  // a replay does not contain this exchange
	TooSlow     = "MODEL_TOO_SLOW"    // it cannot be done in the remaining time
)

// Error reports what went wrong with a model and what to do about it.
type Error struct {
	Kind    string // one of the codes
	Model   string // the configuration's name for it, or the model's
	Message string // what happened, on one line
	Do      string // what helps, on one line; may be empty
	After   time.Duration
	Err     error // cause; may be nil
}

func (e *Error) Error() string {
	text := e.Message
	if e.Model != "" {
		text = "model " + e.Model + ": " + text
	}
	if e.Do != "" {
		text += "; " + e.Do
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Code returns the stable code.
func (e *Error) Code() string { return e.Kind }

// Is reports whether err is an *Error with that code.
func Is(err error, code string) bool {
	var e *Error
	return errors.As(err, &e) && e.Kind == code
}
