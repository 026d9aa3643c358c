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

// maxRefusal bounds what is read of an error's body, in bytes.
const maxRefusal = 64 << 10

var errTooLong = fmt.Errorf("the reply is longer than %d MiB", model.MaxReply>>20)

// transport is the library's way to the endpoint's Doer. It also does what the
// library leaves out: it bounds replies, keeps why reading one stopped, and
// sees errors whose body is empty or no JSON.
type transport struct {
	do   model.Doer
	base *url.URL
	key  string
}

func (t *transport) RoundTrip(in *http.Request) (*http.Response, error) {
	req := in.Clone(in.Context())
	req.URL.Scheme, req.URL.Host, req.Host = t.base.Scheme, t.base.Host, ""
	// The library's own tells the machine and its Go: no two would ask the same.
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
	// What arrived says more than why the rest did not.
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	r := &refusal{status: resp.StatusCode, text: string(text), location: resp.Header.Get("Location")}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		r.after = time.Duration(min(s, 3600)) * time.Second
	}
	return r
}

// refusal is an answer whose status is no success.
type refusal struct {
	status   int
	text     string // the body
	location string
	after    time.Duration
}

func (r *refusal) Error() string { return fmt.Sprintf("status %d: %s", r.status, r.text) }

// bounded reads at most left bytes and tells why reading failed.
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

// watching gives a context whose call leaves in broke why its reply could not
// be read to the end. The library drops that.
func watching(ctx context.Context) (_ context.Context, broke *error) {
	broke = new(error)
	return context.WithValue(ctx, brokeKey{}, broke), broke
}

func brokeOf(ctx context.Context) *error {
	if broke, ok := ctx.Value(brokeKey{}).(*error); ok {
		return broke
	}
	return new(error)
}
