package upstream

import (
	"context"
	"sync/atomic"
)

// wire carries messages to a server and back; received messages go to a sink.
type wire interface {
	// open connects. ctx limits only the opening.
	open(ctx context.Context, to sink) error
	// send returns when f is written or, if the answer comes in the same exchange, when that is over. The end of ctx
	// takes back a frame that has not been started, and ends the exchange.
	send(ctx context.Context, f *frame) error
	// listen opens the stream for the server's unsolicited messages, if that is a separate one. It returns at once.
	listen()
	// exchanges reports whether each answer comes in its own exchange, whose end cancels the request.
	exchanges() bool
	// close ends the connection and waits for what it started.
	close()
}

// sink receives what comes over a wire, from one goroutine per stream.
type sink interface {
	// take receives a message; via is the request on whose stream it came, nil on a common stream.
	take(m message, via *call)
	// lost is called once when the wire has ended without close.
	lost(err error)
	// noise receives text that is not a message.
	noise(text []byte)
}

// frame is one outgoing message.
type frame struct {
	body   []byte
	call   *call // its request; nil for notes and replies
	method string
	header map[string]string
	fate   atomic.Int32
	spoken bool // the server has sent a message for the request before its answer; owned by the sending goroutine
}

const (
	waiting int32 = iota
	begun         // at least one byte may have been sent
	taken         // taken back before it was begun
)

// begin claims the frame for writing; false if it was taken back.
func (f *frame) begin() bool { return f.fate.CompareAndSwap(waiting, begun) }

// takeBack reports whether the frame will not be sent.
func (f *frame) takeBack() bool {
	return f.fate.CompareAndSwap(waiting, taken) || f.fate.Load() == taken
}
