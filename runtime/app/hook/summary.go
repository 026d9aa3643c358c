package hook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/tokens"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// measured is a result with what is known of its size.
type measured struct {
	gateway.Result
	tokens int // of "server.tool: result"
}

// exactBytes is up to where tokens are counted one by one: beyond, an estimate does.
const exactBytes = 1 << 20

// count measures a result. The estimate is never too low, so that what it finds
// short needs no exact count, and no joined text to count.
func (m *measured) count() {
	name := m.Server + "." + m.Tool + ": "
	size := len(name)
	m.tokens = tokens.Estimate(name)
	for _, text := range textsOf(m.Raw) {
		m.tokens += tokens.Estimate(text) + 1 // the break behind it
		size += len(text) + 1
	}
	if s := m.Summaries; s != nil && m.tokens > s.Threshold && size <= exactBytes {
		m.tokens = tokens.Count(name + textOf(m.Raw))
	}
}

// input is what a hook's condition reads. The result is decoded only for one that
// reads it: most results are short and pass.
func (m *measured) input(h *plan.Hook) (map[string]any, error) {
	in := map[string]any{"server": m.Server, "tool": m.Tool, "tokens": m.tokens, "summarization": nil, "most": 0}
	if s := m.Summaries; s != nil {
		in["summarization"] = map[string]any{"size_threshold_tokens": s.Threshold, "summary_max_token_limit": s.Limit}
		in["most"] = max(s.Limit-m.noteRoom(), s.Limit/2)
	}
	if h.When == nil {
		return in, nil
	}
	return m.add(in, h.When.Sees)
}

// add puts in what is large, as far as it is read.
func (m *measured) add(in map[string]any, reads func(string) bool) (map[string]any, error) {
	for name, raw := range map[string]json.RawMessage{"result": m.Raw, "arguments": m.Args, "schema": m.Schema} {
		if raw == nil || !reads(name) || in[name] != nil {
			continue
		}
		if name == "arguments" && m.Masked != nil {
			if raw = m.Masked(raw); rawjson.Of(raw) != rawjson.Object { // too much to be masked
				raw = json.RawMessage("{}")
			}
		}
		var err error
		if in[name], err = exact(raw); err != nil {
			return nil, err
		}
	}
	if reads("raw") {
		in["raw"] = string(m.Raw)
	}
	return in, nil
}

// textOf joins the texts of a result.
func textOf(raw json.RawMessage) string { return strings.Join(textsOf(raw), "\n") }

// textsOf are the texts of a result; where it has none, its structured content.
func textsOf(raw json.RawMessage) (out []string) {
	items, _ := rawjson.Items(rawjson.Get(raw, "content"))
	for _, item := range items {
		text := rawjson.GetText(item, "text")
		if text == "" {
			text = rawjson.GetText(rawjson.Get(item, "resource"), "text")
		}
		if text != "" {
			out = append(out, text)
		}
	}
	if out == nil {
		return []string{string(rawjson.Get(raw, "structuredContent"))}
	}
	return out
}

// NoteTokens are what the line under a summary may have, where nothing is left out but text.
const NoteTokens = 36

// What the line has more where it says that something else is left out.
const (
	ofStructured = 10
	ofBlocks     = 14
)

// noteRoom is what the line under a summary may have.
func (m *measured) noteRoom() int {
	room := NoteTokens
	if m.tokens <= m.Summaries.Threshold { // there will be none
		return room
	}
	if rawjson.Get(m.Raw, "structuredContent") != nil {
		room += ofStructured
	}
	if _, left := besides(m.Raw); left > 0 {
		room += ofBlocks
	}
	return room
}

// made is what a pipeline gives in place of a long result.
type made struct {
	Text       *string         `json:"text"`
	Structured json.RawMessage `json:"structured"`
	By         string          `json:"by"`
	Said       string          `json:"said"`
}

// shaped is a result with what a hook made of it. What takes the place of a result
// that had to be short says so, and where the whole one is kept.
func (m *measured) shaped(value any) (gateway.Hooked, error) {
	if m.Summaries == nil {
		raw, err := asResult(value, m.Raw)
		return gateway.Hooked{Raw: raw}, err
	}
	by := made{By: "hook"}
	if text, ok := value.(string); ok {
		by.Text = &text
	} else if raw, err := json.Marshal(value); err != nil {
		return gateway.Hooked{}, err
	} else if json.Unmarshal(raw, &by) != nil || by.Text == nil {
		raw, err := asResult(value, m.Raw)
		return gateway.Hooked{Raw: raw}, err
	}
	if strings.TrimSpace(*by.Text) == "" {
		return gateway.Hooked{}, errors.New("its output is empty")
	}
	// No line of the result is taken for the note under it, and none speaks to a model's template.
	harmless := sanitize.Text(sanitize.Unmarked(strings.ReplaceAll(*by.Text, noteBegins, "(compactor: ")))
	by.Text = &harmless
	return m.summarized(by), nil
}

// noteBegins is what our notes begin with.
const noteBegins = "[compactor: "

// given is what stands in place of a result that nothing could be made of.
func (m *measured) given(why string) gateway.Hooked {
	text := fmt.Sprintf(noteBegins+"this result has about %d tokens and could not be made short: %s]", m.tokens, why)
	return m.summarized(made{Text: &text, By: "none"})
}

// summarized is a result with a short text in place of its texts. What is no text
// stays; whether the tool failed stays too.
func (m *measured) summarized(by made) gateway.Hooked {
	id, more := "", ""
	if m.Keep != nil {
		id, more = m.Keep()
	}
	beside, left := besides(m.Raw)
	text := strings.TrimRight(*by.Text, "\n") + "\n" + m.note(id, more, by, left)
	s := gateway.Summary{ID: id, Original: m.tokens, Threshold: m.Summaries.Threshold, Tokens: tokens.Count(text), At: m.Now().UTC().Truncate(time.Second), By: by.By, Said: by.Said}
	said, _ := json.Marshal(s)
	return gateway.Hooked{Raw: put(m.Raw, text, beside, by.Structured, said), Summary: &s}
}

func (m *measured) note(id, more string, by made, left int) string {
	dropped := ""
	if by.Structured == nil && rawjson.Get(m.Raw, "structuredContent") != nil {
		dropped = "; its structured content is left out"
	}
	if left > 0 {
		dropped += fmt.Sprintf("; %d blocks without text are left out", left)
	}
	if id == "" {
		return fmt.Sprintf(noteBegins+"shortened from %d tokens%s]", m.tokens, dropped)
	}
	return fmt.Sprintf(noteBegins+"shortened from %d tokens%s. All of it: %s {\"id\":\"%s\",\"query\":\"…\"}]", m.tokens, dropped, more, id)
}

// put replaces the texts and the structured content of a result, and says in _meta
// and beside the content what was done.
func put(raw json.RawMessage, text string, beside []json.RawMessage, structured, said json.RawMessage) json.RawMessage {
	members, _ := rawjson.Members(raw) // an object: it was decoded before
	out := make([]rawjson.Member, 0, len(members)+2)
	meta := []rawjson.Member{}
	for _, m := range members {
		switch m.Name {
		case "content":
			m.Value = withText(text, beside)
		case "structuredContent":
			if structured == nil {
				continue
			}
			m.Value = structured
		case "_meta":
			meta, _ = rawjson.Members(m.Value)
			continue
		case gateway.SummaryMember:
			continue
		}
		out = append(out, m)
	}
	meta = append(meta, rawjson.Member{Name: gateway.SummaryMember, Value: said})
	return rawjson.Join(append(out, rawjson.Member{Name: "_meta", Value: rawjson.Join(meta)}, rawjson.Member{Name: gateway.SummaryMember, Value: said}))
}

// withText is content of one text and what stands beside it.
func withText(text string, beside []json.RawMessage) json.RawMessage {
	block := rawjson.Join([]rawjson.Member{{Name: "type", Value: rawjson.Quote("text")}, {Name: "text", Value: rawjson.Quote(text)}})
	out := append([]byte{'['}, block...)
	for _, item := range beside {
		out = append(append(out, ','), item...)
	}
	return append(out, ']')
}

// What stays beside a short text of pictures, links and what else has no text.
const (
	maxBeside   = 32       // blocks
	bytesBeside = 16 << 10 // of a block without data, which a model reads
)

// besides are the blocks of a result that have no text, as many as may stay, and how
// many more there are.
func besides(raw json.RawMessage) (stay []json.RawMessage, left int) {
	items, _ := rawjson.Items(rawjson.Get(raw, "content"))
	room := bytesBeside
	for _, item := range items {
		if rawjson.GetText(item, "text") != "" || rawjson.GetText(rawjson.Get(item, "resource"), "text") != "" {
			continue
		}
		size := len(item) - len(rawjson.Get(item, "data")) - len(rawjson.Get(rawjson.Get(item, "resource"), "blob"))
		if len(stay) == maxBeside || size > room {
			left++
			continue
		}
		room -= size
		stay = append(stay, item)
	}
	return stay, left
}
