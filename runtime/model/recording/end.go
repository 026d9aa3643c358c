package recording

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
)

// End is how an exchange ended. Messages of errors name hosts, so that only
// their kind is kept.
type End string

// The ends. With a status they tell of the body, without one of the request.
const (
	Whole     End = ""          // the server said that was all
	Closed    End = "closed"    // the client did not want the rest
	Cancelled End = "cancelled" // the client's context was cancelled
	Deadline  End = "deadline"  // the client's context ran out
	Refused   End = "refused"   // nobody listened
	TimedOut  End = "timeout"   // of the connection, not of a context
	Reset     End = "reset"     // the connection broke
	Cut       End = "cut"       // the server closed the connection in the middle
	Broken    End = "broken"    // anything else
)

var ends = []End{Closed, Cancelled, Deadline, Refused, TimedOut, Reset, Cut, Broken}

func (e End) known() bool {
	for _, k := range ends {
		if e == k {
			return true
		}
	}
	return e == Whole
}

func joined(list []End) string {
	var out []string
	for _, e := range list {
		out = append(out, string(e))
	}
	return strings.Join(out, ", ")
}

// endOf is the kind of an error from a client or a body. The context comes
// first: clients give its cause, which may be any error.
func endOf(ctx context.Context, err error) End {
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	var op *net.OpError
	var late net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return Deadline
	case errors.As(err, &late) && late.Timeout():
		return TimedOut
	case errors.As(err, &op) && op.Op == "dial":
		return Refused
	case errors.As(err, &op):
		return Reset
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return Cut
	}
	return Broken
}

// bodyError is what reading a body that ended so gives after its last byte.
func (e End) bodyError() error {
	switch e {
	case Whole:
		return io.EOF
	case Cancelled:
		return context.Canceled
	case Deadline:
		return context.DeadlineExceeded
	case Refused, Reset:
		return &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	case TimedOut:
		return &net.OpError{Op: "read", Net: "tcp", Err: os.ErrDeadlineExceeded}
	case Broken:
		return errors.New("the connection broke when this was recorded")
	}
	return io.ErrUnexpectedEOF // what came after is not known
}

// requestError is what sending a request that ended so gives, in the form
// that an http.Client gives it.
func (e End) requestError(req *http.Request) error {
	err := e.bodyError()
	switch e {
	case Refused:
		err = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	case Cut:
		err = io.EOF
	}
	method := req.Method
	if len(method) > 1 {
		method = method[:1] + strings.ToLower(method[1:])
	}
	return &url.Error{Op: method, URL: req.URL.Redacted(), Err: err}
}
