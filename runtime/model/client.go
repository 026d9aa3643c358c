package model

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// Doer sends a request. *http.Client implements it, and so do the recorder and the
// player of recorded exchanges.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// MaxReply limits the bytes of one reply, so that a faulty server cannot fill the
// memory.
const MaxReply = 8 << 20

// NewClient returns an HTTP client for model servers. It has no deadline of its own,
// since a long answer is not a fault: contexts end requests. It follows no redirect to
// another host or from https to http, and uses no proxy, so that requests reach only
// the declared server.
func NewClient() *http.Client {
	return &http.Client{
		Transport: onceMore{&http.Transport{
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			MaxIdleConnsPerHost: 4,
			IdleConnTimeout:     30 * time.Second,
			TLSHandshakeTimeout: 10 * time.Second,
		}},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			open := via[0].URL.Scheme == "https" && req.URL.Scheme != "https"
			if req.URL.Host != via[0].URL.Host || open || len(via) > 3 {
				return fmt.Errorf("redirected to %s://%s, which is not declared", req.URL.Scheme, req.URL.Host)
			}
			return nil
		},
	}
}

// onceMore lets the transport resend a request if the server had just closed the kept
// connection: llama.cpp's server does that after a stream that was read to its end.
// net/http does so only for requests that it considers idempotent; the nil header marks
// them as such and is not sent.
type onceMore struct{ next *http.Transport }

func (o onceMore) RoundTrip(req *http.Request) (*http.Response, error) {
	again := req.Clone(req.Context())
	again.Header["Idempotency-Key"] = nil
	return o.next.RoundTrip(again)
}

// CloseIdleConnections forwards http.Client.CloseIdleConnections.
func (o onceMore) CloseIdleConnections() { o.next.CloseIdleConnections() }
