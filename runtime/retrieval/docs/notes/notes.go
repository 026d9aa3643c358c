package notes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// Notes are the pins of one caller, on the documents that the caller may search.
type Notes struct {
	Open      func(context.Context) (Book, error) // the caller does not close it
	Owner     Owner
	Policy    Policy
	Documents library.Set
	Now       func() time.Time
	Include   bool // among the results of a search of documents, too

	readOnly bool
}

// ReadOnly returns the same pins for a caller that may not add any.
func (n *Notes) ReadOnly() *Notes {
	if n == nil {
		return nil
	}
	out := *n
	out.readOnly = true
	return &out
}

// Draft is a pin as a caller requests it.
type Draft struct {
	ID      string // of the document or the passage, or its address
	Quote   string
	Start   int    // byte that the quote begins at; -1 to search for it
	Version string // of the document that was cited; "" for the current one
	Note    string
	Tags    []string
}

// InputError says what is wrong with a draft, in the words of its author.
type InputError struct{ Text string }

func (e *InputError) Error() string { return e.Text }

func newInputError(format string, args ...any) error {
	return &InputError{fmt.Sprintf(format, args...)}
}

// Make makes a pin of a draft, and returns it with the text of its document. Nothing is stored yet.
func (n *Notes) Make(ctx context.Context, d Draft) (Pin, string, error) {
	switch {
	case strings.TrimSpace(d.Quote) == "":
		return Pin{}, "", newInputError("quote is empty: copy what is to be pinned from the document, word for word")
	case len(d.Quote) > n.Policy.Bytes:
		return Pin{}, "", newInputError("quote has %d bytes, and at most %d are kept (notes.bytes): pin less of it", len(d.Quote), n.Policy.Bytes)
	case len(d.Note) > n.Policy.Bytes:
		return Pin{}, "", newInputError("note has %d bytes, and at most %d are kept (notes.bytes): make it shorter", len(d.Note), n.Policy.Bytes)
	}
	tags, err := tagsOf(d.Tags)
	if err != nil {
		return Pin{}, "", err
	}
	at, m, err := n.Documents.Locate(ctx, strings.TrimSpace(d.ID))
	if err != nil {
		return Pin{}, "", err
	}
	if at.Changed || d.Version != "" && d.Version != at.Version {
		return Pin{}, "", newInputError("%s is version %s now, and another one was cited: search again, and pin what it says now", at.URI, at.Version)
	}
	p := Pin{Owner: n.Owner, Collection: m.Name, Home: m.Home, URI: at.URI, Version: at.Version, Title: at.Title, Note: d.Note, Tags: tags, At: n.Now().UTC().Truncate(time.Millisecond)}
	if p.Start, p.End, err = placeQuote(at, d); err != nil {
		return Pin{}, "", err
	}
	p.Quote = at.Text[p.Start:p.End]
	if len(p.Quote) > n.Policy.Bytes {
		return Pin{}, "", newInputError("the quote takes %d bytes of %s, and at most %d are kept (notes.bytes): pin less of it", len(p.Quote), at.URI, n.Policy.Bytes)
	}
	if at.Passage != nil && p.Start >= at.Passage.Start && p.End <= at.Passage.End {
		p.Section = at.Passage.Section
	}
	p.ID = idOf(p)
	return p, at.Text, nil
}

// placeQuote returns the place of a draft's quote in its document.
func placeQuote(at library.Looked, d Draft) (start, end int, err error) {
	if d.Start >= 0 {
		c := answer.Citation{URI: at.URI, Quote: d.Quote, Start: d.Start, End: d.Start + len(d.Quote)}
		if err := answer.Check(c, at.Text); err != nil {
			if start, _, ok := findQuote(at.Text, d.Quote, 0); ok {
				return 0, 0, newInputError("%v; it stands at byte %d", err, start)
			}
			return 0, 0, newInputError("%v", err)
		}
		return c.Start, c.End, nil
	}
	from := 0
	if at.Passage != nil {
		from = at.Passage.Start
	}
	start, end, ok := findQuote(at.Text, d.Quote, from)
	if !ok {
		return 0, 0, newInputError("%s does not say that: quote is copied word for word from what search or lookup gave, without what they left out", at.URI)
	}
	return start, end, nil
}

func tagsOf(list []string) (out []string, err error) {
	for _, t := range list {
		t = strings.ToLower(strings.Join(strings.Fields(t), " "))
		if t == "" || slices.Contains(out, t) {
			continue
		}
		if utf8.RuneCountInString(t) > longTag {
			return nil, newInputError("a tag has more than %d characters: a tag is a word or two", longTag)
		}
		out = append(out, t)
	}
	if len(out) > maxTags {
		return nil, newInputError("%d tags are too many: at most %d are kept with a pin", len(out), maxTags)
	}
	slices.Sort(out)
	return out, nil
}

// Keep stores a pin that Make made.
func (n *Notes) Keep(ctx context.Context, p Pin) error {
	if n.readOnly {
		return newInputError("pins are only read here")
	}
	book, err := n.Open(ctx)
	if err != nil {
		return err
	}
	err = book.PutNote(ctx, p, n.Policy.Most, n.oldestShown())
	if errors.Is(err, ErrFull) {
		return newInputError("there are %d pins already, and no more are kept (notes.most): remove some with: compactor docs notes remove ID", n.Policy.Most)
	}
	return err
}

// oldestShown returns the time before which a pin is too old to be shown.
func (n *Notes) oldestShown() time.Time {
	if n.Policy.Keep <= 0 {
		return time.Time{}
	}
	return n.Now().Add(-n.Policy.Keep)
}

// List returns the pins of the collections that the caller may search, the latest first.
func (n *Notes) List(ctx context.Context) ([]Pin, error) {
	book, err := n.Open(ctx)
	if errors.Is(err, ErrNowhere) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list, err := book.Notes(ctx, n.Owner, n.oldestShown())
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(list, func(p Pin) bool { return !n.isVisible(p) }), nil
}

func (n *Notes) isVisible(p Pin) bool {
	return n.Owner.Sees(p.Owner) && slices.ContainsFunc(n.Documents, func(m library.Member) bool { return m.Name == p.Collection && m.Home == p.Home })
}

// Get returns the pin with an id.
func (n *Notes) Get(ctx context.Context, id string) (Pin, error) {
	list, err := n.List(ctx)
	if err != nil {
		return Pin{}, err
	}
	i := slices.IndexFunc(list, func(p Pin) bool { return p.ID == id })
	if i < 0 {
		return Pin{}, fmt.Errorf("%q: %w", id, ErrUnknown)
	}
	return list[i], nil
}

// Remove deletes a pin.
func (n *Notes) Remove(ctx context.Context, id string) (Pin, error) {
	p, err := n.Get(ctx, id)
	if err == nil && n.readOnly {
		err = newInputError("pins are only read here")
	}
	if err != nil {
		return p, err
	}
	book, err := n.Open(ctx)
	if err != nil {
		return p, err
	}
	there, err := book.DropNote(ctx, n.Owner, id)
	if err == nil && !there {
		err = fmt.Errorf("%q: %w", id, ErrUnknown)
	}
	return p, err
}

// IsID reports whether a text has the form of the id of a pin.
func IsID(text string) bool {
	digits, is := strings.CutPrefix(text, idPrefix)
	return is && len(digits) == idDigits && strings.Trim(digits, "0123456789abcdef") == ""
}
