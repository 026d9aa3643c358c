package openai

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// Chat sends the request once. The first call also asks the server what it is. If LM
// Studio has not loaded the model and the options set a window, it first loads the
// model with that window; otherwise the request would load it with 4,096 tokens.
func (e *Endpoint) Chat(ctx context.Context, req model.Request, on func(model.Delta)) (*model.Reply, error) {
	kind, err := e.serverKind(ctx)
	if err != nil {
		return nil, err
	}
	name, err := e.chooseModel(ctx, model.CanChat)
	if err != nil {
		return nil, err
	}
	if kind == lmStudio && e.window > 0 {
		if err := e.ensureLoaded(ctx, name, e.window, true); err != nil {
			return nil, err
		}
	}
	reply, err := e.askWithout(ctx, name, req, kind, on)
	return reply, e.explainNotFound(ctx, name, err)
}

// askWithout sends the request, and repeats it without a field that was rejected. Every
// rejection removes one field, so this ends.
func (e *Endpoint) askWithout(ctx context.Context, name string, req model.Request, kind kind, on func(model.Delta)) (*model.Reply, error) {
	for {
		left := e.rejectedFields()
		body, err := chatJSON(name, req, kind, left)
		if err != nil {
			return nil, e.newError(model.Refused, "invalid JSON in a tool or in the response schema: "+err.Error(), "", err)
		}
		reply, err := e.exchange(ctx, name, body, on)
		field := refusedField(err, body, left)
		if field == "" || !isBlank(reply) {
			return reply, err
		}
		e.leaveOut(field)
	}
}

// exchange sends one request and reads its response.
func (e *Endpoint) exchange(ctx context.Context, name string, body []byte, on func(model.Delta)) (*model.Reply, error) {
	// Ending the request closes the connection, which is how servers learn that the
	// client no longer reads.
	inner, stop := context.WithCancel(ctx)
	defer stop()
	start := time.Now()
	res, err := e.send(inner, http.MethodPost, e.base.JoinPath("chat/completions"), body)
	if err != nil {
		return nil, e.unsentError(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return nil, e.refusalError(ctx, res)
	}
	r := reading{asked: name, on: on, start: start}
	err = r.readBody(ctx, res.Body)
	r.reply.Usage.Total = time.Since(start)
	return r.result(), e.ownError(ctx, err)
}

// send sends one request. A body is JSON.
func (e *Endpoint) send(ctx context.Context, method string, to *url.URL, body []byte) (*http.Response, error) {
	var r io.Reader
	if body != nil {
		r = bytes.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, to.String(), r)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "compactor")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if e.key != "" {
		req.Header.Set("Authorization", "Bearer "+e.key)
	}
	return e.client.Do(req)
}

func (e *Endpoint) rejectedFields() map[string]bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	left := make(map[string]bool, len(e.refused))
	for field := range e.refused {
		left[field] = true
	}
	return left
}

func (e *Endpoint) leaveOut(field string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.refused[field] = true
}

// isBlank reports whether nothing was generated.
func isBlank(r *model.Reply) bool {
	return r == nil || r.Content == "" && r.Reasoning == "" && len(r.Calls) == 0
}
