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

// Options configure a Gateway. Zero values select the defaults named.
type Options struct {
	Work   string                                            // base of servers' relative directories
	State  string                                            // directory for records of running programs; "" keeps none
	Logins *oauth.Store                                      // stored logins; nil: no login is possible
	Lookup func(s config.Server, name string) (string, bool) // value of a ${VAR} for a server; default: no variable is set
	// Provider returns the name of the dependency that sets a variable while it runs, or ""; nil: there are none.
	Provider func(variable string) string
	// Redactor returns the redactor of the current configuration; default: none, so only values given to servers are
	// masked.
	Redactor func() *redact.Redactor
	Store    func() (*store.Store, error) // opened on first use; nil keeps nothing
	Starter  upstream.Starter             // default: real programs
	Allowed  func(config.Server) bool     // whether the server may be started or connected to; nil allows all
	// Project is the directory whose configuration may bring servers; their approvals are kept separately for it.
	Project string
	// AllowWith is the command with which a user allows a server that is held.
	AllowWith string
	Version   string           // of compactor, as reported to servers
	Logger    *slog.Logger     // default: silent
	Events    *event.Stream    // calls, state changes and cuts; nil: nothing is reported
	Now       func() time.Time // default time.Now
	// Result, if not nil, receives each masked result and returns the one that is sent on.
	Result func(ctx context.Context, r Result) HookResult
	// Called, if not nil, is called after each call has ended. It must be quick.
	Called func(Called)
	// More returns the name of the tool that reads further pages of a result; "" if there is none.
	More   func() string
	Notice func(Notice) // may be nil
	// Log, if not nil, receives the log lines of servers that belong to no call: masked, in order, limited in number.
	// Its arguments are the params of notifications/message and the only session that may see them, or "" for all.
	Log func(server string, params json.RawMessage, session string)
}

// Notice reports a change of a server's resources or prompts.
type Notice struct {
	Server   string
	List     string   // "resources" or "prompts"; "" if a single resource changed
	URI      string   // of that resource
	Sessions []string // the sessions subscribed to it or to something it is part of
}

// Gateway shows the upstream servers of the current configuration, either all of them or as one profile sees them (see
// Profile): which tools there are, under which names, and which of them are allowed. It is safe for concurrent use.
type Gateway struct {
	*registry
	profiled

	catalog atomic.Pointer[Catalog]
	told    string // catalog digest at the last announcement; guarded by mu
}

// registry holds the servers, their connections and their lists, for the whole gateway and all its profiles. Its methods
// decide nothing that differs between profiles.
type registry struct {
	opt   Options
	whole *Gateway

	launcherOnce sync.Once
	launcher     *process.Launcher // created with the first program, because it looks for leftovers of earlier runs

	configuring sync.Mutex // serializes Configure; taken before mu

	mu       sync.Mutex // may be held while an entry's lock is taken, never the other way round
	starts   upstream.Starts
	entries  map[string]*serverEntry
	profiles map[string]*Gateway
	last     *config.Config
	lasts    map[string]*config.Config // configurations of profiles
	turned   map[string]switched       // servers that a user turned on or off since the start
	closed   bool
	tasks    sync.WaitGroup
	life     context.Context
	end      context.CancelFunc

	judgeTime time.Duration // how long a call waits until its server's tools are checked

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

// New returns a gateway without servers; Configure adds them. Nothing is started, opened or read.
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
	g := &Gateway{registry: &registry{opt: opt, entries: map[string]*serverEntry{}, judgeTime: judgeTime, caches: newCaches(opt.Now), pages: pages.NewKeeper(opt.Now), links: newLinks()},
		profiled: profiled{rules: &rules.Set{}}}
	g.whole = g
	g.life, g.end = context.WithCancel(context.Background())
	g.storage = &storage{open: opt.Store, logger: opt.Logger, life: g.life}
	g.approvals = &approvals{store: g.storage, project: opt.Project, logger: opt.Logger, now: opt.Now}
	if opt.Starter == nil {
		g.opt.Starter = g.startProgram
	}
	g.catalog.Store(emptyCatalog())
	return g
}

// Configure applies a configuration. Servers that are unchanged keep their connections; others, and those that are held
// from now on, are released when their calls are done. The rules must have compiled before (see Check).
func (reg *registry) Configure(c *config.Config) { reg.ConfigureProfiles(c, nil) }

// ConfigureProfiles works like Configure and also sets the profiles of c, by name: their servers are a subset of those
// of c and are reached the same way, so that all share one connection.
func (reg *registry) ConfigureProfiles(c *config.Config, profiles map[string]*config.Config) {
	reg.configuring.Lock()
	defer reg.configuring.Unlock()
	reg.configure(c, profiles)
}

// configure does the work of ConfigureProfiles. The caller holds configuring.
func (reg *registry) configure(c *config.Config, profiles map[string]*config.Config) {
	next := profiledBy(c)
	reg.mu.Lock()
	if reg.closed {
		reg.mu.Unlock()
		return
	}
	old := reg.entries
	reg.last, reg.lasts = c, profiles
	reg.entries = map[string]*serverEntry{}
	for name, s := range c.Servers {
		if !reg.isOn(s) {
			continue
		}
		e := newEntry(s)
		if was := old[name]; was != nil && was.key == e.key && !reg.valuesChanged(was) && !(s.Held && !was.config().Held) {
			if e = was.withConfig(s); reg.isAllowed(s) {
				e.clearHeld()
			}
			delete(old, name)
		}
		reg.entries[name] = e
	}
	reg.whole.profiled = next.withEntries(reg.entries)
	reg.setProfiles(profiles)
	reg.mu.Unlock()
	reg.starts.Limit(c.Gateway.Starts)
	reg.caches.life.Store(int64(c.Gateway.TTL))
	reg.pages.Bound(c.Gateway.Results.Memory, c.Gateway.Results.Time)
	reg.caches.off.Store(c.Cache.Off)
	for name, e := range old {
		reg.resubscribe(name)
		reg.spawn(func(life context.Context) { e.retire(life) })
	}
	reg.rebuild()
}

// Close stops the servers. Calls in flight end with an error.
func (reg *registry) Close() error {
	reg.mu.Lock()
	if reg.closed {
		reg.mu.Unlock()
		return nil
	}
	reg.closed = true
	if reg.announcing.timer != nil {
		reg.announcing.timer.Stop()
	}
	entries := reg.entries
	reg.mu.Unlock()
	reg.end()
	var wg sync.WaitGroup
	for _, e := range entries {
		wg.Go(func() { _ = e.close() })
	}
	wg.Wait()
	reg.tasks.Wait()
	var errs []error
	reg.launcherOnce.Do(func() {}) // no launcher is created from here on
	if reg.launcher != nil {
		errs = append(errs, reg.launcher.Close())
	}
	return errors.Join(append(errs, reg.storage.close())...)
}

// spawn runs fn in the background until Close, and reports whether it was started.
func (reg *registry) spawn(fn func(ctx context.Context)) bool {
	reg.mu.Lock()
	defer reg.mu.Unlock()
	if reg.closed {
		return false
	}
	reg.tasks.Go(func() { fn(reg.life) })
	return true
}

func rulesOf(list []config.ToolRule) []rules.Rule {
	out := make([]rules.Rule, len(list))
	for i, r := range list {
		out[i] = rules.Rule(r)
	}
	return out
}

// watchers are the functions registered with OnChange.
type watchers struct {
	mu   sync.Mutex
	fns  map[int]func()
	next int
}

// OnChange registers a function that is called after the visible tools or the descriptions of the servers changed. stop
// ends the registration.
func (reg *registry) OnChange(fn func()) (stop func()) {
	w := &reg.watchers
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

func (w *watchers) notifyAll() {
	w.mu.Lock()
	fns := slices.Collect(maps.Values(w.fns))
	w.mu.Unlock()
	for _, fn := range fns {
		fn()
	}
}
