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

// answerTime is how long a caller waits for a changed tool list, or for other lists than that of tools.
const answerTime = 5 * time.Second

// keptFor limits the age of a list from an earlier run, which is shown at once and fetched again in the background.
const keptFor = 30 * 24 * time.Hour

// skew is the maximum correction of a clock. A list dated further in the future may be of any age.
const skew = 24 * time.Hour

// listTools returns what a server offers. A fresh list is returned at once, and so is an old one, while it is fetched again.
// If no list is known yet, it waits, for a limited time from when the server was first asked. After a failure the
// server is asked again now and then, without waiting.
func (g *Gateway) listTools(ctx context.Context, e *serverEntry) (*listing, error) {
	return g.listWithin(ctx, e, g.waitLimit())
}

// listWithin works like listTools but waits at most patience.
func (reg *registry) listWithin(ctx context.Context, e *serverEntry, patience time.Duration) (*listing, error) {
	name := e.config().Name
	l, problem := e.known()
	if l != nil && reg.caches.off.Load() { // a known list is fetched again and waited for
		reg.caches.countMiss()
		limited, stop := context.WithTimeout(ctx, patience)
		defer stop()
		return reg.fetchListing(limited, e)
	}
	if l != nil {
		if !reg.caches.isFresh(name) {
			reg.spawn(func(life context.Context) { _, _ = reg.fetchListing(life, e) })
		}
		return l, nil
	}
	reg.caches.countMiss()
	if problem != nil {
		if e.isRetryDue(reg.opt.Now()) {
			reg.spawn(func(life context.Context) { _, _ = reg.fetchListing(life, e) })
		}
		return nil, problem
	}
	if reg.recall(ctx, e) {
		l, _ := e.known()
		reg.rebuild()
		reg.spawn(func(life context.Context) { reg.renewRecalled(life, e) })
		return l, nil
	}
	limited, stop := context.WithDeadline(ctx, e.askedSince().Add(patience))
	defer stop()
	return reg.fetchListing(limited, e)
}

// waitLimit returns how long a list or search waits for a server about which nothing is known.
func (g *Gateway) waitLimit() time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	return min(g.cfg.Wait, maxPatience)
}

// maxPatience limits that time whatever the configuration says: chat clients give up after a minute.
const maxPatience = 30 * time.Second

// askedSince returns when the server was first asked; if it was not, that is now.
func (e *serverEntry) askedSince() time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.since.IsZero() {
		e.since = time.Now()
	}
	return e.since
}

// fetchListing asks the server, once for all concurrent callers. A caller whose ctx ends leaves; the fetch goes on for the
// others.
func (reg *registry) fetchListing(ctx context.Context, e *serverEntry) (*listing, error) {
	if _, err := reg.fetchOver(ctx, e, nil); err != nil {
		return nil, err
	}
	return e.known()
}

// renewRecalled fetches the list of a server whose known list is from an earlier run, unless a call that needed the list has
// fetched it meanwhile.
func (reg *registry) renewRecalled(ctx context.Context, e *serverEntry) {
	if l, _ := e.known(); l == nil || l.edition == (upstream.Edition{}) {
		_, _ = reg.fetchListing(ctx, e)
	}
}

// fetchOver fetches over one connection, or waits for the fetch under way, if any, even if that uses another
// connection. It fails only if ctx ends; the error of the fetch itself is in the catalogFetch.
func (reg *registry) fetchOver(ctx context.Context, e *serverEntry, over *upstream.Visit) (*catalogFetch, error) {
	l, first := e.joinFetch(over)
	if first && !reg.spawn(func(life context.Context) { reg.runFetch(life, e, l) }) {
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

// runFetch asks a server for its tools and stores the result.
func (reg *registry) runFetch(ctx context.Context, e *serverEntry, at *catalogFetch) {
	defer close(at.done)
	defer e.endFetch(at) // not before its list is checked: callers waiting for that would fetch again
	l, err := reg.askListing(ctx, e, at.over)
	at.err = err
	e.storeListing(at, l, err, reg.opt.Now())
	name := e.config().Name
	switch {
	case ctx.Err() != nil: // Close has been called
	case err != nil:
		reg.opt.Logger.Warn("the tools of a server cannot be listed", "server", name, "error", err)
		reg.rebuild()
	case reg.entryNamed(name) == e: // otherwise it has been replaced meanwhile
		if !e.isOutdated() {
			reg.caches.markFetched(name, l.Fetched)
		}
		reg.persistListing(ctx, e, l)
		reg.rebuild()
		e.markJudged(l.edition)
		for _, c := range []string{"resources", "prompts"} {
			if offersCapability(l.Capabilities, c) {
				reg.makeUp(e, c)
			}
		}
	default:
		e.markJudged(l.edition)
	}
}

func (reg *registry) askListing(ctx context.Context, e *serverEntry, over *upstream.Visit) (*listing, error) {
	m, offer, err := reg.fetchOffer(ctx, e, over)
	if err != nil {
		return nil, m.maskError(err)
	}
	about, raws := offer.About, offer.Tools
	l := &listing{Fetched: reg.opt.Now().Truncate(time.Millisecond), Name: m.maskText(rawjson.GetText(about.ServerInfo, "name")), About: aboutOf(about, m.maskText),
		Capabilities: m.maskValue(about.Capabilities), silent: about.Silent.Truncate(time.Second), edition: offer.Edition}
	l.readDefinitions(m.maskDefinitions(raws))
	m.maskRefusals(l.Refused)
	return l, nil
}

func (reg *registry) fetchOffer(ctx context.Context, e *serverEntry, over *upstream.Visit) (*masker, *upstream.Offer, error) {
	if over != nil {
		o, err := over.Tools(ctx)
		return reg.masker(e), o, err
	}
	up, err := reg.connection(e)
	if err != nil {
		return reg.masker(e), nil, err
	}
	m := reg.masker(e)
	o, err := up.Tools(ctx)
	return m, o, err
}

const methodNotFound = -32601

func offersCapability(capabilities json.RawMessage, name string) bool {
	var c map[string]json.RawMessage
	return json.Unmarshal(capabilities, &c) == nil && c[name] != nil && !bytes.Equal(c[name], []byte("null"))
}

// handleChange handles a server's announcement of a change.
func (reg *registry) handleChange(server, what string) {
	e := reg.entryNamed(server)
	if e == nil {
		return
	}
	if what != "tools" {
		reg.handleListChange(e, what)
		return
	}
	reg.caches.drop(server)
	if e.markOutdated() {
		reg.spawn(func(ctx context.Context) { reg.refresh(ctx, e) })
	}
}

// breath is the pause between two fetches of a list that its server announces as changed.
const breath = time.Second

// refresh fetches a list until no further change was announced.
func (reg *registry) refresh(ctx context.Context, e *serverEntry) {
	for e.continueRefresh() {
		_, _ = reg.fetchListing(ctx, e)
		select {
		case <-time.After(breath):
		case <-ctx.Done():
			return
		}
	}
}

// DiscoverAll asks the servers that are not known yet, and returns when all have been asked or ctx ends. Programs take turns
// to start.
func (g *Gateway) DiscoverAll(ctx context.Context) {
	var wg sync.WaitGroup
	for _, e := range g.all() {
		if l, _ := e.known(); l != nil || g.recall(ctx, e) {
			continue
		}
		e.askedSince()
		wg.Go(func() { _, _ = g.fetchListing(ctx, e) })
	}
	g.rebuild()
	wg.Wait()
}

// DiscoverInBackground runs DiscoverAll in the background.
func (g *Gateway) DiscoverInBackground() { g.spawn(g.DiscoverAll) }

// keptListing is the stored form of a listing: definitions as they came, without their secrets.
type keptListing struct {
	Name         string            `json:"name"`
	About        string            `json:"about,omitempty"`
	Capabilities json.RawMessage   `json:"capabilities,omitempty"`
	Silent       time.Time         `json:"silent"`
	Tools        []json.RawMessage `json:"tools"`
	Hashes       map[string]string `json:"whole,omitempty"`   // of tools whose definition held a secret, which is not kept
	Earlier      map[string]string `json:"hashes,omitempty"`  // from trust.Earlier: only in lists of earlier versions
	Refused      []refusal         `json:"refused,omitempty"` // at most keptRefusals
}

// storedForm returns the stored form of a listing. The encoder of the standard library would change the spelling of
// definitions, and at the next fetch clients would be notified of a change although there is none.
func (l *listing) storedForm() []byte {
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

// keptRefusals limits the stored tools that cannot be offered, with their reasons: a server may list any number of
// them.
const keptRefusals = 50

func (reg *registry) persistListing(ctx context.Context, e *serverEntry, l *listing) {
	s := reg.storage.get()
	if s == nil || reg.caches.off.Load() {
		return
	}
	err := s.PutCatalog(ctx, store.Catalog{Server: e.config().Name, Key: e.key, Fetched: l.Fetched, Body: l.storedForm()})
	if err != nil {
		reg.opt.Logger.Warn("a list of tools is not kept", "server", e.config().Name, "error", err)
	}
}

// recall loads the listing stored by an earlier run, and reports whether there was one.
func (reg *registry) recall(ctx context.Context, e *serverEntry) bool {
	s := reg.storage.get()
	if s == nil || reg.caches.off.Load() {
		return false
	}
	c, ok, err := s.Catalog(ctx, e.config().Name, e.key)
	if err != nil || !ok {
		return false
	}
	l := reg.parseRecalled(e, c)
	if l == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.listing == nil {
		e.listing = l
		reg.caches.markFetched(e.cfg.Name, c.Fetched)
	}
	return true
}

// parseRecalled returns the listing in a stored one, or nil if that is too old or cannot be read.
func (reg *registry) parseRecalled(e *serverEntry, c store.Catalog) *listing {
	var k keptListing
	age := reg.opt.Now().Sub(c.Fetched)
	if age > keptFor || age < -skew || json.Unmarshal(c.Body, &k) != nil || k.Earlier != nil {
		return nil
	}
	m := reg.masker(e) // with the current rules, which may mask more than when it was stored
	l := &listing{Fetched: c.Fetched, Name: m.maskText(k.Name), About: m.maskText(k.About), Capabilities: m.maskValue(k.Capabilities), silent: k.Silent}
	l.readDefinitions(m.maskRecalled(k.Tools, k.Hashes))
	l.Refused = append(l.Refused, k.Refused...)
	m.maskRefusals(l.Refused)
	return l
}

// Error codes, as named by SPEC.
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
