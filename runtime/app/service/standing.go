package service

import (
	"slices"
	"sync"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

// maxStanding bounds the lists kept for clients without a session: they are told apart
// by names that anyone can make up.
const maxStanding = 256

// standing holds the last list given to each client without a session, by profile and
// client name, so that a call of a tool that was left out is recognized as such.
// Clients with the same name share a list.
type standing struct {
	mu   sync.Mutex
	list map[[2]string][]string // names, by profile and client
}

func (s *standing) keepList(w session.Who, names []string) {
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

// listOf returns the list of a client, or nil.
func (s *standing) listOf(w session.Who) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list[[2]string{w.Profile, w.Client.Name}]
}
