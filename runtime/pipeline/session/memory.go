package session

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

// Memory is the content of a session in a form with which another process can continue.
// It is as secret as the session.
type Memory struct {
	Client    Client
	Era       string
	Profile   string
	Questions []Question `json:",omitempty"` // newest first
	Calls     []Call     `json:",omitempty"` // oldest first
	Shown     []string   // nil if there was no list
	Listing   bool       `json:",omitempty"`
	Used      []Use      `json:",omitempty"` // by last use, latest last
}

// Question is a question that was answered.
type Question struct {
	Text  string
	Found []Place `json:",omitempty"`
	Reply []byte
}

// Place is a place that answered a question.
type Place struct {
	File string // absolute
	At   contract.Reference
}

// Use is the number of times a tool was used.
type Use struct {
	Tool  string
	Times int
}

// Fresh is the number of changes to a memory since it was kept elsewhere.
type Fresh struct{ questions, calls, shown, who int }

// Is reports whether there are any.
func (f Fresh) Is() bool { return f != Fresh{} }

// Fresh returns the changes since everything was kept elsewhere.
func (s *Session) Fresh() Fresh {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fresh
}

// Remember returns the current memory. The caller confirms with Kept when it is kept
// elsewhere too.
func (s *Session) Remember() (Memory, Fresh) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := Memory{Client: s.client, Era: s.era, Profile: s.profile, Calls: slices.Clone(s.calls), Shown: s.shown, Listing: s.listing}
	for _, q := range s.questions {
		m.Questions = append(m.Questions, q.exportQuestion())
	}
	for _, u := range s.used {
		m.Used = append(m.Used, Use{u.tool, u.times})
	}
	return m, s.fresh
}

// Kept records that the result of Remember is kept elsewhere.
func (s *Session) Kept(f Fresh) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = Fresh{max(0, s.fresh.questions-f.questions), max(0, s.fresh.calls-f.calls), max(0, s.fresh.shown-f.shown), max(0, s.fresh.who-f.who)}
}

// Merge takes over the memory that another process kept, and adds the changes made here.
func (s *Session) Merge(m Memory) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return
	}
	calls := slices.Clone(s.calls[len(s.calls)-min(s.fresh.calls, len(s.calls)):])
	asked := slices.Clone(s.questions[:min(s.fresh.questions, len(s.questions))])
	s.calls, s.callBytes, s.questions, s.questionBytes, s.used = nil, 0, nil, 0, nil
	for _, u := range m.Used[max(0, len(m.Used)-maxUsed):] {
		s.used = append(s.used, use{cutName(u.Tool), max(0, u.Times)})
	}
	for _, c := range m.Calls {
		s.keepCall(c.boundCall())
	}
	for _, c := range calls {
		s.count(c.Tool)
		s.keepCall(c)
	}
	for _, q := range slices.Backward(m.Questions) {
		s.keepQuestion(q.importQuestion())
	}
	for _, q := range slices.Backward(asked) {
		s.keepQuestion(q)
	}
	if s.fresh.shown == 0 {
		s.shown, s.listing = m.Shown[:min(len(m.Shown), maxShown)], m.Listing
	}
	if s.fresh.who == 0 {
		s.client, s.era, s.profile = Client{cutName(m.Client.Name), cutName(m.Client.Version)}, cutName(m.Era), cutName(m.Profile)
	}
}

// Clear drops calls and questions. The tools that the client was listed stay: its model
// has them in its prompt.
func (s *Session) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.questions, s.calls, s.used = nil, nil, nil
	s.questionBytes, s.callBytes = 0, 0
	s.fresh.calls, s.fresh.questions = 0, 0
}

// boundCall limits a call from another process to the bounds of this one.
func (c Call) boundCall() Call {
	c.Tool, c.Server, c.Outcome = cutName(c.Tool), cutName(c.Server), cutName(c.Outcome)
	if len(c.Arguments) > maxArguments || !json.Valid(c.Arguments) {
		c.Arguments = boundArguments(c.Arguments)
	}
	return c
}

func (q question) exportQuestion() Question {
	out := Question{Text: q.text, Reply: slices.Clone(q.reply[:])}
	for _, p := range q.found {
		out.Found = append(out.Found, Place{p.file, p.at})
	}
	return out
}

func (q Question) importQuestion() question {
	out := question{text: q.Text[:min(len(q.Text), maxQuestion)]}
	if len(q.Reply) == sha256.Size {
		out.reply = [sha256.Size]byte(q.Reply)
	}
	out.bytes = len(out.text) + overhead
	for _, p := range q.Found[:min(len(q.Found), maxFound)] {
		if size := len(p.File) + overhead; out.bytes+size <= maxQuestionBytes {
			out.found, out.bytes = append(out.found, place{p.File, p.At}), out.bytes+size
		}
	}
	return out
}
