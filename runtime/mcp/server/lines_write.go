package server

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/sse"
)

// writeLimit is how long one write to a client may take before the client counts as gone.
const writeLimit = sse.WriteLimit

// outbox is the only way to a client's stream: frames leave in the order they were sent, by a single goroutine.
type outbox struct {
	frames chan []byte
	ending chan struct{} // no more frames will come
	dead   chan struct{} // run has returned
	end    sync.Once

	out       io.Writer
	mu        sync.Mutex
	err       error
	abandoned bool
}

func newOutbox(out io.Writer) *outbox {
	return &outbox{out: out, frames: make(chan []byte, 64), ending: make(chan struct{}), dead: make(chan struct{})}
}

// send queues one frame; it waits while the queue is full.
func (o *outbox) send(ctx context.Context, frame []byte) error {
	select {
	case <-o.dead: // check this first: the queue of a dead outbox may have room
		return errGone
	default:
	}
	select {
	case o.frames <- frame:
		return nil
	case <-o.dead:
		return errGone
	case <-ctx.Done():
		return ctx.Err()
	}
}

// requests returns true: a pipe goes both ways.
func (o *outbox) requests() bool { return true }

// beat does nothing: an open pipe is alive.
func (o *outbox) beat() error { return nil }

// run writes until finish is called and the queue is empty, or until a write fails. After each wake it writes the
// frames that onWake returns.
func (o *outbox) run(wake <-chan struct{}, onWake func() [][]byte) {
	defer close(o.dead)
	w := bufio.NewWriter(deadlineWriter{o})
	for {
		frame, woken, more := o.next(wake)
		if !more {
			return
		}
		frames := [][]byte{frame}
		if woken {
			frames = onWake()
		}
		for _, frame := range frames {
			if err := o.write(w, frame); err != nil {
				o.mu.Lock()
				o.err = readError(err)
				o.mu.Unlock()
				return
			}
		}
	}
}

func (o *outbox) next(wake <-chan struct{}) (frame []byte, woken, more bool) {
	select {
	case frame = <-o.frames:
		return frame, false, true
	case <-wake:
		return nil, true, true
	case <-o.ending:
	}
	select {
	case frame = <-o.frames:
		return frame, false, true
	default:
		return nil, false, false
	}
}

// write flushes only if the queue is empty: a burst of notes costs one system call.
func (o *outbox) write(w *bufio.Writer, frame []byte) error {
	w.Write(frame)
	err := w.WriteByte('\n')
	if err == nil && len(o.frames) == 0 {
		err = w.Flush()
	}
	return err
}

// finish says that no more frames will be sent. What is queued is still written.
func (o *outbox) finish() { o.end.Do(func() { close(o.ending) }) }

// abandon ends a write that the client does not read, if the stream can be interrupted.
func (o *outbox) abandon() {
	o.mu.Lock()
	o.abandoned = true
	d, ok := o.out.(deadliner)
	interrupted := ok && d.SetWriteDeadline(time.Unix(1, 0)) == nil
	o.mu.Unlock()
	if interrupted {
		<-o.dead
	}
}

// writeError returns why writing ended early; nil if the client just went away.
func (o *outbox) writeError() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

type deadliner interface {
	io.Writer
	SetWriteDeadline(time.Time) error
}

// deadlineWriter gives each write a deadline if the stream supports deadlines.
type deadlineWriter struct{ o *outbox }

func (p deadlineWriter) Write(b []byte) (int, error) {
	if err := p.o.extendDeadline(); err != nil {
		return 0, err
	}
	return p.o.out.Write(b)
}

// extendDeadline moves the deadline of the next write, unless the outbox was abandoned.
func (o *outbox) extendDeadline() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.abandoned {
		return os.ErrDeadlineExceeded
	}
	if d, ok := o.out.(deadliner); ok {
		_ = d.SetWriteDeadline(time.Now().Add(writeLimit)) // pipes may not support deadlines
	}
	return nil
}
