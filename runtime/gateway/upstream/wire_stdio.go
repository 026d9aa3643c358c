package upstream

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

const (
	stopGrace = 2 * time.Second // for a program to end on its own once its input has ended
	lastWords = time.Second     // for a program that closed its output to end, so that its exit can be reported
)

var errInput = errors.New("the program closed its input")

var errClosed = errors.New("the connection was closed")

// stdioWire is a program, one message per line.
type stdioWire struct {
	spec  Spec
	start Starter
	limit int64

	program Program
	out     chan *outgoing
	read    chan struct{} // closed when nothing more can be read
	stop    chan struct{} // closed by close
	once    sync.Once
	work    sync.WaitGroup
}

type outgoing struct {
	frame *frame
	done  chan error // receives one value
}

func newStdioWire(s Spec, start Starter) *stdioWire {
	return &stdioWire{spec: s, start: start, limit: s.MaxMessage, out: make(chan *outgoing), read: make(chan struct{}), stop: make(chan struct{})}
}

func (w *stdioWire) open(ctx context.Context, to sink) error {
	if w.start == nil {
		return errors.New("programs cannot be started here")
	}
	program, err := w.start(ctx, w.spec)
	if err != nil {
		return err
	}
	w.program = program
	w.work.Go(func() { w.writeFrames(to) })
	w.work.Go(func() { w.readAll(to) })
	return nil
}

// writeFrames writes all frames: a program that does not read blocks this goroutine, not the callers.
func (w *stdioWire) writeFrames(to sink) {
	for {
		select {
		case o := <-w.out:
			if !o.frame.begin() {
				o.done <- context.Canceled
				continue
			}
			if _, err := w.program.Stdin().Write(append(o.frame.body, '\n')); err != nil {
				why := w.endReason(errInput)
				w.awaitOutput()
				to.lost(why)
				return
			}
			o.done <- nil
		case <-w.stop:
			return
		}
	}
}

func (w *stdioWire) send(ctx context.Context, f *frame) error {
	o := &outgoing{f, make(chan error, 1)}
	select {
	case w.out <- o:
	case <-ctx.Done():
		f.takeBack()
		return ctx.Err()
	case <-w.stop:
		f.takeBack()
		return errClosed
	}
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
		f.takeBack()
		return ctx.Err()
	case <-w.stop:
		f.takeBack()
		return errClosed
	}
}

// awaitOutput waits for output from before the program stopped reading: it may include the answer.
func (w *stdioWire) awaitOutput() {
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-w.read:
	case <-w.stop:
	case <-timer.C: // a child that it left behind keeps the output open
	}
}

func (w *stdioWire) readAll(to sink) {
	defer close(w.read)
	lines := newLineReader(w.program.Stdout(), w.limit)
	for {
		line, err := lines.next()
		if err != nil {
			to.lost(w.endReason(err))
			return
		}
		m, err := parse(line)
		if err != nil {
			to.noise(line)
			continue
		}
		to.take(m, nil)
	}
}

// exited is the end of a program that was not asked to end.
type exited struct{ how string }

func (e *exited) Error() string { return "the program ended (" + e.how + ")" }

// endReason returns how the program ended, if it did.
func (w *stdioWire) endReason(err error) error {
	if long := (errLong{}); errors.As(err, &long) {
		return err
	}
	select {
	case <-w.stop:
		return errClosed
	default:
	}
	timer := time.NewTimer(lastWords)
	defer timer.Stop()
	select {
	case <-w.program.Done():
		return &exited{sanitize.OneLine(w.program.Exit(), maxLine)}
	case <-w.stop:
		return errClosed
	case <-timer.C:
	}
	if errors.Is(err, errInput) {
		return err
	}
	return errors.New("the program closed its output")
}

func (w *stdioWire) listen()         {}
func (w *stdioWire) exchanges() bool { return false }

func (w *stdioWire) close() {
	w.once.Do(func() {
		close(w.stop)
		if w.program == nil {
			return
		}
		_ = w.program.Stop(stopGrace) // the launcher reports what could not be ended
		if c, ok := w.program.Stdin().(io.Closer); ok {
			_ = c.Close()
		}
		if c, ok := w.program.Stdout().(io.Closer); ok { // a child left behind may keep it open
			_ = c.Close()
		}
	})
	w.work.Wait()
}
