package oauthtest

import (
	"html"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var (
	form   = regexp.MustCompile(`(?s)<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>`)
	hidden = regexp.MustCompile(`<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"`)
)

// Browse does what a user does with a login page: logs in, agrees, and ends at the URL on this machine that the browser
// is sent back to. It returns that URL and does not open it.
func Browse(t testing.TB, address string) *url.URL {
	t.Helper()
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, _ := http.NewRequest(http.MethodGet, address, nil)
	for range 20 {
		response, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		response.Body.Close()
		if to, err := response.Location(); err == nil {
			if to.Path == "/callback" {
				return to
			}
			r, _ = http.NewRequest(http.MethodGet, to.String(), nil)
			continue
		}
		page := form.FindStringSubmatch(string(body))
		if page == nil {
			t.Fatalf("the browser is stuck at %s: HTTP %d %s", r.URL, response.StatusCode, body)
		}
		fields := url.Values{"login": {"somebody"}, "password": {"something"}}
		for _, f := range hidden.FindAllStringSubmatch(page[2], -1) {
			fields.Set(f[1], html.UnescapeString(f[2]))
		}
		to, _ := r.URL.Parse(html.UnescapeString(page[1]))
		r, _ = http.NewRequest(http.MethodPost, to.String(), strings.NewReader(fields.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	t.Fatal("the browser is sent around without end")
	return nil
}

// Open opens a URL, as the browser does in the end, and returns the page's text.
func Open(t testing.TB, address string) string {
	t.Helper()
	response, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	return string(body)
}
