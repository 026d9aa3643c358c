package guard

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	codeLife   = 10 * time.Minute
	cookieLife = 12 * time.Hour
	mostPasses = 64 // codes, and cookies, that are good at once
)

// Browser lets people's browsers in to pages below one path. A browser sends no
// bearer token by itself, so the token is handed over once, in a header or as a
// one-time code, and a cookie stands for it from then on, which no script reads and
// no other site sends. Without a token the address decides alone, as for other
// requests.
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

// Code is a word that lets one browser in, once and within minutes; "" where none
// is needed.
func (b *Browser) Code() string {
	if b.opt.Token == "" {
		return ""
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.codes.issue(b.now().Add(codeLife))
}

// Entrance is the path that a browser opens first, with a code where one is needed.
func (b *Browser) Entrance() string {
	if code := b.Code(); code != "" {
		return b.path + "enter?code=" + code
	}
	return b.path
}

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
		case !g.originOK(r) || !ownSite(r):
			http.Error(w, "other web pages may not open this one: type its address, or open it with: compactor dashboard", http.StatusForbidden)
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

// enter exchanges a code or the token for a cookie.
func (b *Browser) enter(w http.ResponseWriter, r *http.Request, locked http.Handler) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	g := &guard{opt: b.opt, token: b.token}
	byHeader := b.opt.Token != "" && g.tokenOK(r)
	b.mu.Lock()
	let := b.opt.Token == "" || byHeader || r.Method == http.MethodGet && b.codes.redeem(r.URL.Query().Get("code"), b.now())
	value := ""
	if let && b.opt.Token != "" {
		value = b.cookies.issue(b.now().Add(cookieLife))
	}
	b.mu.Unlock()
	if !let {
		locked.ServeHTTP(w, r)
		return
	}
	if value != "" {
		http.SetCookie(w, &http.Cookie{Name: b.cookie, Value: value, Path: strings.TrimSuffix(b.path, "/"), HttpOnly: true, SameSite: http.SameSiteStrictMode})
	}
	if byHeader {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	http.Redirect(w, r, b.path, http.StatusSeeOther)
}

// known reports whether a browser was let in before, or the request has the token.
func (b *Browser) known(r *http.Request) bool {
	if b.opt.Token == "" {
		return true
	}
	if g := (&guard{opt: b.opt, token: b.token}); g.tokenOK(r) {
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
	if n := len(*p) - mostPasses; n > 0 {
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
