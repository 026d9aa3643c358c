package process

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/compactor-mcp/compactor/runtime/safety/sandbox/landlock"
)

// closeGrace is the time that every program gets at each step when the launcher is closed.
const closeGrace = 2 * time.Second

// Options configure a launcher; the zero value is valid.
type Options struct {
	Self   []string            // command line that runs [Guard]; default: this executable with "guard"
	State  string              // directory for the record of running groups; "" keeps none
	Logger *slog.Logger        // nil logs nothing
	Getenv func(string) string // default: os.Getenv
}

// Launcher starts programs and makes sure that they end. One per process is enough.
type Launcher struct {
	id     string
	outer  string // our own marker if we are an upstream ourselves
	getenv func(string) string
	log    *slog.Logger

	mu      sync.Mutex
	closed  bool
	count   int
	running map[*Process]bool
	keeper  *keeper
	swept   chan struct{}
}

// NewLauncher returns a launcher. With a State directory it ends, in the background, leftovers of earlier launchers.
func NewLauncher(o Options) *Launcher {
	closeInherited()
	l := &Launcher{
		id: newID(), getenv: o.Getenv, log: o.Logger,
		running: map[*Process]bool{}, swept: make(chan struct{}),
	}
	if l.getenv == nil {
		l.getenv = os.Getenv
	}
	if l.log == nil {
		l.log = slog.New(slog.DiscardHandler)
	}
	l.outer = l.getenv(Marker)
	l.keeper = newKeeper(o.Self, l.id, o.State, l.log)
	go func() {
		defer close(l.swept)
		if o.State != "" {
			sweep(o.State, l.log)
		}
	}()
	return l
}

func newID() string { return strings.ToLower(rand.Text()[:16]) }

// Start starts a program. ctx limits the start, not the program's life: if ctx ends first, the program is stopped and
// ctx's error returned. The first start also starts the guard; without a guard no program runs.
func (l *Launcher) Start(ctx context.Context, c Command) (*Process, error) {
	if landlock.InForce() {
		return nil, fmt.Errorf("the program of %s was not started: none was configured when compactor began, so it shut itself in (Landlock), and the program with it; start compactor again", c.owner())
	}
	if err := checkEnv(c); err != nil {
		return nil, err
	}
	env := Environ(c.Env, l.getenv)
	path, err := locate(ctx, c, env)
	if err != nil {
		return nil, err
	}
	env = withDirectory(env, filepath.Dir(path))
	p, err := l.launch(ctx, c, path, env)
	if err != nil {
		return nil, err
	}
	if err := l.keeper.await(ctx); err != nil {
		return nil, errors.Join(err, p.Stop(0))
	}
	return p, nil
}

// launch starts the program and the guard, which come up concurrently.
func (l *Launcher) launch(ctx context.Context, c Command, path string, env []string) (*Process, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return nil, fmt.Errorf("the program of %s was not started: compactor is ending", c.owner())
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := l.keeper.ensure(); err != nil {
		return nil, err
	}
	l.count++
	mark := fmt.Sprintf("%s.%d.", l.id, l.count)
	value := mark + markerName(c.Name)
	if l.outer != "" {
		value = l.outer + "," + value
	}
	cmd := exec.Command(path, c.Args...)
	cmd.Env, cmd.Dir = withVariable(env, Marker, value), c.Dir
	p, err := startPiped(cmd, mark)
	if err != nil {
		return nil, startError(c, path, err)
	}
	p.name, p.owner, p.declared = c.Name, c.owner(), maps.Clone(c.Env)
	p.signalled, p.passed = c.Signalled, c.Stderr
	l.keeper.add(p.tree)
	l.running[p] = true
	p.ended = func() { l.forget(p) }
	l.log.Debug("upstream program started", "server", c.Name, "program", path, "pid", p.PID())
	go p.readStderr()
	go p.watch()
	return p, nil
}

func (l *Launcher) forget(p *Process) {
	l.keeper.del(p.tree)
	l.mu.Lock()
	delete(l.running, p)
	l.mu.Unlock()
	l.log.Debug("upstream program ended", "server", p.name, "pid", p.PID(), "why", p.exit)
}

// Close stops all programs, then the guard. From then on Start returns an error.
func (l *Launcher) Close() error {
	l.mu.Lock()
	l.closed = true
	var all []*Process
	for p := range l.running {
		all = append(all, p)
	}
	l.mu.Unlock()
	errs := make([]error, len(all)+1)
	var wg sync.WaitGroup
	for i, p := range all {
		wg.Go(func() { errs[i] = p.Stop(closeGrace) })
	}
	wg.Wait()
	<-l.swept
	errs[len(all)] = l.keeper.close()
	return errors.Join(errs...)
}

// startPiped starts cmd as the root of its own tree, with pipes on its three streams. The pipes are files of the parent in
// non-blocking mode, so that closing one ends a pending read or write.
func startPiped(cmd *exec.Cmd, mark string) (*Process, error) {
	var ends [6]*os.File // of stdin, stdout and stderr: read, write
	for i := 0; i < len(ends); i += 2 {
		var err error
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			closeAll(ends[:i])
			return nil, err
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = ends[0], ends[3], ends[5]
	t, err := startTree(cmd, mark)
	closeAll([]*os.File{ends[0], ends[3], ends[5]})
	if err != nil {
		closeAll([]*os.File{ends[1], ends[2], ends[4]})
		return nil, err
	}
	p := &Process{
		cmd: cmd, tree: t, stdin: &input{file: ends[1]}, stdout: &output{file: ends[2]}, stderr: ends[4],
		heard: make(chan struct{}), done: make(chan struct{}), gone: make(chan struct{}),
	}
	p.grace.Store(int64(restGrace))
	return p, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

func checkEnv(c Command) error {
	for name, v := range c.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(v, "\x00") {
			return fmt.Errorf("%s declares a variable %q that no program can have: a name has no \"=\" and nothing has a NUL", c.owner(), name)
		}
	}
	return nil
}

// markerName returns a server's name in a form that the marker may contain.
func markerName(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, name)
}

// startError says what prevented the start; locate has checked that the file exists.
func startError(c Command, path string, err error) error {
	var dir fs.FileInfo
	if c.Dir != "" {
		if dir, _ = os.Stat(c.Dir); dir == nil || !dir.IsDir() {
			return fmt.Errorf("the working directory %s of %s is not there; correct its dir", c.Dir, c.owner())
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = errors.New("the program that its first line (#!) names is not there")
	case errors.Is(err, syscall.ENOEXEC):
		err = errors.New("it is neither a program for this system nor a script whose first line begins with #! and its interpreter")
	}
	return fmt.Errorf("%s, the program of %s, does not start: %w", path, c.owner(), err)
}
