package budget

import (
	"fmt"
	"slices"
	"sync"
)

// ExhaustedError reports which limit refused work. errors.As matches any of them; the code is
// stable.
type ExhaustedError struct {
	Limit string // files, bytes, steps, tokens_in or tokens_out
	Max   int64
}

func (e *ExhaustedError) Error() string {
	return fmt.Sprintf("budget: the limit of %d %s is reached; raise budget.%s or ask a narrower question", e.Max, e.Limit, e.Limit)
}

// Code returns BUDGET_EXHAUSTED.
func (e *ExhaustedError) Code() string { return "BUDGET_EXHAUSTED" }

// WarnAt is the share of a limit from which Usage reports it as nearly spent.
const WarnAt = 0.8

// Usage counts what has been spent.
type Usage struct {
	Files     int
	Bytes     int64
	Steps     int
	TokensIn  int
	TokensOut int
	Scanned   int      // files ranked; limited by time, not by Files
	Warned    []string // limits used up to WarnAt or more, sorted
	Hit       []string // limits that refused work, sorted
}

// Ledger records what one request spends. All methods are safe for concurrent use; a nil Ledger
// allows everything.
type Ledger struct {
	mu     *sync.Mutex // one lock for the whole family, so that a take is all or nothing
	parent *Ledger
	limits Limits
	used   Usage
	files  map[string]bool // read as evidence: a file counts once
	quiet  bool            // refusals here concern extra work only and are not reported as cuts

	refused error // the last refusal, by a limit in force here
	starved error // see Starve
}

// New returns an empty ledger.
func New(limits Limits) *Ledger {
	return &Ledger{mu: new(sync.Mutex), limits: limits, files: map[string]bool{}}
}

// Child returns a ledger whose spending counts here too. Its limits can only be tighter than its
// parent's.
func (l *Ledger) Child(by Limits) *Ledger {
	if l == nil {
		return New(by)
	}
	return &Ledger{mu: l.mu, parent: l, limits: l.limits.Narrow(by), files: map[string]bool{}, quiet: l.quiet}
}

// Limits returns the limits in force.
func (l *Ledger) Limits() Limits {
	if l == nil {
		return Limits{}
	}
	return l.limits
}

// Read books n bytes of a file as evidence before they are quoted. The file counts once however
// often it is quoted; the bytes count each time.
func (l *Ledger) Read(name string, n int64) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := l; at != nil; at = at.parent {
		if !at.files[name] {
			if err := l.checkRoom(at, "files", int64(at.used.Files), 1, int64(at.limits.Files)); err != nil {
				return err
			}
		}
		if err := l.checkRoom(at, "bytes", at.used.Bytes, n, at.limits.Bytes); err != nil {
			return err
		}
	}
	for at := l; at != nil; at = at.parent {
		if !at.files[name] {
			at.files[name] = true
			at.used.Files++
		}
		at.used.Bytes += n
	}
	return nil
}

// Step books n model turns or tool calls.
func (l *Ledger) Step(n int) error {
	return l.takeAll("steps", n, func(at *Ledger) (*int, int) { return &at.used.Steps, at.limits.Steps })
}

// TokensIn books n prompt tokens.
func (l *Ledger) TokensIn(n int) error {
	return l.takeAll("tokens_in", n, func(at *Ledger) (*int, int) { return &at.used.TokensIn, at.limits.TokensIn })
}

// Scanned records that n files were ranked; it is never refused.
func (l *Ledger) Scanned(n int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := l; at != nil; at = at.parent {
		at.used.Scanned = max(at.used.Scanned, n)
	}
}

// Cut records a limit that ended work early by other means, such as "time".
func (l *Ledger) Cut(limit string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.quiet {
		l.markHit(limit)
	}
}

// Usage returns a copy of what was spent here and by all children.
func (l *Ledger) Usage() Usage {
	if l == nil {
		return Usage{}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	u := l.used
	u.Hit = slices.Clone(u.Hit)
	u.Warned = l.warnedLimits()
	return u
}

func (l *Ledger) takeAll(limit string, n int, at func(*Ledger) (*int, int)) error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for a := l; a != nil; a = a.parent {
		used, max := at(a)
		if err := l.checkRoom(a, limit, int64(*used), int64(n), int64(max)); err != nil {
			return err
		}
	}
	for a := l; a != nil; a = a.parent {
		used, _ := at(a)
		*used += n
	}
	return nil
}

// checkRoom returns an error unless at, which is l or one of its parents, has room for n more.
func (l *Ledger) checkRoom(at *Ledger, limit string, used, n, max int64) error {
	if max <= 0 || used+n <= max {
		return nil
	}
	err := &ExhaustedError{Limit: limit, Max: max}
	if !l.quiet {
		at.markHit(limit)
		l.markRefused(at, err)
	}
	return err
}

// Starve records that work booked here was left undone, or done worse, for lack of time or budget.
func (l *Ledger) Starve(err error) {
	if l == nil || err == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for at := l; at != nil; at = at.parent {
		at.starved = err
	}
}

// Starved returns the last error recorded with Starve, here or at a child.
func (l *Ledger) Starved() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.starved
}

// markRefused marks every ledger from l on in which the limit that refused work is in force: it may be that of a
// parent, which its children inherit.
func (l *Ledger) markRefused(at *Ledger, err *ExhaustedError) {
	for by, above := l, false; by != nil && (!above || by.limits.named(err.Limit) == err.Max); by = by.parent {
		by.refused = err
		above = above || by == at
	}
}

// Refused returns the last refusal of work that was booked here or at a child, by a limit of this ledger or one above
// it; nil if there was none. A limit of the child itself does not count: the next child has as much again.
func (l *Ledger) Refused() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refused
}

// markHit marks the limit here and above: the request as a whole was cut.
func (l *Ledger) markHit(limit string) {
	for at := l; at != nil; at = at.parent {
		if i, found := slices.BinarySearch(at.used.Hit, limit); !found {
			at.used.Hit = slices.Insert(at.used.Hit, i, limit)
		}
	}
}

func (l *Ledger) warnedLimits() []string {
	var out []string
	for _, c := range []struct {
		name      string
		used, max int64
	}{
		{"bytes", l.used.Bytes, l.limits.Bytes},
		{"files", int64(l.used.Files), int64(l.limits.Files)},
		{"steps", int64(l.used.Steps), int64(l.limits.Steps)},
		{"tokens_in", int64(l.used.TokensIn), int64(l.limits.TokensIn)},
		{"tokens_out", int64(l.used.TokensOut), int64(l.limits.TokensOut)},
	} {
		if c.max > 0 && float64(c.used) >= WarnAt*float64(c.max) {
			out = append(out, c.name)
		}
	}
	return out
}
