package session

import (
	"crypto/sha256"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/safety/sandbox"
)

// question is a question that was answered. Places are kept as files, not as the
// references by which the call named them: those of another call may start at other
// roots.
type question struct {
	text  string
	found []place
	bytes int
	reply [sha256.Size]byte // digest of the reply
}

type place struct {
	file string // absolute
	at   contract.Reference
}

// RecordQuestion keeps a question, already masked, and the places that its reply, as sent, points
// to. Replies without a list of references answer no question. It reports whether the
// same question got the same reply before.
func (s *Session) RecordQuestion(text string, reply json.RawMessage, roots *sandbox.Set) (again bool) {
	var r struct {
		Answer     string    `json:"answer"`
		Summary    string    `json:"summary"`
		References *[]string `json:"references"`
	}
	if s == nil || text == "" || json.Unmarshal(reply, &r) != nil || r.References == nil {
		return false
	}
	q := question{text: strings.ToValidUTF8(strings.Clone(text[:min(len(text), maxQuestion)]), "")}
	q.bytes = len(q.text) + overhead
	q.reply = sha256.Sum256([]byte(r.Answer + "\x00" + r.Summary + "\x00" + strings.Join(*r.References, "\x00")))
	for _, ref := range *r.References {
		if len(q.found) == maxFound {
			break
		}
		at := contract.ParseReference(ref)
		root, rel, err := roots.Resolve(at.Path)
		if err != nil {
			continue
		}
		p := place{filepath.Join(root.Path(), filepath.FromSlash(rel)), at}
		p.at.Path = "" // each call has its own name for it
		if size := len(p.file) + overhead; q.bytes+size <= maxQuestionBytes {
			q.found, q.bytes = append(q.found, p), q.bytes+size
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return false
	}
	again = slices.ContainsFunc(s.questions, func(had question) bool { return had.text == q.text && had.reply == q.reply })
	s.keepQuestion(q)
	s.fresh.questions++
	return again
}

// keepQuestion adds a question and drops the oldest as needed. mu is held.
func (s *Session) keepQuestion(q question) {
	s.questions = append([]question{q}, s.questions...)
	s.questionBytes += q.bytes
	for len(s.questions) > maxQuestions || s.questionBytes > maxQuestionBytes {
		last := len(s.questions) - 1
		s.questionBytes -= s.questions[last].bytes
		s.questions[last] = question{}
		s.questions = s.questions[:last]
	}
}

// earlierQuestions returns the questions as a call may see them, with the places that still exist
// and lie below its roots.
func earlierQuestions(questions []question, roots *sandbox.Set) []contract.Earlier {
	out := make([]contract.Earlier, 0, len(questions))
	for _, q := range questions {
		e := contract.Earlier{Question: q.text, References: []string{}}
		for _, p := range q.found {
			if path, ok := pathIn(roots, p.file); ok {
				p.at.Path = path
				e.References = append(e.References, p.at.String())
			}
		}
		out = append(out, e)
	}
	return out
}

// pathIn returns the name of a file relative to the roots.
func pathIn(roots *sandbox.Set, file string) (string, bool) {
	if roots == nil {
		return "", false
	}
	for _, r := range roots.Roots() {
		rel, err := filepath.Rel(r.Path(), file)
		if err != nil || !filepath.IsLocal(rel) {
			continue
		}
		if e, err := r.Stat(filepath.ToSlash(rel)); err == nil && !e.Dir {
			return roots.Ref(r, filepath.ToSlash(rel)), true
		}
	}
	return "", false
}
