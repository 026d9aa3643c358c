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
	// Profile is the name of what the client is let see of upstream servers; "" where
	// nothing is said of it. The last request says which.
	Profile string
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
	profile       string
	questions     []question // newest first
	questionBytes int
	calls         []Call // oldest first
	callBytes     int
	shown         []string
	listing       bool     // shown has all tools of upstream servers that the client was listed
	assumed       []string // listed to the client by an earlier request that stood alone; nil where that is not known
	used          []use    // by last use, the latest last
	fresh         Fresh    // what no other process can know of it
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

// Who gives what is known of its client.
func (s *Session) Who() Who {
	if s == nil {
		return Who{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Who{ID: s.id, Client: s.client, Era: s.era, Profile: s.profile}
}

// Show keeps the names of the tools that the client was listed, which the caller
// does not change any more. whole says that tools of upstream servers are found on the
// list, or left out of it. It gives the last list, nil where there was none.
func (s *Session) Show(names []string, whole bool) (last []string) {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last = s.shown
	if s.over {
		return last
	}
	s.listing = whole && len(names) <= maxShown
	if names = names[:min(len(names), maxShown)]; last == nil || !slices.Equal(names, last) {
		s.fresh.shown++
	}
	s.shown = names
	return last
}

// Listed are the names of the tools that the client was last listed; nil where it was
// listed none.
func (s *Session) Listed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// Assume has a request that stands alone go by the list that its client was given by an
// earlier one. It is no list of the session: Hides alone looks at it. The caller does not
// change names any more.
func (s *Session) Assume(names []string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.assumed = names
}

// Hides reports whether the client was listed tools of upstream servers, and not this
// one. known is false where it asked for no such list, or its list was too long to keep.
func (s *Session) Hides(tool string) (hides, known bool) {
	if s == nil {
		return false, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.listing && s.assumed != nil {
		return !slices.Contains(s.assumed, tool), true
	}
	return s.listing && !slices.Contains(s.shown, tool), s.listing
}

// Behind is about how many tokens stand behind the list of tools in the prompt of the
// client's model, as far as they can be seen from here: results and, for each call, what
// goes with one.
func (s *Session) Behind() (n int) {
	if s == nil {
		return 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range s.calls {
		n += PerCall + max(0, c.Tokens)
	}
	return n
}

// PerCall are the tokens of a call and of what is said around it, about.
const PerCall = 150

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
	client, era, profile := s.client, s.era, s.profile
	if w.Client != (Client{}) {
		s.client = Client{name(w.Client.Name), name(w.Client.Version)}
	}
	if w.Era != "" {
		s.era = w.Era
	}
	s.profile = name(w.Profile)
	if s.client != client || s.era != era || s.profile != profile {
		s.fresh.who++
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
