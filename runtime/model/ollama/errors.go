package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// explainError converts any error of a library call into the context's error or a
// *model.Error. broke is the reason why the reply could not be read, if any.
func (e *Endpoint) explainError(ctx context.Context, who string, err, broke error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var known *model.Error
	if errors.As(err, &known) {
		return e.withName(*known, who)
	}
	var r *refusal
	if errors.As(err, &r) {
		return e.withName(e.refusedError(r, who), who)
	}
	if broke != nil {
		return e.withName(brokenError(broke), who)
	}
	var call *url.Error
	if errors.As(err, &call) {
		return e.withName(e.unreachableError(call.Err), who)
	}
	return e.withName(e.streamError(err, who), who)
}

// withName adds the model's name to an error.
func (e *Endpoint) withName(err model.Error, who string) *model.Error {
	switch {
	case err.Model != "":
	case e.name != "":
		err.Model = e.name
	case who != "":
		err.Model = who
	default:
		err.Model = e.model
	}
	return &err
}

func (e *Endpoint) unreachableError(err error) model.Error {
	out := model.Error{Kind: model.Unreachable, Err: err,
		Message: fmt.Sprintf("no answer from %s: %s", e.base.Redacted(), oneLine(err.Error())),
		Do:      "look whether Ollama still runs there"}
	var dial *net.OpError
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		out.Message = fmt.Sprintf("no host %s is known", e.base.Hostname())
		out.Do = "correct the model's url"
	case errors.As(err, &dial) && dial.Op == "dial":
		out.Message = "nothing listens at " + e.base.Redacted()
		out.Do = "start Ollama, or correct the model's url"
	}
	return out
}

func brokenError(err error) model.Error {
	if errors.Is(err, errTooLong) {
		return model.Error{Kind: model.Broken, Message: err.Error(), Do: "ask for a shorter one", Err: err}
	}
	return model.Error{Kind: model.Broken, Err: err,
		Message: "the connection broke in the middle of the reply: " + oneLine(err.Error())}
}

// streamError explains errors that come without a status: those that the server wrote into
// a stream that had begun, and data that is not JSON.
func (e *Endpoint) streamError(err error, who string) model.Error {
	var badRequest *json.MarshalerError
	if errors.As(err, &badRequest) {
		return model.Error{Kind: model.Refused, Err: err,
			Message: "the request is not JSON: " + oneLine(err.Error()), Do: "correct the schema"}
	}
	if kind, ok := kindOf(err.Error()); ok {
		return withAdvice(model.Error{Kind: kind, Message: oneLine(err.Error()), Err: err}, who)
	}
	return model.Error{Kind: model.Broken, Err: err, Message: "the reply broke off: " + oneLine(err.Error())}
}

// refusedError explains a response with an error status.
func (e *Endpoint) refusedError(r *refusal, who string) model.Error {
	text := serverText(r.text)
	out := model.Error{Message: text, After: r.after, Err: r}
	if text == "" {
		out.Message = fmt.Sprintf("%s answered %d %s", e.base.Redacted(), r.status, http.StatusText(r.status))
	}
	if kind, ok := kindOf(text); ok {
		out.Kind = kind
		return withAdvice(out, who)
	}
	switch s := r.status; {
	case s == http.StatusServiceUnavailable, s == http.StatusTooManyRequests:
		out.Kind = model.Busy
	case s == http.StatusNotFound, s == http.StatusMethodNotAllowed:
		out.Kind = model.Broken
		out.Message = fmt.Sprintf("%s is not the API of Ollama: %s", e.base.Redacted(), out.Message)
		out.Do = "correct the model's url or its provider"
	case s < http.StatusBadRequest:
		out.Kind = model.Broken
		out.Message = fmt.Sprintf("%s leads on to %q", e.base.Redacted(), oneLine(r.location))
		out.Do = "correct the model's url"
	case s == http.StatusUnauthorized, s == http.StatusForbidden:
		out.Kind, out.Do = model.Refused, "give the model its key"
	case s == http.StatusBadGateway, s == http.StatusGatewayTimeout:
		out.Kind = model.Unreachable
	case s < http.StatusInternalServerError:
		out.Kind = model.Refused
	default:
		out.Kind, out.Do = model.Broken, "Ollama's log says more"
	}
	return out
}

// kinds are phrases of several versions of Ollama that say more than the status does:
// it answers 500 for a faulty request.
var kinds = []struct{ words, kind string }{
	{"exceeds the context length", model.Overflow},
	{"exceeds the available context size", model.Overflow},
	{"exceeded max context length", model.Overflow},
	{"exceeds maximum context length", model.Overflow},
	{"does not support", model.Unsupported},
	{"unqualified name", model.NotFound},
	{"invalid model name", model.NotFound},
	{"error parsing tool call", model.Broken},
	{"invalid json schema", model.Refused},
	{"invalid format", model.Refused},
	{"more system memory", model.Refused},
	{"maximum pending requests", model.Busy},
	{"loading model", model.Busy},
	{"timed out waiting for llama", model.Busy},
}

func kindOf(text string) (kind string, ok bool) {
	text = strings.ToLower(text)
	for _, k := range kinds {
		if strings.Contains(text, k.words) {
			return k.kind, true
		}
	}
	if strings.Contains(text, "model") && strings.Contains(text, "not found") {
		return model.NotFound, true
	}
	return "", false
}

// withAdvice adds what helps against an error of that kind.
func withAdvice(err model.Error, who string) model.Error {
	switch err.Kind {
	case model.Overflow:
		err.Do = "send less text, or give the model a larger window"
	case model.NotFound:
		err.Do = "ollama pull " + who
	case model.Unsupported:
		err.Do = "ask without, or choose another model"
	case model.Busy:
		err.Do = "ask again later"
	case model.Refused:
		if strings.Contains(strings.ToLower(err.Message), "memory") {
			err.Do = "choose a smaller model or a smaller window"
		}
	}
	return err
}

// serverText returns the message in an error's body.
func serverText(body string) string {
	var plain struct{ Error string }
	var nested struct{ Error struct{ Message string } }
	switch {
	case json.Unmarshal([]byte(body), &plain) == nil && plain.Error != "":
		return oneLine(plain.Error)
	case json.Unmarshal([]byte(body), &nested) == nil && nested.Error.Message != "":
		return oneLine(nested.Error.Message)
	}
	return oneLine(body)
}

// oneLine makes one short, printable line of any text.
func oneLine(text string) string {
	const most = 300
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text[:min(len(text), 4*most)])
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		runes = append(runes[:most], '…')
	}
	return string(runes)
}
