package guard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
)

const secret = "0123456789abcdef"

// house is a browser's view of pages behind a token.
func house(token string, opt guard.Options) (*guard.Browser, http.Handler) {
	say := func(status int, text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); _, _ = io.WriteString(w, text) })
	}
	b := guard.NewBrowser("/dashboard/", token)
	return b, b.Beside(say(200, "next"), say(200, "page"), say(401, "locked"), opt)
}

func ask(h http.Handler, method, path string, header map[string]string, cookies ...*http.Cookie) *http.Response {
	r := httptest.NewRequest(method, path, nil)
	r.Host = "127.0.0.1:7717"
	for k, v := range header {
		if k == "Host" {
			r.Host = v
		} else {
			r.Header.Set(k, v)
		}
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestBrowserIsLetIn(t *testing.T) {
	for _, c := range []struct {
		name, token, path string
		header            map[string]string
		status            int
	}{
		{"another account of this machine", "", "/dashboard/", nil, 401},
		{"by its address", "", "/dashboard/", map[string]string{"Sec-Fetch-Site": "none"}, 401},
		{"from a page of ours", "", "/dashboard/tools", map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": "http://127.0.0.1:7717"}, 401},
		{"an empty code", "", "/dashboard/enter?code=", nil, 401},
		{"no token and an empty one", "", "/dashboard/", map[string]string{"Authorization": "Bearer "}, 401},
		{"no token and any", "", "/dashboard/enter", map[string]string{"Authorization": "Bearer " + secret}, 401},
		{"another site leads to the entrance", "", "/dashboard/enter?code=00112233445566778899aabbccddeeff", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"rebinding", "", "/dashboard/", map[string]string{"Host": "evil.test"}, 403},
		{"rebinding, to the entrance", "", "/dashboard/enter", map[string]string{"Host": "evil.test:7717"}, 403},
		{"another site links to it", "", "/dashboard/", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403},
		{"another site has it as a script", "", "/dashboard/sessions/x.json", map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, 403},
		{"another port of this machine", "", "/dashboard/", map[string]string{"Sec-Fetch-Site": "same-site"}, 403},
		{"another origin", "", "/dashboard/", map[string]string{"Origin": "http://localhost:3000"}, 403},
		{"an origin that may call the protocol", "", "/dashboard/", map[string]string{"Origin": "https://chat.example"}, 403},
		{"no origin", "", "/dashboard/", map[string]string{"Origin": "null"}, 403},
		{"token wanted", secret, "/dashboard/", nil, 401},
		{"token wanted without the slash", secret, "/dashboard", nil, 401},
		{"token given", secret, "/dashboard/", map[string]string{"Authorization": "Bearer " + secret}, 200},
		{"other token given", secret, "/dashboard/", map[string]string{"Authorization": "Bearer " + secret + "0"}, 401},
		{"no code", secret, "/dashboard/enter", nil, 401},
		{"wrong code", secret, "/dashboard/enter?code=00112233445566778899aabbccddeeff", nil, 401},
		{"the token as a code", secret, "/dashboard/enter?code=" + secret, nil, 401},
		{"elsewhere", secret, "/mcp", map[string]string{"Sec-Fetch-Site": "cross-site"}, 200},
		{"a name that begins alike", secret, "/dashboards", nil, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, h := house(c.token, guard.Options{Origins: []string{"https://chat.example"}})
			if got := ask(h, "GET", c.path, c.header); got.StatusCode != c.status {
				t.Errorf("%d, want %d", got.StatusCode, c.status)
			}
		})
	}
}

func TestACodeLetsOneBrowserIn(t *testing.T) {
	for _, token := range []string{"", secret} {
		t.Run("token "+token, func(t *testing.T) { letIn(t, token) })
	}
}

func letIn(t *testing.T, token string) {
	b, h := house(token, guard.Options{})
	at, err := url.Parse(b.Entrance())
	if err != nil || at.Query().Get("code") == "" || strings.Contains(b.Entrance(), secret) {
		t.Fatal(at, err)
	}
	if got := ask(h, "HEAD", at.String(), nil); got.StatusCode != 204 || len(got.Cookies()) != 0 {
		t.Error("a program that only looks ahead is let in:", got.StatusCode, got.Header)
	}
	in := ask(h, "GET", at.String(), map[string]string{"Sec-Fetch-Site": "none"})
	if in.StatusCode != http.StatusSeeOther || in.Header.Get("Location") != "/dashboard/" || len(in.Cookies()) != 1 {
		t.Fatal(in.StatusCode, in.Header)
	}
	c := in.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/dashboard" || c.Value == "" || strings.Contains(c.Value, secret) {
		t.Errorf("%+v", c)
	}
	if got := ask(h, "GET", "/dashboard/tools", nil, c); got.StatusCode != 200 {
		t.Error("the cookie is not known:", got.StatusCode)
	}
	if got := ask(h, "GET", at.String(), nil); got.StatusCode != 401 {
		t.Error("the code is good twice:", got.StatusCode)
	}
	if got := ask(h, "HEAD", at.String(), nil); got.StatusCode != 401 {
		t.Error("a used code is called good:", got.StatusCode)
	}
	if got := ask(h, "GET", at.String(), nil, c); got.StatusCode != http.StatusSeeOther {
		t.Error("the browser that is in cannot follow its link again:", got.StatusCode)
	}
	if got := ask(h, "GET", "/dashboard/", map[string]string{"Sec-Fetch-Site": "cross-site"}, c); got.StatusCode != 403 {
		t.Error("another site uses the cookie:", got.StatusCode)
	}
	other, _ := house(token, guard.Options{})
	if other.Entrance() == at.String() {
		t.Error("codes are equal")
	}
}

// A file on a disk is another site to a browser: what it leads to must not need the
// cookie before a page of ours has sent for it.
func TestAFileLeadsToTheEntrance(t *testing.T) {
	b, h := house("", guard.Options{})
	header := map[string]string{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
	at := b.Entrance()
	in := ask(h, "GET", at, header)
	if in.StatusCode != 200 || in.Header.Get("Refresh") != "0; url=/dashboard/" || len(in.Cookies()) != 1 {
		t.Fatal(in.StatusCode, in.Header)
	}
	if got := ask(h, "GET", "/dashboard/", map[string]string{"Sec-Fetch-Site": "same-origin"}, in.Cookies()...); got.StatusCode != 200 {
		t.Error(got.StatusCode)
	}
	if got := ask(h, "GET", at, header); got.StatusCode != 403 {
		t.Error("a used code:", got.StatusCode)
	}
}

func TestATokenIsHandedOverOnce(t *testing.T) {
	_, h := house(secret, guard.Options{})
	in := ask(h, "GET", "/dashboard/enter", map[string]string{"Authorization": "Bearer " + secret, "Sec-Fetch-Site": "same-origin"})
	if in.StatusCode != http.StatusNoContent || len(in.Cookies()) != 1 {
		t.Fatal(in.StatusCode, in.Header)
	}
	if got := ask(h, "GET", "/dashboard/", nil, in.Cookies()...); got.StatusCode != 200 {
		t.Error(got.StatusCode)
	}
}

func TestPassesAreFewAndEnd(t *testing.T) {
	b, h := house(secret, guard.Options{})
	first := b.Entrance()
	for range 64 {
		b.Code()
	}
	if got := ask(h, "GET", first, nil); got.StatusCode != 401 {
		t.Error("codes are kept without end:", got.StatusCode)
	}
	last := b.Entrance()
	guard.Ahead(b, 11*time.Minute)
	if got := ask(h, "GET", last, nil); got.StatusCode != 401 {
		t.Error("a code is good for ever:", got.StatusCode)
	}
	c := ask(h, "GET", b.Entrance(), nil).Cookies()
	guard.Ahead(b, 24*time.Hour)
	if got := ask(h, "GET", "/dashboard/", nil, c...); got.StatusCode != 401 {
		t.Error("a cookie is good for ever:", got.StatusCode)
	}
}
