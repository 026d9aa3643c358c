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

// seed belongs to this process: hashes made with it are not passed on.
var seed = maphash.MakeSeed()

// catalogs caches the last prepared tools: most lists have the same ones.
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

// Limits of the kept first lists.
const (
	maxFirsts = 256
	firstFor  = time.Hour
)

// firsts are the first lists of profiles, keyed by their inputs.
type firsts struct {
	mu    sync.Mutex
	list  map[string]first
	round int // number of configurations so far
}

type first struct {
	tools    []string
	at       time.Time
	sessions float64 // number of sessions it was based on
}

// isCurrent reports whether a list is still used for new sessions: for an hour, and until the number of learned sessions
// has doubled. So the earliest lists of a profile, which are based on the least, are replaced soonest.
func (f first) isCurrent(now time.Time, sessions float64) bool {
	return now.Sub(f.at) < firstFor && sessions < max(1, 2*f.sessions)
}

// First returns the list that a session of this kind in a profile starts with: the one made for the last such session
// with the same tools (sorted), while it is valid, or a new one. Stateless sessions, in which every request is
// separate, share one list for that time. A server that comes and goes switches between two lists, and creates no
// third.
//
// learnt is the number of sessions behind the ranking of a new list, negative for all known ones. More may be known by
// now: a list ranked before the log was read must not count as one based on all of it.
func (l *Learner) First(profile, kind string, tools []string, learnt float64, list func() []string) []string {
	kind = namesKey(profile+"\x00"+kind, tools)
	f, now := &l.firsts, l.opt.Now()
	sessions := l.sessions(profile, now)
	f.mu.Lock()
	old, is := f.list[kind]
	round := f.round
	f.mu.Unlock()
	if is && old.isCurrent(now, sessions) {
		return slices.Clone(old.tools)
	}
	fresh := list()
	if !l.hasRead() { // made without the log: the next one knows more
		return fresh
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if round != f.round { // made with an outdated configuration
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

// Configured applies a new configuration: it drops the first lists and, if profiles learn differently now, starts
// learning the log again in the background.
func (l *Learner) Configured() {
	l.forgetFirsts()
	if l.started.Load() && l.settingsChanged() {
		select {
		case l.again <- nil:
		default: // already requested
		}
	}
}

func (l *Learner) forgetFirsts() {
	l.firsts.mu.Lock()
	defer l.firsts.mu.Unlock()
	l.firsts.list = nil
	l.firsts.round++
}

// namesKey returns the key for a kind of session and its available tools.
func namesKey(kind string, tools []string) string {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, name := range tools {
		h.WriteString(name)
		h.WriteByte(0)
	}
	return kind + "\x00" + strconv.FormatUint(h.Sum64(), 36)
}
