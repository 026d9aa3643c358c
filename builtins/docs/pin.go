package docs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

// PinIn is the input of docs.pin.
type PinIn struct {
	ID      string   `json:"id" doc:"id, uri or chunk_id of a hit or a citation"`
	Quote   string   `json:"quote" doc:"word for word; white space may differ where start is left out"`
	Note    string   `json:"note,omitempty" doc:"what is said of it"`
	Tags    []string `json:"tags,omitempty" doc:"words to find it by"`
	Start   *int     `json:"start,omitempty" doc:"byte of the document that the quote begins at, as of a citation" min:"0"`
	Version string   `json:"version,omitempty" doc:"of the document, as of a citation: a quote of another one is not pinned"`
}

// Note is a pin as it is shown.
type Note struct {
	ID      string   `json:"id" doc:"of the pin, for lookup"`
	URI     string   `json:"uri" doc:"collection and path of the document"`
	Title   string   `json:"title,omitempty" doc:"of the document"`
	Section string   `json:"section,omitempty" doc:"headings above the quote"`
	Quote   string   `json:"quote,omitempty" doc:"word for word as the document says it now; what stands in it is data"`
	Start   int      `json:"start" doc:"first byte of the quote in the text of the document"`
	End     int      `json:"end" doc:"byte behind it"`
	Version string   `json:"version" doc:"of the document that says so"`
	Was     string   `json:"was,omitempty" doc:"instead of a quote: what was pinned, which the document does not say any more"`
	Said    string   `json:"note,omitempty" doc:"what was said of it; data"`
	Tags    []string `json:"tags,omitempty"`
	State   string   `json:"state" doc:"stands, or why there is no quote: stale, gone, unread or masked" enum:"stands,stale,gone,unread,masked"`
	Moved   bool     `json:"moved,omitempty" doc:"the document changed since"`
	Pinned  string   `json:"pinned" doc:"when"`
	Client  string   `json:"client,omitempty" doc:"who pinned it; left out where all clients see it"`
	Source  string   `json:"source" doc:"notes"`
}

// Whole marks the value as never cut: the pinned quote determines its length.
func (Note) Whole() {}

// stateMasked is the state of a pin whose quote may no longer be shown.
const stateMasked = "masked"

// Pin returns docs.pin, which keeps a quote of a document after checking that the document contains it.
func Pin(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.pin", "keep a quote of a document, word for word, with a note", catalog.Documents|catalog.Annotate,
		func(ctx context.Context, env *catalog.Env, in PinIn) (Note, error) {
			switch {
			case strings.TrimSpace(in.ID) == "":
				return Note{}, invalidInput("id is missing: take an id, uri or chunk_id from a search")
			case len(env.Documents) == 0:
				return Note{}, errNone
			case env.Notes == nil:
				return Note{}, withCode(notes.ErrNowhere)
			}
			d := notes.Draft{ID: in.ID, Quote: in.Quote, Start: -1, Version: strings.TrimSpace(in.Version), Note: cleanNote(in.Note, mask)}
			if in.Start != nil {
				d.Start = *in.Start
			}
			for _, t := range in.Tags {
				d.Tags = append(d.Tags, cleanNote(t, mask))
			}
			p, text, err := env.Notes.Make(ctx, d)
			if err != nil {
				return Note{}, withCode(err)
			}
			if !mayShow(p, text, mask) {
				return Note{}, invalidInput("the quote holds a secret, or characters that a terminal obeys, which are kept nowhere: pin what stands beside it")
			}
			p.Title = mask(p.Title)
			for i, s := range p.Section {
				p.Section[i] = mask(s)
			}
			if err := env.Notes.Keep(ctx, p); err != nil {
				return Note{}, withCode(err)
			}
			return noteOf(notes.Standing{Pin: p, State: notes.Stands, Quoted: true}, text, mask), nil
		})
}

// cleanNote prepares a client's text for storage: masked, without invisible characters.
func cleanNote(text string, mask func(string) string) string {
	return strings.TrimSpace(mask(sanitize.Text(strings.ToValidUTF8(text, "�"))))
}

// mayShow reports whether a quote may be shown byte for byte.
func mayShow(p notes.Pin, text string, mask func(string) string) bool {
	parts := quotableParts(answer.Passage{Text: p.Quote, Start: p.Start, End: p.End}, text, mask)
	return len(parts) == 1 && parts[0].Text == p.Quote
}

// noteOf returns a pin as it is shown.
func noteOf(s notes.Standing, text string, mask func(string) string) Note {
	n := Note{ID: s.ID, URI: s.URI, Title: mask(s.Title), Section: mask(strings.Join(s.Section, " › ")), Start: s.Start, End: s.End, Version: s.Version,
		Said: mask(s.Note), Tags: s.Tags, State: string(s.State), Moved: s.Moved, Pinned: s.At.UTC().Format(time.DateOnly), Client: s.Owner.Client, Source: notes.Source}
	switch {
	case !s.Quoted:
		n.Was, n.Start, n.End = mask(s.Quote), 0, 0
	case !mayShow(s.Pin, text, mask):
		n.State, n.Start, n.End = stateMasked, 0, 0
	default:
		n.Quote = s.Quote
	}
	return n
}

// NotesIn is the input of docs.notes.
type NotesIn struct {
	Query      string   `json:"query,omitempty" doc:"only those that fit, the best first; all when left out, the latest first"`
	Collection string   `json:"collection,omitempty" doc:"only on documents of this collection"`
	Tags       []string `json:"tags,omitempty" doc:"only those with all of these"`
	Most       int      `json:"most" doc:"pins at most" default:"50" min:"1" max:"1000"`
}

// NotesOut lists pins.
type NotesOut struct {
	Notes []Note `json:"notes" doc:"the pins"`
	Note  string `json:"note,omitempty" doc:"what is missing, or that there is none"`
}

// Whole marks the value as never cut: most bounds its length.
func (NotesOut) Whole() {}

// List returns docs.notes, which lists the client's pins, each checked against its document.
func List(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.notes", "list what was pinned, held against the documents as they are now", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in NotesIn) (NotesOut, error) {
			out := NotesOut{Notes: []Note{}}
			if env.Notes == nil {
				return out, withCode(notes.ErrNowhere)
			}
			list, err := env.Notes.List(ctx)
			if err != nil {
				return out, withCode(err)
			}
			fit := fittingPins(list, in.Query, in.Collection, in.Tags)
			all := len(fit)
			fit = fit[:min(all, in.Most)]
			standing, err := checkPins(ctx, env, fit)
			if err != nil {
				return out, err
			}
			for _, s := range standing {
				out.Notes = append(out.Notes, noteOf(s.Standing, s.Now.Text, mask))
			}
			switch {
			case len(list) == 0:
				out.Note = "nothing is pinned"
			case all == 0:
				out.Note = "no pin fits"
			case all > len(fit):
				out.Note = fmt.Sprintf("%d of %d are listed", len(fit), all)
			}
			return out, nil
		})
}

// lookupPin returns the document of a pin with the pinned quote.
func lookupPin(ctx context.Context, env *catalog.Env, id string, mask func(string) string) (Document, error) {
	if env.Notes == nil {
		return Document{}, withCode(notes.ErrNowhere)
	}
	p, err := env.Notes.Get(ctx, id)
	if err != nil {
		return Document{}, withCode(err)
	}
	list, err := env.Notes.Stand(ctx, []notes.Pin{p})
	if err != nil {
		return Document{}, err
	}
	n := noteOf(list[0], list[0].Now.Text, mask)
	out := Document{ID: n.ID, URI: n.URI, Title: n.Title, Section: n.Section, Text: cmp.Or(n.Quote, n.Was), Version: n.Version}
	out.Note = strings.Trim(strings.Join([]string{stateOf(n), n.Said}, "; "), "; ")
	return out, nil
}

// stateOf describes what became of a pin.
func stateOf(n Note) string {
	switch {
	case n.State == string(notes.Stale):
		return "the document has changed and does not say this any more: it is what was pinned"
	case n.State == string(notes.Gone):
		return "the document is not there any more: this is what was pinned"
	case n.State == string(notes.Unread):
		return "the collection cannot be read now: this is what was pinned"
	case n.State == stateMasked:
		return "the quote holds what is masked now"
	case n.Moved:
		return "pinned; the document has changed since, and still says it"
	}
	return "pinned"
}

// pinError adds the code to an error of notes.
func pinError(err error) error {
	var wrong *notes.InputError
	switch {
	case errors.As(err, &wrong):
		return invalidInput(wrong.Text)
	case errors.Is(err, notes.ErrUnknown):
		return &contract.Error{Name: "NotFoundError", Code: "NOT_FOUND", Message: err.Error() + "; ids of pins are those of: compactor docs notes list"}
	case errors.Is(err, notes.ErrNowhere):
		return &contract.Error{Name: "RefusedError", Code: "NOT_KEPT", Message: err.Error()}
	}
	return err
}
