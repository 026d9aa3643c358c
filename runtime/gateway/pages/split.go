package pages

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// page is what stands on it of the blocks of a result.
type page []part

// part is a block, or so much of its text.
type part struct {
	block    int
	from, to int // bytes of the text; to is whole for the block as it is
}

const whole = -1

// What a part and a block take beside the result, in bytes.
const (
	bytesPerPart  = 24
	bytesPerBlock = 24
)

// laid is a page as blocks of the protocol.
func (p page) laid(blocks []json.RawMessage) []json.RawMessage {
	out := make([]json.RawMessage, 0, len(p)+1)
	for _, part := range p {
		block := blocks[part.block]
		if part.to == whole {
			out = append(out, block)
			continue
		}
		text, wrap := textOf(block)
		if wrap == nil {
			text, wrap = string(block), TextBlock
		}
		out = append(out, wrap(sanitize.UnmarkedPart(text, part.from, part.to)))
	}
	return out
}

// split cuts the blocks of a result into pages of at most limit tokens of text
// each. One page is what comes of blocks that fit. total is the tokens of all
// texts. The error is that of ctx, where it ends first.
func split(ctx context.Context, blocks []json.RawMessage, limit int) (pages []page, total int, err error) {
	s := splitter{ctx: ctx, limit: limit}
	for i, b := range blocks {
		text, wrap := textOf(b)
		if wrap == nil && !isData(b) { // a link, or what a later protocol has
			text = string(b)
		}
		n, err := countOf(ctx, text)
		if err != nil {
			return nil, 0, err
		}
		total += n
		switch {
		case n <= s.limit-s.used:
			s.now, s.used = append(s.now, part{i, 0, whole}), s.used+n
		case wrap == nil && n <= s.limit: // it has no text of its own that could be cut
			s.turn()
			s.now, s.used = append(s.now, part{i, 0, whole}), n
		default:
			if err := s.cut(i, text); err != nil {
				return nil, 0, err
			}
		}
	}
	s.turn()
	return s.done, total, nil
}

// countedAtOnce is how many tokens are counted before ctx is looked at again.
const countedAtOnce = 1 << 14

// countOf is tokens.Count for a text of any length.
func countOf(ctx context.Context, text string) (total int, err error) {
	for text != "" {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		size, n := tokens.Head(text, countedAtOnce)
		text, total = text[size:], total+n
	}
	return total, nil
}

// maxAround is how much a block may have around its text or its data, in bytes: it
// stands on each page of the text.
const maxAround = 2 << 10

// isData reports that a block is a picture, a sound or a file: no text that a
// model reads.
func isData(block json.RawMessage) bool {
	var b struct {
		Data     *string
		Resource struct{ Blob *string }
	}
	if json.Unmarshal(block, &b) != nil {
		return false
	}
	around := len(block)
	for _, data := range []*string{b.Data, b.Resource.Blob} {
		if data != nil {
			around -= len(*data)
		}
	}
	return around < len(block) && around <= maxAround
}

type splitter struct {
	ctx   context.Context
	limit int
	done  []page
	now   page
	used  int // tokens of the page at hand
}

// turn begins a new page.
func (s *splitter) turn() {
	if len(s.now) > 0 {
		s.done = append(s.done, s.now)
	}
	s.now, s.used = nil, 0
}

// cut lays the text of one block on as many pages as it takes.
func (s *splitter) cut(block int, text string) error {
	from, at := 0, 0
	put := func() {
		if at > from {
			s.now = append(s.now, part{block, from, at})
		}
		from = at
	}
	for at < len(text) {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		line, n := headOf(text[at:], s.limit)
		if n > s.limit-s.used && s.used > 0 {
			put()
			s.turn()
		}
		s.used += n
		at += len(line)
	}
	put()
	return nil
}

// longToken is what a token hardly ever has more of, in bytes.
const longToken = 16

// headOf is the first line of a text, or as much of it as has at most limit
// tokens: cut behind a space where there is one near, never inside a rune.
func headOf(text string, limit int) (head string, count int) {
	head = headOfText(text, min(len(text), limit*longToken))
	if end := strings.IndexByte(head, '\n') + 1; end > 0 {
		head = head[:end]
	}
	size, count := tokens.Head(head, limit)
	if size == len(head) {
		return head, count
	}
	if count < limit*3/4 { // a part of a long word
		more, n := partOf(head[size:], limit-count)
		size, count = size+more, count+n
	}
	if space := strings.LastIndexByte(head[:size], ' ') + 1; space > size*3/4 && space < size {
		if n := tokens.Count(head[:space]); n <= limit {
			size, count = space, n
		}
	}
	if _, first := utf8.DecodeRuneInString(text); size < first {
		return text[:first], tokens.Count(text[:first])
	}
	return head[:size], count
}

// partOf is how many bytes of a long word have at most limit tokens, nearly as many as
// there are, and how many tokens those are.
func partOf(word string, limit int) (size, count int) {
	for more := limit; more > 0 && more <= len(word); more *= 2 { // a token has at least one byte
		part := headOfText(word, more)
		if _, first := utf8.DecodeRuneInString(word); len(part) < first {
			continue
		}
		n := tokens.Count(part)
		if n > limit {
			break
		}
		size, count = len(part), n
	}
	return size, count
}

// textOf is the text of a block that a model reads, and how a part of it stands
// in its place; nil for a block without, or with more than that.
func textOf(block json.RawMessage) (text string, wrap func(string) json.RawMessage) {
	members, err := rawjson.Members(block)
	if err != nil {
		return "", nil
	}
	at := func(list []rawjson.Member, name string) int {
		for i, m := range list {
			if m.Name == name {
				return i
			}
		}
		return -1
	}
	if i := at(members, "text"); i >= 0 {
		if len(block)-len(members[i].Value) > maxAround {
			return "", nil
		}
		text, _ = rawjson.Text(members[i].Value)
		return text, func(part string) json.RawMessage { return with(members, i, rawjson.Quote(part)) }
	}
	i := at(members, "resource")
	if i < 0 || rawjson.Of(members[i].Value) != rawjson.Object {
		return "", nil
	}
	inner, _ := rawjson.Members(members[i].Value)
	j := at(inner, "text")
	if j < 0 || len(block)-len(inner[j].Value) > maxAround {
		return "", nil
	}
	text, _ = rawjson.Text(inner[j].Value)
	return text, func(part string) json.RawMessage { return with(members, i, with(inner, j, rawjson.Quote(part))) }
}

// with is an object with one value in place of another.
func with(members []rawjson.Member, i int, value json.RawMessage) json.RawMessage {
	out := append([]rawjson.Member{}, members...)
	out[i].Value = value
	return rawjson.Join(out)
}
