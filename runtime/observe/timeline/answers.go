package timeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
)

// Answer is an answer from documents, as its spans tell: what was asked, what was searched, and which bytes of which
// versions were cited. It has no text of a document.
type Answer struct {
	ID         string     `json:"id"`
	Session    string     `json:"session"`
	Client     string     `json:"client,omitempty"` // as it names itself
	Trace      string     `json:"trace"`            // of the request; one request may have several answers
	At         time.Time  `json:"at"`
	Question   string     `json:"question"` // masked; a digest if questions are not kept
	Searches   []Search   `json:"searches"`
	Citations  []Citation `json:"citations"`
	Unnamed    int        `json:"unnamed,omitempty"`    // further citations, which the record does not name
	Confidence string     `json:"confidence,omitempty"` // none, low, med or high
	By         string     `json:"by,omitempty"`         // documents, or the models that worded it
	Outcome    string     `json:"outcome"`              // ok, abstained or failed
	Because    string     `json:"because,omitempty"`    // why it abstained, or the code of the error
}

// Search is a search that an answer rests on.
type Search struct {
	Query      string   `json:"query"`
	Collection string   `json:"collection,omitempty"` // "" for all
	Filters    string   `json:"filters,omitempty"`
	Version    string   `json:"version,omitempty"` // of the index
	Passages   []string `json:"passages"`          // ids with versions, best first
}

// Citation is a quote by its place.
type Citation struct {
	Passage string `json:"passage"`
	Version string `json:"version"` // of the document
	Start   int    `json:"start"`   // in bytes
	End     int    `json:"end"`

	// Of records of earlier versions both are "". Neither is in the JSON: a short quote can be guessed from its digest.
	Digest string `json:"-"` // of the quote
	Home   string `json:"-"` // tells the collection apart from others of its name
}

// AnswerQuery selects answers.
type AnswerQuery struct {
	Since   time.Time // zero for all
	Session string    // "" for all
	Max     int       // the newest; 0 for all
	Within  int       // in so many of the newest sessions; 0 for all
}

// maxSessions is the maximum number of sessions that are read: more than a timeline keeps.
const maxSessions = 1 << 20

// Answers returns answers from documents, the newest first. Of a session with very many steps, a timeline has the newest
// alone.
func Answers(ctx context.Context, from Reader, q AnswerQuery) ([]Answer, error) {
	sessions := []Session{{ID: q.Session}}
	if q.Session == "" {
		var err error // in one, since pages shift as sessions go on
		if sessions, err = from.Sessions(ctx, Query{Since: q.Since, Limit: cmp.Or(q.Within, maxSessions)}); err != nil {
			return nil, err
		}
	}
	out := []Answer{}
	for _, of := range sessions { // the newest first
		if q.Max > 0 && len(out) >= q.Max {
			if sortAnswers(out); out[q.Max-1].At.After(of.Last) {
				break
			}
		}
		s, spans, err := from.Session(ctx, of.ID)
		if errors.Is(err, ErrUnknown) && q.Session == "" { // expired meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, a := range answersOf(s, spans) {
			if !a.At.Before(q.Since) {
				out = append(out, a)
			}
		}
	}
	sortAnswers(out)
	if q.Max > 0 {
		out = out[:min(len(out), q.Max)]
	}
	return out, nil
}

func sortAnswers(list []Answer) {
	slices.SortStableFunc(list, func(a, b Answer) int { return cmp.Or(b.At.Compare(a.At), strings.Compare(a.ID, b.ID)) })
}

// answersOf returns the answers of a session, in the order of its spans.
func answersOf(s Session, spans []Span) (out []Answer) {
	for _, span := range spans {
		if span.Kind != event.Compose.String() || span.Running {
			continue
		}
		a := Answer{ID: span.ID, Session: s.ID, Client: s.Client, Trace: span.Trace, At: span.Started.Add(span.Elapsed), Question: queryOf(span),
			Searches: []Search{}, Confidence: span.Attrs["confidence"], By: span.Attrs["by"], Outcome: span.Outcome, Because: cmp.Or(span.Attrs["because"], span.Code)}
		a.Citations = parseCitations(span.Attrs["citations"], span.Attrs[attrQuotes], span.Attrs[attrHomes])
		all, _ := strconv.Atoi(span.Attrs["cited"])
		a.Unnamed = max(0, all-len(a.Citations))
		for _, of := range spans {
			if of.Kind == event.Retrieval.String() && of.Trace == span.Trace && of.Parent == span.Parent {
				passages, _, _ := strings.Cut(of.Attrs["passages"], " and ")
				a.Searches = append(a.Searches, Search{Query: queryOf(of), Collection: of.Attrs["collection"], Filters: of.Attrs["filters"],
					Version: of.Attrs["version"], Passages: strings.Fields(passages)})
			}
		}
		out = append(out, a)
	}
	return out
}

// queryOf returns the query of a span, or its digest.
func queryOf(s Span) string { return cmp.Or(s.Attrs["query"], s.Attrs["query_digest"]) }

var cited = lazyregexp.New(`^(\S+)@(\S+)\[(\d+):(\d+)\]$`)

// parseCitations returns the citations that an event names. Digests and homes are in the same order; what is no citation
// of a document is left out.
func parseCitations(text, digests, homes string) []Citation {
	out := []Citation{}
	quotes, places := strings.Fields(digests), strings.Fields(homes)
	for i, one := range strings.Fields(text) {
		m := cited.FindStringSubmatch(one)
		if m == nil {
			continue
		}
		c := Citation{Passage: m[1], Version: m[2]}
		c.Start, _ = strconv.Atoi(m[3])
		c.End, _ = strconv.Atoi(m[4])
		if i < len(quotes) {
			c.Digest = quotes[i]
		}
		if i < len(places) && places[i] != "-" {
			c.Home = places[i]
		}
		out = append(out, c)
	}
	return out
}

// FindAnswer returns the answer whose id begins with a prefix.
func FindAnswer(list []Answer, prefix string) (Answer, error) {
	var found []Answer
	for _, a := range list {
		if strings.HasPrefix(a.ID, prefix) {
			found = append(found, a)
		}
	}
	switch {
	case prefix == "" || len(found) == 0:
		return Answer{}, fmt.Errorf("no answer has an id that begins with %q", prefix)
	case len(found) > 1:
		return Answer{}, fmt.Errorf("%d answers have an id that begins with %q: give more of it", len(found), prefix)
	}
	return found[0], nil
}
