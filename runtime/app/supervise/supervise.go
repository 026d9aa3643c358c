// Package supervise runs the programs that a configuration declares as its dependencies: it starts them in order, waits
// until each is ready, restarts those that end, stops them in the opposite order, and tells other processes of the same
// configuration their addresses.
//
// runtime/gateway/process starts the programs and sees to it that none outlives us, even if we are killed.
//
// Files:
//
//	supervise.go   the life of a dependency: waiting, starting, restarting, stopping
//	ready.go       finding out when a program is ready
//	announce.go    the line by which a program announces its address
//	lines.go       splitting output into lines
//	registry.go    telling other processes; asking the running supervisor
//	register.go    having running servers connect to what is ready now
package supervise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
)

// States of a dependency.
const (
	Waiting    = "waiting" // for those that it needs
	Starting   = "starting"
	Ready      = "ready"
	Restarting = "restarting" // it has ended, and is started again after a while
	Stopping   = "stopping"
	Stopped    = "stopped"
	Failed     = "failed" // given up
)

const (
	firstDelay = 500 * time.Millisecond // before the first restart; doubled for each further one
	maxDelay   = 30 * time.Second
	steady     = time.Minute // restarts are counted anew once a dependency was ready for this long
)

// Status is the state of one dependency.
type Status struct {
	Name     string    `json:"name"`
	State    string    `json:"state"`
	Since    time.Time `json:"since"`
	PID      int       `json:"pid,omitempty"`
	Addr     string    `json:"addr,omitempty"` // HOST:PORT or a path; set while it is ready
	Restarts int       `json:"restarts"`
	Problem  string    `json:"problem,omitempty"` // why it was restarted or given up
	Project  bool      `json:"project,omitempty"` // declared by the project's configuration
}

// Program is a started program; see [process.Process].
type Program interface {
	Stdout() io.Reader
	Stderr() []string
	Done() <-chan struct{}
	Exit() string
	Succeeded() bool
	PID() int
	Stop(grace time.Duration) error
}

// Options configure a Supervisor.
type Options struct {
	Dependencies map[string]config.Dependency // whose needs exist and form no circle
	Start        func(ctx context.Context, c process.Command) (Program, error)
	Work         string // base of relative directories
	// Variable returns the value of ${NAME} for a program. The addresses of dependencies are known without it.
	Variable func(c config.Server, name string) (string, bool)
	Redactor *redact.Redactor // applied to output; nil for none
	// Allowed is asked before each start; nil allows all.
	Allowed func(config.Dependency) error
	// Changed is called with each new state, one at a time.
	Changed func(Status)
	// Print is called with each line that a program writes, one at a time.
	Print func(name, line string)
}

// Supervisor runs dependencies.
type Supervisor struct {
	opt   Options
	units map[string]*unit

	reporting sync.Mutex // held while Changed is called, so that it sees the states in order
	printing  sync.Mutex

	mu      sync.Mutex    // guards changed and the statuses of units
	changed chan struct{} // closed and replaced at each change
}

// unit is one dependency.
type unit struct {
	config.Dependency
	neededBy []*unit
	status   Status
	gone     chan struct{} // closed when nothing of it runs any more
}

// New returns a supervisor. It starts nothing.
func New(opt Options) *Supervisor {
	s := &Supervisor{opt: opt, units: map[string]*unit{}, changed: make(chan struct{})}
	for name, d := range opt.Dependencies {
		s.units[name] = &unit{Dependency: d, gone: make(chan struct{}), status: Status{Name: name, State: Waiting, Since: time.Now(), Project: d.Program.Project}}
	}
	for _, u := range s.units {
		for _, need := range u.Needs {
			s.units[need].neededBy = append(s.units[need].neededBy, u)
		}
	}
	return s
}

// Run starts the dependencies and keeps them running until ctx ends or one of them is given up, and stops them. The error
// says which one was given up, and what could not be stopped.
func (s *Supervisor) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errs := make(chan error, len(s.units))
	for _, u := range s.units {
		go func() {
			defer close(u.gone)
			err := s.keep(ctx, u)
			if err != nil {
				cancel()
			}
			errs <- err
		}()
	}
	var all []error
	for range s.units {
		all = append(all, <-errs)
	}
	return errors.Join(all...)
}

// Statuses returns the states of all dependencies, by name.
func (s *Supervisor) Statuses() []Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Status
	for _, name := range slices.Sorted(maps.Keys(s.units)) {
		out = append(out, s.units[name].status)
	}
	return out
}

// change sets the state of a dependency, and its process and address: it has none in the other states.
func (s *Supervisor) change(u *unit, state string, edit func(*Status)) {
	s.reporting.Lock()
	defer s.reporting.Unlock()
	s.mu.Lock()
	u.status.State, u.status.Since, u.status.PID, u.status.Addr = state, time.Now(), 0, ""
	if edit != nil {
		edit(&u.status)
	}
	now := u.status
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.opt.Changed(now)
}

// awaitNeeds waits until all that a dependency needs is ready. It returns false if ctx ends first.
func (s *Supervisor) awaitNeeds(ctx context.Context, u *unit) bool {
	for first := true; ; first = false {
		s.mu.Lock()
		missing := slices.ContainsFunc(u.Needs, func(need string) bool { return s.units[need].status.State != Ready })
		next := s.changed
		s.mu.Unlock()
		switch {
		case !missing:
			return true
		case first:
			s.change(u, Waiting, nil)
			continue
		}
		select {
		case <-next:
		case <-ctx.Done():
			return false
		}
	}
}

// keep runs one dependency until ctx ends or it has failed too often. The error says why it was given up, or that it could
// not be stopped.
func (s *Supervisor) keep(ctx context.Context, u *unit) error {
	failures, restarts := 0, 0
	for s.awaitNeeds(ctx, u) {
		last := s.runOnce(ctx, u)
		if ctx.Err() != nil {
			s.change(u, Stopped, nil)
			return last.left
		}
		if last.ready >= steady {
			failures = 0
		}
		setup := (*setupError)(nil)
		hopeless := errors.As(last.ended, &setup) && restarts == 0
		problem := errors.Join(last.ended, last.left).Error()
		if failures++; hopeless || failures > u.MaxRestarts {
			s.change(u, Failed, func(st *Status) { st.Problem = problem })
			return fmt.Errorf("dependency %s: %s", u.Program.Name, problem)
		}
		restarts++
		s.change(u, Restarting, func(st *Status) { st.Restarts, st.Problem = restarts, problem })
		select {
		case <-time.After(delayAfter(failures)):
		case <-ctx.Done():
		}
	}
	s.change(u, Stopped, nil)
	return nil
}

// setupError is the error of a program that could not be started at all. At first no restart helps: its settings are
// wrong. Later the cause may pass, such as an address that is not free yet.
type setupError struct{ error }

func (e *setupError) Unwrap() error { return e.error }

// delayAfter returns the wait before a restart, given the number of failures in a row.
func delayAfter(failures int) time.Duration {
	return min(firstDelay<<min(failures-1, 10), maxDelay)
}

// run is one run of a program.
type run struct {
	ready time.Duration // how long it was ready
	ended error         // why it ended, or could not start; without meaning if it was stopped
	left  error         // what of it could not be stopped
}

// runOnce runs the program until it ends, or until ctx ends and it was stopped.
func (s *Supervisor) runOnce(ctx context.Context, u *unit) (r run) {
	s.change(u, Starting, nil)
	cmd, probes, err := s.prepare(ctx, u)
	if err != nil {
		return run{ended: &setupError{err}}
	}
	announced := make(chan announcement, 1)
	out, said := s.newLines(u, cmd.mask, announced), s.newLines(u, cmd.mask, announced)
	cmd.Stderr = said
	p, err := s.opt.Start(ctx, cmd.Command)
	if err != nil {
		return run{ended: &setupError{err}}
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(out, p.Stdout())
	}()
	defer func() {
		if r.left == nil { // else it may hold its output open for ever
			<-read
		}
		out.flush()
		said.flush()
		if r.ended != nil {
			r.ended = errors.New(cmd.mask(r.ended.Error()))
		}
	}()
	starting, cancel := context.WithTimeout(ctx, u.Start)
	defer cancel()
	at, err := awaitReady(starting, p, probes, announced)
	switch {
	case ctx.Err() != nil:
		return run{left: s.stop(u, p)}
	case err != nil:
		return run{ended: err, left: p.Stop(u.Stop)}
	}
	began := time.Now()
	s.change(u, Ready, func(st *Status) { st.PID, st.Addr = p.PID(), cmp.Or(u.Addr, hostOf(u.Health), at.addr) })
	select {
	case <-ctx.Done():
		return run{left: s.stop(u, p)}
	case <-p.Done():
		return run{ready: time.Since(began), ended: endedError(p), left: p.Stop(u.Stop)} // Stop ends what it left behind
	}
}

// stop stops a program once those that need it have ended.
func (s *Supervisor) stop(u *unit, p Program) error {
	for _, other := range u.neededBy {
		<-other.gone
	}
	s.change(u, Stopping, nil)
	return p.Stop(u.Stop)
}

// command is a command with what masks secrets in its output.
type command struct {
	process.Command
	mask func(string) string
}

// prepare expands the variables of a dependency and returns its command and the probes that tell whether it is ready. The
// error says which variable is not set, or that another program has its address.
func (s *Supervisor) prepare(ctx context.Context, u *unit) (command, []probe, error) {
	if s.opt.Allowed != nil {
		if err := s.opt.Allowed(u.Dependency); err != nil {
			return command{}, nil, err
		}
	}
	cmd, err := s.expand(u, u.Program)
	if err != nil {
		return cmd, nil, err
	}
	cmd.Signalled = true
	probes, err := s.probesOf(u)
	if err != nil {
		return cmd, nil, err
	}
	for _, addr := range []string{u.Addr, hostOf(u.Health)} {
		if addr != "" && accepts(ctx, addr) == nil {
			return cmd, nil, fmt.Errorf("another program answers at %s; stop that one, or give this one another address", addr)
		}
	}
	return cmd, probes, nil
}

func (s *Supervisor) expand(u *unit, c config.Server) (command, error) {
	lookup := func(name string) (string, bool) {
		if v, ok := s.opt.Variable(c, name); ok {
			return v, true
		}
		return Value(s.Statuses(), name, c.Project)
	}
	provider := func(name string) string { return config.ProviderOf(s.opt.Dependencies, name) }
	cmd, mask, err := gateway.ExpandProgram(c, "dependency", s.opt.Work, lookup, provider, s.opt.Redactor)
	return command{cmd, mask}, err
}
