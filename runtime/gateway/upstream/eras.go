package upstream

import (
	"crypto/sha256"
	"sync"
	"time"
)

// eras remembers, for the life of the process, which eras servers were found not to speak: one that ignores
// server/discover, or ends because of it, is not asked again.
var eras = struct {
	sync.Mutex
	lacking map[eraOf]time.Time
	silent  map[[sha256.Size]byte]time.Time // servers that did not answer server/discover, and when that was found
}{lacking: map[eraOf]time.Time{}, silent: map[[sha256.Size]byte]time.Time{}}

// silentFor is how long a later run relies on About.Silent: a server may be replaced by another version.
const silentFor = 7 * 24 * time.Hour

type eraOf struct {
	server [sha256.Size]byte
	era    string
}

// eraRetry is how long an era is not tried again after a failed start, if the server did not report it as unsupported.
const eraRetry = 5 * time.Minute

// lacksEra reports whether an era should not be tried with a server.
func lacksEra(s Spec, era string) bool {
	eras.Lock()
	defer eras.Unlock()
	until, known := eras.lacking[eraOf{s.key(), era}]
	return known && (until.IsZero() || time.Now().Before(until))
}

// noteLack records that a server does not speak an era, permanently or, if limit is not 0, for that time.
func noteLack(s Spec, era string, limit time.Duration) {
	eras.Lock()
	defer eras.Unlock()
	if len(eras.lacking) > 10000 { // no site has so many servers: specs come and go
		clear(eras.lacking)
	}
	var until time.Time
	if limit > 0 {
		until = time.Now().Add(limit)
	}
	eras.lacking[eraOf{s.key(), era}] = until
}

// forgetLack undoes noteLack: a server may be replaced by another version.
func forgetLack(s Spec, era string) {
	eras.Lock()
	defer eras.Unlock()
	delete(eras.lacking, eraOf{s.key(), era})
	if era == Stateless {
		delete(eras.silent, s.key())
	}
}

// noteSilent records since when a server is known not to answer server/discover. The first record is kept.
func noteSilent(s Spec, since time.Time) {
	eras.Lock()
	defer eras.Unlock()
	if len(eras.silent) > 10000 {
		clear(eras.silent)
	}
	if _, known := eras.silent[s.key()]; !known {
		eras.silent[s.key()] = since
	}
}

// silentSince returns the time recorded by noteSilent, or zero for a server that answers.
func silentSince(s Spec) time.Time {
	eras.Lock()
	defer eras.Unlock()
	return eras.silent[s.key()]
}

// chooseEra returns the era if it can be chosen, or "" if either will do or the other one must be used.
func (s *Server) chooseEra(era string) string {
	if era == "" || s.spec.Era != "" || s.spec.Kind == SSE || s.about != nil && s.about.Kind == SSE || lacksEra(s.spec, era) {
		return ""
	}
	return era
}
