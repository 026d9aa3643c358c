package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// MinToken is the minimum length of a token, in bytes. Sixteen random bytes in hexadecimal have 32.
const MinToken = 16

// ErrShortToken is the error for a token that could be guessed.
var ErrShortToken = errors.New("the access token is shorter than 16 bytes; take 32 random hexadecimal digits")

// Options say who is let in. The zero value is the strictest for loopback: no token, only loopback names, no web pages
// but our own.
type Options struct {
	Token   string   // expected as "Authorization: Bearer TOKEN"; empty: none
	Remote  bool     // the listener is reachable from other machines: any IP address may be the Host
	Local   bool     // the listener is a unix socket, which browsers cannot reach: any Host
	Hosts   []string // further host names, without a port
	Origins []string // further web origins, such as "https://chat.example"
	Holders Holders  // of further tokens; nil for none

	// Refuse, if not nil, responds to rejected requests and reports whether it did. Otherwise the response is one line
	// of text.
	Refuse func(w http.ResponseWriter, r *http.Request, why Refusal) bool
}

// Refusal is the reason why a request is rejected.
type Refusal struct {
	Status   int
	Code     string // stable
	What, Do string // one line each
}

// The refusals.
var (
	strangeHost   = Refusal{http.StatusForbidden, "HOST_REFUSED", "this Host is not served here", "use localhost, or add the name to the allowed hosts"}
	strangeOrigin = Refusal{http.StatusForbidden, "ORIGIN_REFUSED", "web pages of this Origin may not call this server", "add it to the allowed origins"}
	wrongToken    = Refusal{http.StatusUnauthorized, "TOKEN_WRONG", "access token missing or wrong", "send it in the header Authorization: Bearer TOKEN"}
)

// New wraps next. Each refusal is one line that says what is wrong and what to do, and never repeats a header's value.
func New(next http.Handler, opt Options) (http.Handler, error) {
	if opt.Token != "" && len(opt.Token) < MinToken {
		return nil, ErrShortToken
	}
	return &guard{next: next, opt: opt, token: sha256.Sum256([]byte(opt.Token))}, nil
}

type guard struct {
	next  http.Handler
	opt   Options
	token [sha256.Size]byte
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("X-Frame-Options", "DENY")
	w.Header().Set("Cross-Origin-Resource-Policy", "same-origin") // keeps other pages from loading responses without CORS
	switch {
	case !g.hostOK(r):
		g.refuse(w, r, strangeHost)
	case !g.originOK(r) || r.Header.Get("Origin") == "" && !ownSite(r) && !isVisit(r): // an image, script or frame of a page has no Origin
		g.refuse(w, r, strangeOrigin)
	default:
		if held := g.authenticate(r); held != nil {
			g.next.ServeHTTP(w, held)
			return
		}
		w.Header().Set("WWW-Authenticate", `Bearer realm="compactor"`)
		g.refuse(w, r, wrongToken)
	}
}

func (g *guard) refuse(w http.ResponseWriter, r *http.Request, why Refusal) {
	if g.opt.Refuse == nil || !g.opt.Refuse(w, r, why) {
		http.Error(w, why.What+": "+why.Do, why.Status)
	}
}

// hostOK checks the name that the client believes to talk to. In a rebinding attack this is the attacker's domain. Any
// port is allowed, so that port forwarding works.
func (g *guard) hostOK(r *http.Request) bool {
	// net/http prefers the host of an absolute-form request line to the Host header, so one could hide the other.
	if r.URL.Host != "" || r.Host == "" && !g.opt.Local {
		return false
	}
	if g.opt.Local {
		return true
	}
	host := hostname(r.Host)
	if strings.EqualFold(host, "localhost") {
		return true
	}
	if ip, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return ip.IsLoopback() || g.opt.Remote
	}
	return slices.ContainsFunc(g.opt.Hosts, func(h string) bool { return strings.EqualFold(h, host) })
}

// originOK allows requests that come from no web page, from a page of this very server, or from a listed origin.
func (g *guard) originOK(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	switch len(origins) {
	case 0:
		return true
	case 1:
	default:
		return false
	}
	if !g.opt.Local && strings.EqualFold(origins[0], "http://"+r.Host) {
		return true
	}
	return slices.ContainsFunc(g.opt.Origins, func(o string) bool { return strings.EqualFold(o, origins[0]) })
}

// isVisit reports whether a browser navigates to the target, as by a link: the page with the link cannot read it.
func isVisit(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

// tokenOK compares digests: their fixed length keeps the duration from revealing anything about the token.
func (g *guard) tokenOK(r *http.Request) bool {
	if g.opt.Token == "" {
		return true
	}
	token, is := bearerToken(r)
	got := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(got[:], g.token[:]) == 1 && is
}

// bearerToken returns the token of a request; false unless there is exactly one.
func bearerToken(r *http.Request) (token string, is bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

func hostname(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		return hostport
	}
	return host
}
