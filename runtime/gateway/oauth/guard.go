package oauth

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/netscope"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

const (
	askTime      = 20 * time.Second // for one request
	dialTime     = 10 * time.Second
	resolveTime  = 5 * time.Second
	maxBody      = 1 << 20
	maxHeader    = 64 << 10
	maxRedirects = 3
)

// guard keeps requests from reaching addresses nearer than the server that caused them: a foreign server could
// otherwise make us contact what only we can reach.
type guard struct {
	mu     sync.Mutex
	limit  netscope.Scope
	client *http.Client
}

func (g *guard) distanceLimit() netscope.Scope {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.limit
}

// newGuard returns the guard for URLs named by the server at a URL.
func newGuard(ctx context.Context, server *url.URL) *guard {
	g := &guard{limit: distanceTo(ctx, server.Hostname())}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		d := net.Dialer{Timeout: dialTime, Control: g.checkDial}
		if host, _, err := net.SplitHostPort(address); err == nil && strings.EqualFold(host, server.Hostname()) {
			d.Control = g.checkOwnDial
		}
		return d.DialContext(ctx, network, address)
	}
	direct := &http.Transport{DialContext: dial,
		TLSHandshakeTimeout: dialTime, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: maxHeader, DisableKeepAlives: true}
	// A proxy has its own location, and resolves names itself.
	proxied := &http.Transport{Proxy: http.ProxyFromEnvironment, TLSHandshakeTimeout: dialTime, ForceAttemptHTTP2: true, MaxResponseHeaderBytes: maxHeader, DisableKeepAlives: true}
	g.client = &http.Client{Timeout: askTime, CheckRedirect: g.redirect, Transport: choose(func(r *http.Request) (*http.Response, error) {
		if err := g.checkURL(r.URL); err != nil {
			return nil, err
		}
		if proxy, err := http.ProxyFromEnvironment(r); proxy != nil || err != nil {
			return proxied.RoundTrip(r)
		}
		return direct.RoundTrip(r)
	})}
	return g
}

type choose func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (c choose) RoundTrip(r *http.Request) (*http.Response, error) { return c(r) }

func distanceTo(ctx context.Context, host string) netscope.Scope {
	if d, ok := netscope.Named(host); ok {
		return d
	}
	ctx, stop := context.WithTimeout(ctx, resolveTime)
	defer stop()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return netscope.Public
	}
	return farthestScope(ips)
}

// farthestScope returns the distance of a server with these addresses: the server names them itself, and with a near one it
// could make us contact others that are near.
func farthestScope(ips []netip.Addr) netscope.Scope {
	out := netscope.Reserved
	for _, ip := range ips {
		out = min(out, netscope.OfIP(ip))
	}
	if out == netscope.Reserved {
		return netscope.Public
	}
	return out
}

// checkURL reports whether a URL named by a server may be contacted, as far as its text shows.
func (g *guard) checkURL(u *url.URL) error {
	host := u.Hostname()
	d, known := netscope.Named(host)
	switch {
	case host == "" || u.User != nil || u.Opaque != "":
		return fmt.Errorf("%s is not an address that may be asked", place(u))
	case u.Scheme == "https":
	case u.Scheme == "http" && known && d == netscope.Loopback:
	default:
		return fmt.Errorf("%s is not https", place(u))
	}
	if known && d > g.distanceLimit() {
		return fmt.Errorf("%s is nearer than the server that names it", place(u))
	}
	return nil
}

// checkDial checks the resolved address before a connection is made.
func (g *guard) checkDial(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if netscope.OfIP(at.Addr()) > g.distanceLimit() {
		return errors.New("its name leads to an address that is nearer than the server that names it")
	}
	return nil
}

// checkOwnDial is control for the server itself: it lowers the limit to the address, as the name may lead elsewhere by now.
func (g *guard) checkOwnDial(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	d := netscope.OfIP(at.Addr())
	if d == netscope.Reserved {
		return errors.New("its name resolves to a reserved or metadata address")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limit = min(g.limit, d)
	return nil
}

// redirect follows a few redirects, and only those of GET requests, which carry nothing.
func (g *guard) redirect(r *http.Request, via []*http.Request) error {
	if r.Method != http.MethodGet || via[0].Method != http.MethodGet {
		return http.ErrUseLastResponse
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("the url redirects more than %d times", maxRedirects)
	}
	return nil
}

// place returns the part of a URL that may be shown: its path may be a secret too.
func place(u *url.URL) string {
	if u == nil || u.Host == "" {
		return "an empty address"
	}
	return sanitize.OneLine(u.Scheme+"://"+u.Host, maxSaid)
}

// placeOf applies place to a string.
func placeOf(raw string) string {
	u, _ := url.Parse(raw)
	return place(u)
}

// secureURL parses the URL of a server that a token may be sent to: over https, or on this machine.
func secureURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return nil, errors.New("the url is not valid")
	}
	if d, known := netscope.Named(u.Hostname()); u.Scheme == "https" || u.Scheme == "http" && known && d == netscope.Loopback {
		return u, nil
	}
	return nil, errors.New("its url is not https: a token would be sent for everybody to read")
}
