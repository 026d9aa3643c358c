package ollama

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/compactor-mcp/compactor/runtime/model"
)

// maxRefusal limits how much of an error's body is read, in bytes.
const maxRefusal = 64 << 10

var errTooLong = fmt.Errorf("the reply is longer than %d MiB", model.MaxReply>>20)

// transport connects the library to the endpoint's Doer. It also does what the library does not: it
// limits replies, records why reading one stopped, and handles errors whose body is empty or not
// JSON.
type transport struct {
	do   model.Doer
	base *url.URL
	key  string
}

func (t *transport) RoundTrip(in *http.Request) (*http.Response, error) {
	req := in.Clone(in.Context())
	req.URL.Scheme, req.URL.Host, req.Host = t.base.Scheme, t.base.Host, ""
	// The library's own value names the machine and the Go version, so requests would differ.
	req.Header.Set("User-Agent", "compactor")
	switch user := t.base.User; {
	case t.key != "":
		req.Header.Set("Authorization", "Bearer "+t.key)
	case user != nil:
		password, _ := user.Password()
		req.SetBasicAuth(user.Username(), password)
	}
	resp, err := t.do.Do(req)
	switch {
	case err != nil:
		if resp != nil && resp.Body != nil {
			resp.Body.Close()
		}
		return nil, err
	case resp == nil:
		return nil, errors.New("no response")
	case resp.Body == nil:
		resp.Body = http.NoBody
	}
	body := &bounded{ReadCloser: resp.Body, left: model.MaxReply, broke: brokeOf(req.Context())}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, readRefusal(resp, body)
	}
	resp.Body = body
	return resp, nil
}

func readRefusal(resp *http.Response, body io.ReadCloser) error {
	defer body.Close()
	// What arrived is more useful than the reason why the rest did not.
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	r := &refusal{status: resp.StatusCode, text: string(text), location: resp.Header.Get("Location")}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		r.after = time.Duration(min(s, 3600)) * time.Second
	}
	return r
}

// refusal is a response with an error status.
type refusal struct {
	status   int
	text     string // the body
	location string
	after    time.Duration
}

func (r *refusal) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.text) }

// bounded reads at most left bytes and records why reading failed.
type bounded struct {
	io.ReadCloser
	left  int
	broke *error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 {
		*b.broke = errTooLong
		return 0, errTooLong
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	if err != nil && err != io.EOF {
		*b.broke = err
	}
	return n, err
}

type brokeKey struct{}

// watchReply returns a context whose call stores in broke why its reply could not be read to the end.
// The library discards that.
func watchReply(ctx context.Context) (_ context.Context, broke *error) {
	broke = new(error)
	return context.WithValue(ctx, brokeKey{}, broke), broke
}

func brokeOf(ctx context.Context) *error {
	if broke, ok := ctx.Value(brokeKey{}).(*error); ok {
		return broke
	}
	return new(error)
}
