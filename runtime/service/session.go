package service

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/cache"
	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/sandbox"
)

// What is kept of the sessions: a few kilobytes of each.
const (
	maxSessions  = 256
	maxQuestions = 8       // of one session
	maxFound     = 5       // places of one question
	maxKept      = 1 << 10 // bytes of a question
	sessionTime  = time.Hour
)

// asked is a question that was answered. The places are kept as files, not as
// the references that the call named them by: those of another call may start
// at other roots.
type asked struct {
	question string
	found    []place
}

type place struct {
	file string // absolute
	at   contract.Reference
}

type sessions struct{ recent *cache.Recent[asked] }

func newSessions(now func() time.Time) sessions {
	return sessions{cache.NewRecent[asked](maxSessions, maxQuestions, sessionTime, now)}
}

// SessionEnded forgets what a session asked and subscribed to.
func (s *Service) SessionEnded(session string) {
	s.sessions.recent.Forget(session)
	s.gateway.SessionEnded(session)
}

// remember keeps a question and what its reply, as it left, points to. Replies
// without a list of references answer no question.
func (s sessions) remember(session string, question string, reply json.RawMessage, roots *sandbox.Set) {
	var r struct {
		References *[]string `json:"references"`
	}
	if session == "" || question == "" || json.Unmarshal(reply, &r) != nil || r.References == nil {
		return
	}
	a := asked{question: strings.ToValidUTF8(strings.Clone(question[:min(len(question), maxKept)]), "")}
	for _, text := range *r.References {
		at := contract.ParseReference(text)
		root, rel, err := roots.Resolve(at.Path)
		if err == nil && len(a.found) < maxFound {
			a.found = append(a.found, place{filepath.Join(root.Path(), filepath.FromSlash(rel)), at})
		}
	}
	s.recent.Add(session, a)
}

// earlier is what a session asked, newest first, with the places that are still
// there and that roots let in.
func (s sessions) earlier(session string, roots *sandbox.Set) []contract.Earlier {
	var out []contract.Earlier
	for _, a := range s.recent.List(session) {
		e := contract.Earlier{Question: a.question, References: []string{}}
		for _, p := range a.found {
			if path, ok := within(roots, p.file); ok {
				p.at.Path = path
				e.References = append(e.References, p.at.String())
			}
		}
		out = append(out, e)
	}
	return out
}

// within is a file as the roots name it.
func within(roots *sandbox.Set, file string) (string, bool) {
	for _, r := range roots.Roots() {
		if rel, ok := below(r.Path(), file); ok {
			if e, err := r.Stat(rel); err == nil && !e.Dir {
				return roots.Ref(r, rel), true
			}
		}
	}
	return "", false
}

// questionOf is what a call asks, whatever its tool calls it.
func questionOf(input map[string]any) string {
	for _, name := range []string{"question", "component"} {
		if q, ok := input[name].(string); ok && q != "" {
			return q
		}
	}
	return ""
}
