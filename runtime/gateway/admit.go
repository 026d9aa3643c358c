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

// judgeTime is how long a call waits until what its server offers now was
// judged. Chat clients give up after a minute.
const judgeTime = 30 * time.Second

// admission holds a call of a tool until the list of the connection that it
// goes out over was judged: what is known of the server may be of an earlier
// connection, or of an earlier run, and the program behind the new one another.
// It is nil where nobody wants to know.
func (g *Gateway) admission(t *tool) func(context.Context, *upstream.Visit) error {
	if !g.judges(t) {
		return nil
	}
	return func(ctx context.Context, at *upstream.Visit) error {
		if err := g.await(ctx, t.from, at); err != nil {
			return &notAdmitted{err}
		}
		if err := g.still(t); err != nil {
			return &notAdmitted{err}
		}
		return nil
	}
}

// notAdmitted is why a call was not sent.
type notAdmitted struct{ err error }

func (n *notAdmitted) Error() string { return n.err.Error() }
func (n *notAdmitted) Unwrap() error { return n.err }

// judges reports whether a tool's definition matters.
func (g *Gateway) judges(t *tool) bool {
	cfg := t.from.config()
	g.mu.Lock()
	defer g.mu.Unlock()
	return trust.Policy(cmp.Or(cfg.Trust, g.cfg.Trust)) != trust.Off || cfg.Pins[t.Name] != ""
}

// await waits until the list of a connection was judged as it is at this moment.
// A server that goes on announcing changes is asked once for the calls that wait
// together, and not until it is quiet.
func (g *Gateway) await(ctx context.Context, e *entry, at *upstream.Visit) error {
	want := at.Edition()
	if e.hasJudged(want) {
		return nil
	}
	limited, stop := context.WithTimeout(ctx, g.judgeTime)
	defer stop()
	for {
		l, err := g.fetchOver(limited, e, at)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case e.hasJudged(want):
			return nil
		case err != nil:
			return unjudged(e, fmt.Errorf("it did not say within %s", g.judgeTime))
		case l.err != nil && (l.over != nil && l.over.Edition().Connection == want.Connection || errors.Is(l.err, errClosing)):
			return unjudged(e, l.err)
		}
	}
}

func unjudged(e *entry, err error) error {
	return connectionError(e.config().Name, "its tools cannot be listed now, so none of them is run ("+plain(err)+")",
		"try again; if it stays, look at: compactor doctor")
}

// still is nil if a tool is what it was when the call was prepared, else why it
// is not to be called.
func (g *Gateway) still(t *tool) error {
	now := g.catalog.Load().byName[t.Listed]
	if now == nil || now.from != t.from || now.Name != t.Name {
		now = g.catalog.Load().own(t)
	}
	switch {
	case now == nil && g.entry(t.Server) != t.from && t.from.lists(t): // retired: its calls under way may end
		return nil
	case now == nil:
		return &contract.Error{Name: "NotFoundError", Code: CodeNotFound,
			Message: "tool " + t.Listed + " cannot be run: its server no longer lists it; search for another"}
	case !now.Enabled:
		return now.keptBack()
	case now.Hash != t.Hash:
		return &contract.Error{Name: "NotFoundError", Code: CodeNotFound,
			Message: "tool " + t.Listed + " has changed since it was looked up; look at it again"}
	}
	return nil
}

// own is a tool under whatever listed name it has by now.
func (c *Catalog) own(t *tool) *tool {
	for _, o := range c.byServer[t.Server] {
		if o.from == t.from && o.Name == t.Name {
			return o
		}
	}
	return nil
}

// lists reports whether a tool is still defined as it was.
func (e *entry) lists(t *tool) bool {
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

// So many connections are remembered as judged: more than a server has at once.
const maxJudged = 256

// judge notes that the list of a connection was judged.
func (e *entry) judge(was upstream.Edition) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.judged == nil || len(e.judged) >= maxJudged {
		e.judged = map[int64]int64{}
	}
	e.judged[was.Connection] = max(was.Change, e.judged[was.Connection])
}

// hasJudged reports whether a connection's list was judged since it last
// announced a change.
func (e *entry) hasJudged(at upstream.Edition) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	change, ok := e.judged[at.Connection]
	return ok && change >= at.Change
}
