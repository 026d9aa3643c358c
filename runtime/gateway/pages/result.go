package pages

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/contract"
	"github.com/compactor-mcp/compactor/runtime/quote"
	"github.com/compactor-mcp/compactor/runtime/rawjson"
	"github.com/compactor-mcp/compactor/runtime/tokens"
)

// CodeNotKept is the code of a page that is not there.
const CodeNotKept = "RESULT_NOT_FOUND"

// pageMark stands between the id of a result and the number of a page: one name
// for both is all that a small model has to copy.
const pageMark = "-"

// noteTokens is what the note under a page may have.
const noteTokens = 60

// Bounds say what of a result may leave at once.
type Bounds struct {
	Session string          // whose call it was
	Tokens  int             // of text at most; 0 for no bound
	More    string          // name of the tool that reads a page; "" where there is none
	Output  json.RawMessage // schema that the client holds structured content against; nil for none
}

// Fit is the result of a tool call within its bounds: as it is, or its first page.
func (k *Keeper) Fit(raw json.RawMessage, b Bounds) json.RawMessage {
	if b.Tokens <= 0 || len(raw) <= b.Tokens { // a token has at least one byte
		return raw
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		return raw
	}
	out := make([]rawjson.Member, 0, len(members))
	cut := false
	for _, m := range members {
		if m.Name == "content" {
			value, over := k.content(m.Value, b)
			m.Value, cut = value, cut || over
		}
		out = append(out, m)
	}
	out, shrunk := structured(out, b)
	if shrunk && !cut {
		note(out, "[compactor: structured content of over "+strconv.Itoa(b.Tokens)+" tokens was cut or left out; the text is whole]")
	}
	if !cut && !shrunk {
		return raw
	}
	return rawjson.Join(out)
}

// content is the first page of a result's content, where it is over the bound.
func (k *Keeper) content(raw json.RawMessage, b Bounds) (json.RawMessage, bool) {
	blocks, err := rawjson.Items(raw)
	if err != nil { // no list: some clients show it all the same
		blocks = []json.RawMessage{raw}
	}
	pages, total := split(blocks, max(1, b.Tokens-noteTokens))
	if total <= b.Tokens || len(pages) < 2 {
		return raw, false
	}
	r := &kept{session: b.Session, pages: pages, total: total}
	if b.More != "" {
		r.id = k.keep(r)
	}
	return array(r.blocks(1, b.More)), true
}

// Page is the page of a result that the note before it named, as a result of its
// own. The error says what to do where the session has no such page.
func (k *Keeper) Page(session, name, more string) (json.RawMessage, error) {
	id, digits, _ := strings.Cut(name, pageMark)
	number, err := strconv.Atoi(digits)
	if err != nil {
		number = 1
	}
	r := k.get(session, id)
	if r == nil {
		return nil, &contract.Error{Name: "NotFoundError", Code: CodeNotKept,
			Message: "no result of this session is kept as " + strconv.Quote(quote.Cut(id, 40)) + "; call the tool again, with narrower arguments where it takes any"}
	}
	if number < 1 || number > len(r.pages) {
		return nil, &contract.Error{Name: "NotFoundError", Code: CodeNotKept, Message: fmt.Sprintf("result %s has the pages 1 to %d", r.id, len(r.pages))}
	}
	return rawjson.Join([]rawjson.Member{{Name: "content", Value: array(r.blocks(number, more))}}), nil
}

// blocks are those of one page, and the note that leads to the next.
func (r *kept) blocks(number int, more string) page {
	p := append(page{}, r.pages[number-1]...)
	return append(p, textBlock(r.note(number, more)))
}

func (r *kept) note(number int, more string) string {
	text := fmt.Sprintf("[compactor: page %d of %d, %d tokens in all", number, len(r.pages), r.total)
	switch {
	case r.id == "":
		return text + ". The rest is not kept: call the tool again with narrower arguments]"
	case number == len(r.pages):
		return text + "]"
	}
	return text + ". Next: " + more + " " + `{"id":"` + r.id + pageMark + strconv.Itoa(number+1) + `"}]`
}

// note adds a text to the content of a result.
func note(members []rawjson.Member, text string) {
	for i, m := range members {
		if m.Name != "content" {
			continue
		}
		if blocks, err := rawjson.Items(m.Value); err == nil {
			members[i].Value = array(append(blocks, textBlock(text)))
		}
	}
}

func textBlock(text string) json.RawMessage {
	return rawjson.Join([]rawjson.Member{{Name: "type", Value: rawjson.Quote("text")}, {Name: "text", Value: rawjson.Quote(text)}})
}

func array(blocks []json.RawMessage) json.RawMessage {
	out := []byte{'['}
	for i, b := range blocks {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, b...)
	}
	return append(out, ']')
}

// structured bounds structured content. A client that was given a schema wants it
// all the same: then it is cut as the schema allows, else it goes, for the text
// says the same.
func structured(members []rawjson.Member, b Bounds) (out []rawjson.Member, changed bool) {
	for _, m := range members {
		if m.Name != "structuredContent" || len(m.Value) <= b.Tokens || tokens.Fits(string(m.Value), b.Tokens) {
			out = append(out, m)
			continue
		}
		if b.Output == nil {
			changed = true
			continue
		}
		value := shrink(m.Value, b.Output, b.Tokens)
		changed = changed || len(value) < len(m.Value)
		m.Value = value
		out = append(out, m)
	}
	return out, changed
}
