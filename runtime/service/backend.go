package service

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"compactor/runtime/catalog"
	"compactor/runtime/contract"
	"compactor/runtime/model/sampling"
	"compactor/runtime/plan"
	"compactor/runtime/schema"
	"compactor/runtime/server"
)

// Backend is the service as the MCP server sees it.
type Backend struct {
	*Service
	Version       string
	Deterministic bool
}

// Tools lists the configuration's tools.
func (b Backend) Tools() []server.Tool {
	var out []server.Tool
	for _, t := range b.Snapshot().Plan.Tools {
		out = append(out, listed(t))
	}
	return out
}

func listed(t *plan.Tool) server.Tool {
	s := server.Tool{Name: t.Name, Title: t.Title, Description: oneParagraph(t.Description), Input: t.Input.JSON(),
		Annotations: server.Annotations(t.Annotations)}
	if t.Output.Type == schema.Object {
		s.Output = t.Output.JSON()
	}
	return s
}

// Instructions tell a chat model when to use compactor at all.
func (b Backend) Instructions() string {
	return "compactor reads large things for you and answers in few tokens. For any question about the user's code call " +
		"research_codebase once with the question in plain words; trust its path:line references, they are checked. " +
		"A follow-up may lean on the question before it."
}

// Call runs a tool for a client.
func (b Backend) Call(ctx context.Context, c server.Call) (server.Reply, error) {
	call := Call{Tool: c.Tool, Args: c.Args, Session: c.Session, Deterministic: b.Deterministic, Progress: growing(c.Progress)}
	if c.Sample != nil {
		ctx, call.Sampler = sampling.With(ctx, asking(c.Sample)), b.samplers.of(c.Session)
	}
	reply, err := b.Service.Call(ctx, call)
	if err != nil {
		return server.Reply{}, codedError(err)
	}
	return replyOf(reply.JSON), nil
}

// growing counts the notes of one call: the protocol wants progress to grow,
// while stages that run at once each count their own.
func growing(send func(server.Progress)) func(catalog.Progress) {
	var mu sync.Mutex
	n := 0
	return func(p catalog.Progress) {
		mu.Lock()
		defer mu.Unlock()
		n++
		send(server.Progress{Done: float64(n), Message: p.Line()})
	}
}

// failure carries the code of a contract.Error to the server as a method.
type failure struct{ err *contract.Error }

func (f failure) Error() string { return f.err.Message }
func (f failure) Code() string  { return f.err.Code }
func (f failure) Unwrap() error { return f.err }

func codedError(err error) error {
	var e *contract.Error
	if errors.As(err, &e) {
		return failure{e}
	}
	return err
}

// replyOf gives objects as structured content with the same JSON as text, and
// a bare string as text.
func replyOf(raw json.RawMessage) server.Reply {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return server.Reply{Text: s}
	}
	r := server.Reply{Text: string(raw)}
	if len(raw) > 0 && raw[0] == '{' {
		r.Structured = raw
	}
	return r
}
