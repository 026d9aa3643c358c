package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// serveEnv makes the test binary a server on stdio, so that servers are programs of their own. They end at once: os.Exit
// waits for a second where data races are looked for.
const serveEnv = "UPSTREAM_TEST_SERVER"

func TestMain(m *testing.M) {
	if kind := os.Getenv(serveEnv); kind != "" {
		programs[kind]()
		syscall.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// programs are the servers the test binary can be.
var programs = map[string]func(){
	"both":      func() { newPeer("").serveLines(os.Stdin, os.Stdout) },
	"handshake": func() { newPeer(Handshake).serveLines(os.Stdin, os.Stdout) },
	"stateless": func() { newPeer(Stateless).serveLines(os.Stdin, os.Stdout) },
}

// child is a real program.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout io.ReadCloser
	done   chan struct{}
	mu     sync.Mutex
	lines  []string
}

func (c *child) Stdin() io.WriteCloser { return c.stdin }
func (c *child) Stdout() io.Reader     { return c.stdout }
func (c *child) Done() <-chan struct{} { return c.done }
func (c *child) Exit() string          { return c.cmd.ProcessState.String() }
func (c *child) Stderr() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.lines...)
}

func (c *child) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lines = append(c.lines, string(b))
	return len(b), nil
}

func (c *child) Stop(grace time.Duration) error {
	_ = c.stdin.Close()
	select {
	case <-c.done:
	case <-time.After(grace):
		_ = c.cmd.Process.Kill()
		<-c.done
	}
	return nil
}

// startChild starts the test binary as the program that Spec.Args name.
func startChild(_ context.Context, s Spec) (Program, error) {
	c := &child{cmd: exec.Command(os.Args[0]), done: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), serveEnv+"="+s.Args[0])
	for name, value := range s.Env {
		c.cmd.Env = append(c.cmd.Env, name+"="+value)
	}
	c.cmd.Stderr = c
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.cmd.Stdout = in
	c.stdin, c.stdout = stdin, out
	err = c.cmd.Start()
	in.Close()
	if err != nil {
		return nil, err
	}
	go func() { _ = c.cmd.Wait(); close(c.done) }()
	return c, nil
}

// piped is a program in memory.
type piped struct {
	in      *io.PipeReader
	stdin   *io.PipeWriter
	out     *io.PipeReader
	stdout  *io.PipeWriter
	done    chan struct{}
	stopped chan struct{}
	once    sync.Once

	mu    sync.Mutex
	exit  string
	lines []string
}

// end sets what is known of the program when it has ended.
func (p *piped) end(exit string, lines ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.exit, p.lines = exit, lines
}

// startPiped runs serve as a program.
func startPiped(serve func(p *piped)) Starter {
	return func(context.Context, Spec) (Program, error) {
		p := &piped{done: make(chan struct{}), stopped: make(chan struct{}), exit: "exit status 0"}
		p.in, p.stdin = io.Pipe()
		p.out, p.stdout = io.Pipe()
		go func() {
			defer close(p.done)
			defer p.stdout.Close()
			defer p.in.Close()
			serve(p)
		}()
		return p, nil
	}
}

func (p *piped) Stdin() io.WriteCloser { return p.stdin }
func (p *piped) Stdout() io.Reader     { return p.out }
func (p *piped) Done() <-chan struct{} { return p.done }
func (p *piped) Exit() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.exit
}

func (p *piped) Stderr() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.lines
}

func (p *piped) Stop(grace time.Duration) error {
	_ = p.stdin.Close()
	select {
	case <-p.done:
		return nil
	case <-time.After(grace):
	}
	p.once.Do(func() { close(p.stopped) })
	p.out.Close()
	p.in.Close()
	<-p.done
	return nil
}

// newServer is a server that is closed when the test ends.
func newServer(t testing.TB, s Spec, o Options) *Server {
	t.Helper()
	if s.Name == "" {
		s.Name = "peer"
	}
	o.Client = Client{Name: "compactor", Version: "test"}
	if o.Start == nil {
		o.Start = startChild
	}
	server := New(s, o)
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return server
}

func codeOf(err error) string {
	var own *Error
	if errors.As(err, &own) {
		return own.Code
	}
	return fmt.Sprintf("%T", err)
}

var runs atomic.Int32

// unique is an argument no other server has: eras are remembered by what is started.
func unique(t testing.TB) string { return fmt.Sprint(t.Name(), " ", runs.Add(1)) }
