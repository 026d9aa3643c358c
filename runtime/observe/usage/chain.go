package usage

import "time"

// chain tells apart the requests that stand alone, which say of whom they are and no more:
// what clients of one name do in one profile, one call soon after the other, is taken for
// one session, so that what is used together is learnt of them too. Two that work at the
// same time are one.
type chain struct{ profile, client string }

// Bounds of a chain, and of how many there are: names are what clients say.
const (
	chainRest  = 5 * time.Minute  // without a call or a list it is over
	chainFor   = 30 * time.Minute // from its beginning
	chainCalls = 32               // about those of a session of recorded agents
	maxChained = 256
)

// over reports whether the next call of its client begins another chain.
func (s *open) over(now time.Time) bool {
	return s.calls >= chainCalls || now.Sub(s.used) > chainRest || now.Sub(s.Started) > chainFor
}

// chained is the session of a request that stands alone. mu is held.
func (t *Tracker) chained(who Told, now time.Time) *open {
	key := chain{who.Profile, who.Client}
	s := t.chains[key]
	if s == nil || s.over(now) {
		next := t.begun(who, now)
		if s != nil { // the list that its client has still stands
			next.Shown, next.Offered, next.names, next.all, next.Catalog = s.Shown, s.Offered, s.names, s.all, s.Catalog
			t.unchain(key, s)
		}
		if len(t.chains) >= maxChained {
			t.makeRoomForChain()
		}
		t.chains[key], s = next, next
	}
	s.used, s.told = now, who
	return s
}

// makeRoomForChain ends the chain that was unused for longest. mu is held.
func (t *Tracker) makeRoomForChain() {
	var first chain
	var least *open
	for key, s := range t.chains {
		if least == nil || s.used.Before(least.used) {
			first, least = key, s
		}
	}
	t.unchain(first, least)
}

// unchain ends a chain. One that called nothing was no session. mu is held.
func (t *Tracker) unchain(key chain, s *open) {
	delete(t.chains, key)
	if s.calls > 0 {
		t.finish(s)
	}
}
