package usage

import "time"

// chain groups stand-alone requests, which identify only their client: requests of clients
// with one name in one profile, in quick succession, count as one session, so that tools used
// together are learnt from them too. Two clients that work at the same time count as one.
type chain struct{ profile, client string }

// Limits of a chain, and of the number of chains: clients choose their names.
const (
	chainRest  = 5 * time.Minute  // it ends after this time without a call or a list
	chainFor   = 30 * time.Minute // from its beginning
	chainCalls = 32               // about as many as in a session of recorded agents
	maxChained = 256
)

// isOver reports whether the client's next call begins another chain.
func (s *open) isOver(now time.Time) bool {
	return s.calls >= chainCalls || now.Sub(s.used) > chainRest || now.Sub(s.Started) > chainFor
}

// chainedSession returns the session of a stand-alone request. mu is held.
func (t *Tracker) chainedSession(who Told, now time.Time) *open {
	key := chain{who.Profile, who.Client}
	s := t.chains[key]
	if s == nil || s.isOver(now) {
		next := t.newSession(who, now)
		if s != nil { // the client still has its list
			next.Shown, next.Offered, next.names, next.all, next.Catalog = s.Shown, s.Offered, s.names, s.all, s.Catalog
			t.endChain(key, s)
		}
		if len(t.chains) >= maxChained {
			t.makeRoomForChain()
		}
		t.chains[key], s = next, next
	}
	s.used, s.told = now, who
	return s
}

// makeRoomForChain ends the chain unused for longest. mu is held.
func (t *Tracker) makeRoomForChain() {
	var first chain
	var least *open
	for key, s := range t.chains {
		if least == nil || s.used.Before(least.used) {
			first, least = key, s
		}
	}
	t.endChain(first, least)
}

// endChain ends a chain. One without calls was not a session. mu is held.
func (t *Tracker) endChain(key chain, s *open) {
	delete(t.chains, key)
	if s.calls > 0 {
		t.queueEnded(s)
	}
}
