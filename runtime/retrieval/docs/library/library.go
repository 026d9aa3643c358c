package library

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/index"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/query"
	"github.com/compactor-mcp/compactor/runtime/retrieval/docs/rerank"
)

// Library finds passages of one collection. It is safe for concurrent use. It keeps in memory the
// index of the version that was used last.
type Library struct {
	shelf  Shelf
	mu     sync.Mutex
	loaded *loaded
}

// Open returns a library of the collection on a shelf. The caller closes the shelf.
func Open(s Shelf) *Library { return &Library{shelf: s} }

// loaded is one version in memory.
type loaded struct {
	number  uint64 // identifies this load
	version string
	index   *index.Index
	learnt  string // name of the space
	space   *index.Space
	docs    []Document     // by address
	byID    map[string]int // places in docs
	mu      sync.Mutex
	tables  map[string]table  // of vectors, by the id of their tier
	seen    map[string]string // marks of tiers that were used, by their ids
}

// Query is a search.
type Query struct {
	Text    string
	Limit   int
	Weights index.Weights // nil for those of the index
	Only    Only
	Explain bool
	Whole   bool         // do not parse filters from the text, which no person typed
	More    []index.More // words that are searched for in addition
	Others  []string     // other wordings of the text, with the same filters
	Tiers   []Tier       // of vectors, in addition to the legs of the index
	Expand  index.Expansion
	Judge   *rerank.Judge // of the best passages; nil for none
	Results *Results      // of earlier searches; nil for none

	filters query.Query // parsed from the text
	read    bool        // whether the filters were parsed
}

// Only selects documents before anything is scored.
type Only struct {
	Path  string    // glob of addresses, or of paths below the collection; "" for all
	Kind  string    // of the extractor, or the extension such as "md"; "" for all
	Since time.Time // earliest last change; zero for all
	Tags  Tags      // tags that a document must have
	not   string    // id of a document that is left out
}

// Found is a passage with its score.
type Found struct {
	Passage
	Score float64
	Legs  []index.LegScore

	number int // of the passage in the index
}

// Answer is the result of a search, best first.
type Answer struct {
	Version    string
	Found      []Found
	Confidence float64  // 0..1: how much of the question the best passage has
	Searched   int      // number of passages searched
	Read       []string // filters that were parsed from the question
	Notes      []string // signals that took no part, and why

	partial bool // a wording was left out
}

// selectPassages returns the set of passages of the selected documents, nil for all, and their number.
func (at *loaded) selectPassages(o Only) (*index.Set, int, error) {
	if o == (Only{}) {
		return nil, at.index.Len(), nil
	}
	f := Filter{}
	if o.Path != "" {
		var err error
		if f, err = NewFilter([]string{o.Path}, nil); err != nil {
			return nil, 0, err
		}
	}
	set, n := index.NewSet(at.index.Len()), 0
	for _, d := range at.docs {
		if !o.takes(d, f) {
			continue
		}
		for p := d.First; p < d.First+d.Chunks; p++ {
			set.Add(p)
		}
		n += d.Chunks
	}
	return set, n, nil
}

func (o Only) takes(d Document, f Filter) bool {
	_, below, _ := strings.Cut(d.URI, "/")
	ending := strings.TrimPrefix(strings.ToLower(path.Ext(d.URI)), ".")
	kind := strings.TrimPrefix(strings.ToLower(o.Kind), ".")
	switch {
	case d.ID == o.not,
		kind != "" && kind != d.Kind && kind != ending,
		!o.Since.IsZero() && d.Modified.Before(o.Since),
		!d.Tags.Has(o.Tags):
		return false
	}
	return o.Path == "" || f.Takes(d.URI) || f.Takes(below)
}

// documentOf returns the document of a passage, and the passage's number there.
func (at *loaded) documentOf(number int) (Document, int) {
	i := sort.Search(len(at.docs), func(i int) bool { return at.docs[i].First > number }) - 1
	return at.docs[i], number - at.docs[i].First
}

func passageOf(d Document, c Content, n int) (Passage, error) {
	if n >= len(c.Chunks) {
		return Passage{}, fmt.Errorf("%s has no passage %d: %w", d.URI, n, ErrUnknown)
	}
	k := c.Chunks[n]
	return Passage{ID: passageID(d, n), Document: d, Title: k.Title, Section: k.Section, Text: c.Text[k.Start:k.End], Start: k.Start, End: k.End, Whole: c.Text}, nil
}

// Looked is a document with its text, or one of its passages.
type Looked struct {
	Document
	Text    string // of the whole document
	Passage *Passage
	Changed bool // the requested passage is of another version
}

// LookUp returns a document by its id or address, or by the id of a passage. It returns ErrUnknown
// if it finds nothing.
func (l *Library) LookUp(ctx context.Context, name string) (out Looked, err error) {
	err = l.view(ctx, func(v View, at *loaded) error {
		d, mark, n, ok := at.findDocument(name)
		if !ok {
			return ErrUnknown
		}
		c, err := v.Content(ctx, d.Content)
		if err != nil {
			return err
		}
		out = Looked{Document: d, Text: c.Text}
		if mark == "" {
			return nil
		}
		if out.Changed = mark != d.Content[:markDigits]; out.Changed {
			return nil
		}
		p, err := passageOf(d, c, n)
		out.Passage = &p
		return err
	})
	return out, err
}

// findDocument returns the document that a name means, and the mark and number of the passage, if any.
func (at *loaded) findDocument(name string) (d Document, mark string, n int, ok bool) {
	name = strings.TrimSpace(name)
	if id, mark, n, ok := parseID(name); ok {
		if i, known := at.byID[id]; known {
			return at.docs[i], mark, n, true
		}
	}
	clean := strings.TrimPrefix(path.Clean("/"+name), "/")
	for _, d := range at.docs {
		_, below, _ := strings.Cut(d.URI, "/")
		if d.URI == clean || below == clean {
			return d, "", 0, true
		}
	}
	return d, "", 0, false
}

// asked is the length in bytes of the text by which similar passages are found.
const asked = 2 << 10

// similarText returns the text by which passages similar to the looked up one are found: the passage,
// or the beginning of the document.
func (l Looked) similarText() string {
	text := l.Text
	if l.Passage != nil {
		text = strings.Join(l.Passage.Section, "\n") + "\n" + l.Passage.Text
	}
	return l.Title + "\n" + strings.ToValidUTF8(text[:min(len(text), asked)], "")
}

// Documents lists the documents by address.
func (l *Library) Documents(ctx context.Context) (out []Document, err error) {
	err = l.view(ctx, func(_ View, at *loaded) error {
		out = slices.Clone(at.docs)
		return nil
	})
	return out, err
}

// ErrEmpty reports that nothing was indexed yet.
var ErrEmpty = errors.New("the collection is not indexed yet")

// view calls see with the current version and its index, which is read if it has changed.
func (l *Library) view(ctx context.Context, see func(View, *loaded) error) error {
	return l.shelf.View(ctx, func(v View) error {
		at, err := l.load(ctx, v)
		if err != nil {
			return err
		}
		return see(v, at)
	})
}

// load returns the current version in memory. One goroutine reads it, the others wait.
func (l *Library) load(ctx context.Context, v View) (*loaded, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := v.Version()
	if name == "" {
		return nil, ErrEmpty
	}
	space, err := v.Space(ctx)
	if err != nil {
		return nil, err
	}
	if l.loaded != nil && l.loaded.version == name && l.loaded.learnt == space.Name {
		return l.loaded, nil
	}
	at := &loaded{number: loads.Add(1), version: name, learnt: space.Name, byID: map[string]int{}}
	if at.docs, err = v.Documents(ctx); err != nil {
		return nil, err
	}
	numberPassages(at.docs)
	if err := at.assembleIndex(ctx, v, l.loaded); err != nil {
		return nil, err
	}
	passages := 0
	for i, d := range at.docs {
		at.byID[d.ID] = i
		passages += d.Chunks
	}
	if passages != at.index.Len() {
		return nil, fmt.Errorf("%w: it has %d passages and the documents %d", index.ErrDamaged, at.index.Len(), passages)
	}
	l.loaded = at
	return at, nil
}

// assembleIndex assembles the index of a version. Groups that the previous version has in memory are taken
// from there, and only segments with other groups are read.
func (at *loaded) assembleIndex(ctx context.Context, v View, before *loaded) error {
	segments, err := v.Segments(ctx, false)
	if err != nil {
		return err
	}
	want := groupsOf(groupBlocks(at.docs))
	left := map[index.Name]bool{}
	for _, g := range want {
		left[g.Name] = true
	}
	var from []index.Source
	if before != nil && before.learnt == at.learnt {
		from, at.space = append(from, before.index), before.space
		for _, g := range before.index.Groups() {
			delete(left, g.Name)
		}
	} else if at.space, err = readSpace(ctx, v); err != nil {
		return err
	}
	for _, s := range segments {
		groups, err := index.ReadGroups(s.Groups)
		if err != nil {
			return err
		}
		some := false
		for _, g := range groups {
			some = some || left[g.Name]
			delete(left, g.Name)
		}
		if !some {
			continue
		}
		segment, err := readSegment(ctx, v, s)
		if err != nil {
			return err
		}
		from = append(from, segment)
	}
	if len(left) > 0 && len(left) == len(want) { // the names are those of another recipe
		return index.ErrVersion
	}
	at.index, err = index.Assemble(index.Default(), want, at.space, from...)
	return err
}

func readSpace(ctx context.Context, v View) (*index.Space, error) {
	data, err := v.Part(ctx, "", SpacePart)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	return index.ReadSpace(data)
}

// readSegment reads all parts of a segment.
func readSegment(ctx context.Context, v View, s Segment) (*index.Segment, error) {
	var parts [3][]byte
	for i, name := range []string{WordsPart, GramsPart, VectorsPart} {
		var err error
		if parts[i], err = v.Part(ctx, s.Name, name); err != nil {
			return nil, err
		}
	}
	out, err := index.ReadSegment(index.Packed{Groups: s.Groups, Words: parts[0], Grams: parts[1]})
	if err != nil {
		return nil, err
	}
	return out, out.SetVectors(parts[2])
}
