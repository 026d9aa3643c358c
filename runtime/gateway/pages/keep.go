package pages

import (
	"crypto/rand"
	"encoding/base32"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Keeper keeps the pages of results for the sessions that made them. It is safe
// for concurrent use. What was read longest ago makes room for what is new.
type Keeper struct {
	now func() time.Time

	mu    sync.Mutex
	max   int64 // bytes of all
	life  time.Duration
	bytes int64
	kept  *simplelru.LRU[string, *kept] // by id; bounded by bytes and age, not by number
}

type kept struct {
	id, session string
	pages       []page
	bytes       int64
	total       int // tokens
	read        time.Time
}

// NewKeeper makes a keeper that keeps nothing before Bound.
func NewKeeper(now func() time.Time) *Keeper {
	k := &Keeper{now: now}
	k.kept, _ = simplelru.NewLRU(math.MaxInt, func(_ string, r *kept) { k.bytes -= r.bytes }) // the size is positive
	return k
}

// Bound sets how many bytes are kept of all results, and how long what nobody
// reads is. What is over the new bounds goes.
func (k *Keeper) Bound(bytes int64, life time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.max, k.life = bytes, life
	k.trim()
}

// keep takes pages over, and gives the id they are read by; "" when they are more
// than is kept at all.
func (k *Keeper) keep(r *kept) string {
	for _, p := range r.pages {
		for _, b := range p {
			r.bytes += int64(len(b))
		}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.bytes > k.max {
		return ""
	}
	r.id, r.read = newID(), k.now()
	k.kept.Add(r.id, r)
	k.bytes += r.bytes
	k.trim()
	return r.id
}

// get is what a session may read under an id.
func (k *Keeper) get(session, id string) *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	r, ok := k.kept.Peek(strings.ToLower(strings.TrimSpace(id)))
	if !ok || r.session != session {
		return nil
	}
	r.read = k.now()
	k.kept.Get(r.id)
	return r
}

// Forget drops what a session left behind.
func (k *Keeper) Forget(session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, r := range k.kept.Values() {
		if r.session == session {
			k.kept.Remove(r.id)
		}
	}
}

// trim drops what is too old, and what was read longest ago where it is too much.
func (k *Keeper) trim() {
	for {
		_, r, ok := k.kept.GetOldest()
		if !ok || k.bytes <= k.max && k.now().Sub(r.read) <= k.life {
			return
		}
		k.kept.RemoveOldest()
	}
}

// newID is a name that nobody guesses and a small model can copy.
func newID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // it never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}
