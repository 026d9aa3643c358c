package upstream

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// buffered is a program whose output waits in the pipe, as that of real programs does, and is read only once release is
// closed when hold is set.
type buffered struct {
	*piped
	lines   chan string
	hold    atomic.Bool
	release chan struct{}
}

func (b *buffered) Stdout() io.Reader { return b }

func (b *buffered) Read(buf []byte) (int, error) {
	line, is := <-b.lines
	if b.hold.Load() {
		<-b.release
	}
	if !is {
		return 0, io.EOF
	}
	return copy(buf, line+"\n"), nil
}

// A program may answer one call and end while another is written to it. The write fails before the answer is read, which
// is an answer all the same.
func TestTheLastAnswerOfAProgramIsRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := &buffered{lines: make(chan string, 10), release: make(chan struct{})}
		asked := make(chan struct{})
		start := startPiped(func(p *piped) {
			defer close(b.lines)
			p.messages(func(m incoming) {
				switch m.Method {
				case "initialize":
					b.lines <- `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`
				case "last":
					b.hold.Store(true)
					b.lines <- `{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"right":true}}`
					p.in.Close()
					close(asked)
				}
			})
		})
		s := newServer(t, Spec{Command: "pipe", Args: []string{t.Name()}, Era: Handshake}, Options{Start: func(ctx context.Context, spec Spec) (Program, error) {
			p, err := start(ctx, spec)
			b.piped, _ = p.(*piped)
			return b, err
		}})
		if _, err := s.About(t.Context()); err != nil {
			t.Fatal(err)
		}
		other := make(chan error, 1)
		go func() {
			<-asked
			go func() {
				_, err := s.Do(t.Context(), Request{Method: "other"})
				other <- err
			}()
			synctest.Wait() // until the write has failed
			close(b.release)
		}()
		if result, err := s.Do(t.Context(), Request{Method: "last"}); err != nil || string(result) != `{"right":true}` {
			t.Errorf("%s %v", result, err)
		}
		if err := <-other; codeOf(err) != CodeConnection {
			t.Errorf("the other call: %v", err)
		}
	})
}
