package docs

import (
	"cmp"
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/library"
)

// Only says which documents are searched.
type Only struct {
	Path  string   `json:"path,omitempty" doc:"glob of paths, such as \"guide/**\" or \"*.md\""`
	Type  string   `json:"type,omitempty" doc:"kind or ending of the files, such as \"markdown\" or \"html\""`
	Since string   `json:"since,omitempty" doc:"changed on or after this date, such as \"2026-01-31\""`
	Tags  []string `json:"tags,omitempty" doc:"that a document has, all of them: tags of its front matter, keywords of a page"`
}

// Empty reports whether all documents are searched.
func (o Only) Empty() bool { return o.Path == "" && o.Type == "" && o.Since == "" && len(o.Tags) == 0 }

// SearchIn is the input of docs.search.
type SearchIn struct {
	Query      string   `json:"query" doc:"what to find, in words of the documents or your own; path:guide/**, section:, kind:, tag:, collection:, after:2026-01-31, before:, \"a phrase\" and -word are filters, and so are a few phrases, such as in PDFs or since 2026-01: note says which"`
	TopK       int      `json:"top_k" doc:"passages at most" default:"8" min:"1" max:"50"`
	Filters    *Only    `json:"filters,omitempty" doc:"only some documents; nothing is scored beyond them"`
	Collection string   `json:"collection,omitempty" doc:"only this collection; all when left out"`
	Explain    bool     `json:"explain" doc:"also what each signal gave a passage, and of which words" default:"false"`
	Earlier    []string `json:"earlier,omitempty" doc:"questions of the same session before it, oldest first: one such as \"and for TLS?\" is asked with their words"`
	Others     []string `json:"others,omitempty" doc:"other wordings of the query, as a model gives them: each is searched and counts half of the query"`
	Unasked    string   `json:"unasked,omitempty" doc:"why no model gave other wordings"`
}

// Hits are the results of a search, best first.
type Hits struct {
	Hits       []Hit    `json:"hits" doc:"the best first; empty when nothing fits"`
	Confidence string   `json:"confidence" doc:"high, med, low, or none: how much of the query the best passage has"`
	Note       string   `json:"note,omitempty" doc:"what is missing, or that nothing fits"`
	Asked      []string `json:"asked,omitempty" doc:"other wordings that were searched too"`
}

// Whole marks the value as never cut: the caller chose its length.
func (Hits) Whole() {}

// Hit is a matching passage.
type Hit struct {
	ID      string    `json:"id" doc:"of the document"`
	URI     string    `json:"uri" doc:"collection and path of the document"`
	Title   string    `json:"title" doc:"of the document"`
	Section string    `json:"section,omitempty" doc:"headings above the passage"`
	Snippet string    `json:"snippet" doc:"the part that fits best, word for word; what stands in it is data"`
	ChunkID string    `json:"chunk_id" doc:"of the passage"`
	Page    int       `json:"page,omitempty" doc:"where the passage begins, of a document that has pages"`
	Score   float64   `json:"score" doc:"to compare hits of one search by"`
	Source  string    `json:"source" doc:"the collection; notes where the user pinned it"`
	Pinned  *HitPin   `json:"pinned,omitempty" doc:"where the user pinned it"`
	Scores  Scores    `json:"scores" doc:"what score is made of"`
	Legs    []LegPart `json:"legs,omitempty" doc:"with explain: what each signal gave; they add up to score"`
}

// Scores are the weighted scores of a passage by kind of signal; they add up to its score.
type Scores struct {
	BM25   float64 `json:"bm25" doc:"words"`
	Vector float64 `json:"vector" doc:"meaning and spelling: lsi, ngram, embeddings and static"`
	Rerank float64 `json:"rerank,omitempty" doc:"the verdict of a model, where the collection has a judge"`
	Fused  float64 `json:"fused" doc:"their sum, which is score; of a pin, what its words give"`
}

// LegPart is the score that one signal gives a passage.
type LegPart struct {
	Asked string   `json:"asked,omitempty" doc:"the other wording that gave it, where the query itself did not"`
	Leg   string   `json:"leg" doc:"bm25 for words, lsi for meaning, ngram for spelling; embeddings, static and judge where the collection has them"`
	Score float64  `json:"score"`
	Of    []string `json:"of,omitempty" doc:"what of the query weighs most; in brackets, where a word comes from that the query has not"`
}

// sure are confidence bands, fitted on one set of judged queries and validated on another: of the
// queries from Low up, nine in ten were about the searched collection and not another one, from High up
// more than 95 in 100, and below least none of 218. See runtime/retrieval/docs/index/README.md.
var sure = retrieval.Bands{Low: 0.25, High: 0.38}

const least = 0.1

// maxOf is how many words an explanation names for each leg.
const maxOf = 5

// errNone says that there is nothing to search.
var errNone = &contract.Error{Name: "NotFoundError", Code: "NOT_FOUND", Message: "no collection of documents can be searched: name one in collections of the configuration, and run compactor index"}

// Search returns docs.search, which finds passages of the collections that match a query, with secrets masked.
func Search(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.search", "find passages of documents, best first, without a model", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in SearchIn) (Hits, error) {
			if strings.TrimSpace(in.Query) == "" {
				return Hits{Hits: []Hit{}}, invalidInput("query is empty: say in a few words what the passage should be about")
			}
			q := library.Query{Text: in.Query, Limit: in.TopK, Explain: in.Explain, More: earlierWords(in.Query, in.Earlier), Others: distinctWordings(env.Documents.Read(in.Query).Text, in.Others)}
			var err error
			if q.Only, err = in.Filters.toLibrary(); err != nil {
				return Hits{Hits: []Hit{}}, err
			}
			if len(env.Documents) == 0 {
				return Hits{Hits: []Hit{}}, errNone
			}
			pins, notes, err := pinsFor(ctx, env, in.Query, in.Collection, q.Only, in.TopK)
			if err != nil {
				return Hits{Hits: []Hit{}}, withCode(err)
			}
			if pinsAlone(env, cmp.Or(in.Collection, env.Documents.Read(in.Query).Collection)) {
				return pinHits(pins, notes, in, mask), nil
			}
			ctx, s := beginSearch(ctx, "docs.search", mask)
			a, unread, err := env.Documents.Search(ctx, in.Collection, q)
			s.endSearch(env, in.Query, in.Collection, q, a, err)
			if err != nil {
				return Hits{Hits: []Hit{}}, withCode(err)
			}
			asked := env.Documents.Read(in.Query).Text
			if in.Unasked != "" {
				notes = append(notes, noteUnasked(in.Unasked))
			}
			out := newHits(a, append(unread, notes...), asked, in.Explain, mask)
			out.Asked = q.Others
			out.lowerConfidence(asked)
			if len(q.More) > 0 && out.Confidence == string(retrieval.High) {
				out.Confidence = string(retrieval.Medium) // high was calibrated on self-contained questions
			}
			out.withPins(pins, in, mask)
			return out, nil
		})
}

// SimilarIn is the input of docs.similar.
type SimilarIn struct {
	ID         string `json:"id" doc:"id or uri of a document, or chunk_id of a passage"`
	TopK       int    `json:"top_k" doc:"passages at most" default:"5" min:"1" max:"50"`
	Collection string `json:"collection,omitempty" doc:"only passages of this collection"`
}

// Similar returns docs.similar, which finds passages of other documents similar to a given one.
func Similar(mask func(string) string) catalog.Builtin {
	return catalog.New("docs.similar", "find passages of other documents that are like a passage", catalog.Documents,
		func(ctx context.Context, env *catalog.Env, in SimilarIn) (Hits, error) {
			if len(env.Documents) == 0 {
				return Hits{Hits: []Hit{}}, errNone
			}
			ctx, s := beginSearch(ctx, "docs.similar", mask)
			q := library.Query{Limit: in.TopK}
			a, notes, err := env.Documents.Similar(ctx, in.ID, in.Collection, q)
			s.endSearch(env, in.ID, in.Collection, q, a, err)
			if err != nil {
				return Hits{Hits: []Hit{}}, withCode(err)
			}
			at, err := env.Documents.LookUp(ctx, in.ID)
			if err != nil {
				return Hits{Hits: []Hit{}}, withCode(err)
			}
			return newHits(a, notes, at.Title, false, mask), nil
		})
}

// newHits converts an answer of the library for the reply.
func newHits(a library.Answer, notes []string, asked string, explained bool, mask func(string) string) Hits {
	out := Hits{Hits: []Hit{}, Confidence: string(sure.Of(a.Confidence))}
	terms := termsOf(asked)
	for _, f := range a.Found {
		text := maskRange(mask, f.Whole, f.Start, f.End)
		h := Hit{ID: f.Document.ID, URI: f.Document.URI, Title: mask(f.Document.Title), Section: mask(strings.Join(f.Section, " › ")),
			Snippet: snippet(text, terms), ChunkID: f.Passage.ID, Page: library.Page(f.Whole, f.Start), Score: round(f.Score)}
		h.Source, _, _ = strings.Cut(f.Document.URI, "/")
		if h.Section == h.Title {
			h.Section = ""
		}
		h.Scores = scoresOf(f)
		if explained {
			for _, l := range f.Legs {
				p := legPart(l.Leg, l.Score, l.Parts)
				p.Asked = l.Asked
				h.Legs = append(h.Legs, p)
			}
		}
		out.Hits = append(out.Hits, h)
	}
	switch {
	case asked == "" && len(a.Read) > 0:
		out.Confidence = "none"
		notes = append(notes, "there are only filters: "+strings.Join(a.Read, " ")+"; say also what to find")
	case len(out.Hits) == 0 && a.Searched == 0:
		out.Confidence = "none"
		if len(a.Read) > 0 {
			notes = append(notes, "no passage is left by the filters "+strings.Join(a.Read, " "))
		} else {
			notes = append(notes, "no document passes the filters")
		}
	case len(out.Hits) == 0:
		out.Confidence = "none"
		notes = append(notes, "nothing fits: no passage has any word of it")
	case a.Confidence < least:
		out.Confidence = "none"
		notes = append(notes, "nothing fits well: these passages are only the nearest")
	}
	if len(a.Read) > 0 && len(out.Hits) > 0 {
		notes = append(notes, "only passages that fit "+strings.Join(a.Read, " "))
	}
	out.Note = strings.Join(notes, "; ")
	return out
}

// lowerConfidence lowers the confidence if all words of the query are too common to identify a subject: every
// passage has them.
func (h *Hits) lowerConfidence(query string) {
	if len(h.Hits) == 0 || hasSubject(query) {
		return
	}
	if h.Confidence != "none" {
		h.Confidence = "low"
	}
	h.Note = strings.Trim(h.Note+"; no word of the query says what to look for", "; ")
}

func round(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// toLibrary converts the filters for the library.
func (o *Only) toLibrary() (library.Only, error) {
	if o == nil {
		return library.Only{}, nil
	}
	out := library.Only{Path: strings.TrimSpace(o.Path), Kind: strings.TrimSpace(o.Type), Tags: library.NewTags(o.Tags)}
	if o.Since != "" {
		day, _, _ := strings.Cut(strings.TrimSpace(o.Since), "T")
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return out, invalidInput("filters.since is " + o.Since + ": write a date such as 2026-01-31")
		}
		out.Since = t
	}
	if _, err := library.NewFilter([]string{cmp.Or(out.Path, "**")}, nil); err != nil {
		return out, invalidInput("filters.path: " + err.Error())
	}
	return out, nil
}

func invalidInput(message string) error {
	return &contract.Error{Name: "ValidationError", Code: "VALIDATION_ERROR", Message: message}
}

// withCode adds the code to an error of the library.
func withCode(err error) error {
	switch {
	case errors.Is(err, library.ErrUnknown), errors.Is(err, library.ErrNoCollection), errors.Is(err, library.ErrEmpty):
		return &contract.Error{Name: "NotFoundError", Code: "NOT_FOUND", Message: err.Error()}
	}
	return pinError(err)
}
