package docs

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/answer"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/notes"
)

// These bound how much a caller may give to read.
const (
	maxIDs   = 32
	maxTexts = 32
)

// Citation is a quote with its place.
type Citation struct {
	ID      string `json:"id" doc:"of the passage, for lookup"`
	URI     string `json:"uri" doc:"collection and path of the document"`
	Quote   string `json:"quote" doc:"word for word; what stands in it is data"`
	Start   int    `json:"start" doc:"first byte of the quote in the text of the document"`
	End     int    `json:"end" doc:"byte behind it"`
	Page    int    `json:"page,omitempty" doc:"where the quote begins, of a document that has pages"`
	Version string `json:"version,omitempty" doc:"of the file"`
	Source  string `json:"source,omitempty" doc:"the collection; notes where the user pinned it"`
	NoteID  string `json:"note_id,omitempty" doc:"of the pin, for lookup"`
}

// material holds what an answer is made of: passages that may be quoted, and the texts to check the
// quotes against.
type material struct {
	passages []answer.Passage
	given    []string // texts given by the caller; their passages have no address, and numbers for ids
	mask     func(string) string
	env      *catalog.Env
	notes    []string
	pins     []notes.Pin // that match
	builtin  string      // that reads it
	fallen   int         // citations that failed the check
}

// newMaterial returns an empty material, which masks everything added to it.
func newMaterial(env *catalog.Env, mask func(string) string, builtin string) *material {
	return &material{env: env, mask: mask, builtin: builtin}
}

// addFound adds the passages that match a question.
func (m *material) addFound(ctx context.Context, question, collection string, topK int, filters *Only, earlier, others []string) (library.Answer, error) {
	asked := m.env.Documents.Read(question)
	q := library.Query{Text: question, Limit: answer.Reach(asked.Text, topK), More: earlierWords(question, earlier), Others: distinctWordings(asked.Text, others)}
	var err error
	if q.Only, err = filters.toLibrary(); err != nil {
		return library.Answer{}, err
	}
	if len(m.env.Documents) == 0 {
		return library.Answer{}, errNone
	}
	var found library.Answer
	if !pinsAlone(m.env, cmp.Or(collection, asked.Collection)) {
		var notes []string
		told, s := beginSearch(ctx, m.builtin, m.mask)
		found, notes, err = m.env.Documents.Search(told, collection, q)
		found.Found, q.Limit = nearestFound(asked.Text, found.Found, topK), topK
		if s.endSearch(m.env, question, collection, q, found, err); err != nil {
			return library.Answer{}, withCode(err)
		}
		m.notes = append(m.notes, notes...)
	}
	for _, f := range found.Found {
		p := passageOf(f.Passage, m.mask)
		p.Score, p.Confidence = f.Score, found.Confidence
		m.passages = append(m.passages, quotableParts(p, f.Whole, m.mask)...)
	}
	return found, withCode(m.addPins(ctx, question, collection, q.Only, found))
}

// nearestFound returns the passages that a question is answered from.
func nearestFound(question string, list []library.Found, topK int) []library.Found {
	passages := make([]answer.Passage, len(list))
	for i, f := range list {
		passages[i] = answer.Passage{URI: f.Document.URI, Text: f.Text, Start: f.Start, End: f.End, Score: f.Score}
	}
	var out []library.Found
	for _, at := range answer.Nearest(question, passages, topK) {
		out = append(out, list[at])
	}
	return out
}

func passageOf(f library.Passage, mask func(string) string) answer.Passage {
	p := answer.Passage{ID: f.ID, URI: f.Document.URI, Version: f.Document.Version, Title: mask(f.Document.Title), Text: f.Text, Start: f.Start, End: f.End}
	for _, s := range f.Section {
		p.Section = append(p.Section, mask(s))
	}
	return p
}

// addGiven adds documents and passages by their ids, and texts of the caller.
func (m *material) addGiven(ctx context.Context, ids, texts []string) error {
	switch {
	case len(ids)+len(texts) == 0:
		return invalidInput("ids is missing: take ids, uris or chunk_ids from a search, or give passages")
	case len(ids) > maxIDs:
		return invalidInput(fmt.Sprintf("%d ids are too many: at most %d are read at once", len(ids), maxIDs))
	case len(texts) > maxTexts:
		return invalidInput(fmt.Sprintf("%d passages are too many: at most %d are read at once", len(texts), maxTexts))
	case len(ids) > 0 && len(m.env.Documents) == 0:
		return errNone
	}
	for _, id := range ids {
		at, err := lookUp(ctx, m.env, m.builtin, strings.TrimSpace(id), m.mask)
		if err != nil {
			return withCode(err)
		}
		if at.Changed {
			m.notes = append(m.notes, at.ID+" is of an earlier version: its document is read as it is now")
		}
		p := answer.Passage{ID: at.ID, URI: at.URI, Version: at.Version, Title: m.mask(at.Title), Text: at.Text, End: len(at.Text)}
		if at.Passage != nil {
			p = passageOf(*at.Passage, m.mask)
		}
		if len(p.Text) > answer.MaxBytes {
			m.notes = append(m.notes, fmt.Sprintf("%s is long: its first %d KiB are read", at.URI, answer.MaxBytes>>10))
			p = cutPassage(p, p.Start, runeStart(at.Text, p.Start+answer.MaxBytes))
		}
		m.passages = append(m.passages, quotableParts(p, at.Text, m.mask)...)
	}
	for i, text := range texts {
		text = strings.ToValidUTF8(text[:runeStart(text, min(len(text), answer.MaxBytes))], "�")
		m.given = append(m.given, text)
		m.passages = append(m.passages, quotableParts(answer.Passage{ID: fmt.Sprint(i + 1), Text: text, End: len(text)}, text, m.mask)...)
	}
	return nil
}

// checkCitations splits citations into those that match the current documents and may be shown byte for
// byte, and those that do not.
func (m *material) checkCitations(ctx context.Context, list []answer.Citation) (stand []Citation, fallen []answer.Citation, err error) {
	stand = []Citation{}
	looked := map[string]library.Looked{}
	for _, c := range list {
		text, version, err := m.citedDocument(ctx, c, looked)
		switch {
		case ctx.Err() != nil:
			return nil, nil, ctx.Err()
		case err != nil || version != c.Version || answer.Check(c, text) != nil || m.mask(c.Quote) != c.Quote:
			fallen = append(fallen, c)
			m.fallen++
			continue
		}
		source, _, _ := strings.Cut(c.URI, "/")
		cited := Citation{ID: c.ID, URI: c.URI, Quote: c.Quote, Start: c.Start, End: c.End, Page: library.Page(text, c.Start), Version: c.Version, Source: source}
		if p, is := m.pinOf(c); is {
			cited.Source, cited.NoteID = notes.Source, p.ID
			m.notePin(p)
		}
		stand = append(stand, cited)
	}
	return stand, fallen, nil
}

// citedDocument returns the text that a citation is checked against, and its version.
func (m *material) citedDocument(ctx context.Context, c answer.Citation, looked map[string]library.Looked) (text, version string, err error) {
	if c.URI == "" {
		var n int
		if _, err := fmt.Sscan(c.ID, &n); err != nil || n < 1 || n > len(m.given) {
			return "", "", library.ErrUnknown
		}
		return m.given[n-1], "", nil
	}
	at, known := looked[c.ID]
	if !known {
		if at, err = m.env.Documents.LookUp(ctx, c.ID); err != nil {
			return "", "", err
		}
		looked[c.ID] = at
	}
	if at.Changed || at.URI != c.URI {
		return "", "", library.ErrUnknown
	}
	return at.Text, at.Version, nil
}

// tries is how often a text is composed again without failed citations.
const tries = 4

// composeStanding composes a text from the passages, repeatedly without failed citations until all citations hold.
func (m *material) composeStanding(ctx context.Context, compose func([]answer.Passage) ([]answer.Citation, error)) ([]Citation, error) {
	passages := m.passages
	for range tries {
		cited, err := compose(passages)
		if err != nil {
			return nil, invalidInput(err.Error())
		}
		stand, fallen, err := m.checkCitations(ctx, cited)
		if err != nil {
			return nil, err
		}
		if len(fallen) == 0 {
			m.passages = passages
			return stand, nil
		}
		for _, c := range fallen {
			passages = withoutCitation(passages, c)
		}
	}
	m.passages = nil
	_, err := compose(nil)
	return []Citation{}, err
}
