package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// How long who wants to know waits for what a server says anew, or says of other
// things than tools.
const answerTime = 5 * time.Second

// A list from an earlier run is shown at once, and fetched anew behind it.
const keptFor = 30 * 24 * time.Hour

// A list that was fetched later than now by more than clocks are set by is of
// any age.
const skew = 24 * time.Hour

// list returns what a server offers. What is known and fresh is given at once;
// what is known and old as well, while it is fetched anew; what was never known is
// waited for, a while from when it was first asked; what failed is asked again now
// and then, and nobody waits for it.
func (g *Gateway) list(ctx context.Context, e *entry) (*listing, error) {
	return g.listWithin(ctx, e, g.patience())
}

// listWithin is list with so much patience.
func (g *Gateway) listWithin(ctx context.Context, e *entry, patience time.Duration) (*listing, error) {
	name := e.config().Name
	l, problem := e.known()
	if l != nil && g.caches.off.Load() { // what was known is asked anew, and waited for
		g.caches.missed()
		limited, stop := context.WithTimeout(ctx, patience)
		defer stop()
		return g.fetch(limited, e)
	}
	if l != nil {
		if !g.caches.fresh(name) {
			g.spawn(func(life context.Context) { _, _ = g.fetch(life, e) })
		}
		return l, nil
	}
	g.caches.missed()
	if problem != nil {
		if e.restless(g.opt.Now()) {
			g.spawn(func(life context.Context) { _, _ = g.fetch(life, e) })
		}
		return nil, problem
	}
	if g.recall(ctx, e) {
		l, _ := e.known()
		g.rebuild()
		g.spawn(func(life context.Context) { g.renew(life, e) })
		return l, nil
	}
	limited, stop := context.WithDeadline(ctx, e.askedSince().Add(patience))
	defer stop()
	return g.fetch(limited, e)
}

// patience is how long who lists or searches waits for a server of which nothing
// is known.
func (g *Gateway) patience() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return min(g.cfg.Wait, maxPatience)
}

// Chat clients give up after a minute, whatever a configuration says.
const maxPatience = 30 * time.Second

// askedSince is when the server was first asked, which is now at the latest.
func (e *entry) askedSince() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.since.IsZero() {
		e.since = time.Now()
	}
	return e.since
}

// fetch asks the server, once for all who want to know at the same time. Who
// cannot wait any more leaves; the asking goes on for the others.
func (g *Gateway) fetch(ctx context.Context, e *entry) (*listing, error) {
	if _, err := g.fetchOver(ctx, e, nil); err != nil {
		return nil, err
	}
	return e.known()
}

// renew is fetch of a server whose list is of an earlier run. A call that needed
// the list may have asked before its turn comes.
func (g *Gateway) renew(ctx context.Context, e *entry) {
	if l, _ := e.known(); l == nil || l.edition == (upstream.Edition{}) {
		_, _ = g.fetch(ctx, e)
	}
}

// fetchOver is fetch over one connection, unless a look over another is under
// way: then it is that one which is waited for. The error is that of ctx; that of
// the look is told by it.
func (g *Gateway) fetchOver(ctx context.Context, e *entry, over *upstream.Visit) (*look, error) {
	l, first := e.look(over)
	if first && !g.spawn(func(life context.Context) { g.look(life, e, l) }) {
		l.err = errClosing
		close(l.done)
	}
	select {
	case <-l.done:
		return l, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var errClosing = errors.New("compactor is ending")

// look asks a server what it offers and takes it over.
func (g *Gateway) look(ctx context.Context, e *entry, at *look) {
	g = g.whole
	defer close(at.done)
	defer e.ended(at) // not before its list was judged: who waits for that would ask once more
	l, err := g.ask(ctx, e, at.over)
	at.err = err
	e.took(at, l, err, g.opt.Now())
	name := e.config().Name
	switch {
	case ctx.Err() != nil: // we are closing
	case err != nil:
		g.opt.Logger.Warn("the tools of a server cannot be listed", "server", name, "error", err)
		g.rebuild()
	case g.entry(name) == e: // else another has taken its place since
		if !e.isOutdated() {
			g.caches.fetched(name, l.Fetched)
		}
		g.keep(ctx, e, l)
		g.rebuild()
		e.judge(l.edition)
		for _, c := range []string{"resources", "prompts"} {
			if offers(l.Capabilities, c) {
				g.makeUp(e, c)
			}
		}
	default:
		e.judge(l.edition)
	}
}

func (g *Gateway) ask(ctx context.Context, e *entry, over *upstream.Visit) (*listing, error) {
	m, offer, err := g.offer(ctx, e, over)
	if err != nil {
		return nil, m.fault(err)
	}
	about, raws := offer.About, offer.Tools
	l := &listing{Fetched: g.opt.Now().Truncate(time.Millisecond), Name: m.text(rawjson.GetText(about.ServerInfo, "name")), About: aboutOf(about, m.text),
		Capabilities: m.value(about.Capabilities), silent: about.Silent.Truncate(time.Second), edition: offer.Edition}
	l.read(m.definitions(raws))
	m.refusals(l.Refused)
	return l, nil
}

func (g *Gateway) offer(ctx context.Context, e *entry, over *upstream.Visit) (*masker, *upstream.Offer, error) {
	if over != nil {
		o, err := over.Tools(ctx)
		return g.masker(e), o, err
	}
	up, err := g.connection(e)
	if err != nil {
		return g.masker(e), nil, err
	}
	m := g.masker(e)
	o, err := up.Tools(ctx)
	return m, o, err
}

const methodNotFound = -32601

func offers(capabilities json.RawMessage, name string) bool {
	var c map[string]json.RawMessage
	return json.Unmarshal(capabilities, &c) == nil && c[name] != nil && !bytes.Equal(c[name], []byte("null"))
}

// changed is told by a connection that the server announced a change.
func (g *Gateway) changed(server, what string) {
	e := g.entry(server)
	if e == nil {
		return
	}
	if what != "tools" {
		g.notice(e, what)
		return
	}
	g.caches.drop(server)
	if e.outdate() {
		g.spawn(func(ctx context.Context) { g.refresh(ctx, e) })
	}
}

// breath is how long a server is left alone between two lists that are read
// because it says that they have changed.
const breath = time.Second

// refresh reads a list until nothing was announced since.
func (g *Gateway) refresh(ctx context.Context, e *entry) {
	for e.refreshes() {
		_, _ = g.fetch(ctx, e)
		select {
		case <-time.After(breath):
		case <-ctx.Done():
			return
		}
	}
}

// Learn looks at the servers that are not known yet and returns when all have been
// looked at or ctx ends. Programs take turns to start.
func (g *Gateway) Learn(ctx context.Context) {
	var wg sync.WaitGroup
	for _, e := range g.all() {
		if l, _ := e.known(); l != nil || g.recall(ctx, e) {
			continue
		}
		e.askedSince()
		wg.Go(func() { _, _ = g.fetch(ctx, e) })
	}
	g.rebuild()
	wg.Wait()
}

// LearnBehind is Learn in the background.
func (g *Gateway) LearnBehind() { g.spawn(g.Learn) }

// keptListing is a listing as it is written down: definitions as they came, but for
// their secrets.
type keptListing struct {
	Name         string            `json:"name"`
	About        string            `json:"about,omitempty"`
	Capabilities json.RawMessage   `json:"capabilities,omitempty"`
	Silent       time.Time         `json:"silent"`
	Tools        []json.RawMessage `json:"tools"`
	Hashes       map[string]string `json:"whole,omitempty"`   // of tools whose definition held a secret, which is not written down
	Earlier      map[string]string `json:"hashes,omitempty"`  // as trust.Earlier has them: the list is an earlier version's
	Refused      []refusal         `json:"refused,omitempty"` // at most keptRefusals
}

// written is a listing as it is written down. The encoder of the standard
// library would write definitions in another spelling, and clients be told of a
// change that is none when they are fetched anew.
func (l *listing) written() []byte {
	tools, hashes := []byte{'['}, map[string]string{}
	for i, d := range l.Tools {
		if d.masked {
			hashes[d.Name] = d.Hash
		}
		if i > 0 {
			tools = append(tools, ',')
		}
		tools = append(tools, d.Raw...)
	}
	members := []rawjson.Member{{Name: "name", Value: rawjson.Quote(l.Name)}, {Name: "tools", Value: append(tools, ']')}}
	if len(hashes) > 0 {
		if said, err := json.Marshal(hashes); err == nil {
			members = append(members, rawjson.Member{Name: "whole", Value: said})
		}
	}
	if l.About != "" {
		members = append(members, rawjson.Member{Name: "about", Value: rawjson.Quote(l.About)})
	}
	if l.Capabilities != nil {
		members = append(members, rawjson.Member{Name: "capabilities", Value: l.Capabilities})
	}
	if !l.silent.IsZero() {
		members = append(members, rawjson.Member{Name: "silent", Value: rawjson.Quote(l.silent.UTC().Format(time.RFC3339))})
	}
	if n := min(len(l.Refused), keptRefusals); n > 0 {
		if refused, err := json.Marshal(l.Refused[:n]); err == nil {
			members = append(members, rawjson.Member{Name: "refused", Value: refused})
		}
	}
	return rawjson.Join(members)
}

// A server may list any number of tools that cannot be offered; so many are
// remembered with their reasons.
const keptRefusals = 50

func (g *Gateway) keep(ctx context.Context, e *entry, l *listing) {
	s := g.storage.get()
	if s == nil || g.caches.off.Load() {
		return
	}
	err := s.PutCatalog(ctx, store.Catalog{Server: e.config().Name, Key: e.key, Fetched: l.Fetched, Body: l.written()})
	if err != nil {
		g.opt.Logger.Warn("a list of tools is not kept", "server", e.config().Name, "error", err)
	}
}

// recall takes what an earlier run has written down, and reports whether there
// was anything.
func (g *Gateway) recall(ctx context.Context, e *entry) bool {
	s := g.storage.get()
	if s == nil || g.caches.off.Load() {
		return false
	}
	c, ok, err := s.Catalog(ctx, e.config().Name, e.key)
	if err != nil || !ok {
		return false
	}
	l := g.recalled(e, c)
	if l == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listing == nil {
		e.listing = l
		g.caches.fetched(e.cfg.Name, c.Fetched)
	}
	return true
}

// recalled is a listing of what was written down; nil where that is too old or cannot be
// read.
func (g *Gateway) recalled(e *entry, c store.Catalog) *listing {
	var k keptListing
	age := g.opt.Now().Sub(c.Fetched)
	if age > keptFor || age < -skew || json.Unmarshal(c.Body, &k) != nil || k.Earlier != nil {
		return nil
	}
	m := g.masker(e) // of what is masked now: more than when it was written down, perhaps
	l := &listing{Fetched: c.Fetched, Name: m.text(k.Name), About: m.text(k.About), Capabilities: m.value(k.Capabilities), silent: k.Silent}
	l.read(m.recalled(k.Tools, k.Hashes))
	l.Refused = append(l.Refused, k.Refused...)
	m.refusals(l.Refused)
	return l
}

// Codes of errors, as SPEC names them.
const (
	CodeConfiguration = "CONFIGURATION_ERROR"
	CodeConnection    = "SERVER_CONNECTION_ERROR"
	CodeExecution     = "TOOL_EXECUTION_ERROR"
	CodeTimeout       = "TOOL_EXECUTION_TIMEOUT"
	CodeArguments     = "TOOL_VALIDATION_ERROR"
	CodeNotFound      = "TOOL_NOT_FOUND"
)

func connectionError(server, what, do string) error {
	return &contract.Error{Name: "ConnectionError", Code: CodeConnection, Message: "server " + server + ": " + what + "; " + do,
		Data: &contract.ErrorData{Server: server}}
}
