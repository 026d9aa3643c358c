package agent

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/event"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

const (
	shortenLeast = 100 // tokens of room; a text that must be shorter says nothing
	shortenTries = 5   // the number of tokens in a text is known only afterwards
)

// shortNote follows a text that was shortened.
const shortNote = "\n(made short; ask for less, or for what comes after)"

// resultText returns the text of a masked result for the model, in at most room tokens: all of it, the output of the role's
// shortening builtin, or its beginning if that fails. cut reports that it is not all.
func (e *toolLoop) resultText(ctx context.Context, c *call, text string, raw json.RawMessage, room int) (shown string, cut bool) {
	beginning, cut := fitText(text, room)
	if t, known := e.findTool(c.name); !cut || !known || t.builtin.Caps&catalog.Paging != 0 || e.role.Shorten.Name == "" {
		return beginning, cut
	}
	text, note := pageNote(text)
	left := room - sizeOf(shortNote) - sizeOf(note)
	most := left
	for range shortenTries {
		if most < shortenLeast {
			break
		}
		short, ok := e.shortenText(ctx, c, text, most)
		if !ok {
			break
		}
		used := sizeOf(short)
		if used <= left {
			shown = short + alsoAt(short, refsOf(raw), left-used) + note + shortNote
			e.saysShort(ctx, c, text, shown)
			return shown, true
		}
		most = min(most*left/used, most*9/10)
	}
	return beginning, cut
}

// saysShort emits an event that a tool's result was shortened for the role's model, and by which builtin.
func (e *toolLoop) saysShort(ctx context.Context, c *call, whole, shown string) {
	event.Emit(ctx, event.Event{Kind: event.Cut, Name: "result", Role: e.role.Name, Tool: c.name, Bytes: len(shown), Message: "result made short for a role",
		Attrs: []slog.Attr{slog.Int("original_tokens", model.Estimate(whole)), slog.Int("summary_tokens", model.Estimate(shown)), slog.String("by", e.role.Shorten.Name)}})
}

// pageNote splits off the line that says how to read the next page of a result.
func pageNote(text string) (rest, note string) {
	text = strings.TrimRight(text, "\n")
	const begins, longest = "\n[compactor: ", 400
	if i := strings.LastIndex(text, begins); i >= 0 && len(text)-i < longest && strings.HasSuffix(text, "]") {
		return text[:i], text[i:]
	}
	return text, ""
}

// envOf returns the environment of a tool. Results of upstream servers come whole if they
// are shortened here, unless the role reads them page by page.
func (e *toolLoop) envOf() *catalog.Env {
	paging := func(g plan.Grant) bool { return g.Builtin.Caps&catalog.Paging != 0 }
	if e.env.Upstreams == nil || e.role.Shorten.Name == "" || slices.ContainsFunc(e.role.Tools, paging) {
		return e.env
	}
	env := *e.env
	env.Upstreams = env.Upstreams.PassThrough()
	return &env
}

// sizeOf counts the tokens of a text as fitText does: line by line, with the cost of fencing.
func sizeOf(text string) (n int) {
	for line := range strings.Lines(text) {
		n += model.Estimate(line) + 3
	}
	return n
}

// shortenText returns a text as shortened by the role's builtin, for the question and the
// arguments of the call.
func (e *toolLoop) shortenText(ctx context.Context, c *call, text string, most int) (string, bool) {
	b := e.role.Shorten
	input := map[string]any{"text": text, "tokens": most}
	if f := b.In.Field("task"); f != nil && f.Schema.Type == schema.String {
		input["task"] = e.question
	}
	if f := b.In.Field("arguments"); f != nil && f.Schema.Type == schema.Any {
		input["arguments"] = json.RawMessage(c.arguments)
	}
	out, err := runTool(ctx, b, e.env, input)
	if err != nil {
		return "", false
	}
	raw, err := json.Marshal(out)
	if err != nil {
		return "", false
	}
	short := strings.TrimSpace(e.mask(rawjson.GetText(raw, "text"))) // removing text may have joined parts of a secret
	return short, short != "" && len(short) < len(text)
}

// refsOf returns the places that a result names under "ref" and in "references", in
// order: the model may cite these.
func refsOf(raw json.RawMessage) (refs []string) {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	seen := map[string]bool{}
	add := func(v any) {
		if ref, ok := v.(string); ok && ref != "" && !strings.ContainsAny(ref, "\r\n") && !seen[ref] {
			seen[ref] = true
			refs = append(refs, ref)
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			add(v["ref"])
			list, _ := v["references"].([]any)
			for _, e := range list {
				add(e)
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				walk(v[key])
			}
		}
	}
	walk(v)
	return refs
}

// alsoAt formats a line with the places that a shortened text leaves out, as many as fit.
func alsoAt(short string, refs []string, room int) string {
	const begins = "\nAlso at: "
	room -= sizeOf(begins)
	var missing []string
	for _, ref := range refs {
		if containsRef(short, ref) {
			continue
		}
		if room -= model.Estimate(ref) + 2; room < 0 {
			break
		}
		missing = append(missing, ref)
	}
	if len(missing) == 0 {
		return ""
	}
	return begins + strings.Join(missing, ", ")
}

// containsRef reports whether a text contains a place; a.go:31 does not contain a.go:3.
func containsRef(text, ref string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], ref)
		if i < 0 {
			return false
		}
		from += i + len(ref)
		if from == len(text) || !isDigit(ref[len(ref)-1]) || !isDigit(text[from]) {
			return true
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// upstreamText returns the text of an upstream tool's result: its text content or,
// without any, its structured content.
func upstreamText(r contract.ToolResult) string {
	var texts []string
	items, _ := rawjson.Items(rawjson.Get(r.Raw, "content"))
	for _, item := range items {
		text := rawjson.GetText(item, "text")
		if text == "" {
			text = rawjson.GetText(rawjson.Get(item, "resource"), "text")
		}
		if text == "" {
			text = "(" + rawjson.GetText(item, "type") + " " + rawjson.GetText(item, "uri") + ")"
		}
		texts = append(texts, text)
	}
	if structured := rawjson.Get(r.Raw, "structuredContent"); len(texts) == 0 && structured != nil {
		texts = append(texts, string(structured))
	}
	if string(rawjson.Get(r.Raw, "isError")) == "true" {
		texts = append([]string{"the tool says that it failed:"}, texts...)
	}
	return strings.Join(texts, "\n")
}
