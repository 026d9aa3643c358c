package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	dialTime   = 10 * time.Second
	idleTime   = 4 * time.Second // below the 5 s after which Node's servers drop a connection, perhaps during a request
	maxRefusal = 64 << 10        // bytes of an error response
	maxHeader  = 64 << 10        // bytes of the headers of a response
)

// newWeb returns a separate client for each server, so that closing one closes its connections.
func newWeb() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                  http.ProxyFromEnvironment,
			DialContext:            (&net.Dialer{Timeout: dialTime}).DialContext,
			TLSHandshakeTimeout:    dialTime,
			ForceAttemptHTTP2:      true,
			MaxIdleConnsPerHost:    16,
			IdleConnTimeout:        idleTime,
			MaxResponseHeaderBytes: maxHeader,
		},
		CheckRedirect: sameOrigin,
	}
}

// sameOrigin follows redirects that keep the origin and the method: others would send the configured headers to a
// server that the configuration does not name, or lose the message.
func sameOrigin(r *http.Request, via []*http.Request) error {
	first := via[0]
	if r.URL.Scheme != first.URL.Scheme || r.URL.Host != first.URL.Host || r.Method != first.Method {
		return fmt.Errorf("the url redirects to %s: write that address into url if it is right", place(r.URL.String()))
	}
	if len(via) >= 5 {
		return errors.New("the url redirects more than 5 times")
	}
	return nil
}

// web is the common part of the two HTTP wires.
type web struct {
	spec    Spec
	client  *http.Client
	login   Login        // nil: no login is possible
	version atomic.Value // of the protocol, a string; empty before the handshake
}

func (w *web) setVersion(v string) { w.version.Store(v) }

func (w *web) isStateless() bool {
	v, _ := w.version.Load().(string)
	return mcp.IsModernProtocol(v)
}

// doWithLogin sends one HTTP request, with the token of a login if there is one. It repeats only a request that was refused for
// its token: that had no effect.
func (w *web) doWithLogin(ctx context.Context, method, to string, body []byte, header map[string]string) (*http.Response, error) {
	if w.login == nil {
		return w.doOnce(ctx, method, to, body, header, "")
	}
	token, err := w.login.Token(ctx)
	if err != nil {
		return nil, &unauthorized{err}
	}
	response, err := w.doOnce(ctx, method, to, body, header, token)
	if err != nil || token == "" {
		return response, err
	}
	if scope := lackingScope(response); scope != "" {
		w.login.Lacks(ctx, scope)
	}
	if response.StatusCode != http.StatusUnauthorized {
		return response, nil
	}
	response.Body.Close()
	if token, err = w.login.Renew(ctx, token); err != nil {
		return nil, &unauthorized{err}
	}
	return w.doOnce(ctx, method, to, body, header, token)
}

// unauthorized is the end of a login. The server has not executed the request.
type unauthorized struct{ err error }

func (e *unauthorized) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *unauthorized) Unwrap() error { return e.err }

// doOnce sends one HTTP request. Headers from the configuration take precedence.
func (w *web) doOnce(ctx context.Context, method, to string, body []byte, header map[string]string, token string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the url is not valid")
	}
	accept := "text/event-stream"
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		accept = "application/json, text/event-stream"
	}
	r.Header.Set("Accept", accept)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	if v, _ := w.version.Load().(string); v != "" {
		r.Header.Set(mcp.HeaderProtocolVersion, v)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	for name, value := range w.spec.Headers {
		if http.CanonicalHeaderKey(name) == "Host" {
			r.Host = value
			continue
		}
		r.Header.Set(name, value)
	}
	response, err := w.client.Do(r)
	if err != nil {
		err = withoutURL(ctx, err)
		if wasDropped(err) {
			err = &dropped{err}
		}
		return nil, err
	}
	return response, nil
}

// withoutURL returns an error of net/http without the URL, which may contain a secret.
func withoutURL(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err
	}
	return err
}

// neverReached reports whether the request certainly did not reach the server.
func neverReached(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// readBody reads a whole response of limited size.
func readBody(r *http.Response, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, errLong{limit}
	}
	if r.ContentLength > 0 {
		b := make([]byte, r.ContentLength)
		_, err := io.ReadFull(r.Body, b)
		return b, err
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if int64(len(b)) > limit {
		return nil, errLong{limit}
	}
	return b, err
}

func mediaType(r *http.Response) string {
	t, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return t
}
