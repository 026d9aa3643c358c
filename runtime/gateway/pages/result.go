package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
)

// Error codes: for what does not exist, and for what cannot be read.
const (
	CodeNotKept   = "RESULT_NOT_FOUND"
	CodeWrongWant = "TOOL_VALIDATION_ERROR"
)

// pageMark separates a result's id from the number of a page: a single name for both is easier to copy for a small
// model.
const pageMark = "-"

// noteTokens is the space reserved for the note under a page.
const noteTokens = 60

// Bounds limit how much of a result is returned at once.
type Bounds struct {
	Session string // that made the call
	Server  string // the source of the result, for those who look at kept results
	Tool    string
	Tokens  int             // maximum of text; 0 for no limit
	More    string          // name of the tool that reads pages; "" if there is none
	Output  json.RawMessage // schema that the client validates structured content against; nil for none
	Cut     func(Kept)      // called for a result that was cut; may be nil
	// May reports whether a tool's kept results may be read; nil allows all.
	May func(server, tool string) bool
}

// Fit returns the result of a tool call within its limits: unchanged, or its first page. It returns ctx's error if ctx
// ends first.
func (k *Keeper) Fit(ctx context.Context, raw json.RawMessage, b Bounds) (json.RawMessage, error) {
	if b.Tokens <= 0 || len(raw) <= b.Tokens { // a token has at least one byte
		return raw, nil
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw, nil
	}
	out := make([]rawjson.Member, 0, len(members))
	cut := false
	for _, m := range members {
		if m.Name == "content" {
			value, over, err := k.fitContent(ctx, raw, m.Value, b)
			if err != nil {
				return nil, err
			}
			m.Value, cut = value, cut || over
		}
		out = append(out, m)
	}
	out, shrunk, err := boundStructured(ctx, out, b)
	if err != nil {
		return nil, err
	}
	if shrunk && !cut {
		note(out, "[compactor: structured content of over "+strconv.Itoa(b.Tokens)+" tokens was cut or left out; the text has what it says]")
	}
	if !cut && !shrunk {
		return raw, nil
	}
	return rawjson.Join(out), nil
}

// fitContent returns the first page of a result's content if that is over the limit.
func (k *Keeper) fitContent(ctx context.Context, raw, content json.RawMessage, b Bounds) (json.RawMessage, bool, error) {
	blocks := blocksOf(content)
	pages, total, err := split(ctx, blocks, b.pageTokens())
	if err != nil || total <= b.Tokens || len(pages) < 2 {
		return content, false, err
	}
	r := &kept{Kept: Kept{Server: b.Server, Tool: b.Tool, Original: raw, OriginalTokens: total}, session: b.Session, blocks: blocks, pages: pages, total: total}
	if b.More != "" {
		r.ID = k.keepShared(r)
	}
	if b.Cut != nil {
		b.Cut(r.Kept)
	}
	return rawjson.List(r.pageBlocks(1, b.More)), true, nil
}

// blocksOf returns the blocks of a result's content.
func blocksOf(content json.RawMessage) []json.RawMessage {
	blocks, err := rawjson.Items(content)
	if err != nil { // not a list: some clients show it anyway
		return []json.RawMessage{content}
	}
	return blocks
}

// usualTokens limits a read if the configuration sets no limit.
const usualTokens = 8000

// pageTokens returns the tokens of text that a page may have.
func (b Bounds) pageTokens() int { return max(1, cmp.Or(b.Tokens, usualTokens)-noteTokens) }

// pageBlocks returns one page as blocks, with the note that leads to the next.
func (r *kept) pageBlocks(number int, more string) []json.RawMessage {
	return append(r.pages[number-1].toBlocks(r.blocks), TextBlock(r.note(number, more)))
}

func (r *kept) note(number int, more string) string {
	text := fmt.Sprintf("[compactor: page %d of %d, %d tokens in all", number, len(r.pages), r.total)
	switch {
	case r.ID == "":
		return text + ". The rest is not kept: call the tool again with narrower arguments]"
	case number == len(r.pages):
		return text + "]"
	}
	return text + ". Next: " + more + " " + `{"id":"` + r.ID + pageMark + strconv.Itoa(number+1) + `"}]`
}

// note appends a text to the content of a result.
func note(members []rawjson.Member, text string) {
	for i, m := range members {
		if m.Name != "content" {
			continue
		}
		if blocks, err := rawjson.Items(m.Value); err == nil {
			members[i].Value = rawjson.List(append(blocks, TextBlock(text)))
		}
	}
}

// WithNote appends a text to the content of a result.
func WithNote(raw json.RawMessage, text string) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	note(members, text)
	return rawjson.Join(members)
}

// TextBlock returns a text as a content block.
func TextBlock(text string) json.RawMessage {
	return rawjson.Join([]rawjson.Member{{Name: "type", Value: rawjson.Quote("text")}, {Name: "text", Value: rawjson.Quote(text)}})
}

// boundStructured limits structured content. If the client was given a schema, it expects the content anyway: it is then
// shortened as the schema allows; otherwise it is dropped, because the text says the same.
func boundStructured(ctx context.Context, members []rawjson.Member, b Bounds) (out []rawjson.Member, changed bool, err error) {
	for _, m := range members {
		if m.Name != "structuredContent" || len(m.Value) <= b.Tokens || tokens.Fits(string(m.Value), b.Tokens) {
			out = append(out, m)
			continue
		}
		if b.Output == nil {
			changed = true
			continue
		}
		value, err := shrink(ctx, m.Value, b.Output, b.Tokens)
		if err != nil {
			return nil, false, err
		}
		changed = changed || len(value) < len(m.Value)
		m.Value = value
		out = append(out, m)
	}
	return out, changed, nil
}
