package session

import (
	"slices"
	"strings"
	"sync"
)

// The eras of the protocol. A session without a client, such as the command line's, has no era.
const (
	Handshake = "handshake"
	Stateless = "stateless"
)

// Who identifies the client of a session.
type Who struct {
	ID     string // "" for a stand-alone request
	Client Client
	Era    string
	// Profile is the name of the set of upstream tools that the client may see; "" if
	// none is given. The last request determines it.
	Profile string
}

// Client is what a client claims about itself, unverified.
type Client struct {
	Name    string `json:"name" doc:"as the client calls itself, unverified; empty where it does not say"`
	Version string `json:"version"`
}

// Session is what is known about one client. It is safe for concurrent use.
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
	listing       bool     // shown includes all upstream tools that the client was listed
	assumed       []string // listed to the client by an earlier stand-alone request; nil if unknown
	used          []use    // by last use, latest last
	fresh         Fresh    // changes that no other process can know
}

// use is the number of times a tool was used.
type use struct {
	tool  string
	times int
}

// New returns a session that no store keeps: for one request, or one run of a command.
func New(w Who) *Session {
	s := &Session{id: w.ID}
	s.updateClient(w)
	return s
}

// ID returns the session's id, which must not be shown: see event.HashID.
func (s *Session) ID() string {
	if s == nil {
		return ""
	}
	return s.id
}

// Identity returns what is known about the session's client.
func (s *Session) Identity() Who {
	if s == nil {
		return Who{}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Who{ID: s.id, Client: s.client, Era: s.era, Profile: s.profile}
}

// SetListedTools keeps the names of the tools that the client was listed; the caller must not
// change them afterwards. whole means that the list determines which tools of upstream
// servers the client knows. It returns the previous list, or nil if there was none.
func (s *Session) SetListedTools(names []string, whole bool) (last []string) {
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

// Listed returns the names of the tools that the client was last listed, or nil if it was
// listed none.
func (s *Session) Listed() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.shown
}

// Assume makes a stand-alone request use the list that its client got from an earlier one. It is
// not a list of the session: only Hides reads it. The caller must not change names afterwards.
func (s *Session) Assume(names []string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.assumed = names
}

// Hides reports whether the client was listed tools of upstream servers, but not this one. known is false
// if it did not request such a list, or its list was too long to keep.
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

// Behind estimates how many tokens follow the list of tools in the prompt of the client's model,
// as far as they can be seen from here: results and, for each call, the surrounding text.
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

// PerCall estimates the tokens of a call and of the text around it.
const PerCall = 150

// forget drops everything that is kept, now and from now on.
func (s *Session) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.questions, s.calls, s.shown, s.used = nil, nil, nil, nil
	s.questionBytes, s.callBytes = 0, 0
}

// updateClient records what a request says about its client.
func (s *Session) updateClient(w Who) {
	s.mu.Lock()
	defer s.mu.Unlock()
	client, era, profile := s.client, s.era, s.profile
	if w.Client != (Client{}) {
		s.client = Client{cutName(w.Client.Name), cutName(w.Client.Version)}
	}
	if w.Era != "" {
		s.era = w.Era
	}
	s.profile = cutName(w.Profile)
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

// cutName returns a short text in its own memory, cut if s is too long.
func cutName(s string) string {
	if len(s) <= maxName {
		return s
	}
	return strings.ToValidUTF8(strings.Clone(s[:maxName]), "")
}
