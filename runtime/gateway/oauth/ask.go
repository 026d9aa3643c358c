package oauth

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// errAbsent says that there is no document at a URL.
var errAbsent = errors.New("there is nothing")

// get reads a JSON document that a server publishes. It returns errAbsent for an error status, and for anything but a
// JSON object: many sites answer unknown URLs with a page and status 200.
func (g *guard) get(ctx context.Context, from string, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return fmt.Errorf("%s: not an address", placeOf(from))
	}
	r.Header.Set("Accept", "application/json")
	status, body, err := g.sendRequest(r)
	if err != nil {
		return err
	}
	body = bytes.TrimLeft(body, "\ufeff \t\r\n")
	if status != http.StatusOK || !bytes.HasPrefix(body, []byte("{")) {
		return errAbsent
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("what %s publishes is not the document that is expected there", placeOf(from))
	}
	return nil
}

// post sends a body and returns the status and body of the response.
func (g *guard) post(ctx context.Context, to, kind string, body []byte, more http.Header) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return 0, nil, fmt.Errorf("%s: not an address", placeOf(to))
	}
	for name, values := range more {
		r.Header[name] = values
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("Accept", "application/json")
	return g.sendRequest(r)
}

func (g *guard) sendRequest(r *http.Request) (int, []byte, error) {
	response, err := g.client.Do(r)
	if err != nil {
		return 0, nil, withoutURL(r, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return 0, nil, withoutURL(r, err)
	}
	if len(body) > maxBody {
		return 0, nil, fmt.Errorf("%s answers with more than %d bytes", place(r.URL), maxBody)
	}
	return response.StatusCode, body, nil
}

// withoutURL returns an error of net/http without the URL, whose query may contain a secret.
func withoutURL(r *http.Request, err error) error {
	if r.Context().Err() != nil {
		return r.Context().Err()
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return fmt.Errorf("%s cannot be asked: %s", place(r.URL), sanitize.OneLine(err.Error(), maxSaid))
}
