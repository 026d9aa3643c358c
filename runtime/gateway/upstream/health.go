package upstream

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// The states of Health.
const (
	StateIdle     = "idle"     // not connected, and nobody asks
	StateStarting = "starting" // connecting for the first time
	StateReady    = "ready"    // connected
	StateFailing  = "failing"  // the last start failed, or the connection was lost; it is tried again
	StateOpen     = "open"     // failed too often: calls are refused until Health.Until
)

// Health is how a server is doing.
type Health struct {
	State     string
	Since     time.Time // of the state
	Until     time.Time // of the open state: when it is tried again
	LastError string    // one line without secrets; "" when there was none
	Noise     []string  // the first lines on stdout that were no messages
	Calls     int       // requests that were asked
	Faults    int       // of them that failed on the way, and connections that failed or were lost
	Restarts  int       // connections after the first
	InFlight  int
	P50, P99  time.Duration // of recent requests that were answered; 0: none
}

// recent is how many durations are kept.
const recent = 512

// watch is what Health is made from. Its owner guards it.
type watch struct {
	state     string
	since     time.Time
	lastError string
	noise     []string
	calls     int
	faults    int
	starts    int
	inFlight  int
	times     []time.Duration // a ring
	next      int
}

func (w *watch) took(d time.Duration) {
	if len(w.times) < recent {
		w.times = append(w.times, d)
		return
	}
	w.times[w.next] = d
	w.next = (w.next + 1) % recent
}

// fault counts a start that failed or a connection that was lost. mu is held.
func (s *Server) fault(err error) {
	s.watch.faults++
	s.watch.lastError = s.mask.line(reason(err))
	if !wantsLogin(err) { // once somebody has logged in, nobody shall wait
		s.breaker.fail(time.Now())
	}
	s.restate()
}

// state is what holds now. mu is held.
func (s *Server) state(now time.Time) string {
	switch {
	case len(s.conns) > 0:
		return StateReady
	case s.breaker.open(now):
		return StateOpen
	case s.breaker.failures > 0:
		return StateFailing
	case s.starting != nil:
		return StateStarting
	}
	return StateIdle
}

// restate notes since when the state holds. mu is held.
func (s *Server) restate() {
	if now, state := time.Now(), s.state(time.Now()); state != s.watch.state {
		s.watch.state, s.watch.since = state, now
		if s.opt.State != nil {
			s.opt.State(state, s.problemIn(state))
		}
	}
}

// problemIn is what is wrong in a state, "" for nothing. mu is held.
func (s *Server) problemIn(state string) string {
	if state == StateFailing || state == StateOpen {
		return s.watch.lastError
	}
	return ""
}

// Health says how the server is doing.
func (s *Server) Health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.restate()
	w := &s.watch
	h := Health{State: w.state, Since: w.since, LastError: w.lastError, Noise: slices.Clone(w.noise), Calls: w.calls,
		Faults: w.faults, Restarts: max(0, w.starts-1), InFlight: w.inFlight}
	if h.State == StateOpen {
		h.Until = s.breaker.until
	}
	if times := slices.Sorted(slices.Values(w.times)); len(times) > 0 {
		h.P50, h.P99 = times[(len(times)-1)/2], times[(len(times)-1)*99/100]
	}
	return h
}

// maxNoise is how many lines that were no messages are kept.
const maxNoise = 3

// mayHoldResult knows the beginnings of JSON, but not "[info] listening".
var mayHoldResult = lazyregexp.New(`^(?:\{|\[\s*(?:[\[{"]|$))`)

// noise keeps the first lines on stdout that were no messages: they tell who built the server what is wrong with it.
func (s *Server) noise(text []byte) {
	text = bytes.TrimPrefix(text, []byte(byteOrder))
	if len(text) == 0 || mayHoldResult.Match(text) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.watch.noise) < maxNoise {
		s.watch.noise = append(s.watch.noise, s.mask.line(string(text[:min(len(text), 4*maxLine)])))
	}
}

// Said gives the first lines of the program on stdout that were no messages, then its last lines on stderr, without
// secrets; nil for servers that are no programs here.
func (s *Server) Said() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, line := range s.watch.noise {
		out = append(out, "on stdout, where only messages belong: "+line)
	}
	return append(out, s.stderrLocked()...)
}

func (s *Server) stderrLocked() []string {
	lines := s.stderr
	for _, c := range s.conns {
		if p := c.program(); p != nil {
			lines = p.Stderr()
		}
	}
	var out []string
	for _, line := range lines {
		out = append(out, s.mask.indented(line))
	}
	return out
}

// keepStderr remembers what a program said that is about to end. mu is held.
func (s *Server) keepStderr(c *conn) {
	if p := c.program(); p != nil {
		s.stderr = p.Stderr()
	}
}

func (c *conn) program() Program {
	if w, ok := c.wire.(*stdioWire); ok {
		return w.program
	}
	return nil
}

// lastWords is the last line on stderr. mu is held.
func (s *Server) lastWords() string {
	lines := s.stderrLocked()
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
