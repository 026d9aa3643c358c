package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// SampleRequest is a question to the client's own model. The client may show it to its user first, who may change or
// refuse it.
type SampleRequest struct {
	System      string
	Messages    []SampleMessage // at least one
	MaxTokens   int             // of the reply, at least 1
	Temperature *float64        // nil leaves it to the client
	Models      []string        // parts of names of the preferred models, best first; only hints

	// The weight of each in the choice of the model, from 0 to 1; 0 means no preference.
	Cost, Speed, Intelligence float64
}

// SampleMessage is one turn. Role is user or assistant.
type SampleMessage struct {
	Role string
	Text string
}

// SampleReply is the response of the client's model.
type SampleReply struct {
	Model string // as the client names it
	Text  string
	Stop  string // endTurn, maxTokens, stopSequence or the client's own word; may be empty
}

// SampleError is a client's refusal of a SampleRequest, with a JSON-RPC code: -1 if its user refused, -32601 if it does
// not support sampling after all.
type SampleError struct {
	Code    int
	Message string // one line
}

// Error returns the client's words.
func (e *SampleError) Error() string {
	return fmt.Sprintf("the client refused sampling (%d): %s", e.Code, e.Message)
}

// RPCCode returns the JSON-RPC code.
func (e *SampleError) RPCCode() int { return e.Code }

// sampleFunc returns the Sample of one call, nil if the client's model cannot be called: the client must have declared
// sampling in the handshake, and its stream must be able to carry requests.
func (n *notes) sampleFunc(sess *session, r *request) func(context.Context, SampleRequest) (SampleReply, error) {
	if r.modern || sess.GetClientCapabilities().Sampling == nil || !n.out.requests() {
		return nil
	}
	return func(ctx context.Context, req SampleRequest) (SampleReply, error) {
		params, err := req.params()
		if err != nil {
			return SampleReply{}, err
		}
		m, err := n.ask(ctx, &sess.asks, string(mcp.MethodSamplingCreateMessage), params)
		if err != nil {
			return SampleReply{}, err
		}
		return readSample(m)
	}
}

// wireSample is the params of sampling/createMessage.
type wireSample struct {
	Messages    []wireTurn   `json:"messages"`
	System      string       `json:"systemPrompt,omitempty"`
	MaxTokens   int          `json:"maxTokens"`
	Temperature *float64     `json:"temperature,omitempty"`
	Preferences *wireChoices `json:"modelPreferences,omitempty"`
}

type wireTurn struct {
	Role    string   `json:"role"`
	Content wireText `json:"content"`
}

type wireText struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

type wireChoices struct {
	Hints        []wireHint `json:"hints,omitempty"`
	Cost         float64    `json:"costPriority,omitempty"`
	Speed        float64    `json:"speedPriority,omitempty"`
	Intelligence float64    `json:"intelligencePriority,omitempty"`
}

type wireHint struct {
	Name string `json:"name"`
}

func (q SampleRequest) params() (json.RawMessage, error) {
	if len(q.Messages) == 0 || q.MaxTokens < 1 {
		return nil, errors.New("a sampling request needs messages and the most tokens of its reply")
	}
	w := wireSample{System: q.System, MaxTokens: q.MaxTokens, Temperature: q.Temperature}
	for _, m := range q.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return nil, fmt.Errorf("the role %q cannot be sampled: it is user or assistant", sanitize.OneLine(m.Role, maxWord))
		}
		w.Messages = append(w.Messages, wireTurn{m.Role, wireText{"text", m.Text}})
	}
	p := wireChoices{Cost: q.Cost, Speed: q.Speed, Intelligence: q.Intelligence}
	for _, name := range q.Models {
		p.Hints = append(p.Hints, wireHint{name})
	}
	if len(p.Hints) > 0 || p.Cost+p.Speed+p.Intelligence > 0 {
		w.Preferences = &p
	}
	return rawjson.Marshal(w)
}

// errGarbled is the error for a response that is not what was requested.
var errGarbled = errUnreadable(string(mcp.MethodSamplingCreateMessage))

// readSample reads a response. Its content is one block or, since 2025-11-25, a list of blocks; only text can be used.
func readSample(m message) (SampleReply, error) {
	if m.failure != nil && rawjson.Of(m.failure) != rawjson.Null { // some send null next to a result
		return SampleReply{}, refusalOf(m.failure)
	}
	fields, twice, err := object(m.result)
	if err != nil || twice != "" {
		return SampleReply{}, fmt.Errorf("%w: the result is not an object", errGarbled)
	}
	blocks := []json.RawMessage{fields["content"]}
	if rawjson.Of(fields["content"]) == rawjson.Array {
		if err := json.Unmarshal(fields["content"], &blocks); err != nil {
			return SampleReply{}, errGarbled
		}
	}
	reply := SampleReply{Model: sanitize.OneLine(textOf(fields["model"]), maxWord), Stop: sanitize.OneLine(textOf(fields["stopReason"]), maxWord)}
	for _, raw := range blocks {
		block, _, err := object(raw)
		if err != nil {
			return SampleReply{}, fmt.Errorf("%w: it has no content", errGarbled)
		}
		if kind := textOf(block["type"]); kind != "text" {
			return SampleReply{}, fmt.Errorf("%w: it has content of type %q, not text", errGarbled, sanitize.OneLine(kind, maxWord))
		}
		reply.Text += textOf(block["text"])
	}
	return reply, nil
}

func refusalOf(raw json.RawMessage) error {
	err := refusalError(string(mcp.MethodSamplingCreateMessage), raw)
	var no *AskError
	if errors.As(err, &no) {
		return &SampleError{no.Code, no.Message}
	}
	return err
}

// object reads the members of a JSON object; anything else is an error.
func object(raw json.RawMessage) (fields map[string]json.RawMessage, twice string, err error) {
	if rawjson.Of(raw) != rawjson.Object {
		return nil, "", errGarbled
	}
	members, err := rawjson.Members(raw)
	if err != nil {
		return nil, "", err
	}
	fields, twice = byName(members)
	return fields, twice, nil
}
