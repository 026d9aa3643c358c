package pages

import (
	"context"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Kept is a kept result of a call, in masked form, both original and summary.
type Kept struct {
	ID, Server, Tool              string
	Original, Summary             json.RawMessage // Summary is nil if the result was cut and not summarized
	OriginalTokens, SummaryTokens int
	By                            string // what made the summary: "structure" or a model's name
	At                            time.Time
}

// Shelf holds results that other processes keep for the same sessions. It is safe for concurrent use.
type Shelf interface {
	Put(session string, r Kept) // never blocks
	Get(ctx context.Context, session, id string) (Kept, bool)
}

// Keeper keeps results for the sessions that made them. It is safe for concurrent use. The least recently read results
// make room for new ones.
type Keeper struct {
	now   func() time.Time
	shelf Shelf // nil: results are not shared

	mu    sync.Mutex
	max   int64 // bytes of all results
	life  time.Duration
	bytes int64
	kept  *simplelru.LRU[string, *kept] // by id; limited by bytes and age, not by number
	gone  *simplelru.LRU[string, loss]  // results that are no longer kept
}

// kept is a result and its pages. Only bytes and read change after it was stored, under the keeper's lock.
type kept struct {
	Kept
	session string
	blocks  []json.RawMessage // of the original's content
	pages   []page
	total   int // tokens of the texts
	bytes   int64
	read    time.Time
}

// loss says why a result is no longer kept.
type loss struct {
	session string
	life    time.Duration // how long it was kept; 0 if it made room for others
}

// maxLosses limits the remembered results that are no longer kept.
const maxLosses = 1000

// around is the maximum overhead of a kept result, in bytes.
const around = 512

// NewKeeper returns a keeper that keeps nothing until Bound is called.
func NewKeeper(now func() time.Time) *Keeper {
	k := &Keeper{now: now}
	k.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ string, r *kept) { k.bytes -= r.bytes }) // the size is positive
	k.gone, _ = simplelru.NewLRU[string, loss](maxLosses, nil)
	return k
}

// Share makes results kept from now on available to other processes, and finds theirs.
func (k *Keeper) Share(shelf Shelf) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shelf = shelf
}

// sharedShelf returns the shelf; nil if results are not shared.
func (k *Keeper) sharedShelf() Shelf {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shelf
}

// Bound sets the bytes kept for all results, and the time a result is kept without being read. Results over the new
// limits are dropped.
func (k *Keeper) Bound(bytes int64, life time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.max, k.life = bytes, life
	k.trim()
}

// Keep keeps a masked result for a session and returns the id to read it by; "" if it is too large to be kept. With the
// ID of one of the session's results it replaces that, so that a summary can name the id it is kept under.
func (k *Keeper) Keep(session string, r Kept) (id string) {
	return k.keepShared(&kept{Kept: r, session: session})
}

// Hold works like Keep for an incomplete result: other processes cannot read it before Keep is called with the same id.
func (k *Keeper) Hold(session string, r Kept) (id string) {
	return k.keepHere(&kept{Kept: r, session: session})
}

// Drop removes a session's result.
func (k *Keeper) Drop(session, id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.kept.Peek(id); ok && r.session == session {
		k.kept.Remove(id)
	}
}

// Kept returns a session's result. This does not extend its time.
func (k *Keeper) Kept(session, id string) (Kept, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	r, ok := k.kept.Peek(cleanID(id))
	if !ok || r.session != session {
		return Kept{}, false
	}
	return r.Kept, true
}

// keepShared keeps a result, here and on the shelf.
func (k *Keeper) keepShared(r *kept) string {
	if k.keepHere(r) == "" {
		return ""
	}
	if shelf := k.sharedShelf(); shelf != nil {
		shelf.Put(r.session, r.Kept)
	}
	return r.ID
}

func (k *Keeper) keepHere(r *kept) string {
	r.bytes = int64(len(r.Original)+len(r.Summary)+len(r.By)+around) + int64(len(r.blocks))*bytesPerBlock
	for _, p := range r.pages {
		r.bytes += int64(len(p)) * bytesPerPart
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.bytes > k.max {
		return ""
	}
	if old, ok := k.kept.Peek(r.ID); r.ID == "" || ok && old.session != r.session {
		r.ID = newID()
	}
	k.kept.Remove(r.ID)
	r.read = k.now()
	if r.At.IsZero() {
		r.At = r.read
	}
	k.kept.Add(r.ID, r)
	k.bytes += r.bytes
	k.trim()
	return r.ID
}

// findKept returns a result that a session may read, from here or from the shelf. If there is none, lost says whether it was
// kept and why it no longer is.
func (k *Keeper) findKept(ctx context.Context, session, id string) (r *kept, lost *loss) {
	r, lost = k.getHere(session, id)
	shelf := k.sharedShelf()
	if r != nil || shelf == nil {
		return r, lost
	}
	id = cleanID(id)
	found, ok := shelf.Get(ctx, session, id)
	if !ok {
		return nil, lost
	}
	found.ID = id
	r = &kept{Kept: found, session: session}
	if here, _ := k.getHere(session, id); here == nil && !k.taken(id) {
		k.keepHere(r)
	}
	return r, nil
}

// taken reports whether an id is in use, in any session.
func (k *Keeper) taken(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept.Contains(id)
}

func (k *Keeper) getHere(session, id string) (r *kept, lost *loss) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	id = cleanID(id)
	if r, ok := k.kept.Peek(id); ok && r.session == session {
		k.kept.Get(id)
		r.read = k.now()
		return r, nil
	}
	if l, ok := k.gone.Peek(id); ok && l.session == session {
		return nil, &l
	}
	return nil, nil
}

// Forget drops a session's results.
func (k *Keeper) Forget(session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.kept.Values() {
		if r.session == session {
			k.kept.Remove(r.ID)
		}
	}
}

// trim drops results that are too old, and the least recently read ones above the limit.
func (k *Keeper) trim() {
	for {
		_, r, ok := k.kept.GetOldest()
		if !ok {
			return
		}
		aged := k.now().Sub(r.read) > k.life
		if k.bytes <= k.max && !aged {
			return
		}
		k.kept.RemoveOldest()
		l := loss{session: r.session}
		if aged {
			l.life = k.life
		}
		k.gone.Add(r.ID, l)
	}
}

// cleanID returns an id as it was issued, without what a model put around it.
func cleanID(id string) string {
	const around = " \t\r\n\"'`=:{}"
	id = strings.Trim(strings.ToLower(id), around)
	if rest, ok := strings.CutPrefix(id, "id"); ok && rest != "" && strings.Contains(around, rest[:1]) {
		id = strings.Trim(rest, around)
	}
	return id
}

// newID returns an id that cannot be guessed and that a small model can copy.
func newID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // it never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}
