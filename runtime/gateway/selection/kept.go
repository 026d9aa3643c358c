package selection

import (
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// seed is of this process: what is kept by it does not leave.
var seed = maphash.MakeSeed()

// catalogs keeps the tools that were prepared last: most lists are of the same ones.
type catalogs struct {
	mu   sync.Mutex
	key  uint64
	last *predict.Catalog
}

func (c *catalogs) of(tools []predict.Tool) *predict.Catalog {
	key := keyOf(tools)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil || c.key != key {
		c.key, c.last = key, predict.NewCatalog(tools)
	}
	return c.last
}

func keyOf(tools []predict.Tool) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	text := func(s string) {
		var n [binary.MaxVarintLen64]byte
		h.Write(n[:binary.PutUvarint(n[:], uint64(len(s)))])
		h.WriteString(s)
	}
	for _, t := range tools {
		for _, s := range append([]string{t.Server, t.Name, t.Description}, t.Parameters...) {
			text(s)
		}
		text("")
	}
	return h.Sum64()
}

// Bounds of the first lists that stand.
const (
	maxFirsts = 256
	firstFor  = time.Hour
)

// firsts are the first lists of profiles: by what they were made of.
type firsts struct {
	mu    sync.Mutex
	list  map[string]first
	round int // of configurations
}

type first struct {
	tools    []string
	at       time.Time
	sessions float64 // that it was made by
}

// stands reports whether a list is still the one that sessions begin with: for an hour, and
// as long as no more was learnt since than before. So the first lists of a profile, which
// know least, stand for the shortest time.
func (f first) stands(now time.Time, sessions float64) bool {
	return now.Sub(f.at) < firstFor && sessions < max(1, 2*f.sessions)
}

// First is the list that a session of this kind in a profile begins with: the one that was
// made for the last such session of the same tools (sorted), while that stands, or a
// new one. Sessions without a memory, whose every request stands alone, have one list for
// that time. A server that comes and goes switches between two lists, and makes no third.
//
// learnt is how many sessions the ranking behind a new list goes by, below 0 for all that are known. More may be known by
// now: a list that was ranked before the log was read must not stand as one that goes by all of it.
func (l *Learner) First(profile, kind string, tools []string, learnt float64, list func() []string) []string {
	kind = namesKey(profile+"\x00"+kind, tools)
	f, now := &l.firsts, l.opt.Now()
	sessions := l.sessions(profile, now)
	f.mu.Lock()
	old, is := f.list[kind]
	round := f.round
	f.mu.Unlock()
	if is && old.stands(now, sessions) {
		return slices.Clone(old.tools)
	}
	fresh := list()
	if !l.knows() { // made without what was kept: the next one knows more
		return fresh
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if round != f.round { // made by what is said no more
		return fresh
	}
	if f.list == nil || len(f.list) >= maxFirsts {
		f.list = map[string]first{}
	}
	if learnt < 0 {
		learnt = sessions
	}
	f.list[kind] = first{slices.Clone(fresh), now, learnt}
	return fresh
}

// Configured takes over another configuration: it forgets the first lists, and where
// profiles learn otherwise than before, what is kept is learnt anew, aside.
func (l *Learner) Configured() {
	l.forgetFirsts()
	if l.started.Load() && l.otherwise() {
		select {
		case l.again <- nil:
		default: // that is asked for already
		}
	}
}

func (l *Learner) forgetFirsts() {
	l.firsts.mu.Lock()
	defer l.firsts.mu.Unlock()
	l.firsts.list = nil
	l.firsts.round++
}

// namesKey is a kind of session with the tools that there are for it.
func namesKey(kind string, tools []string) string {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, name := range tools {
		h.WriteString(name)
		h.WriteByte(0)
	}
	return kind + "\x00" + strconv.FormatUint(h.Sum64(), 36)
}
