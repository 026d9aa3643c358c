package upstream

import (
	"context"
	"io"
	"os"
	"sync/atomic"
	"testing"
	"time"
)

// buffered is a program whose output waits in the pipe, as that of real programs does.
type buffered struct {
	*piped
	out io.Reader
}

func (b *buffered) Stdout() io.Reader { return b.out }

// lazy reads late once it is told to.
type lazy struct {
	*os.File
	slow *atomic.Bool
}

func (l lazy) Read(b []byte) (int, error) {
	n, err := l.File.Read(b)
	if l.slow.Load() {
		time.Sleep(300 * time.Millisecond)
	}
	return n, err
}

// A program may answer one call and end while another is written to it. The write fails before the answer is read, which
// is an answer all the same.
func TestTheLastAnswerOfAProgramIsRead(t *testing.T) {
	var slow atomic.Bool
	asked := make(chan struct{})
	s := newServer(t, Spec{Command: "pipe", Args: []string{t.Name()}, Era: Handshake}, Options{Start: func(ctx context.Context, spec Spec) (Program, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		p, err := startPiped(func(p *piped) {
			defer w.Close()
			p.messages(func(m incoming) {
				switch m.Method {
				case "initialize":
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`+"\n")
				case "last":
					slow.Store(true)
					_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"right":true}}`+"\n")
					p.in.Close()
					close(asked)
				}
			})
		})(ctx, spec)
		if err != nil {
			return nil, err
		}
		return &buffered{p.(*piped), lazy{r, &slow}}, nil
	}})
	if _, err := s.About(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := make(chan error, 1)
	go func() {
		<-asked
		_, err := s.Do(t.Context(), Request{Method: "other"})
		other <- err
	}()
	if result, err := s.Do(t.Context(), Request{Method: "last"}); err != nil || string(result) != `{"right":true}` {
		t.Errorf("%s %v", result, err)
	}
	if err := <-other; codeOf(err) != CodeConnection {
		t.Errorf("the other call: %v", err)
	}
}
