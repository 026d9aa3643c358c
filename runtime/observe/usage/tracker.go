package usage

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash/maphash"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Limits and times of a Tracker.
const (
	maxWaiting   = 8192 // calls; more are lost
	maxAtOnce    = 1024 // calls per batch
	maxOpen      = 1024 // sessions whose calls are counted; the one unused for longest makes room
	maxShown     = 512  // names per list
	maxCatalog   = 4096 // names per catalog; of larger ones only the number is kept
	maxCatalogs  = 64   // held for sharing
	maxHashed    = 64 << 10
	writeEvery   = time.Second
	writeTime    = 3 * time.Second
	purgeEvery   = 10 * time.Minute
	lastTry      = 1200 * time.Millisecond // longer than a log pauses before it tries a failing server again
	heartbeat    = time.Minute
	presumedDead = 3 * heartbeat
	writesOn     = 24 * time.Hour // longer than any run is silent, plus the difference between machines' clocks
)

// Choice determines how a text that may identify a person is kept.
type Choice string

// The choices.
const (
	Hash Choice = "hash"
	Name Choice = "name" // of clients: unchanged
	None Choice = "none"
)

// Settings come from the configuration. They may change at any time.
type Settings struct {
	Off       bool
	Clients   Choice // "" means Hash
	Arguments Choice // "" means Hash
	Keeping   Retention
}

// ErrUnkept reports that nothing is kept beyond this process.
var ErrUnkept = errors.New("the use of tools is not kept")

// Options configure a Tracker.
type Options struct {
	Open     func(context.Context) (Log, error) // called once, in the background, with the first thing to keep, and again after an error that is Temporary; a nil Log keeps nothing
	Settings func() Settings
	Say      func(message string) // receives messages for a person; rarely called
	Now      func() time.Time
}

// Told identifies the session of each call or list.
type Told struct {
	ID      string // of the session, never stored; "" for a stand-alone request: see chain
	Profile string
	Client  string
	Version string
	Era     string
}

// Tracker collects sessions and calls. It is safe for concurrent use; only methods that
// use the log, such as Flush and Close, may block on a disk.
type Tracker struct {
	opt  Options
	run  Run
	stop chan struct{}
	done chan struct{}
	once sync.Once // starts the writer

	writing sync.Mutex // one batch at a time
	log     Log
	early   Log // opened, but its key could not be read yet
	opened  bool
	broken  atomic.Pointer[error] // why the log could not be opened
	salt    atomic.Pointer[[]byte]
	batches int64     // written or tried
	asked   time.Time // when killed runs were last looked for
	failing bool      // the failure to write has been reported
	since   time.Time // start of the failure

	marksRead time.Time // last time
	marks     atomic.Pointer[[]Mark]

	mu       sync.Mutex
	open     map[string]*open // by the id in Told
	chains   map[chain]*open  // of stand-alone requests
	over     []*open          // ended, with data still to be written
	catalogs map[string]*Catalog
	calls    []waiting
	lost     int
	unsaid   gap // part of lost that is not reported yet
	closed   bool
	watching []func(Session, Call)
	marking  []func()
}

// open is a session whose calls are counted.
type open struct {
	Session
	told  Told
	calls int
	used  time.Time
	dirty bool
	names []uint64 // sorted hashes of all names last listed, if Shown does not have all; nil otherwise
	all   *Catalog // nil if Catalog is ""
}

// listsTool reports whether a tool is on the session's list.
func (s *open) listsTool(name string) bool {
	if s.names == nil {
		return slices.Contains(s.Shown, name)
	}
	_, is := slices.BinarySearch(s.names, maphash.String(seed, name))
	return is
}

// recordList records a list, and the available tools.
func (s *open) recordList(names []string, offered int, all *Catalog) {
	s.Shown, s.Offered, s.dirty, s.names = slices.Clone(names[:min(len(names), maxShown)]), offered, true, nil
	s.all, s.Catalog = all, ""
	if all != nil {
		s.Catalog = all.ID
	}
	if len(names) <= maxShown {
		return
	}
	for _, name := range names {
		s.names = append(s.names, maphash.String(seed, name))
	}
	slices.Sort(s.names)
}

// seed is specific to this process: hashes made with it never leave it.
var seed = maphash.MakeSeed()

// waiting is a call with the hash of its arguments, which is keyed later, in the background.
type waiting struct {
	Call
	arguments []byte
}

// New returns a tracker. It opens and starts nothing before there is something to keep.
func New(opt Options) *Tracker {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	now := opt.Now().UTC()
	return &Tracker{opt: opt, run: Run{ID: newID(), Started: now}, stop: make(chan struct{}), done: make(chan struct{}), open: map[string]*open{}, chains: map[chain]*open{}, catalogs: map[string]*Catalog{}}
}

func newID() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Watch registers fn to be called with each call that is kept, on the goroutine that
// reports the call: fn must be quick.
func (t *Tracker) Watch(fn func(Session, Call)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watching = append(t.watching, fn)
}

// Shown records the tools that a session was listed, out of the available ones.
func (t *Tracker) Shown(who Told, names, available []string) {
	if t.opt.Settings().Off {
		return
	}
	all := catalogOf(available)
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.sessionOf(who); s != nil {
		s.recordList(names, len(available), t.shareCatalog(all))
		t.startWriter()
	}
}

// catalogOf returns the catalog of tools, in any order; nil for more than are kept.
func catalogOf(tools []string) *Catalog {
	if len(tools) > maxCatalog {
		return nil
	}
	sorted := slices.Sorted(slices.Values(tools))
	sum := sha256.New()
	for _, name := range sorted {
		_, _ = io.WriteString(sum, name+"\n") // never fails
	}
	return &Catalog{ID: hex.EncodeToString(sum.Sum(nil)[:12]), Tools: sorted}
}

// shareCatalog returns the equal catalog of another session if there is one: many sessions have the same tools. mu
// is held.
func (t *Tracker) shareCatalog(c *Catalog) *Catalog {
	if c == nil {
		return nil
	}
	if there := t.catalogs[c.ID]; there != nil {
		return there
	}
	if len(t.catalogs) >= maxCatalogs {
		clear(t.catalogs) // sessions keep theirs
	}
	t.catalogs[c.ID] = c
	return c
}

// Called records a call that has ended. It fills in the call's Session, Number and Hidden.
func (t *Tracker) Called(who Told, c Call, arguments []byte) {
	set := t.opt.Settings()
	if set.Off {
		return
	}
	hashed := hash(arguments, set.Arguments)
	t.mu.Lock()
	s := t.sessionOf(who)
	if s == nil {
		t.mu.Unlock()
		return
	}
	s.calls++
	s.dirty, s.Ended = true, c.At.Add(c.Elapsed)
	c.Session, c.Number = s.ID, s.calls
	c.Hidden = s.Shown != nil && !s.listsTool(c.Name())
	if len(t.calls) < maxWaiting {
		t.calls = append(t.calls, waiting{c, hashed})
	} else {
		t.countLost(c)
	}
	session, watching := s.Session, t.watching
	t.startWriter()
	t.mu.Unlock()
	for _, fn := range watching {
		fn(session, c)
	}
}

// sessionOf returns the session of who, a new one if it is unknown; nil after Close. mu is held.
func (t *Tracker) sessionOf(who Told) *open {
	if t.closed {
		return nil
	}
	now := t.opt.Now().UTC()
	if who.ID == "" {
		return t.chainedSession(who, now)
	}
	s := t.open[who.ID]
	if s != nil && s.Profile != who.Profile { // its earlier calls count for the earlier profile
		delete(t.open, who.ID)
		t.queueEnded(s)
		s = nil
	}
	if s == nil {
		s = t.newSession(who, now)
		t.makeRoom()
		t.open[who.ID] = s
	}
	s.used, s.told = now, who
	return s
}

// newSession returns a new session.
func (t *Tracker) newSession(who Told, now time.Time) *open {
	return &open{Session: Session{ID: newID(), Run: t.run.ID, Profile: who.Profile, Era: who.Era, Started: now, Ended: now}}
}

// makeRoom forgets the session unused for longest, if there are too many. mu is held.
func (t *Tracker) makeRoom() {
	if len(t.open) < maxOpen {
		return
	}
	var first string
	var least *open
	for id, s := range t.open {
		if least == nil || s.used.Before(least.used) {
			first, least = id, s
		}
	}
	delete(t.open, first)
	t.queueEnded(least)
}

// End forgets a session. Pending data of it is still written.
func (t *Tracker) End(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.open[id]; s != nil {
		delete(t.open, id)
		t.queueEnded(s)
	}
}

// queueEnded keeps an ended session to be written if it has changes, as far as there is room.
// One with a list is large. mu is held.
func (t *Tracker) queueEnded(s *open) {
	room := maxWaiting
	if s.Shown != nil {
		room = maxOpen
	}
	if s.dirty && len(t.over) < room {
		t.over = append(t.over, s)
	}
}

// Live returns the identity of a session that is open here, by its stored id.
func (t *Tracker) Live(id string) (Told, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.open {
		if s.ID == id {
			return s.told, true
		}
	}
	return Told{}, false
}

// Open returns the sessions that are open here, including those without calls, oldest first.
func (t *Tracker) Open() []Session {
	t.writing.Lock()
	defer t.writing.Unlock()
	t.mu.Lock()
	var list []open
	for _, s := range t.open {
		list = append(list, *s)
	}
	t.mu.Unlock()
	slices.SortFunc(list, func(a, b open) int { return a.Started.Compare(b.Started) })
	return t.storedSessions(list)
}

// Lost returns the number of calls that could not be kept.
func (t *Tracker) Lost() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// storedClient returns the name of a client in its stored form.
func (t *Tracker) storedClient(client string) string {
	switch t.opt.Settings().Clients {
	case Name:
		return client
	case None:
		return ""
	}
	return t.digest([]byte(client))
}

// hash returns a digest of arguments, which may be large, to be queued: nil if they are not kept.
func hash(arguments []byte, c Choice) []byte {
	if c == None || len(arguments) == 0 || len(arguments) > maxHashed {
		return nil
	}
	sum := sha256.Sum256(arguments)
	return sum[:]
}

// digest returns the stored form of a text: distinct from others, and not guessable
// without the log's key.
func (t *Tracker) digest(text []byte) string {
	salt := t.salt.Load()
	if len(text) == 0 || salt == nil || len(*salt) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, *salt)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil)[:12])
}
