package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/oauth"
	"github.com/compactor-mcp/compactor/runtime/gateway/process"
	"github.com/compactor-mcp/compactor/runtime/gateway/upstream"
)

// entry is one server: what the configuration says, its connection, and what
// it was last seen to offer.
type entry struct {
	key string // digest of how it is reached; equal keys can share a connection

	mu        sync.Mutex
	cfg       config.Server
	up        *upstream.Server
	past      []*upstream.Server // made with other values; who was given one may still use it
	values    [sha256.Size]byte  // digest of what variables stood for when up was made
	closed    bool
	calls     sync.WaitGroup // under way; added to only while it is not closed
	secrets   []secret
	listing   *listing          // nil before the first look
	problem   error             // of the last look
	login     *oauth.Source     // gives the tokens of up; nil: no login is possible
	waits     bool              // it was asked for before its user had allowed it
	fetching  *look             // the look under way
	judged    map[int64]int64   // connections whose list was judged, and how many changes they had announced before it
	since     time.Time         // when it was first asked
	looked    time.Time         // when it was last asked
	outdated  bool              // it has announced a change since the last look began
	reading   bool              // somebody reads until it is not outdated
	elsewhere [sha256.Size]byte // digest of another process's list that made this one ask again; zero since its own list changed
	compared  time.Time         // when the other process's list that was compared last was fetched
	others    map[string]kept   // lists of resources and prompts, by method
	news      int               // changes of these lists that were announced

	announcing map[string]bool // lists whose change is about to be told
	missed     map[string]bool // capabilities whose lists were given without this server's part
}

func newEntry(s config.Server) *entry { return &entry{key: keyOf(s), cfg: s} }

// with is the entry under a configuration that reaches it the same way.
func (e *entry) with(s config.Server) *entry {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cfg = s
	return e
}

func (e *entry) config() config.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cfg
}

// keyOf digests what a connection depends on. Variables are not expanded; see
// revalue.go for those.
func keyOf(s config.Server) string {
	of := []any{s.Kind, s.Command, s.Args, s.Env, s.Dir, s.URL, s.Headers, s.OAuth, s.Era, s.Allow, s.Start, s.Timeout, s.MaxTimeout, s.Idle,
		s.Connections, s.MaxMessage}
	if s.Project { // whose logins are others
		of = append(of, s.Name)
	}
	data, _ := json.Marshal(of)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// connection is the server's connection, made of the configuration when it is
// first needed. It starts nothing.
func (g *Gateway) connection(e *entry) (*upstream.Server, error) {
	g = g.whole // which outlives a profile
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, connectionError(e.cfg.Name, "removed from the configuration", "call another tool")
	}
	if e.up != nil && !(e.up.Unused() && g.othersNow(e)) {
		return e.up, nil
	}
	spec, secrets, expanding := g.expand(e.cfg) // before it is asked whether these values are allowed
	cfg := e.cfg
	if !g.allowed(cfg) {
		e.waits = true
		return nil, connectionError(cfg.Name, heldWhy, heldDo+g.opt.AllowWith)
	}
	if expanding != nil {
		return nil, expanding
	}
	if e.up != nil {
		e.past = append(e.past, e.up)
	}
	e.secrets, e.values = secrets, valuesOf(spec)
	name := cfg.Name
	if e.login == nil {
		e.login = g.source(cfg)
	}
	e.up = upstream.New(spec, upstream.Options{
		Client: upstream.Client{Name: "compactor", Version: g.opt.Version},
		Silent: e.silent(),
		Start:  g.opt.Starter, Starts: &g.starts, Logger: g.opt.Logger, Login: loginOf(e.login),
		May: func() error {
			if g.allowed(cfg) {
				return nil
			}
			return errors.New(heldWhy + "; " + heldDo + g.opt.AllowWith)
		},
		Changed: func(what string) { g.changed(name, what) },
		State:   g.stated(name),
		Log:     g.logger(e),
	})
	return e.up, nil
}

// silent is when its server was found not to answer what the stateless era asks first. mu is held.
func (e *entry) silent() time.Time {
	if e.listing == nil {
		return time.Time{}
	}
	return e.listing.silent
}

// What is said of a server that is not allowed.
const (
	heldWhy = "not started: declared by a project configuration you have not allowed"
	heldDo  = "the user can review and allow it with: "
)

func (g *Gateway) allowed(s config.Server) bool { return g.opt.Allowed == nil || g.opt.Allowed(s) }

// begin enters a call, unless the server was let go of.
func (e *entry) begin() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return connectionError(e.cfg.Name, "removed, changed, or being restarted", "look for the tool again")
	}
	e.calls.Add(1)
	return nil
}

// enter is the connection of a call that begins: its server starts before those
// that nobody waits for. leave ends the call.
func (g *Gateway) enter(e *entry) (up *upstream.Server, leave func(), err error) {
	if err := e.begin(); err != nil {
		return nil, nil, err
	}
	if up, err = g.connection(e); err != nil {
		e.calls.Done()
		return nil, nil, err
	}
	done := up.Wanted()
	return up, func() { done(); e.calls.Done() }, nil
}

// retire lets no further call begin and closes when those under way are done,
// or at once when ctx ends.
func (e *entry) retire(ctx context.Context) {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	done := make(chan struct{})
	go func() {
		e.calls.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	_ = e.close()
	<-done // closing ends the calls
}

func (e *entry) close() error {
	e.mu.Lock()
	all := e.past
	if e.up != nil {
		all = append(all, e.up)
	}
	login := e.login
	e.past, e.closed = nil, true
	e.mu.Unlock()
	if login != nil {
		defer login.Close()
	}
	var errs []error
	for _, up := range all {
		errs = append(errs, up.Close())
	}
	return errors.Join(errs...)
}

// known is the last listing, and what went wrong when it was last fetched.
func (e *entry) known() (*listing, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing, e.problem
}

// look is one time that a server is asked what it offers.
type look struct {
	over *upstream.Visit // the connection; nil for any
	done chan struct{}   // closed at its end
	err  error           // set by then
	took bool            // the list is there, and not yet judged
}

// look is the look under way; first reports that it is the caller who looks. One
// that has its list already is joined too, unless a change was announced since.
func (e *entry) look(over *upstream.Visit) (l *look, first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at := e.fetching; at != nil && !(at.took && e.outdated) {
		return at, false
	}
	e.fetching, e.outdated = &look{over: over, done: make(chan struct{})}, false
	return e.fetching, true
}

// took takes over what a look gave. What was known stays in use where nothing new
// is had; the server's health says the rest.
func (e *entry) took(at *look, l *listing, err error, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at.took, e.problem, e.looked = true, err, now
	if err == nil {
		if e.elsewhere != ([sha256.Size]byte{}) && e.listing != nil && !bytes.Equal(e.listing.written(), l.written()) {
			e.elsewhere = [sha256.Size]byte{}
		}
		e.listing = l
	} else if e.listing != nil {
		e.problem = nil
	}
}

// ended lets the next look begin.
func (e *entry) ended(at *look) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fetching == at {
		e.fetching = nil
	}
}

// freed forgets that the server waited for its user's word: it was never asked.
func (e *entry) freed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.waits {
		e.waits, e.problem, e.since = false, nil, time.Time{}
	}
}

// outdate notes an announced change and reports whether somebody has to be
// sent to read.
func (e *entry) outdate() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.outdated = true
	if e.reading {
		return false
	}
	e.reading = true
	return true
}

// refreshes reports whether there is more to read; false ends the reading.
func (e *entry) refreshes() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading = e.outdated
	return e.outdated
}

func (e *entry) isOutdated() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.outdated
}

// A server that could not be asked is asked again after so long, by the next
// who looks; nobody waits for it.
const restlessAfter = 15 * time.Second

// restless reports whether it is time to ask a failed server again.
func (e *entry) restless(now time.Time) bool {
	e.mu.Lock()
	rests, old, login := e.fetching == nil, now.Sub(e.looked) > restlessAfter, e.login
	e.mu.Unlock()
	return rests && (old || login != nil && login.Changed()) // which may have to wait for a keyring
}

// program starts a server's program.
func (g *Gateway) program(ctx context.Context, s upstream.Spec) (upstream.Program, error) {
	g.launcherOnce.Do(func() { g.launcher = process.NewLauncher(process.Options{State: g.opt.State, Logger: g.opt.Logger}) })
	if g.launcher == nil {
		return nil, errors.New("compactor is ending")
	}
	return g.launcher.Start(ctx, commandOf(s))
}

func (g *Gateway) absolute(dir string) string {
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(g.opt.Work, dir)
}
