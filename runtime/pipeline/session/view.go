package session

import (
	"slices"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// View is a session as expressions see it: a copy, taken at one moment. It holds no id by
// which the session could be used.
type View struct {
	ID           string             `json:"id,omitempty" doc:"equal for all requests of one session; left out where each request stands alone"`
	Client       Client             `json:"client"`
	Era          string             `json:"era" doc:"handshake or stateless; empty on the command line"`
	Profile      string             `json:"profile" doc:"name of what the client is let see of upstream servers; empty where there are no profiles"`
	Questions    []contract.Earlier `json:"questions" doc:"answered before, newest first"`
	Conversation []Call             `json:"conversation" doc:"the calls so far, oldest first"`
	Shown        []string           `json:"shown" doc:"names of the tools that were last listed"`
	Used         map[string]int     `json:"used" doc:"how often each tool was called, by name"`
}

// View returns a copy of the session, with the places of earlier questions as roots name
// them.
func (s *Session) View(roots *sandbox.Set) View {
	v := View{Questions: []contract.Earlier{}, Conversation: []Call{}, Shown: []string{}, Used: map[string]int{}}
	if s == nil {
		return v
	}
	v.ID = event.HashID(s.id) // as in the log
	s.mu.Lock()
	v.Client, v.Era, v.Profile = s.client, s.era, s.profile
	questions := slices.Clone(s.questions)
	v.Conversation = append(v.Conversation, s.calls...)
	v.Shown = append(v.Shown, s.shown...)
	for _, u := range s.used {
		v.Used[u.tool] = u.times
	}
	s.mu.Unlock()
	v.Questions = earlierQuestions(questions, roots)
	return v
}
