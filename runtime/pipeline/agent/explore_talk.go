package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/model"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/task"
)

// talk is the conversation of an exploration. It is kept as calls and results and written
// out again for each request: as tool calls of the protocol, or as text for a model or
// server without them. What the model thought before its calls is not sent back.
type talk struct {
	system, question string
	native           bool
	turns            []turnTaken
}

// turnTaken is what the model said in one turn, with the results.
type turnTaken struct {
	text  string // apart from the calls
	calls []*call
}

// call is one call that a model made.
type call struct {
	id        string
	name      string // of the tool; if there is no such tool, as written
	raw       map[string]any
	bad       string // why the arguments are unusable
	arguments string // JSON, repaired
	result    string // fenced
	tokens    int    // of the result
	left      bool   // the result is omitted from the conversation
}

const exploreRules = fence.Rule + `
You look around before the question is put to you again. Search for names and words with the tools, then open the places that matter. Call only these tools. Once you have seen the place that answers, call nothing: name one to three places as path:line, best first, and nothing else.`

const leftOut = "(result left out)"

// newTalk returns the conversation before the first turn.
func (e *toolLoop) newTalk(list []task.Candidate) talk {
	var heads []string
	room := e.window / 16
	for i, c := range list {
		head := task.HeadOf(i, c)
		if room -= model.Estimate(head) + 2; room < 0 {
			break
		}
		heads = append(heads, head)
	}
	question := "Question: " + task.Shortened(e.question, e.window/16)
	if len(heads) > 0 {
		question += "\n\nFound so far:\n" + fence.Wrap(strings.Join(heads, "\n"), e.question)
	}
	return talk{system: e.systemPrompt() + "\n" + exploreRules, question: question,
		native: !e.info.CanTell || slices.Contains(e.info.Can, model.CanTools)}
}

// buildRequest builds the conversation so that it fits the window together with a reply of out
// tokens: the oldest results are dropped to make room. It also returns the number of tokens.
func (e *toolLoop) buildRequest(out int) (model.Request, int, error) {
	req := e.renderMessages(out)
	in := e.gate.Estimate(req)
	if in+out <= e.window {
		return req, in, nil
	}
	for _, t := range e.talk.turns {
		for _, c := range t.calls {
			if c.left {
				continue
			}
			c.left = true
			// Drop more than is needed at once: a server loses its cached prefix after the first change.
			if in -= c.tokens; in+out > e.window*3/4 {
				continue
			}
			req = e.renderMessages(out)
			if in = e.gate.Estimate(req); in+out <= e.window*3/4 {
				return req, in, nil
			}
		}
	}
	req = e.renderMessages(out)
	if in = e.gate.Estimate(req); in+out <= e.window {
		return req, in, nil
	}
	return req, in, tooSmall(e.gate, e.window-out)
}

// renderMessages renders the conversation as messages.
func (e *toolLoop) renderMessages(out int) model.Request {
	t := &e.talk
	req := model.Request{MaxTokens: out, Messages: []model.Message{
		{Role: model.System, Content: e.mask(t.system)}, {Role: model.User, Content: e.mask(t.question)}}}
	if t.native {
		for _, tool := range e.tools {
			req.Tools = append(req.Tools, model.Tool{Name: tool.name, Description: tool.builtin.Doc, Parameters: tool.builtin.In.JSON()})
		}
	} else {
		req.Messages[0].Content += "\n" + inWords(e.tools)
	}
	for _, turn := range t.turns {
		if t.native {
			req.Messages = append(req.Messages, turn.nativeMessages()...)
		} else {
			req.Messages = append(req.Messages, turn.textMessages()...)
		}
	}
	return req
}

// nativeMessages renders a turn as tool calls of the protocol.
func (t turnTaken) nativeMessages() []model.Message {
	said := model.Message{Role: model.Assistant, Content: t.text}
	out := []model.Message{said}
	for _, c := range t.calls {
		out[0].Calls = append(out[0].Calls, model.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments})
		out = append(out, model.Message{Role: model.ToolRole, CallID: c.id, Tool: c.name, Content: c.resultText()})
	}
	return out
}

// textMessages renders a turn as text: the calls in the requested form, and the results as the
// user's turn, because some templates require that the two alternate.
func (t turnTaken) textMessages() []model.Message {
	var calls, results []string
	for _, c := range t.calls {
		calls = append(calls, fmt.Sprintf(`{"name": %q, "arguments": %s}`, c.name, c.arguments))
		results = append(results, fmt.Sprintf("Result of %s %s:\n%s", c.name, c.arguments, c.resultText()))
	}
	return []model.Message{{Role: model.Assistant, Content: strings.Join(calls, "\n")},
		{Role: model.User, Content: strings.Join(results, "\n\n")}}
}

func (c *call) resultText() string {
	if c.left {
		return leftOut
	}
	return c.result
}

// callsMost limits the calls of one turn.
const callsMost = 8

// readCalls extracts the calls from a reply, both protocol calls and those that the model wrote as text.
func (e *toolLoop) readCalls(said *model.Reply) turnTaken {
	var next turnTaken
	rung := reply.Clean
	for _, c := range said.Calls {
		raw, bad := parseArguments(c.Arguments)
		next.calls = append(next.calls, &call{name: e.toolNamed(c.Name), raw: raw, bad: bad})
	}
	next.text = reply.FindCalls(said.Content, nil).Rest // without thoughts
	if len(next.calls) == 0 {
		found := reply.FindCalls(said.Text(), namesOf(e.tools))
		for _, c := range found.Calls {
			next.calls = append(next.calls, &call{name: c.Name, raw: c.Arguments})
		}
		for _, name := range found.Unknown {
			next.calls = append(next.calls, &call{name: e.toolNamed(name), raw: map[string]any{}})
		}
		next.text, rung = found.Rest, reply.Stripped
	}
	next.text = cleanRemark(e.mask(next.text))
	next.calls = next.calls[:min(len(next.calls), callsMost)]
	e.env.Tally.Add(func(u *catalog.ModelUse) { u.Answered(said.Model, string(rung)) })
	return next
}

// cleanRemark returns the model's text apart from its calls, in the form in which it is sent back.
func cleanRemark(text string) string {
	text = sanitize.Neutral(strings.ToValidUTF8(text, ""))
	if !strings.ContainsFunc(text, unicode.IsLetter) { // left over from the calls' own syntax
		return ""
	}
	const most = 400
	for i := range text {
		if i >= most {
			return text[:i]
		}
	}
	return text
}

// parseArguments decodes the arguments of a call, which may be JSON in a string.
func parseArguments(text string) (map[string]any, string) {
	for range 3 {
		var v any
		if strings.TrimSpace(text) == "" || strings.TrimSpace(text) == "null" {
			return map[string]any{}, ""
		}
		if json.Unmarshal([]byte(text), &v) != nil {
			break
		}
		switch v := v.(type) {
		case map[string]any:
			return v, ""
		case string:
			text = v
			continue
		}
		return nil, "the arguments are no object"
	}
	// Incomplete JSON is read by the code that reads calls in text.
	const name = "x"
	if calls, _ := reply.Calls(`<tool_call>{"name":"`+name+`","arguments":`+text, []string{name}); len(calls) == 1 && len(calls[0].Arguments) > 0 {
		return calls[0].Arguments, ""
	}
	return nil, "the arguments are no JSON"
}

var unsafeName = lazyregexp.New(`[^A-Za-z0-9_.-]+`)

// safeName returns a name that is safe to send back, whatever the model wrote.
func safeName(name string) string {
	name = unsafeName.ReplaceAllString(name, "_")
	if name == "" {
		return "_"
	}
	return name[:min(len(name), 40)]
}
