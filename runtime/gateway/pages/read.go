package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/gateway/pages/within"
)

// Want says which part of a kept result to read: a page, a range of lines or items, the matches of a query, or the
// value at a JSON path.
type Want struct {
	ID                 string // may include a page number, as in notes
	Page               int
	Range, Query, Path string
}

// Read returns a part of a kept result, as a result within the limits. If the session has no such result, or the
// request is invalid, the error says what to do.
func (k *Keeper) Read(ctx context.Context, w Want, b Bounds) (json.RawMessage, error) {
	id, digits, _ := strings.Cut(w.ID, pageMark)
	r, lost := k.findKept(ctx, b.Session, id)
	if r == nil || b.May != nil && !b.May(r.Server, r.Tool) {
		return nil, notKept(id, lost)
	}
	look, err := w.lookFor()
	if err != nil {
		return nil, err
	}
	if look != nil {
		return k.readPart(ctx, r, look, b)
	}
	number := 1
	if n, err := strconv.Atoi(digits); err == nil {
		number = n
	}
	if w.Page != 0 {
		number = w.Page
	}
	return k.readPage(ctx, r, number, b)
}

// look reads a part of a result; nil for a page.
type look func(*within.Source, func(string) bool) (within.Part, error)

// lookFor returns how to read what is wanted. Some models fill in all fields: page 1 then counts as little as an empty
// path.
func (w Want) lookFor() (look, error) {
	var looks []look
	if text := strings.TrimSpace(w.Range); text != "" {
		looks = append(looks, func(s *within.Source, fits func(string) bool) (within.Part, error) { return s.Range(text, fits) })
	}
	if text := strings.TrimSpace(w.Query); text != "" {
		looks = append(looks, withoutMarks(func(s *within.Source, fits func(string) bool) (within.Part, error) { return s.Find(text, fits) }))
	}
	if text := strings.TrimSpace(w.Path); text != "" {
		looks = append(looks, withoutMarks(func(s *within.Source, _ func(string) bool) (within.Part, error) { return s.Path(text) }))
	}
	switch {
	case len(looks) > 1 || len(looks) == 1 && w.Page > 1:
		return nil, wrongWant(errors.New("give one of page, range, query and path"))
	case len(looks) == 1:
		return looks[0], nil
	}
	return nil, nil
}

// withoutMarks removes our note marks from a look's text: inside JSON they were not on lines of their own.
func withoutMarks(l look) look {
	return func(s *within.Source, fits func(string) bool) (within.Part, error) {
		part, err := l(s, fits)
		part.Text = sanitize.Unmarked(part.Text)
		return part, err
	}
}

// wrongWant returns the error for a request that cannot be read.
func wrongWant(err error) error {
	return &contract.Error{Name: "ValidationError", Code: CodeWrongWant, Message: err.Error()}
}

// readPart applies a look to the original of a kept result.
func (k *Keeper) readPart(ctx context.Context, r *kept, look look, b Bounds) (json.RawMessage, error) {
	b.Tokens = cmp.Or(b.Tokens, usualTokens)
	part, err := look(source(r.Original), tokenBudget(b.pageTokens()-noteTokens))
	if err != nil {
		return nil, wrongWant(err)
	}
	raw := rawjson.Join([]rawjson.Member{{Name: "content", Value: rawjson.List([]json.RawMessage{TextBlock(part.Text)})}})
	b.Server, b.Tool = r.Server, r.Tool
	whole := b
	whole.Tokens = max(1, b.Tokens-noteTokens)
	if k.crowdsOriginal(len(raw)) {
		whole.More = ""
	}
	if raw, err = k.Fit(ctx, raw, whole); err != nil {
		return nil, err
	}
	members, err := rawjson.Members(raw)
	if err != nil || part.Note == "" {
		return raw, err
	}
	text := "[compactor: " + sanitize.Brief(part.Note, noteLength)
	if part.Next != "" && b.More != "" {
		text += ". Next: " + b.More + " " + string(rawjson.Join([]rawjson.Member{{Name: "id", Value: rawjson.Quote(r.ID)}, {Name: "range", Value: rawjson.Quote(part.Next)}}))
	}
	note(members, text+"]")
	return rawjson.Join(members), nil
}

// noteLength limits the part of a note that comes from the result, in characters: names in it do.
const noteLength = 160

// crowdsOriginal reports whether a copy of that size would leave too little room for its original.
func (k *Keeper) crowdsOriginal(bytes int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return int64(bytes) > k.max/4
}

// tokenBudget returns a function that reports whether the next text still fits into limit tokens in all.
func tokenBudget(limit int) func(string) bool {
	return func(text string) bool {
		if limit <= 0 || len(text) > limit*longToken {
			limit = 0
			return false
		}
		limit -= tokens.Count(text)
		return limit >= 0
	}
}

// shownOf returns the blocks of a result that a model reads: its content, else its structured content, else the raw
// text as a whole.
func shownOf(raw json.RawMessage) []json.RawMessage {
	if content := rawjson.Get(raw, "content"); content != nil {
		if blocks := blocksOf(content); len(blocks) > 0 {
			return blocks
		}
	}
	if value := rawjson.Get(raw, "structuredContent"); value != nil {
		return []json.RawMessage{TextBlock(string(value))}
	}
	return []json.RawMessage{TextBlock(string(raw))}
}

// source opens the original of a result for searching.
func source(raw json.RawMessage) *within.Source {
	var texts []string
	for _, block := range shownOf(raw) {
		if text, wrap := textOf(block); wrap != nil {
			texts = append(texts, text)
		} else if !isData(block) {
			texts = append(texts, string(block))
		}
	}
	return within.Open(texts, rawjson.Get(raw, "structuredContent"))
}

// notKept returns the error for an id without a result, with advice.
func notKept(id string, lost *loss) error {
	message := "no result of this session is kept as " + strconv.Quote(sanitize.Cut(id, 40))
	switch {
	case lost == nil:
	case lost.life > 0:
		message = "result " + sanitize.Cut(cleanID(id), 40) + " is kept no more: it was kept for " + formatDuration(lost.life)
	default:
		message = "result " + sanitize.Cut(cleanID(id), 40) + " is kept no more: newer results took its room"
	}
	return &contract.Error{Name: "NotFoundError", Code: CodeNotKept, Message: message + "; call the tool again, with narrower arguments where it takes any"}
}

// formatDuration formats a duration as in the configuration: 15m, not 15m0s.
func formatDuration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// readPage returns a page of a kept result.
func (k *Keeper) readPage(ctx context.Context, r *kept, number int, b Bounds) (json.RawMessage, error) {
	r, err := k.withPages(ctx, r, b)
	if err != nil {
		return nil, err
	}
	if number < 1 || number > len(r.pages) {
		return nil, &contract.Error{Name: "NotFoundError", Code: CodeNotKept, Message: fmt.Sprintf("result %s has the pages 1 to %d", r.ID, len(r.pages))}
	}
	return rawjson.Join([]rawjson.Member{{Name: "content", Value: rawjson.List(r.pageBlocks(number, b.More))}}), nil
}

// withPages returns a result with its pages: a result that was kept whole is cut when its first page is read.
func (k *Keeper) withPages(ctx context.Context, r *kept, b Bounds) (*kept, error) {
	k.mu.Lock()
	cut := *r
	k.mu.Unlock()
	if cut.pages != nil {
		return &cut, nil
	}
	cut.blocks = shownOf(r.Original)
	var err error
	if cut.pages, cut.total, err = split(ctx, cut.blocks, b.pageTokens()); err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if now, ok := k.kept.Peek(r.ID); ok && now == r {
		more := int64(len(cut.blocks)) * bytesPerBlock
		for _, p := range cut.pages {
			more += int64(len(p)) * bytesPerPart
		}
		r.blocks, r.pages, r.total, r.bytes = cut.blocks, cut.pages, cut.total, r.bytes+more
		k.bytes += more
		k.trim()
	}
	return &cut, nil
}
