package openai

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// chunk is a piece of an answer, or an entire one. Unknown members are ignored, and so
// are unexpected types where that is harmless.
type chunk struct {
	Model   loose           `json:"model"`
	Choices []choice        `json:"choices"`
	Usage   json.RawMessage `json:"usage"`
	Error   json.RawMessage `json:"error"`
	Object  loose           `json:"object"`
	Message loose           `json:"message"`
}

type choice struct {
	Index   int    `json:"index"`
	Delta   *piece `json:"delta"`
	Message *piece `json:"message"` // of an answer that is not streamed
	Finish  loose  `json:"finish_reason"`
}

type piece struct {
	Content   text       `json:"content"`
	Thinking  text       `json:"reasoning_content"`
	Reasoning text       `json:"reasoning"`
	Calls     []callPart `json:"tool_calls"`
}

type callPart struct {
	Index    *int  `json:"index"`
	ID       loose `json:"id"`
	Function struct {
		Name      loose     `json:"name"`
		Arguments arguments `json:"arguments"`
	} `json:"function"`
}

// loose is a string, or "" for any other JSON value.
type loose string

func (l *loose) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) == nil {
		*l = loose(s)
	}
	return nil
}

// text is a string, nothing, or a list of parts with texts.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if data[0] != '[' {
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*t = text(s)
		return nil
	}
	var parts []struct {
		Text loose `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*t += text(p.Text)
	}
	return nil
}

// arguments is a string according to the protocol, but an object on some servers.
type arguments string

func (a *arguments) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(a))
	}
	if string(data) != "null" {
		*a = arguments(data)
	}
	return nil
}

type wireUsage struct {
	In      int `json:"prompt_tokens"`
	Out     int `json:"completion_tokens"`
	Details struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// gathered is a reply that is still arriving.
type gathered struct {
	model              string
	content, reasoning strings.Builder
	calls              []*gatheredCall
	byIndex            map[int]*gatheredCall
	finish             string
	Usage              model.Usage
}

type gatheredCall struct {
	id, name  string
	arguments strings.Builder
}

// isBlank reports whether nothing was generated.
func (g *gathered) isBlank() bool {
	return g.content.Len() == 0 && g.reasoning.Len() == 0 && len(g.calls) == 0
}

// readEvent handles one JSON object from the server.
func (r *reading) readEvent(data []byte) error {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return &model.Error{Kind: model.Broken, Message: "the reply does not follow the protocol: " + sanitize.OneLine(string(data), maxText), Err: err}
	}
	if len(c.Error) > 0 && string(c.Error) != "null" {
		return classifyFailure(200, parseFailure(data))
	}
	if c.Choices == nil && c.Message != "" && c.Object == "error" {
		return classifyFailure(200, parseFailure(data))
	}
	r.seen = r.seen || c.Choices != nil
	if err := r.checkIdentity(string(c.Model)); err != nil {
		return err
	}
	r.reply.addUsage(c.Usage)
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if err := r.readChoice(choice); err != nil {
			return err
		}
	}
	return nil
}

// checkIdentity checks, once, which model answers: LM Studio lets another loaded model
// answer for one that it does not have.
func (r *reading) checkIdentity(answers string) error {
	if answers == "" || r.named {
		return nil
	}
	r.named, r.reply.model = true, answers
	if r.asked == "" || sameModel(r.asked, answers) {
		return nil
	}
	return &model.Error{
		Kind:    model.Wrong,
		Message: fmt.Sprintf("%s was asked and %s answered", r.asked, answers),
		Do:      fmt.Sprintf("load %s at the server, or write model: %q in the configuration", r.asked, answers),
	}
}

func (r *reading) readChoice(c choice) error {
	for _, p := range []*piece{c.Delta, c.Message} {
		if p == nil {
			continue
		}
		d := model.Delta{Text: string(p.Content), Reasoning: string(p.Thinking)}
		if d.Reasoning == "" { // some servers send both members, with the same text
			d.Reasoning = string(p.Reasoning)
		}
		r.deliver(d, len(p.Calls) > 0)
		if !r.reply.addCallParts(p.Calls) {
			return brokenError("the reply passed %d calls and was stopped", maxCalls)
		}
	}
	switch c.Finish {
	case "":
		return nil
	case "error", "abort":
		return &model.Error{Kind: model.Broken, Message: "the server ended the reply in the middle"}
	case "function_call":
		c.Finish = "tool_calls"
	case "max_tokens":
		c.Finish = "length"
	}
	r.reply.finish, r.ended = string(c.Finish), true
	return nil
}

func (r *reading) deliver(d model.Delta, calls bool) {
	spoke := d != model.Delta{}
	if (spoke || calls) && r.reply.Usage.First == 0 {
		r.reply.Usage.First = max(time.Since(r.start), 1)
	}
	r.reply.content.WriteString(d.Text)
	r.reply.reasoning.WriteString(d.Reasoning)
	if spoke && r.on != nil {
		r.on(d)
	}
}

// maxCalls limits the calls of one reply: a model that makes more is in a loop.
const maxCalls = 256

// addCallParts adds pieces of calls to the calls they belong to, and returns false if there
// are too many.
func (g *gathered) addCallParts(parts []callPart) bool {
	for _, p := range parts {
		id, name, args := string(p.ID), string(p.Function.Name), string(p.Function.Arguments)
		if id == "" && name == "" && args == "" {
			continue
		}
		c := g.callFor(p.Index, id)
		if len(g.calls) > maxCalls {
			g.calls = g.calls[:maxCalls]
			return false
		}
		if c.id == "" {
			c.id = id
		}
		if c.name == "" {
			c.name = name
		}
		c.arguments.WriteString(args)
	}
	return true
}

// callFor returns the call that a piece belongs to. Without an index, a new ID begins a
// new call, and likewise if a server numbers all of them 0.
func (g *gathered) callFor(index *int, id string) *gatheredCall {
	if g.byIndex == nil {
		g.byIndex = map[int]*gatheredCall{}
	}
	at := max(len(g.calls)-1, 0)
	if index != nil {
		at = *index
	}
	c := g.byIndex[at]
	if c != nil && (id == "" || c.id == "" || c.id == id) {
		return c
	}
	c = &gatheredCall{}
	if index == nil {
		at = len(g.calls)
	}
	g.byIndex[at] = c
	g.calls = append(g.calls, c)
	return c
}

// addUsage records token counts. Servers send them once, or repeatedly with growing
// values.
func (g *gathered) addUsage(data json.RawMessage) {
	var u wireUsage
	if len(data) == 0 || json.Unmarshal(data, &u) != nil || u == (wireUsage{}) {
		return
	}
	g.Usage.In, g.Usage.Out, g.Usage.Cached = max(u.In, 0), max(u.Out, 0), max(u.Details.Cached, 0)
}

// result returns what has arrived, complete or not; nil if nothing has.
func (r *reading) result() *model.Reply {
	g := &r.reply
	if g.isBlank() && !r.named && g.finish == "" {
		return nil
	}
	out := &model.Reply{Model: g.model, Content: g.content.String(), Reasoning: g.reasoning.String(), Finish: g.finish, Usage: g.Usage}
	for i, c := range g.calls {
		if c.id == "" { // the tool's turn must be able to refer to it
			c.id = fmt.Sprintf("call_%d", i+1)
		}
		out.Calls = append(out.Calls, model.ToolCall{ID: c.id, Name: c.name, Arguments: c.arguments.String()})
	}
	return out
}
