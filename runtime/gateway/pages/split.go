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

// page lists the parts of a result's blocks on a page.
type page []part

// part is a block, or a part of its text.
type part struct {
	block    int
	from, to int // bytes of the text; to is whole for an unchanged block
}

const whole = -1

// Memory for a part and a block in addition to the result, in bytes.
const (
	bytesPerPart  = 24
	bytesPerBlock = 24
)

// toBlocks returns a page as blocks of the protocol.
func (p page) toBlocks(blocks []json.RawMessage) []json.RawMessage {
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

// split cuts the blocks of a result into pages of at most limit tokens of text each. Blocks that fit yield one page.
// total is the number of tokens of all texts. It returns ctx's error if ctx ends first.
func split(ctx context.Context, blocks []json.RawMessage, limit int) (pages []page, total int, err error) {
	s := splitter{ctx: ctx, limit: limit}
	for i, b := range blocks {
		text, wrap := textOf(b)
		if wrap == nil && !isData(b) { // a link, or a type from a later protocol version
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
			s.newPage()
			s.now, s.used = append(s.now, part{i, 0, whole}), n
		default:
			if err := s.cut(i, text); err != nil {
				return nil, 0, err
			}
		}
	}
	s.newPage()
	return s.done, total, nil
}

// countedAtOnce is how many tokens are counted between checks of ctx.
const countedAtOnce = 1 << 14

// countOf counts the tokens of a text of any length.
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

// maxAround limits the bytes of a block around its text or data: they are repeated on each page of the text.
const maxAround = 2 << 10

// isData reports whether a block is an image, a sound or a file, with no text for a model to read.
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
	used  int // tokens of the current page
}

// newPage begins a new page.
func (s *splitter) newPage() {
	if len(s.now) > 0 {
		s.done = append(s.done, s.now)
	}
	s.now, s.used = nil, 0
}

// cut spreads the text of one block over as many pages as needed.
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
			s.newPage()
		}
		s.used += n
		at += len(line)
	}
	put()
	return nil
}

// longToken is a length in bytes that tokens hardly ever exceed.
const longToken = 16

// headOf returns the first line of a text, or its start of at most limit tokens: cut after a space if there is one
// nearby, never inside a rune.
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

// partOf returns a number of bytes of a long word that has at most limit tokens, close to the maximum, and the number
// of those tokens.
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

// textOf returns the text of a block, and a function that puts a part in its place; nil if the block has no text, or
// too much around it.
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

// with returns an object with one value replaced.
func with(members []rawjson.Member, i int, value json.RawMessage) json.RawMessage {
	out := append([]rawjson.Member{}, members...)
	out[i].Value = value
	return rawjson.Join(out)
}
