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

// serverEntry is one server: its configuration, its connection, and what it was last seen to offer.
type serverEntry struct {
	key string // digest of how it is reached; equal keys can share a connection

	mu        sync.Mutex
	cfg       config.Server
	up        *upstream.Server
	past      []*upstream.Server // made with other variable values; earlier callers may still use them
	values    [sha256.Size]byte  // digest of the variable values that up was made with
	closed    bool
	calls     sync.WaitGroup // under way; added to only while it is not closed
	secrets   []secret
	listing   *listing          // nil before the first fetch
	problem   error             // of the last fetch
	login     *oauth.Source     // supplies the tokens of up; nil: no login is possible
	waits     bool              // it was needed before its user had allowed it
	fetching  *catalogFetch     // the fetch under way
	judged    map[int64]int64   // connections whose list was checked, with the number of changes they had announced before
	since     time.Time         // when it was first asked
	looked    time.Time         // when it was last asked
	outdated  bool              // it has announced a change since the last fetch began
	reading   bool              // a goroutine fetches until it is no longer outdated
	elsewhere [sha256.Size]byte // digest of another process's list that triggered a refetch; zero once the own list changed
	compared  time.Time         // fetch time of the other process's list that was last compared
	others    map[string]kept   // lists of resources and prompts, by method
	news      int               // number of announced changes of these lists

	announcing map[string]bool // lists whose change is about to be announced
	missed     map[string]bool // capabilities whose merged lists were returned without this server's part
}

func newEntry(s config.Server) *serverEntry { return &serverEntry{key: keyOf(s), cfg: s} }

// withConfig sets a new configuration that reaches the server the same way, and returns the entry.
func (e *serverEntry) withConfig(s config.Server) *serverEntry {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.cfg = s
	return e
}

func (e *serverEntry) config() config.Server {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.cfg
}

// keyOf digests what a connection depends on. Variables are not expanded; for those see revalue.go.
func keyOf(s config.Server) string {
	of := []any{s.Kind, s.Command, s.Args, s.Env, s.Dir, s.URL, s.Headers, s.OAuth, s.Era, s.Allow, s.Start, s.Timeout, s.MaxTimeout, s.Idle,
		s.Connections, s.MaxMessage}
	if s.Project { // its logins are separate
		of = append(of, s.Name)
	}
	data, _ := json.Marshal(of)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// connection returns the server's connection, created from the configuration on first use. It starts nothing.
func (reg *registry) connection(e *serverEntry) (*upstream.Server, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil, connectionError(e.cfg.Name, "removed from the configuration", "call another tool")
	}
	if e.up != nil && !(e.up.Unused() && reg.othersNow(e)) {
		return e.up, nil
	}
	spec, secrets, expanding := reg.expand(e.cfg) // before asking whether these values are allowed
	cfg := e.cfg
	if !reg.isAllowed(cfg) {
		e.waits = true
		return nil, connectionError(cfg.Name, heldWhy, heldDo+reg.opt.AllowWith)
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
		e.login = reg.tokenSource(cfg)
	}
	e.up = upstream.New(spec, upstream.Options{
		Client: upstream.Client{Name: "compactor", Version: reg.opt.Version},
		Silent: e.silentSince(),
		Start:  reg.opt.Starter, Starts: &reg.starts, Logger: reg.opt.Logger, Login: loginOf(e.login),
		May: func() error {
			if reg.isAllowed(cfg) {
				return nil
			}
			return errors.New(heldWhy + "; " + heldDo + reg.opt.AllowWith)
		},
		Changed: func(what string) { reg.handleChange(name, what) },
		State:   reg.stateEmitter(name),
		Log:     reg.logHandler(e),
	})
	return e.up, nil
}

// silentSince returns when the server was found not to answer the first request of the stateless era. The caller holds mu.
func (e *serverEntry) silentSince() time.Time {
	if e.listing == nil {
		return time.Time{}
	}
	return e.listing.silent
}

// Messages for a server that is not allowed.
const (
	heldWhy = "not started: declared by a project configuration you have not allowed"
	heldDo  = "the user can review and allow it with: "
)

func (reg *registry) isAllowed(s config.Server) bool {
	return reg.opt.Allowed == nil || reg.opt.Allowed(s)
}

// beginCall registers a call, or fails if the server has been released.
func (e *serverEntry) beginCall() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return connectionError(e.cfg.Name, "removed, changed, or being restarted", "look for the tool again")
	}
	e.calls.Add(1)
	return nil
}

// enterCall returns the connection for a new call. A server that a call waits for starts before the others. leave ends the
// call.
func (reg *registry) enterCall(e *serverEntry) (up *upstream.Server, leave func(), err error) {
	if err := e.beginCall(); err != nil {
		return nil, nil, err
	}
	if up, err = reg.connection(e); err != nil {
		e.calls.Done()
		return nil, nil, err
	}
	done := up.Wanted()
	return up, func() { done(); e.calls.Done() }, nil
}

// retire lets no further call begin and closes once those under way are done, or at once when ctx ends.
func (e *serverEntry) retire(ctx context.Context) {
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

func (e *serverEntry) close() error {
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

// known returns the last listing and the error of the last fetch.
func (e *serverEntry) known() (*listing, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.listing, e.problem
}

// catalogFetch is one fetch of a server's tool list.
type catalogFetch struct {
	over *upstream.Visit // the connection to use; nil for any
	done chan struct{}   // closed at the end
	err  error           // set before done is closed
	took bool            // the list has arrived and is not yet checked
}

// joinFetch returns the fetch under way; first reports that the caller has to run it. A fetch whose list has already arrived
// is joined too, unless a change was announced since.
func (e *serverEntry) joinFetch(over *upstream.Visit) (l *catalogFetch, first bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at := e.fetching; at != nil && !(at.took && e.outdated) {
		return at, false
	}
	e.fetching, e.outdated = &catalogFetch{over: over, done: make(chan struct{})}, false
	return e.fetching, true
}

// storeListing stores the result of a fetch. After a failure the earlier listing stays in use; the server's health reports the
// failure.
func (e *serverEntry) storeListing(at *catalogFetch, l *listing, err error, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	at.took, e.problem, e.looked = true, err, now
	if err == nil {
		if e.elsewhere != ([sha256.Size]byte{}) && e.listing != nil && !bytes.Equal(e.listing.storedForm(), l.storedForm()) {
			e.elsewhere = [sha256.Size]byte{}
		}
		e.listing = l
	} else if e.listing != nil {
		e.problem = nil
	}
}

// endFetch lets the next fetch begin.
func (e *serverEntry) endFetch(at *catalogFetch) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.fetching == at {
		e.fetching = nil
	}
}

// clearHeld clears the state of a server that was waiting for its user's permission: it was never asked.
func (e *serverEntry) clearHeld() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.waits {
		e.waits, e.problem, e.since = false, nil, time.Time{}
	}
}

// markOutdated records an announced change and reports whether the caller has to start a refresh.
func (e *serverEntry) markOutdated() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.outdated = true
	if e.reading {
		return false
	}
	e.reading = true
	return true
}

// continueRefresh reports whether there is more to read; false ends the refresh.
func (e *serverEntry) continueRefresh() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.reading = e.outdated
	return e.outdated
}

func (e *serverEntry) isOutdated() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.outdated
}

// restlessAfter is how long a server that could not be asked is left alone. Then the next list or search asks it again
// in the background.
const restlessAfter = 15 * time.Second

// isRetryDue reports whether it is time to ask a failed server again.
func (e *serverEntry) isRetryDue(now time.Time) bool {
	e.mu.Lock()
	rests, old, login := e.fetching == nil, now.Sub(e.looked) > restlessAfter, e.login
	e.mu.Unlock()
	return rests && (old || login != nil && login.Changed()) // which may have to wait for a keyring
}

// startProgram starts a server's program.
func (reg *registry) startProgram(ctx context.Context, s upstream.Spec) (upstream.Program, error) {
	reg.launcherOnce.Do(func() {
		reg.launcher = process.NewLauncher(process.Options{State: reg.opt.State, Logger: reg.opt.Logger})
	})
	if reg.launcher == nil {
		return nil, errors.New("compactor is ending")
	}
	return reg.launcher.Start(ctx, commandOf(s))
}

func absoluteDir(work, dir string) string {
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(work, dir)
}
