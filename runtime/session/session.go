package session

import (
	"slices"
	"strings"
	"sync"
)

// The eras of the protocol. A session of no client, such as the command line's, has
// none.
const (
	Handshake = "handshake"
	Stateless = "stateless"
)

// Who says whose session it is.
type Who struct {
	ID     string // "" for a request that stands alone
	Client Client
	Era    string
}

// Client is what a client says of itself, unverified.
type Client struct {
	Name    string `json:"name" doc:"as the client calls itself, unverified; empty where it does not say"`
	Version string `json:"version"`
}

// Session is what is known of one client. It is safe for concurrent use.
type Session struct {
	id string

	mu            sync.Mutex
	over          bool // nothing is kept any more
	client        Client
	era           string
	questions     []question // newest first
	questionBytes int
	calls         []Call // oldest first
	callBytes     int
	shown         []string
	used          []use // by last use, the latest last
}

// use is how often a tool was used.
type use struct {
	tool  string
	times int
}

// New makes a session that no store keeps: for one request, or one run of a command.
func New(w Who) *Session {
	s := &Session{id: w.ID}
	s.introduce(w)
	return s
}

// ID is the session's id, which is not to be shown: see event.Opaque.
func (s *Session) ID() string {
	if s == nil {
		return ""
	}
	return s.id
}

// Show keeps the names of the tools that the client was listed, which the caller
// does not change any more.
func (s *Session) Show(names []string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.shown = names[:min(len(names), maxShown)]
	}
}

// forget drops all that is kept, now and from now on.
func (s *Session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.questions, s.calls, s.shown, s.used = nil, nil, nil, nil
	s.questionBytes, s.callBytes = 0, 0
}

// introduce takes over what a request says of its client.
func (s *Session) introduce(w Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.Client != (Client{}) {
		s.client = Client{name(w.Client.Name), name(w.Client.Version)}
	}
	if w.Era != "" {
		s.era = w.Era
	}
}

// count adds a use of a tool. mu is held.
func (s *Session) count(tool string) {
	u := use{tool: tool}
	if i := slices.IndexFunc(s.used, func(u use) bool { return u.tool == tool }); i >= 0 {
		u = s.used[i]
		s.used = slices.Delete(s.used, i, i+1)
	}
	u.times++
	if len(s.used) >= maxUsed {
		s.used = slices.Delete(s.used, 0, 1)
	}
	s.used = append(s.used, u)
}

// name is a short text of its own, however long the one it was cut from.
func name(s string) string {
	if len(s) <= maxName {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:maxName]), "")
}
