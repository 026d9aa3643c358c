package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/gateway/trust"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// judgeTime is how long a call waits until its server's current tools are checked. Chat clients give up after a minute.
const judgeTime = 30 * time.Second

// admissionCheck returns a function that holds a tool call until the tool list has been checked for the connection that the
// call uses: the known list may be from an earlier connection or run, and the program behind the new one a different
// one. It returns nil if the definition does not matter.
func (c *caller) admissionCheck(t *tool) func(context.Context, *upstream.Visit) error {
	if !c.definitionMatters(t) {
		return nil
	}
	return func(ctx context.Context, at *upstream.Visit) error {
		if err := c.awaitJudged(ctx, t.from, at); err != nil {
			return &notAdmitted{err}
		}
		if err := c.recheck(t); err != nil {
			return &notAdmitted{err}
		}
		return nil
	}
}

// notAdmitted is the reason why a call was not sent.
type notAdmitted struct{ err error }

func (n *notAdmitted) Error() string { return n.err.Error() }
func (n *notAdmitted) Unwrap() error { return n.err }

// definitionMatters reports whether a tool's definition matters.
func (c *caller) definitionMatters(t *tool) bool {
	cfg := t.from.config()
	c.mu.Lock()
	defer c.mu.Unlock()
	return trust.Policy(cmp.Or(cfg.Trust, c.cfg.Trust)) != trust.Off || cfg.Pins[t.Name] != ""
}

// awaitJudged waits until the list of a connection has been checked as of now. A server that keeps announcing changes is
// asked once for all the calls that wait together, not until it is quiet.
func (reg *registry) awaitJudged(ctx context.Context, e *serverEntry, at *upstream.Visit) error {
	want := at.Edition()
	if e.hasJudged(want) {
		return nil
	}
	limited, stop := context.WithTimeout(ctx, reg.judgeTime)
	defer stop()
	for {
		l, err := reg.fetchOver(limited, e, at)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.hasJudged(want):
			return nil
		case err != nil:
			return unjudgedError(e, fmt.Errorf("it did not say within %s", reg.judgeTime))
		case l.err != nil && (l.over != nil && l.over.Edition().Connection == want.Connection || errors.Is(l.err, errClosing)):
			return unjudgedError(e, l.err)
		}
	}
}

func unjudgedError(e *serverEntry, err error) error {
	return connectionError(e.config().Name, "its tools cannot be listed now, so none of them is run ("+errorText(err)+")",
		"try again; if it stays, look at: compactor doctor")
}

// recheck returns nil if a tool is unchanged since the call was prepared, else an error that says why it may not be
// called.
func (c *caller) recheck(t *tool) error {
	now := c.catalog.Load().byName[t.Listed]
	if now == nil || now.from != t.from || now.Name != t.Name {
		now = c.catalog.Load().findCurrent(t)
	}
	switch {
	case now == nil && c.entry(t.Server) != t.from && t.from.listsUnchanged(t): // retired: its calls under way may end
		return nil
	case now == nil:
		return &contract.Error{Name: "NotFoundError", Code: CodeNotFound,
			Message: "tool " + t.Listed + " cannot be run: its server no longer lists it; search for another"}
	case !now.Enabled:
		return now.blockedReason()
	case now.Hash != t.Hash:
		return &contract.Error{Name: "NotFoundError", Code: CodeNotFound,
			Message: "tool " + t.Listed + " has changed since it was looked up; look at it again"}
	}
	return nil
}

// findCurrent finds a tool under its current listed name, which may have changed.
func (c *Catalog) findCurrent(t *tool) *tool {
	for _, o := range c.byServer[t.Server] {
		if o.from == t.from && o.Name == t.Name {
			return o
		}
	}
	return nil
}

// listsUnchanged reports whether a tool's definition is unchanged.
func (e *serverEntry) listsUnchanged(t *tool) bool {
	l, _ := e.known()
	if l == nil {
		return false
	}
	for _, d := range l.Tools {
		if d.Name == t.Name {
			return d.Hash == t.Hash
		}
	}
	return false
}

// maxJudged limits the connections remembered as checked: more than a server has at once.
const maxJudged = 256

// markJudged records that the list of a connection was checked.
func (e *serverEntry) markJudged(was upstream.Edition) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.judged == nil || len(e.judged) >= maxJudged {
		e.judged = map[int64]int64{}
	}
	e.judged[was.Connection] = max(was.Change, e.judged[was.Connection])
}

// hasJudged reports whether a connection's list was checked since it last announced a change.
func (e *serverEntry) hasJudged(at upstream.Edition) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	change, ok := e.judged[at.Connection]
	return ok && change >= at.Change
}
