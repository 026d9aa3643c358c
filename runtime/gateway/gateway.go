package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
	"github.com/compactor-mcp/compactor/runtime/safety/redact"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// Options of a Gateway. Zero values stand for the defaults named.
type Options struct {
	Work   string                                            // relative directories of servers start here
	State  string                                            // directory for records of running programs; "" keeps none
	Logins *oauth.Store                                      // what people have logged in to; nil: no login is possible
	Lookup func(s config.Server, name string) (string, bool) // value of a ${VAR} for a server; default: none is set
	// Redactor is the one of the configuration in force; default: none, and only what servers were given is masked.
	Redactor func() *redact.Redactor
	Store    func() (*store.Store, error) // opened when first needed; nil keeps nothing
	Starter  upstream.Starter             // default: real programs
	Allowed  func(config.Server) bool     // whether it may be started or connected to; nil allows all
	// Project is the directory whose configuration servers may come with: approvals
	// of theirs are its own.
	Project string
	// AllowWith is the command by which a user allows what is not.
	AllowWith string
	Version   string           // of compactor, as servers are told
	Logger    *slog.Logger     // default: silent
	Events    *event.Stream    // of calls, states and cuts; nil: nobody reads them
	Now       func() time.Time // default time.Now
	// Result, where not nil, is given each masked result and gives the one that
	// leaves.
	Result func(ctx context.Context, r Result) Hooked
	// Called, where not nil, is told of each call that has ended. It must be quick.
	Called func(Called)
	// More names the tool that reads a further page of a result; "" where there is
	// none.
	More   func() string
	Notice func(Notice) // may be nil
	// Log, where not nil, is given the log lines of servers that belong to no call:
	// masked, in order, not too many, the params of notifications/message, and the
	// only session that may see them, "" for all.
	Log func(server string, params json.RawMessage, session string)
}

// Notice says that what a server has beside tools has changed.
type Notice struct {
	Server   string
	List     string   // resources or prompts; "" where it is one resource
	URI      string   // of that
	Sessions []string // that have subscribed to it, or to what it is part of
}

// Gateway holds the upstream servers of one configuration after another, as a whole or
// as a profile has them: see Profile. It is safe for concurrent use.
type Gateway struct {
	*shared
	profiled

	catalog atomic.Pointer[Catalog]
	told    string // its digest when those who watch were last told; guarded by mu
}

// shared is what the whole gateway and all of its profiles have in common: servers,
// their connections, and what is kept of them.
type shared struct {
	opt   Options
	whole *Gateway

	launcherOnce sync.Once
	launcher     *process.Launcher // made with the first program: it looks for leftovers of earlier runs

	configuring sync.Mutex // one configuration is taken over after another; taken before mu

	mu       sync.Mutex // may be held while an entry's is taken, never the other way round
	starts   upstream.Starts
	entries  map[string]*entry
	profiles map[string]*Gateway
	last     *config.Config
	lasts    map[string]*config.Config // of profiles
	turned   map[string]switched       // servers that a person turned on or off since the start
	closed   bool
	tasks    sync.WaitGroup
	life     context.Context
	end      context.CancelFunc

	judgeTime time.Duration // how long a call waits until its server's tools are judged

	rebuilding sync.Mutex
	caches     *caches
	pages      *pages.Keeper
	watchers   watchers
	announcing announcement

	subscribed subscriptions
	links      *links

	countOnce sync.Once
	counts    *uses

	storage   *storage
	approvals *approvals
}

// New makes a gateway without servers; Configure gives it some. Nothing is
// started, opened or read.
func New(opt Options) *Gateway {
	if opt.Lookup == nil {
		opt.Lookup = func(config.Server, string) (string, bool) { return "", false }
	}
	if opt.Redactor == nil {
		opt.Redactor = func() *redact.Redactor { return nil }
	}
	if opt.More == nil {
		opt.More = func() string { return "" }
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	g := &Gateway{shared: &shared{opt: opt, entries: map[string]*entry{}, judgeTime: judgeTime, caches: newCaches(opt.Now), pages: pages.NewKeeper(opt.Now), links: newLinks()},
		profiled: profiled{rules: &rules.Set{}}}
	g.whole = g
	g.life, g.end = context.WithCancel(context.Background())
	g.storage = &storage{open: opt.Store, logger: opt.Logger, life: g.life}
	g.approvals = &approvals{store: g.storage, project: opt.Project, logger: opt.Logger, now: opt.Now}
	if opt.Starter == nil {
		g.opt.Starter = g.program
	}
	g.catalog.Store(emptyCatalog())
	return g
}

// Configure takes over a configuration. Servers that are the same as before
// keep their connections; others, and those that are held from now on, are let go
// of when their calls are done. The rules must have compiled before (see Check).
func (g *Gateway) Configure(c *config.Config) { g.ConfigureProfiles(c, nil) }

// ConfigureProfiles is Configure with what c leaves to profiles, by name: their servers
// are some of those of c and are reached the same way, so that all share one connection.
func (g *Gateway) ConfigureProfiles(c *config.Config, profiles map[string]*config.Config) {
	g.configuring.Lock()
	defer g.configuring.Unlock()
	g.whole.configure(c, profiles)
}

// configure is ConfigureProfiles. configuring is held, and g is the whole.
func (g *Gateway) configure(c *config.Config, profiles map[string]*config.Config) {
	next := profiledBy(c)
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return
	}
	old := g.entries
	g.last, g.lasts = c, profiles
	g.entries = map[string]*entry{}
	for name, s := range c.Servers {
		if !g.isOn(s) {
			continue
		}
		e := newEntry(s)
		if was := old[name]; was != nil && was.key == e.key && !g.revalued(was) && !(s.Held && !was.config().Held) {
			if e = was.with(s); g.allowed(s) {
				e.freed()
			}
			delete(old, name)
		}
		g.entries[name] = e
	}
	g.profiled = next.of(g.entries)
	g.divide(profiles)
	g.mu.Unlock()
	g.starts.Limit(c.Gateway.Starts)
	g.caches.life.Store(int64(c.Gateway.TTL))
	g.pages.Bound(c.Gateway.Results.Memory, c.Gateway.Results.Time)
	g.caches.off.Store(c.Cache.Off)
	for name, e := range old {
		g.resubscribe(name)
		g.spawn(func(life context.Context) { e.retire(life) })
	}
	g.rebuild()
}

// Close stops the servers. Calls in flight end with an error.
func (g *Gateway) Close() error {
	g.mu.Lock()
	if g.closed {
		g.mu.Unlock()
		return nil
	}
	g.closed = true
	if g.announcing.timer != nil {
		g.announcing.timer.Stop()
	}
	entries := g.entries
	g.mu.Unlock()
	g.end()
	var wg sync.WaitGroup
	for _, e := range entries {
		wg.Go(func() { _ = e.close() })
	}
	wg.Wait()
	g.tasks.Wait()
	var errs []error
	g.launcherOnce.Do(func() {}) // none is made from here on
	if g.launcher != nil {
		errs = append(errs, g.launcher.Close())
	}
	return errors.Join(append(errs, g.storage.close())...)
}

// spawn runs fn in the background until Close, and reports whether it does.
func (g *Gateway) spawn(fn func(ctx context.Context)) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed {
		return false
	}
	g.tasks.Go(func() { fn(g.life) })
	return true
}

func rulesOf(list []config.ToolRule) []rules.Rule {
	out := make([]rules.Rule, len(list))
	for i, r := range list {
		out[i] = rules.Rule(r)
	}
	return out
}

// watchers are those who want to know of a change.
type watchers struct {
	mu   sync.Mutex
	fns  map[int]func()
	next int
}

// OnChange registers a function that is called after the tools that can be seen
// changed, or what is said of the servers. stop ends the registration.
func (g *Gateway) OnChange(fn func()) (stop func()) {
	w := &g.watchers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.fns == nil {
		w.fns = map[int]func(){}
	}
	id := w.next
	w.next++
	w.fns[id] = fn
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.fns, id)
	}
}

func (w *watchers) tell() {
	w.mu.Lock()
	fns := slices.Collect(maps.Values(w.fns))
	w.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}
