package pages

import (
	"container/list"
	"crypto/rand"
	"encoding/base32"
	"strings"
	"sync"
	"time"
)

// Keeper keeps the pages of results for the sessions that made them. It is safe
// for concurrent use. What was read longest ago makes room for what is new.
type Keeper struct {
	now func() time.Time

	mu    sync.Mutex
	max   int64 // bytes of all
	life  time.Duration
	bytes int64
	order *list.List // of *kept; what was read last stands in front
	byID  map[string]*list.Element
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
	return &Keeper{now: now, order: list.New(), byID: map[string]*list.Element{}}
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
	k.byID[r.id] = k.order.PushFront(r)
	k.bytes += r.bytes
	k.trim()
	return r.id
}

// get is what a session may read under an id.
func (k *Keeper) get(session, id string) *kept {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.trim()
	e := k.byID[strings.ToLower(strings.TrimSpace(id))]
	if e == nil || e.Value.(*kept).session != session {
		return nil
	}
	r := e.Value.(*kept)
	r.read = k.now()
	k.order.MoveToFront(e)
	return r
}

// Forget drops what a session left behind.
func (k *Keeper) Forget(session string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for e := k.order.Front(); e != nil; {
		next := e.Next()
		if e.Value.(*kept).session == session {
			k.drop(e)
		}
		e = next
	}
}

// trim drops what is too old, and what was read longest ago where it is too much.
func (k *Keeper) trim() {
	for e := k.order.Back(); e != nil && (k.bytes > k.max || k.now().Sub(e.Value.(*kept).read) > k.life); e = k.order.Back() {
		k.drop(e)
	}
}

func (k *Keeper) drop(e *list.Element) {
	r := k.order.Remove(e).(*kept)
	delete(k.byID, r.id)
	k.bytes -= r.bytes
}

// newID is a name that nobody guesses and a small model can copy.
func newID() string {
	var b [5]byte
	_, _ = rand.Read(b[:]) // it never fails
	return strings.ToLower(base32.StdEncoding.EncodeToString(b[:]))
}
