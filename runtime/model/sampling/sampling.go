// Package sampling offers the model of an MCP client as an endpoint: the client that
// calls a tool also answers its questions, if it supports that. It may show them to its
// user first, so a refusal is a valid answer and the question is not repeated at once.
//
// The endpoint belongs to a client's session, the means to ask to one call of it: a
// call's context carries it.
package sampling

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Ask asks the client's model and waits. Its errors are those of the context; one with
// a method RPCCode() int, if the client refuses; and any other, if its answer cannot be
// received or read.
type Ask func(ctx context.Context, q Question) (Answer, error)

// Question is one request to the client's model.
type Question struct {
	System    string
	Turns     []Turn
	MaxTokens int // of the reply, at least 1
}

// Turn is one message. Role is model.User or model.Assistant.
type Turn struct {
	Role model.Role
	Text string
}

// Answer is the model's answer.
type Answer struct {
	Model string // as the client names it
	Text  string
	Stop  string // endTurn, maxTokens, stopSequence or the client's own value
}

type askKey struct{}

// With returns a context whose requests use ask to reach the client.
func With(ctx context.Context, ask Ask) context.Context { return context.WithValue(ctx, askKey{}, ask) }

const (
	standardTokens = 1024        // of a reply, if the request leaves it to the server: the protocol requires a number
	refusalRest    = time.Minute // a user who refused is not asked again for this long
)

// Endpoint is the model of the client whose call the context belongs to. It supports no
// tools, enforces no schema and cannot embed.
type Endpoint struct{ Name string }

// Info returns constants, since the client reports nothing about its model. One
// question at a time is shown to its user.
func (e Endpoint) Info(context.Context) (model.Info, error) {
	return model.Info{Server: "MCP sampling", Loaded: true, Slots: 1, Can: []model.Ability{model.CanChat}, CanTell: true}, nil
}

// Embed is not supported and returns an error.
func (e Endpoint) Embed(context.Context, []string) ([][]float32, error) {
	return nil, e.newError(model.Unsupported, "an MCP client makes no embeddings", nil)
}

// Chat asks the client. A schema is not enforced; token counts and thoughts of the
// client's model are unknown.
func (e Endpoint) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	ask, _ := ctx.Value(askKey{}).(Ask)
	if ask == nil {
		return nil, e.newError(model.Unsupported, "the client does not offer its model", nil)
	}
	q, err := e.toQuestion(req)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	a, err := ask(ctx, q)
	if err != nil {
		return nil, e.toModelError(ctx, err)
	}
	if len(a.Text) > model.MaxReply {
		return nil, e.newError(model.Broken, "the reply is longer than any that was asked for", nil)
	}
	took := time.Since(begun)
	reply := &model.Reply{Model: a.Model, Content: a.Text, Finish: finishReason(a.Stop), Usage: model.Usage{First: took, Total: took}}
	if strings.TrimSpace(a.Text) == "" {
		return reply, e.newError(model.Empty, "the client's model said nothing", nil)
	}
	if on != nil {
		on(model.Delta{Text: a.Text})
	}
	return reply, nil
}

// toQuestion moves system messages to where the protocol expects them.
func (e Endpoint) toQuestion(req model.Request) (Question, error) {
	q := Question{MaxTokens: req.MaxTokens}
	if q.MaxTokens < 1 {
		q.MaxTokens = standardTokens
	}
	if len(req.Tools) > 0 {
		return q, e.newError(model.Unsupported, "an MCP client's model calls no tools for a server", nil)
	}
	var system []string
	for _, m := range req.Messages {
		switch {
		case m.Role == model.System:
			system = append(system, m.Content)
		case (m.Role == model.User || m.Role == model.Assistant) && len(m.Calls) == 0:
			q.Turns = append(q.Turns, Turn{m.Role, m.Content})
		default:
			return q, e.newError(model.Unsupported, "an MCP client's model knows no calls of tools", nil)
		}
	}
	q.System = strings.Join(system, "\n\n")
	if len(q.Turns) == 0 { // the protocol requires a turn
		q.System, q.Turns = "", []Turn{{model.User, q.System}}
	}
	return q, nil
}

// toModelError converts an error of Ask to one of the port.
func (e Endpoint) toModelError(ctx context.Context, err error) error {
	var refused interface{ RPCCode() int }
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &refused):
		f := e.newError(model.Refused, oneLine(err), err)
		f.After = refusalRest
		return f
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return e.newError(model.Broken, oneLine(err), err)
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (e Endpoint) newError(kind, what string, cause error) *model.Error {
	return &model.Error{Kind: kind, Model: e.Name, Message: what, Err: cause}
}

// finishReason converts the protocol's stop reason to the port's.
func finishReason(stop string) string {
	switch stop {
	case "endTurn", "stopSequence":
		return "stop"
	case "maxTokens":
		return "length"
	}
	return stop
}
