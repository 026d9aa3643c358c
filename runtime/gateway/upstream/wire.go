package upstream

import (
	"context"
	"sync/atomic"
)

// wire carries messages to a server and back; what comes is handed to a sink.
type wire interface {
	// open makes the connection. ctx bounds the opening only.
	open(ctx context.Context, to sink) error
	// send returns when f is written or, where the answer comes in the same exchange, when that is over. The end of
	// ctx takes back a frame that was not yet begun, and ends the exchange.
	send(ctx context.Context, f *frame) error
	// listen opens the stream on which the server speaks unasked, where that is another one. It returns at once.
	listen()
	// exchanges reports whether each answer comes in an exchange of its own, whose end cancels the request.
	exchanges() bool
	// close ends the connection and waits for what it started.
	close()
}

// sink takes what comes over a wire, from one goroutine for each stream.
type sink interface {
	// take is given a message; via is the request on whose stream it came, nil on a common stream.
	take(m message, via *call)
	// lost is told once that the wire has ended by itself.
	lost(err error)
	// noise is told of text that is no message.
	noise(text []byte)
}

// frame is one message on its way out.
type frame struct {
	body   []byte
	call   *call // whose request it is; nil for notes and replies
	method string
	header map[string]string
	fate   atomic.Int32
	spoken bool // the server has sent something of the request before its answer; of the goroutine that sends it
}

const (
	waiting int32 = iota
	begun         // at least one byte may have left
	taken         // back, before it was begun
)

// begin claims the frame for writing; false when it was taken back.
func (f *frame) begin() bool { return f.fate.CompareAndSwap(waiting, begun) }

// takeBack reports whether the frame will not leave.
func (f *frame) takeBack() bool {
	return f.fate.CompareAndSwap(waiting, taken) || f.fate.Load() == taken
}
