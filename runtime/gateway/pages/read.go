package pages

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/rawjson"
)

// Want says what of a kept result is read: one of its pages, a range of its lines
// or items, what a query finds in it, or what a JSON path leads to.
type Want struct {
	ID                 string // may name a page too, as notes do
	Page               int
	Range, Query, Path string
}

// Read is a part of a kept result, as a result of its own within the bounds. The
// error says what to do where the session has no such result, or that nothing.
func (k *Keeper) Read(w Want, b Bounds) (json.RawMessage, error) {
	id, digits, _ := strings.Cut(w.ID, pageMark)
	r, lost := k.get(b.Session, id)
	if r == nil {
		return nil, notKept(id, lost)
	}
	number := 1
	if n, err := strconv.Atoi(digits); err == nil {
		number = n
	}
	if w.Page != 0 {
		number = w.Page
	}
	return k.readPage(r, number, b)
}

// notKept says that there is nothing under an id, and what to do.
func notKept(id string, lost *loss) error {
	message := "no result of this session is kept as " + strconv.Quote(quote.Cut(id, 40))
	switch {
	case lost == nil:
	case lost.life > 0:
		message = "result " + quote.Cut(spelled(id), 40) + " is kept no more: it was kept for " + spell(lost.life)
	default:
		message = "result " + quote.Cut(spelled(id), 40) + " is kept no more: newer results took its room"
	}
	return &contract.Error{Name: "NotFoundError", Code: CodeNotKept, Message: message + "; call the tool again, with narrower arguments where it takes any"}
}

// spell is a time as a configuration has it: 15m, not 15m0s.
func spell(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

// readPage is a page of a kept result.
func (k *Keeper) readPage(r *kept, number int, b Bounds) (json.RawMessage, error) {
	r = k.paged(r, b)
	if number < 1 || number > len(r.pages) {
		return nil, &contract.Error{Name: "NotFoundError", Code: CodeNotKept, Message: fmt.Sprintf("result %s has the pages 1 to %d", r.ID, len(r.pages))}
	}
	return rawjson.Join([]rawjson.Member{{Name: "content", Value: array(r.page(number, b.More))}}), nil
}

// paged is a result with its pages: one that was kept whole is cut when its first
// page is asked for.
func (k *Keeper) paged(r *kept, b Bounds) *kept {
	k.mu.Lock()
	cut := *r
	k.mu.Unlock()
	if cut.pages != nil {
		return &cut
	}
	cut.blocks = blocksOf(rawjson.Get(r.Original, "content"))
	cut.pages, cut.total = split(cut.blocks, b.page())
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
	return &cut
}
