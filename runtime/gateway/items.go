package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// item is one entry of a server's list.
type item struct {
	id     string // as the server has it
	listed string // as clients see it
	server string
	prefix string // of the server's names
	raw    json.RawMessage
}

// mergedList lists a kind over all servers, in one page. A server that does not answer is left out: the other lists are
// still useful.
func (c *caller) mergedList(ctx context.Context, k kind) (json.RawMessage, error) {
	out := []json.RawMessage{}
	for _, it := range c.collectItems(ctx, k) {
		out = append(out, it.raw)
	}
	return rawjson.Marshal(map[string]any{k.key: out})
}

// collectItems collects a kind from all servers that offer it, by server.
func (c *caller) collectItems(ctx context.Context, k kind) []item {
	entries := c.all()
	lists := make([][]item, len(entries))
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	var wg sync.WaitGroup
	for i, e := range entries {
		wg.Go(func() { lists[i] = c.itemsOf(ctx, e, k) })
	}
	wg.Wait()
	if k == promptKind {
		return c.namePrompts(lists)
	}
	taken := map[string]bool{}
	var out []item
	for _, list := range lists {
		for _, it := range list {
			if !taken[it.id] { // a URI has one meaning: the first server's
				taken[it.id] = true
				out = append(out, it)
			}
		}
	}
	return out
}

// namePrompts gives each prompt a unique name, as is done for tools.
func (c *caller) namePrompts(lists [][]item) (out []item) {
	names := newNaming(c.serverClaims())
	own := func(it item) string { return rawjson.GetText(it.raw, promptKind.id) } // masked
	for _, list := range lists {
		for _, it := range list {
			names.wantName(it.server, it.prefix, own(it))
		}
	}
	for _, list := range lists {
		for _, it := range list {
			if name := names.giveName(it.server, it.prefix, own(it)); name != it.id {
				it.listed, it.raw = name, renameDefinition(it.raw, name, "")
			}
			out = append(out, it)
		}
	}
	return out
}

// itemsOf returns one server's list, from the cache if that is fresh. A server that failed to answer is asked again now
// and then in the background: the other lists are useful without it.
func (c *caller) itemsOf(ctx context.Context, e *serverEntry, k kind) []item {
	l, err := c.listTools(ctx, e)
	if err != nil || l == nil {
		e.markMissed(k.capability)
		return nil
	}
	if !offersCapability(l.Capabilities, k.capability) {
		return nil
	}
	have, ok := e.cachedItems(k)
	age := c.opt.Now().Sub(have.at)
	switch {
	case ok && have.failed && age > restlessAfter:
		e.cacheItems(k, kept{have.items, c.opt.Now(), true}, have.news)
		c.spawn(func(life context.Context) { c.fetchItems(life, e, k) })
		return have.items
	case ok && (have.failed || !c.caches.off.Load() && age < time.Duration(c.caches.life.Load())):
		c.caches.listHits.Add(1)
		return have.items
	}
	return c.fetchItems(ctx, e, k)
}

// fetchItems asks a server for its list of a kind, and caches it.
func (reg *registry) fetchItems(ctx context.Context, e *serverEntry, k kind) []item {
	reg.caches.listMisses.Add(1)
	have, _ := e.cachedItems(k)
	up, err := reg.connection(e)
	if err != nil {
		return nil
	}
	raws, err := up.List(ctx, k.method, k.key)
	var refused *upstream.RPCError
	if err != nil && !errors.As(err, &refused) {
		if !errors.Is(err, context.Canceled) {
			reg.opt.Logger.Warn("list could not be fetched", "server", e.config().Name, "list", k.method, "error", err)
			e.cacheItems(k, kept{have.items, reg.opt.Now(), true}, have.news)
			e.markMissed(k.capability)
		}
		if errors.Is(ctx.Err(), context.DeadlineExceeded) { // it had less time than a server may take
			reg.spawn(func(life context.Context) { reg.fetchItems(life, e, k) })
		}
		return have.items
	}
	items := reg.itemsIn(e, k, raws)
	e.cacheItems(k, kept{items, reg.opt.Now(), false}, have.news)
	reg.makeUp(e, k.capability)
	return items
}

// itemsIn reads the entries of a list.
func (reg *registry) itemsIn(e *serverEntry, k kind, raws []json.RawMessage) []item {
	cfg := e.config()
	m := reg.masker(e)
	var items []item
	for _, raw := range raws {
		id := rawjson.GetText(raw, k.id)
		if id == "" {
			continue
		}
		items = append(items, item{id: id, listed: id, server: cfg.Name, prefix: cfg.Prefix, raw: removeOwnMarks(m.maskValue(raw), false)})
	}
	return items
}

// kept is a cached list of one server, and when it was asked for.
type kept struct {
	items  []item
	at     time.Time
	failed bool // the fetch failed; items are those from before
}

// markMissed records that a client was given a list of all servers without this one's part.
func (e *serverEntry) markMissed(capability string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.missed == nil {
		e.missed = map[string]bool{}
	}
	e.missed[capability] = true
}

// makeUp announces the lists with missing parts, once the server has supplied them.
func (reg *registry) makeUp(e *serverEntry, capabilities ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, c := range capabilities {
		if e.missed[c] {
			delete(e.missed, c)
			reg.announceList(e, c)
		}
	}
}

// seen is a cached list with the number of changes announced by then.
type seen struct {
	kept
	news int
}

func (e *serverEntry) cachedItems(k kind) (seen, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	have, ok := e.others[k.method]
	return seen{have, e.news}, ok
}

// cacheItems caches a list unless a change was announced since, because then the list may be outdated.
func (e *serverEntry) cacheItems(k kind, list kept, news int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if news != e.news {
		return
	}
	if e.others == nil {
		e.others = map[string]kept{}
	}
	e.others[k.method] = list
}
