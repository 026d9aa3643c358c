package audit

import (
	"context"
	"errors"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

func TestStandIn(t *testing.T) {
	const quote = "A pool keeps twelve."
	for name, c := range map[string]struct {
		text, version string
		err           error
		digest        string
		want          State
		at            int
	}{
		"the same version":                 {"# A\n" + quote, "v", nil, answer.Digest(quote), Stands, 4},
		"a change elsewhere":               {"# B\n" + quote, "w", nil, answer.Digest(quote), Stands, 4},
		"a change before it":               {"# Longer\n" + quote, "w", nil, answer.Digest(quote), Moved, 9},
		"the document is shorter":          {quote, "w", nil, answer.Digest(quote), Moved, 0},
		"the quote has changed":            {"# A\nA pool keeps eleven.", "w", nil, answer.Digest(quote), Changed, 0},
		"nothing is left":                  {"", "w", nil, answer.Digest(quote), Changed, 0},
		"no document":                      {"", "", library.ErrUnknown, answer.Digest(quote), Gone, 0},
		"a collection that cannot be read": {"", "", library.ErrEmpty, answer.Digest(quote), Unread, 0},
		"no digest, the same version":      {"# A\n" + quote, "v", nil, "", Stands, 4},
		"no digest, another version":       {"# A\n" + quote, "w", nil, "", Unknown, 0},
		"no digest, beyond the document":   {"# A\n", "v", nil, "", Changed, 0},
		"a digest that is none":            {"# A\n" + quote, "v", nil, "none", Changed, 0},
	} {
		s := standIn(timeline.Citation{Passage: "p", Version: "v", Start: 4, End: 4 + len(quote), Digest: c.digest}, library.Looked{Document: library.Document{URI: "guide/a.md", Version: c.version}, Text: c.text}, c.err)
		if s.State != c.want || s.State.Holds() != (s.Now != nil) || s.Now != nil && (s.Now.Start != c.at || s.Now.Version != c.version || s.Quote != quote) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A collection that cannot be opened, or is not here, does not make a document gone.
func TestReplayOfWhatCannotBeOpened(t *testing.T) {
	closed := []library.Member{{Name: "guide", Home: "h", Open: func(context.Context) (*library.Library, error) { return nil, library.ErrEmpty }}}
	for _, home := range []string{"", "h", "other"} {
		got, err := Replay(t.Context(), closed, timeline.Answer{Citations: []timeline.Citation{{Passage: "p", Version: "v", End: 4, Home: home}}})
		if err != nil || len(got) != 1 || got[0].State != Unread || got[0].Because == "" {
			t.Errorf("%q: %+v, %v", home, got, err)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Replay(ended, closed, timeline.Answer{Citations: []timeline.Citation{{}}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
