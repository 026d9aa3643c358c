package process

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"
)

const (
	restGrace = 2 * time.Second // for what a program left behind when it ended on its own
	drain     = 5 * time.Second // how long the output may still be read after the end
	killWait  = 5 * time.Second // until a killed process must be gone
)

// Command is a program to start.
type Command struct {
	Name string            // of the server, for messages
	Kind string            // what Name is the name of; "" for a server
	Path string            // a path, or a name that [Find] looks up
	Args []string          // without the program itself
	Env  map[string]string // declared variables, already expanded
	Dir  string            // working directory; "" is ours

	Signalled bool      // the program reads no input: Stop begins with SIGTERM
	Stderr    io.Writer // gets what the program writes there, as it does; nil for nothing
}

// owner describes in messages what the program belongs to.
func (c Command) owner() string { return fmt.Sprintf("%s %q", cmp.Or(c.Kind, "server"), c.Name) }

// Process is a started program.
type Process struct {
	name     string
	owner    string // as in Command.owner
	declared map[string]string
	cmd      *exec.Cmd
	tree     *tree
	stdin    *input
	stdout   *output
	stderr   *os.File
	said     tail
	heard    chan struct{} // closed when stderr has ended
	ended    func()        // called when nothing of the program is running any more

	signalled bool
	passed    io.Writer

	grace atomic.Int64 // for what is left behind, in nanoseconds
	stage atomic.Int32 // how far stopping has progressed
	exit  string       // set before done is closed
	rest  error        // set before gone is closed
	done  chan struct{}
	gone  chan struct{}
}

// Stages of stopping.
const (
	running = iota
	inputClosed
	terminated
	killed
)

// Stdin returns the program's input. Writing after the program has ended is an error: the runtime turns SIGPIPE into
// EPIPE for everything but our own stdout and stderr. It may be closed twice.
func (p *Process) Stdin() io.WriteCloser { return p.stdin }

// Stdout returns the program's output. It ends with the program; 5 s after that nothing more can be read, even if an
// escaped process still holds it open.
func (p *Process) Stdout() io.Reader { return p.stdout }

// PID returns the process id of the program, which on Unix is also its group's.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Done returns a channel that is closed when the program has ended. What it left behind may run until Stop returns.
func (p *Process) Done() <-chan struct{} { return p.done }

// Exit describes why the program ended, or returns "" while it runs.
func (p *Process) Exit() string {
	select {
	case <-p.done:
		return p.exit
	default:
		return ""
	}
}

// Succeeded reports whether the program has ended with status 0.
func (p *Process) Succeeded() bool { return p.Exit() != "" && p.cmd.ProcessState.Success() }

// Stderr returns the last whole lines of the program's stderr, at most 16 KiB, without control characters. Values of
// declared variables are replaced by their names.
func (p *Process) Stderr() []string { return p.said.lines(p.declared) }

// Stop ends the program and all it started. It closes the input and, unless the program is [Command.Signalled], waits
// for grace; sends SIGTERM to the group and waits for grace; then sends SIGKILL. It returns when nothing is left, at
// once if it was stopped before; an error names what could not be ended. Stdout should be read meanwhile: a program
// blocked on its output cannot end.
func (p *Process) Stop(grace time.Duration) error {
	p.grace.Store(int64(grace))
	p.advance(inputClosed)
	p.stdin.Close()
	if p.signalled || !p.wait(grace) {
		p.advance(terminated)
		p.tree.terminate()
		if !p.wait(grace) {
			p.advance(killed)
			p.tree.kill()
		}
	}
	select {
	case <-p.gone:
		return p.rest
	case <-time.After(grace + 2*killWait):
		return fmt.Errorf("the program of %s (process %d) could not be ended; end it by hand", p.owner, p.PID())
	}
}

func (p *Process) advance(stage int32) {
	select {
	case <-p.done: // it had already ended
	default:
		p.stage.CompareAndSwap(stage-1, stage)
	}
}

func (p *Process) wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-p.done:
		return true
	case <-t.C:
		return false
	}
}

// watch waits for the program to end, and ends the processes it left behind.
func (p *Process) watch() {
	p.tree.awaitExit()
	err := p.cmd.Wait()
	p.exit = p.describeExit(err)
	select {
	case <-p.heard:
	case <-time.After(100 * time.Millisecond): // another process holds stderr
	}
	close(p.done)
	p.stdin.Close()
	p.rest = p.tree.end(time.Duration(p.grace.Load()))
	p.stderr.Close()
	<-p.heard
	time.AfterFunc(drain, func() { p.stdout.Close() })
	p.ended()
	close(p.gone)
}

func (p *Process) describeExit(err error) string {
	switch p.stage.Load() {
	case inputClosed:
		return "it was stopped: its input was closed"
	case terminated:
		return "it was stopped with SIGTERM"
	case killed:
		return "it was killed: it did not end when asked to"
	}
	state := p.cmd.ProcessState
	switch {
	case state == nil:
		return fmt.Sprintf("its end could not be seen: %v", err)
	case state.Exited():
		return fmt.Sprintf("it exited with status %d", state.ExitCode())
	}
	return "it was ended from outside: " + state.String()
}

func (p *Process) readStderr() {
	defer close(p.heard)
	var to io.Writer = &p.said
	if p.passed != nil {
		to = io.MultiWriter(to, p.passed)
	}
	_, _ = io.Copy(to, p.stderr)
}

// input is the writing end of a program's stdin.
type input struct {
	file *os.File
	once sync.Once
}

func (i *input) Write(b []byte) (int, error) {
	n, err := i.file.Write(b)
	if err != nil {
		err = fmt.Errorf("the program no longer reads its input: %w", err)
	}
	return n, err
}

func (i *input) Close() (err error) {
	i.once.Do(func() { err = i.file.Close() })
	return err
}

// output is the reading end of a program's stdout.
type output struct{ file *os.File }

func (o *output) Read(b []byte) (int, error) {
	n, err := o.file.Read(b)
	if err != nil {
		o.file.Close()
		err = io.EOF // the only other reason is that it was closed after the end
	}
	return n, err
}

func (o *output) Close() { o.file.Close() }
