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

// Kept is a result that was kept, as it is shown: masked, both whole results of a
// call.
type Kept struct {
	ID, Server, Tool              string
	Original, Summary             json.RawMessage // Summary is nil where the result was cut and not summarized
	OriginalTokens, SummaryTokens int
	By                            string // who made the summary: "structure" or a model's name
	At                            time.Time
}

// Shelf has results of the same sessions that other processes keep. It is safe for
// concurrent use.
type Shelf interface {
	Put(session string, r Kept) // never waits
	Get(ctx context.Context, session, id string) (Kept, bool)
}

// Keeper keeps results for the sessions that made them. It is safe for concurrent
// use. What was read longest ago makes room for what is new.
type Keeper struct {
	now   func() time.Time
	shelf Shelf // nil: nobody else has any

	mu    sync.Mutex
	max   int64 // bytes of all
	life  time.Duration
	bytes int64
	kept  *simplelru.LRU[string, *kept] // by id; bounded by bytes and age, not by number
	gone  *simplelru.LRU[string, loss]  // what was kept and is no more
}

// kept is a result and how it is cut. Only bytes and read change after it was
// kept, under the keeper's lock.
type kept struct {
	Kept
	session string
	blocks  []json.RawMessage // of the original's content
	pages   []page
	total   int // tokens of the texts
	bytes   int64
	read    time.Time
}

// loss is why a result is kept no more.
type loss struct {
	session string
	life    time.Duration // how long it was kept; 0 where others took its room
}

// maxLosses is of how many results it is remembered that they were kept.
const maxLosses = 1000

// around is what is kept beside the bytes of a result, at most.
const around = 512

// NewKeeper makes a keeper that keeps nothing before Bound.
func NewKeeper(now func() time.Time) *Keeper {
	k := &Keeper{now: now}
	k.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ string, r *kept) { k.bytes -= r.bytes }) // the size is positive
	k.gone, _ = simplelru.NewLRU[string, loss](maxLosses, nil)
	return k
}

// Share has what is kept from now on found by others too, and finds what they keep.
func (k *Keeper) Share(shelf Shelf) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.shelf = shelf
}

// shared is the shelf; nil where nothing is shared.
func (k *Keeper) shared() Shelf {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.shelf
}

// Bound sets how many bytes are kept of all results, and how long what nobody
// reads is. What is over the new bounds goes.
func (k *Keeper) Bound(bytes int64, life time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.max, k.life = bytes, life
	k.trim()
}

// Keep keeps a masked result for a session and gives the id that it is read by;
// "" when it is more than is kept at all. With the ID of one that this session has
// it takes its place, so that a summary can name the id that it is kept under.
func (k *Keeper) Keep(session string, r Kept) (id string) {
	return k.keep(&kept{Kept: r, session: session})
}

// Hold is Keep for a result that is not whole yet: other processes get nothing of it
// before it is kept under the same id.
func (k *Keeper) Hold(session string, r Kept) (id string) {
	return k.keepHere(&kept{Kept: r, session: session})
}

// Drop lets go of what a session has under an id.
func (k *Keeper) Drop(session, id string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.kept.Peek(id); ok && r.session == session {
		k.kept.Remove(id)
	}
}

// Kept is what a session has under an id. It stays as long as without the look.
func (k *Keeper) Kept(session, id string) (Kept, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	r, ok := k.kept.Peek(spelled(id))
	if !ok || r.session != session {
		return Kept{}, false
	}
	return r.Kept, true
}

// keep keeps a result, here and on the shelf.
func (k *Keeper) keep(r *kept) string {
	if k.keepHere(r) == "" {
		return ""
	}
	if shelf := k.shared(); shelf != nil {
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

// get is what a session may read under an id, here or from the shelf. Without it, lost
// says whether it was kept and why it is not now.
func (k *Keeper) get(ctx context.Context, session, id string) (r *kept, lost *loss) {
	r, lost = k.getHere(session, id)
	shelf := k.shared()
	if r != nil || shelf == nil {
		return r, lost
	}
	id = spelled(id)
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

// taken reports whether anything is kept under an id, of whatever session.
func (k *Keeper) taken(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept.Contains(id)
}

func (k *Keeper) getHere(session, id string) (r *kept, lost *loss) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	id = spelled(id)
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

// Forget drops what a session left behind.
func (k *Keeper) Forget(session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.kept.Values() {
		if r.session == session {
			k.kept.Remove(r.ID)
		}
	}
}

// trim drops what is too old, and what was read longest ago where it is too much.
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

// spelled is an id as it was given out, whatever a model has around it.
func spelled(id string) string {
	const around = " \t\r\n\"'`=:{}"
	id = strings.Trim(strings.ToLower(id), around)
	if rest, ok := strings.CutPrefix(id, "id"); ok && rest != "" && strings.Contains(around, rest[:1]) {
		id = strings.Trim(rest, around)
	}
	return id
}

// newID is a name that nobody guesses and a small model can copy.
func newID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // it never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}
