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

// sizedResult is a result with its size.
type sizedResult struct {
	gateway.Result
	tokens int // of "server.tool: result"
}

// exactBytes is the size up to which tokens are counted exactly; beyond it they are estimated.
const exactBytes = 1 << 20

// countTokens measures a result. The estimate is never too low, so a result that it finds
// short needs neither an exact count nor a joined text.
func (m *sizedResult) countTokens() {
	name := m.Server + "." + m.Tool + ": "
	size := len(name)
	m.tokens = tokens.Estimate(name)
	for _, text := range textsOf(m.Raw) {
		m.tokens += tokens.Estimate(text) + 1 // the line break after it
		size += len(text) + 1
	}
	if s := m.Summaries; s != nil && m.tokens > s.Threshold && size <= exactBytes {
		m.tokens = tokens.Count(name + textOf(m.Raw))
	}
}

// conditionInput returns the variables of the hook's condition. The result is decoded only if
// the condition reads it: most results are short and pass.
func (m *sizedResult) conditionInput(h *plan.Hook) (map[string]any, error) {
	in := map[string]any{"server": m.Server, "tool": m.Tool, "tokens": m.tokens, "summarization": nil, "most": 0}
	if s := m.Summaries; s != nil {
		in["summarization"] = map[string]any{"size_threshold_tokens": s.Threshold, "summary_max_token_limit": s.Limit}
		in["most"] = max(s.Limit-m.noteRoom(), s.Limit/2)
	}
	if h.When == nil {
		return in, nil
	}
	return m.addLarge(in, h.When.Sees)
}

// addLarge adds the large variables that are read.
func (m *sizedResult) addLarge(in map[string]any, reads func(string) bool) (map[string]any, error) {
	for name, raw := range map[string]json.RawMessage{"result": m.Raw, "arguments": m.Args, "schema": m.Schema} {
		if raw == nil || !reads(name) || in[name] != nil {
			continue
		}
		if name == "arguments" && m.Masked != nil {
			if raw = m.Masked(raw); rawjson.Of(raw) != rawjson.Object { // too large to be masked
				raw = json.RawMessage("{}")
			}
		}
		var err error
		if in[name], err = decodeExact(raw); err != nil {
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

// textsOf returns the texts of a result, or else its structured content.
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

// NoteTokens is the size of the line under a summary if only text was left out.
const NoteTokens = 36

// Additional tokens if the line mentions other omissions.
const (
	ofStructured = 10
	ofBlocks     = 14
)

// noteRoom returns the tokens reserved for the line under a summary.
func (m *sizedResult) noteRoom() int {
	room := NoteTokens
	if m.tokens <= m.Summaries.Threshold { // no line is added
		return room
	}
	if rawjson.Get(m.Raw, "structuredContent") != nil {
		room += ofStructured
	}
	if _, left := otherBlocks(m.Raw); left > 0 {
		room += ofBlocks
	}
	return room
}

// hookResult is the output of a pipeline that replaces a long result.
type hookResult struct {
	Text       *string         `json:"text"`
	Structured json.RawMessage `json:"structured"`
	By         string          `json:"by"`
	Said       string          `json:"said"`
}

// applyOutput applies the output of a hook to the result. The replacement of a result that
// had to be shortened is marked as such and names the place of the full result.
func (m *sizedResult) applyOutput(value any) (gateway.HookResult, error) {
	if m.Summaries == nil {
		raw, err := asResult(value, m.Raw)
		return gateway.HookResult{Raw: raw}, err
	}
	by := hookResult{By: "hook"}
	if text, ok := value.(string); ok {
		by.Text = &text
	} else if raw, err := json.Marshal(value); err != nil {
		return gateway.HookResult{}, err
	} else if json.Unmarshal(raw, &by) != nil || by.Text == nil {
		raw, err := asResult(value, m.Raw)
		return gateway.HookResult{Raw: raw}, err
	}
	if strings.TrimSpace(*by.Text) == "" {
		return gateway.HookResult{}, errors.New("its output is empty")
	}
	// No line of the result may pass for the note under it, or contain control tokens of a chat template.
	harmless := sanitize.Text(sanitize.Unmarked(strings.ReplaceAll(*by.Text, noteBegins, "(compactor: ")))
	by.Text = &harmless
	return m.withSummary(by), nil
}

// noteBegins is the beginning of our notes.
const noteBegins = "[compactor: "

// failureNote returns the replacement of a result that could not be shortened.
func (m *sizedResult) failureNote(why string) gateway.HookResult {
	text := fmt.Sprintf(noteBegins+"this result has about %d tokens and could not be made short: %s]", m.tokens, why)
	return m.withSummary(hookResult{Text: &text, By: "none"})
}

// withSummary replaces the texts of the result with a short one. Blocks without text and
// the error flag stay.
func (m *sizedResult) withSummary(by hookResult) gateway.HookResult {
	id, more := "", ""
	if m.Keep != nil {
		id, more = m.Keep()
	}
	beside, left := otherBlocks(m.Raw)
	text := strings.TrimRight(*by.Text, "\n") + "\n" + m.note(id, more, by, left)
	s := gateway.Summary{ID: id, Original: m.tokens, Threshold: m.Summaries.Threshold, Tokens: tokens.Count(text), At: m.Now().UTC().Truncate(time.Second), By: by.By, Said: by.Said}
	said, _ := json.Marshal(s)
	return gateway.HookResult{Raw: putSummary(m.Raw, text, beside, by.Structured, said), Summary: &s}
}

func (m *sizedResult) note(id, more string, by hookResult, left int) string {
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

// putSummary replaces the texts and the structured content of a result, and stores said, a JSON
// gateway.Summary, in _meta and as a top-level member.
func putSummary(raw json.RawMessage, text string, beside []json.RawMessage, structured, said json.RawMessage) json.RawMessage {
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

// withText returns content with one text block, followed by other blocks.
func withText(text string, beside []json.RawMessage) json.RawMessage {
	block := rawjson.Join([]rawjson.Member{{Name: "type", Value: rawjson.Quote("text")}, {Name: "text", Value: rawjson.Quote(text)}})
	out := append([]byte{'['}, block...)
	for _, item := range beside {
		out = append(append(out, ','), item...)
	}
	return append(out, ']')
}

// Limits for pictures, links and other blocks without text that stay next to a short text.
const (
	maxBeside   = 32       // blocks
	bytesBeside = 16 << 10 // total without their data; a model reads these
)

// otherBlocks returns the blocks without text that may stay, and the number of those that
// exceed the limits.
func otherBlocks(raw json.RawMessage) (stay []json.RawMessage, left int) {
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
