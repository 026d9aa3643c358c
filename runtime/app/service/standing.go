package service

import (
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// maxStanding bounds the lists that are kept of requests that stand alone: their clients
// are told apart by names that anybody may make up.
const maxStanding = 256

// standing are the lists that clients without a session were last given: they stand for a
// profile and a name of a client, so that a call of a tool that was left out is seen to be
// one. Two clients of one name share them.
type standing struct {
	mu   sync.Mutex
	list map[[2]string][]string // names, by profile and client
}

func (s *standing) keep(w session.Who, names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := [2]string{w.Profile, w.Client.Name}
	if slices.Equal(s.list[key], names) {
		return
	}
	if _, is := s.list[key]; s.list == nil || !is && len(s.list) >= maxStanding {
		s.list = map[[2]string][]string{}
	}
	s.list[key] = names
}

// of is the list of a client, nil where none is known.
func (s *standing) of(w session.Who) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[[2]string{w.Profile, w.Client.Name}]
}
