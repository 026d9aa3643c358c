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

// Bounds and times of a Tracker.
const (
	maxWaiting   = 8192 // calls; more are lost
	maxAtOnce    = 1024 // calls of one batch
	maxOpen      = 1024 // sessions whose calls are counted; the one unused for longest makes room
	maxShown     = 512  // names of one list
	maxCatalog   = 4096 // names of one catalog; of more the number alone is kept
	maxCatalogs  = 64   // that are held to be shared
	maxHashed    = 64 << 10
	writeEvery   = time.Second
	writeTime    = 3 * time.Second
	purgeEvery   = 10 * time.Minute
	lastTry      = 1200 * time.Millisecond // longer than a log leaves a server alone
	heartbeat    = time.Minute
	presumedDead = 3 * heartbeat
	writesOn     = 24 * time.Hour // longer than a run is silent, and clocks of machines differ
)

// Choice is what is kept of a text that may tell of a person.
type Choice string

// The choices.
const (
	Hash Choice = "hash"
	Name Choice = "name" // of clients: as it is
	None Choice = "none"
)

// Settings are what a configuration says. They may change at any time.
type Settings struct {
	Off       bool
	Clients   Choice // "" is Hash
	Arguments Choice // "" is Hash
	Keeping   Keeping
}

// ErrUnkept says that nothing is kept beyond this process.
var ErrUnkept = errors.New("the use of tools is not kept")

// Options of a Tracker.
type Options struct {
	Open     func(context.Context) (Log, error) // called once, aside, with the first thing to keep, and again after an error that is Temporary; a nil Log keeps nothing
	Settings func() Settings
	Say      func(message string) // what a person should know; not often
	Now      func() time.Time
}

// Told is what is said of a session with each call or list.
type Told struct {
	ID      string // of the session, which stays here; "" for a request that stands alone: see chain
	Profile string
	Client  string
	Version string
	Era     string
}

// Tracker gathers sessions and calls. It is safe for concurrent use; none of its methods
// waits for a disk but Flush and Close.
type Tracker struct {
	opt  Options
	run  Run
	stop chan struct{}
	done chan struct{}
	once sync.Once // starts the writer

	writing sync.Mutex // one batch at a time
	log     Log
	early   Log // was opened, and has not given its key yet
	opened  bool
	broken  atomic.Pointer[error] // why the log could not be opened
	salt    atomic.Pointer[[]byte]
	batches int64     // were written or tried
	asked   time.Time // last, which runs were killed
	failing bool      // it was said that nothing can be written
	since   time.Time // that is so

	marksRead time.Time // last
	marks     atomic.Pointer[[]Mark]

	mu       sync.Mutex
	open     map[string]*open // by the id that was told
	chains   map[chain]*open  // of requests that stand alone
	over     []*open          // have something to write, and are told of no more
	catalogs map[string]*Catalog
	calls    []waiting
	lost     int
	unsaid   gap // of those lost
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
	names []uint64 // hashes of all that it was last listed, sorted, where Shown has not all; nil else
	all   *Catalog // nil where Catalog is ""
}

// lists reports whether a tool is on its list.
func (s *open) lists(name string) bool {
	if s.names == nil {
		return slices.Contains(s.Shown, name)
	}
	_, is := slices.BinarySearch(s.names, maphash.String(seed, name))
	return is
}

// show takes a list, and the tools that there were.
func (s *open) show(names []string, offered int, all *Catalog) {
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

// seed is of this process: hashes by it do not leave.
var seed = maphash.MakeSeed()

// waiting is a call with the hash of its arguments, which the log's key is put to aside.
type waiting struct {
	Call
	arguments []byte
}

// New makes a tracker. It opens nothing and starts nothing before there is something to
// keep.
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

// Watch has fn called with each call that is kept, on the goroutine of the one who calls:
// it must be quick.
func (t *Tracker) Watch(fn func(Session, Call)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.watching = append(t.watching, fn)
}

// Shown notes the tools that a session was listed, of those that there were.
func (t *Tracker) Shown(who Told, names, available []string) {
	if t.opt.Settings().Off {
		return
	}
	all := catalogOf(available)
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.of(who); s != nil {
		s.show(names, len(available), t.shareCatalog(all))
		t.start()
	}
}

// catalogOf returns the catalog of tools in whatever order, nil for more than are kept.
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

// shareCatalog returns a catalog that another session has too, in place of an equal one: many have the same tools.
// mu is held.
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

// Called notes a call that has ended. Session, Number and Hidden of it are filled in.
func (t *Tracker) Called(who Told, c Call, arguments []byte) {
	set := t.opt.Settings()
	if set.Off {
		return
	}
	hashed := hash(arguments, set.Arguments)
	t.mu.Lock()
	s := t.of(who)
	if s == nil {
		t.mu.Unlock()
		return
	}
	s.calls++
	s.dirty, s.Ended = true, c.At.Add(c.Elapsed)
	c.Session, c.Number = s.ID, s.calls
	c.Hidden = s.Shown != nil && !s.lists(c.Name())
	if len(t.calls) < maxWaiting {
		t.calls = append(t.calls, waiting{c, hashed})
	} else {
		t.lose(c)
	}
	session, watching := s.Session, t.watching
	t.start()
	t.mu.Unlock()
	for _, fn := range watching {
		fn(session, c)
	}
}

// of is the session that was told, a new one where it is not known; nil after Close. mu
// is held.
func (t *Tracker) of(who Told) *open {
	if t.closed {
		return nil
	}
	now := t.opt.Now().UTC()
	if who.ID == "" {
		return t.chained(who, now)
	}
	s := t.open[who.ID]
	if s != nil && s.Profile != who.Profile { // what it did is known in the profile that it did it in
		delete(t.open, who.ID)
		t.finish(s)
		s = nil
	}
	if s == nil {
		s = t.begun(who, now)
		t.makeRoom()
		t.open[who.ID] = s
	}
	s.used, s.told = now, who
	return s
}

// begun is a new session.
func (t *Tracker) begun(who Told, now time.Time) *open {
	return &open{Session: Session{ID: newID(), Run: t.run.ID, Profile: who.Profile, Era: who.Era, Started: now, Ended: now}}
}

// makeRoom forgets the session that was unused for longest, where there are too many. mu
// is held.
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
	t.finish(least)
}

// End forgets a session. What was said of it is written all the same.
func (t *Tracker) End(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.open[id]; s != nil {
		delete(t.open, id)
		t.finish(s)
	}
}

// finish keeps a session that is over to be written if it has news, as far as there is
// room. One with a list is large. mu is held.
func (t *Tracker) finish(s *open) {
	room := maxWaiting
	if s.Shown != nil {
		room = maxOpen
	}
	if s.dirty && len(t.over) < room {
		t.over = append(t.over, s)
	}
}

// Live gives who a session is that is open here, by the id that is kept of it.
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

// Open gives the sessions that are open here, those that called nothing yet too, the
// oldest first.
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
	return t.shaped(list)
}

// Lost is how many calls could not be kept.
func (t *Tracker) Lost() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// kept is the name of a client as it is kept.
func (t *Tracker) kept(client string) string {
	switch t.opt.Settings().Clients {
	case Name:
		return client
	case None:
		return ""
	}
	return t.digest([]byte(client))
}

// hash is what waits of arguments, which may be large: nil where nothing is kept of them.
func hash(arguments []byte, c Choice) []byte {
	if c == None || len(arguments) == 0 || len(arguments) > maxHashed {
		return nil
	}
	sum := sha256.Sum256(arguments)
	return sum[:]
}

// digest is a text as it is kept: told apart from others, and not to be guessed without
// the log's key.
func (t *Tracker) digest(text []byte) string {
	salt := t.salt.Load()
	if len(text) == 0 || salt == nil || len(*salt) == 0 {
		return ""
	}
	mac := hmac.New(sha256.New, *salt)
	mac.Write(text)
	return hex.EncodeToString(mac.Sum(nil)[:12])
}
