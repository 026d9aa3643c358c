package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	codeLife   = 10 * time.Minute
	cookieLife = 12 * time.Hour
	maxPasses  = 64 // valid codes, and valid cookies, at a time
)

// Browser lets people's browsers in to pages below one path. That a request comes from this machine does not prove
// whose it is, and a browser does not send a bearer token on its own. So a one-time code, or the token in a header, is
// exchanged once for a cookie, which no script can read and no other site can send.
//
// Other sites, even on this machine, may not even link to the pages.
type Browser struct {
	path   string // ends in /
	cookie string
	opt    Options
	token  [sha256.Size]byte
	now    func() time.Time

	mu      sync.Mutex
	codes   passes
	cookies passes
}

// NewBrowser returns a Browser for the pages below path, which ends in a slash.
func NewBrowser(path, token string) *Browser {
	return &Browser{path: path, cookie: "compactor_" + randomHex(4), opt: Options{Token: token}, token: sha256.Sum256([]byte(token)), now: time.Now}
}

// Code returns a word that lets one browser in, once and within minutes.
func (b *Browser) Code() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.codes.issue(b.now().Add(codeLife))
}

// Entrance returns the path that a browser opens first, with a code.
func (b *Browser) Entrance() string { return b.path + "enter?code=" + b.Code() }

// Beside serves the path with pages for browsers that were let in, and with locked for others. Everything else goes to
// next. It only uses the allowed hosts of opt; other origins have no access to the pages.
func (b *Browser) Beside(next, pages, locked http.Handler, opt Options) http.Handler {
	g := &guard{opt: Options{Remote: opt.Remote, Local: opt.Local, Hosts: opt.Hosts}}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path+"/" != b.path && !strings.HasPrefix(r.URL.Path, b.path) {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("X-Content-Type-Options", "nosniff")
		switch {
		case !g.hostOK(r):
			http.Error(w, "this Host is not served here: use localhost, or add the name to the allowed hosts", http.StatusForbidden)
		case !g.originOK(r) || !ownSite(r) && !b.holdsCode(r):
			http.Error(w, "other web pages may not open this one: open it with: compactor dashboard --open", http.StatusForbidden)
		case r.URL.Path == b.path+"enter":
			b.serveEntrance(w, r, locked)
		case !b.isKnown(r):
			locked.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// ownSite reports whether a request comes from one of our pages or directly from the user. Browsers say so themselves;
// a client that says nothing is not a browser.
func ownSite(r *http.Request) bool {
	values := r.Header.Values("Sec-Fetch-Site")
	return len(values) == 0 || len(values) == 1 && (values[0] == "same-origin" || values[0] == "none")
}

// holdsCode reports whether a request has a valid code, at the entrance. It may then come from a page of another site,
// such as a file with the link.
func (b *Browser) holdsCode(r *http.Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return r.URL.Path == b.path+"enter" && b.codes.holds(r.URL.Query().Get("code"), b.now())
}

// serveEntrance exchanges a code or the token for a cookie. HEAD only checks whether the code is still valid.
func (b *Browser) serveEntrance(w http.ResponseWriter, r *http.Request, locked http.Handler) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	if r.Method == http.MethodHead && b.holdsCode(r) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	byHeader := b.hasToken(r)
	b.mu.Lock()
	let := byHeader || r.Method == http.MethodGet && b.codes.redeem(r.URL.Query().Get("code"), b.now())
	value := ""
	if let {
		value = b.cookies.issue(b.now().Add(cookieLife))
	}
	b.mu.Unlock()
	if let {
		http.SetCookie(w, &http.Cookie{Name: b.cookie, Value: value, Path: strings.TrimSuffix(b.path, "/"), HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	switch {
	case !let && !b.isKnown(r): // a known browser may follow a used link again
		locked.ServeHTTP(w, r)
	case byHeader:
		w.WriteHeader(http.StatusNoContent)
	case ownSite(r):
		http.Redirect(w, r, b.path, http.StatusSeeOther)
	default: // the cookie is sent with requests from our own pages, but not after a redirect from another site's page
		w.Header().Set("Refresh", "0; url="+b.path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		_, _ = io.WriteString(w, `<!DOCTYPE html><title>compactor</title><a href="`+b.path+`">Open the dashboard</a>`)
	}
}

// hasToken reports whether a request has the token, if there is one.
func (b *Browser) hasToken(r *http.Request) bool {
	return b.opt.Token != "" && (&guard{opt: b.opt, token: b.token}).tokenOK(r)
}

// isKnown reports whether a browser was let in before, or the request has the token.
func (b *Browser) isKnown(r *http.Request) bool {
	if b.hasToken(r) {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range r.CookiesNamed(b.cookie) {
		if b.cookies.holds(c.Value, b.now()) {
			return true
		}
	}
	return false
}

// passes are words that are valid until some time, stored as digests: a lookup takes equally long whether or not a word
// is nearly right.
type passes []pass

type pass struct {
	digest [sha256.Size]byte
	until  time.Time
}

// issue makes a word, dropping the oldest one if there are too many.
func (p *passes) issue(until time.Time) string {
	word := randomHex(16)
	*p = append(*p, pass{sha256.Sum256([]byte(word)), until})
	if n := len(*p) - maxPasses; n > 0 {
		*p = slices.Delete(*p, 0, n)
	}
	return word
}

func (p *passes) index(word string, now time.Time) int {
	*p = slices.DeleteFunc(*p, func(x pass) bool { return now.After(x.until) })
	digest := sha256.Sum256([]byte(word))
	return slices.IndexFunc(*p, func(x pass) bool { return x.digest == digest })
}

func (p *passes) holds(word string, now time.Time) bool { return p.index(word, now) >= 0 }

// redeem removes a word and reports whether it was valid.
func (p *passes) redeem(word string, now time.Time) bool {
	at := p.index(word, now)
	if at >= 0 {
		*p = slices.Delete(*p, at, at+1)
	}
	return at >= 0
}

// randomHex returns n random bytes in hexadecimal.
func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
