package openai

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/model"
)

// maxRefusal limits how many bytes of an error are read.
const maxRefusal = 64 << 10

func (e *Endpoint) newError(kind, message, do string, cause error) *model.Error {
	return &model.Error{Kind: kind, Model: e.name, Message: e.hideKey(message), Do: do, Err: cause}
}

// ownError adds the model's name to an error, and removes the key from it.
func (e *Endpoint) ownError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var m *model.Error
	if !errors.As(err, &m) {
		return e.unsentError(ctx, err)
	}
	c := *m
	if c.Model == "" {
		c.Model = e.name
	}
	c.Message = e.hideKey(c.Message)
	return &c
}

// hideKey removes the key from a text: some servers repeat it.
func (e *Endpoint) hideKey(s string) string {
	if e.key == "" {
		return s
	}
	return strings.ReplaceAll(s, e.key, "...")
}

// unsentError returns the error for a request that got no response.
func (e *Endpoint) unsentError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var m *model.Error
	if errors.As(err, &m) { // from a recording
		return e.ownError(ctx, m)
	}
	if u := (*url.Error)(nil); errors.As(err, &u) {
		err = u.Err
	}
	return e.newError(model.Unreachable, fmt.Sprintf("no server answers at %s: %v", e.base.Redacted(), err), e.startHint(err), err)
}

// startHint suggests how to start a server that does not run.
func (e *Endpoint) startHint(err error) string {
	switch {
	case strings.Contains(err.Error(), "HTTP response to HTTPS"):
		return "write http:// in its url"
	case e.base.Port() == "1234":
		return "start LM Studio's server: Developer, Status: Running, or the command lms server start"
	case e.base.Port() == "11434":
		return "start Ollama: the command ollama serve"
	case e.base.Port() == "8080":
		return "start llama-server, or correct the url"
	case e.base.Port() == "8000":
		return "start vllm serve, or correct the url"
	}
	return "start the server, or correct the url"
}

// refusalError returns the error in a response whose status is not 2xx.
func (e *Endpoint) refusalError(ctx context.Context, res *http.Response) error {
	body, err := io.ReadAll(io.LimitReader(res.Body, maxRefusal))
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	f := parseFailure(body)
	if strings.TrimSpace(string(body)) == "" {
		f.Text = res.Status
	}
	m := classifyFailure(res.StatusCode, f)
	m.After = retryAfter(res.Header.Get("Retry-After"), time.Now())
	return e.ownError(ctx, m)
}

// retryAfter returns the wait that a server asks for, in seconds or until a date; 0 for
// none.
func retryAfter(header string, now time.Time) time.Duration {
	if n, err := strconv.ParseFloat(strings.TrimSpace(header), 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	if t, err := http.ParseTime(header); err == nil && t.After(now) {
		return t.Sub(now)
	}
	return 0
}

// refusedField returns the field of the request that the error is about, or "".
func refusedField(err error, body []byte, left map[string]bool) string {
	var m *model.Error
	if !errors.As(err, &m) || m.Kind != model.Refused && m.Kind != model.Unsupported && m.Kind != model.Broken {
		return ""
	}
	for _, field := range droppable {
		if !left[field] && strings.Contains(m.Message, field) && strings.Contains(string(body), `"`+field+`":`) {
			return field
		}
	}
	return ""
}

// explainNotFound adds the models that the server has to an error about an unknown model.
func (e *Endpoint) explainNotFound(ctx context.Context, asked string, err error) error {
	var m *model.Error
	if !errors.As(err, &m) || m.Kind != model.NotFound || m.Do != "" {
		return err
	}
	e.forgetChoice()
	infos, failed := e.List(ctx)
	if failed != nil {
		return err
	}
	m.Do = suggestModels(asked, infos)
	return err
}

// suggestModels suggests the models that may have been meant.
func suggestModels(asked string, infos []model.Info) string {
	const most = 5
	var names, loaded []string
	for _, i := range infos {
		names = append(names, i.Model)
		if i.Loaded {
			loaded = append(loaded, i.Model)
		}
	}
	if near := diag.Nearest(asked, names); asked != "" && near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	what := "loaded"
	if len(loaded) == 0 {
		what, loaded = "there", names
	}
	if len(loaded) == 0 {
		return "it has none: get one first"
	}
	more := ""
	if n := len(loaded) - most; n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%s: %s%s", what, strings.Join(loaded[:min(len(loaded), most)], ", "), more)
}
