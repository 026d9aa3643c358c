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
	maxPasses  = 64 // codes, and cookies, that are good at once
)

// Browser lets people's browsers in to pages below one path. That a request comes
// from this machine does not say whose it is, and a browser sends no bearer token by
// itself: a one-time code, or the token in a header, is handed over once, and a cookie
// stands for it from then on, which no script reads and no other site sends.
//
// Other sites, on this machine too, may not even link to the pages.
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

// NewBrowser lets browsers in to what is below path, which ends in a slash.
func NewBrowser(path, token string) *Browser {
	return &Browser{path: path, cookie: "compactor_" + random(4), opt: Options{Token: token}, token: sha256.Sum256([]byte(token)), now: time.Now}
}

// Code returns a word that lets one browser in, once and within minutes.
func (b *Browser) Code() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.codes.issue(b.now().Add(codeLife))
}

// Entrance returns the path that a browser opens first, with a code.
func (b *Browser) Entrance() string { return b.path + "enter?code=" + b.Code() }

// Beside serves what is below the path by pages, for browsers that are let in, and
// by locked for others. All else goes to next. Of opt it takes which hosts are
// served; other origins have no part in the pages.
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
			b.enter(w, r, locked)
		case !b.known(r):
			locked.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// ownSite reports whether a request comes from a page of ours or from its user.
// Browsers say so themselves; what says nothing is none.
func ownSite(r *http.Request) bool {
	values := r.Header.Values("Sec-Fetch-Site")
	return len(values) == 0 || len(values) == 1 && (values[0] == "same-origin" || values[0] == "none")
}

// holdsCode reports whether a request has a code that is good, at the entrance. Who has
// one may come from a page of another site, such as a file that holds the link.
func (b *Browser) holdsCode(r *http.Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return r.URL.Path == b.path+"enter" && b.codes.holds(r.URL.Query().Get("code"), b.now())
}

// enter exchanges a code or the token for a cookie. HEAD only asks whether the code is
// still good.
func (b *Browser) enter(w http.ResponseWriter, r *http.Request, locked http.Handler) {
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
	case !let && !b.known(r): // who is known may follow a used link again
		locked.ServeHTTP(w, r)
	case byHeader:
		w.WriteHeader(http.StatusNoContent)
	case ownSite(r):
		http.Redirect(w, r, b.path, http.StatusSeeOther)
	default: // the cookie is sent for what a page of ours opens, and not for where another's is sent on to
		w.Header().Set("Refresh", "0; url="+b.path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		_, _ = io.WriteString(w, `<!DOCTYPE html><title>compactor</title><a href="`+b.path+`">Open the dashboard</a>`)
	}
}

// hasToken reports whether a request has the token, where there is one.
func (b *Browser) hasToken(r *http.Request) bool {
	return b.opt.Token != "" && (&guard{opt: b.opt, token: b.token}).tokenOK(r)
}

// known reports whether a browser was let in before, or the request has the token.
func (b *Browser) known(r *http.Request) bool {
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

// passes are words that are good until some time, by their digests: looking one up
// takes as long whether or not it is nearly right.
type passes []pass

type pass struct {
	digest [sha256.Size]byte
	until  time.Time
}

// issue makes a word. The oldest makes room for it.
func (p *passes) issue(until time.Time) string {
	word := random(16)
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

// redeem takes a word, which is good no more.
func (p *passes) redeem(word string, now time.Time) bool {
	at := p.index(word, now)
	if at >= 0 {
		*p = slices.Delete(*p, at, at+1)
	}
	return at >= 0
}

// random is so many random bytes in hexadecimal.
func random(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
