package web

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"github.com/compactor-mcp/compactor/runtime/base/netscope"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// maxHeader bounds the headers of a response, in bytes.
const maxHeader = 64 << 10

// Options configures a client, in addition to its rules.
type Options struct {
	Version  string         // of this program, for the User-Agent header
	Resolver *net.Resolver  // nil means the system's
	Roots    *x509.CertPool // nil means the system's
}

// Client reads pages according to rules. It keeps no connections open.
type Client struct {
	rules *Rules
	http  *http.Transport
	agent string
}

// New returns a client, or nil if rules is nil.
func New(rules *Rules, opt Options) *Client {
	if rules == nil {
		return nil
	}
	c := &Client{rules: rules, agent: strings.TrimSuffix("compactor/"+opt.Version, "/")}
	c.http = &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			d := net.Dialer{Resolver: opt.Resolver, Control: rules.dialControl(address)}
			return d.DialContext(ctx, network, address)
		},
		TLSClientConfig:        &tls.Config{RootCAs: opt.Roots, MinVersion: tls.VersionTLS12},
		MaxResponseHeaderBytes: maxHeader, DisableKeepAlives: true,
	}
	return c
}

// dialControl checks the IP address that a host name was resolved to, before the connection
// is made.
func (r *Rules) dialControl(address string) func(_, to string, _ syscall.RawConn) error {
	name, _, _ := net.SplitHostPort(address)
	private := r.hosts[name].Private
	return func(_, to string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(to)
		if err != nil {
			return refusedError("%s leads to %s, which is not an address", cleanText(name), cleanText(to))
		}
		d := netscope.OfIP(at.Addr())
		switch {
		case d == netscope.Public, private && d != netscope.Reserved:
			return nil
		case d == netscope.Reserved:
			return refusedError("%s leads to %s, where nothing is read", cleanText(name), at.Addr())
		}
		return refusedError("%s leads to %s, %s; private: true of its host in network.hosts opens that", cleanText(name), at.Addr(), d)
	}
}

// get reads a page and follows its redirects.
func (c *Client) get(ctx context.Context, u *url.URL) (*catalog.WebPage, error) {
	whole := ctx
	ctx, cancel := context.WithTimeout(ctx, c.rules.timeout)
	defer cancel()
	page, err := c.follow(ctx, u)
	switch {
	case err == nil:
		return page, nil
	case whole.Err() != nil:
		return nil, whole.Err()
	case ctx.Err() != nil:
		return nil, failedError("%s took longer than %s", cleanText(u.String()), c.rules.timeout)
	}
	var own *Error
	if errors.As(err, &own) {
		return nil, own
	}
	return nil, failedError("%s cannot be read: %s", cleanText(u.String()), cleanText(errorReason(err)))
}

// errorReason returns the cause of an error without repeating the address.
func errorReason(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return cmp.Or(dns.Err, "no such host")
	}
	return err.Error()
}

func (c *Client) follow(ctx context.Context, u *url.URL) (*catalog.WebPage, error) {
	for hops := 0; ; hops++ {
		if err := c.rules.checkAddress(u); err != nil {
			if hops > 0 {
				return nil, refusedError("a redirect leads there: %s", err)
			}
			return nil, err
		}
		resp, err := c.ask(ctx, u)
		if err != nil {
			return nil, err
		}
		to := resp.Header.Get("Location")
		if resp.StatusCode < 300 || resp.StatusCode > 399 || to == "" {
			return c.read(resp, u)
		}
		_ = resp.Body.Close()
		if hops == c.rules.redirects {
			return nil, failedError("it redirects more than %d times", c.rules.redirects)
		}
		next, err := u.Parse(to)
		if err != nil {
			return nil, failedError("it redirects to %s, which is not an address", cleanText(to))
		}
		if u, err = tidyAddress(next); err != nil {
			return nil, refusedError("a redirect leads there: %s", err)
		}
	}
}

func (c *Client) ask(ctx context.Context, u *url.URL) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", c.agent)
	req.Header.Set("Accept", "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, text/*;q=0.8, application/json;q=0.5")
	return c.http.RoundTrip(req)
}

// read reads the page from a response.
func (c *Client) read(resp *http.Response, u *url.URL) (*catalog.WebPage, error) {
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, failedError("%s answers with status %d", cleanText(u.String()), resp.StatusCode)
	}
	if coding := resp.Header.Get("Content-Encoding"); coding != "" { // gzip is decompressed already
		return nil, failedError("%s is packed as %s, which is not unpacked", cleanText(u.String()), cleanText(coding))
	}
	kind := resp.Header.Get("Content-Type")
	if kind != "" && !isReadable(kind) {
		return nil, failedError("%s is %s, which is not text", cleanText(u.String()), cleanText(kind))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, c.rules.maxPage+1))
	if err != nil {
		return nil, err
	}
	if kind == "" {
		if kind = http.DetectContentType(body); !isReadable(kind) {
			return nil, failedError("%s is %s, which is not text", cleanText(u.String()), cleanText(kind))
		}
	}
	page := &catalog.WebPage{URL: u.String(), Type: kind, Body: body}
	if int64(len(body)) > c.rules.maxPage {
		page.Body, page.Cut = body[:c.rules.maxPage], true
	}
	return page, nil
}

// isReadable reports whether a media type is text that can be quoted.
func isReadable(kind string) bool {
	media, _, err := mime.ParseMediaType(kind)
	if err != nil && media == "" {
		return false
	}
	switch media {
	case "application/xhtml+xml", "application/json":
		return true
	}
	return strings.HasPrefix(media, "text/")
}
