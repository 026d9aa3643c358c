package upstream

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// States of Health.
const (
	StateIdle     = "idle"     // not connected and not needed
	StateStarting = "starting" // connecting for the first time
	StateReady    = "ready"    // connected
	StateFailing  = "failing"  // the last start failed, or the connection was lost; it will be retried
	StateOpen     = "open"     // failed too often: calls are refused until Health.Until
)

// Health describes the condition of a server.
type Health struct {
	State     string
	Since     time.Time // of the state
	Until     time.Time // in the open state: time of the next attempt
	LastError string    // one line without secrets; "" if there was none
	Noise     []string  // the first lines on stdout that were not messages
	Calls     int       // number of requests
	Faults    int       // failures in transport, and connections that failed or were lost
	Restarts  int       // connections after the first
	InFlight  int
	P50, P99  time.Duration // of recent answered requests; 0: none
}

// recent is how many durations are kept.
const recent = 512

// watch is the data behind Health. Its owner guards it.
type watch struct {
	state     string
	since     time.Time
	lastError string
	noise     []string
	calls     int
	faults    int
	starts    int
	inFlight  int
	times     []time.Duration // a ring buffer
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

// countFault counts a failed start or a lost connection. The caller holds mu.
func (s *Server) countFault(err error) {
	s.watch.faults++
	s.watch.lastError = s.mask.line(reasonText(err))
	if !wantsLogin(err) { // after a login there should be no back-off
		s.breaker.fail(time.Now())
	}
	s.updateState()
}

// state returns the current state. The caller holds mu.
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

// updateState updates the state and its time. The caller holds mu.
func (s *Server) updateState() {
	if now, state := time.Now(), s.state(time.Now()); state != s.watch.state {
		s.watch.state, s.watch.since = state, now
		if s.opt.State != nil {
			s.opt.State(state, s.problemIn(state))
		}
	}
}

// problemIn returns the problem in a state, or "" for none. The caller holds mu.
func (s *Server) problemIn(state string) string {
	if state == StateFailing || state == StateOpen {
		return s.watch.lastError
	}
	return ""
}

// Health returns the condition of the server.
func (s *Server) Health() Health {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.updateState()
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

// maxNoise limits the kept lines that were not messages.
const maxNoise = 3

// mayHoldResult matches the beginnings of JSON, but not "[info] listening".
var mayHoldResult = lazyregexp.New(`^(?:\{|\[\s*(?:[\[{"]|$))`)

// noise keeps the first lines on stdout that were not messages: they tell the server's author what is wrong with it.
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

// Said returns the program's first lines on stdout that were not messages, then its last lines on stderr, without
// secrets; nil for servers that are not local programs.
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

// keepStderr saves the output of a program that is about to end. The caller holds mu.
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

// lastWords returns the last line on stderr. The caller holds mu.
func (s *Server) lastWords() string {
	lines := s.stderrLocked()
	for _, line := range slices.Backward(lines) {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
