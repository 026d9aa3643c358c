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

// End is the way in which an exchange ended. Error messages contain hosts, so only the
// kind of error is kept.
type End string

// The ends. With a status they concern the body, without one the request.
const (
	Whole     End = ""          // the server sent everything
	Closed    End = "closed"    // the client did not want the rest
	Cancelled End = "cancelled" // the client's context was canceled
	Deadline  End = "deadline"  // the client's context timed out
	Refused   End = "refused"   // no server listened
	TimedOut  End = "timeout"   // a timeout of the connection, not of a context
	Reset     End = "reset"     // the connection broke
	Cut       End = "cut"       // the server closed the connection early
	Broken    End = "broken"    // anything else
)

var ends = []End{Closed, Cancelled, Deadline, Refused, TimedOut, Reset, Cut, Broken}

func (e End) isKnown() bool {
	for _, k := range ends {
		if e == k {
			return true
		}
	}
	return e == Whole
}

func joinEnds(list []End) string {
	var out []string
	for _, e := range list {
		out = append(out, string(e))
	}
	return strings.Join(out, ", ")
}

// endOf returns the kind of an error from a client or a body. It checks the context
// first: clients return its cause, which may be any error.
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

// bodyError returns the error that follows the last byte of a body with this end.
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
	return io.ErrUnexpectedEOF // the actual error is not known
}

// requestError returns the error of sending a request with this end, in the form that
// an http.Client uses.
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
