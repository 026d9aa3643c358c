package gateway

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// inside is a server that runs in this process, so that it costs no start and may
// be part of a synctest bubble.
type inside struct {
	in      *io.PipeWriter
	out     *io.PipeReader
	done    chan struct{}
	exit    int
	stderr  bytes.Buffer // until done
	stop    sync.Once
	stopped chan struct{}
}

// startInside runs serve until it returns. Its input is read ahead, as the pipe of
// a program is.
func startInside(serve func(p *inside, in io.Reader, out io.Writer) (exit int)) *inside {
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	p := &inside{in: in, out: out, done: make(chan struct{}), stopped: make(chan struct{})}
	ahead, feed := io.Pipe()
	go readAhead(feed, requests)
	go func() {
		p.exit = serve(p, ahead, answers)
		_ = requests.Close()
		_ = ahead.Close()
		_ = answers.Close()
		close(p.done)
	}()
	return p
}

// readAhead passes lines on without making their writer wait.
func readAhead(to *io.PipeWriter, from io.Reader) {
	lines := make(chan []byte, 1000)
	go func() {
		defer close(lines)
		for in := bufio.NewReader(from); ; {
			line, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	for line := range lines {
		_, _ = to.Write(line) // which fails at once after the end
	}
	_ = to.Close()
}

func (p *inside) Stdin() io.WriteCloser { return p.in }
func (p *inside) Stdout() io.Reader     { return p.out }
func (p *inside) Done() <-chan struct{} { return p.done }
func (p *inside) Exit() string          { return fmt.Sprint("exit status ", p.exit) }

func (p *inside) Stderr() []string {
	select {
	case <-p.done:
		return strings.Split(strings.TrimSpace(p.stderr.String()), "\n")
	default:
		return nil
	}
}

func (p *inside) Stop(time.Duration) error {
	p.stop.Do(func() { close(p.stopped) })
	_ = p.in.Close()
	_ = p.out.Close()
	<-p.done
	return nil
}

// start starts a server of a world in this process. It is an upstream.Starter.
func (w *world) start(_ context.Context, s upstream.Spec) (upstream.Program, error) {
	return startInside(func(p *inside, in io.Reader, out io.Writer) int {
		server := &toolServer{file: s.Env[toolsFile], getenv: func(name string) string { return s.Env[name] }, out: out, stderr: &p.stderr,
			opened: func() <-chan struct{} { return w.gate(s.Name) }, stopped: p.stopped}
		return server.serve(in)
	}), nil
}

// gate returns a channel that is closed while a server may begin.
func (w *world) gate(server string) <-chan struct{} {
	w.gateMu.Lock()
	defer w.gateMu.Unlock()
	if g := w.gates[server]; g != nil {
		return g
	}
	open := make(chan struct{})
	close(open)
	return open
}

// shut has a server do nothing after its start until opened is called.
func (w *world) shut(server string) (open func()) {
	gate := make(chan struct{})
	w.gateMu.Lock()
	defer w.gateMu.Unlock()
	w.gates[server] = gate
	return sync.OnceFunc(func() {
		w.gateMu.Lock()
		defer w.gateMu.Unlock()
		delete(w.gates, server)
		close(gate)
	})
}
