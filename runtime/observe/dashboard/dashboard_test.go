package dashboard_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func pages(m *memory, p *parts) http.Handler {
	o := dashboard.Options{Source: p, Version: "v1", Now: func() time.Time { return now }}
	if m != nil {
		o.Timeline = m
	}
	return dashboard.New(o)
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestPages(t *testing.T) {
	m, p := world()
	full, empty, none := pages(m, p), pages(&memory{}, &parts{}), pages(nil, &parts{})
	for _, c := range []struct {
		name, path string
		h          http.Handler
		status     int
	}{
		{"overview", "/dashboard/?period=7d", full, 200},
		{"overview_search", "/dashboard/?q=worker", full, 200},
		{"overview_nothing_found", "/dashboard/?q=%3Cscript%3E", full, 200},
		{"overview_empty", "/dashboard/", empty, 200},
		{"overview_no_timeline", "/dashboard/", none, 200},
		{"session", "/dashboard/sessions/5e5510a1", full, 200},
		{"session_detail", "/dashboard/sessions/5e5510a1?span=b2", full, 200},
		{"session_failed", "/dashboard/sessions/5e5510a1?failed=1&span=c1", full, 200},
		{"session_filter", "/dashboard/sessions/5e5510a1?kind=model&q=summar", full, 200},
		{"session_filter_nothing", "/dashboard/sessions/5e5510a1?q=nothing+has+this", full, 200},
		{"session_rounds", "/dashboard/sessions/5e5510c3", pages(roundsOfAsking(), p), 200},
		{"session_empty", "/dashboard/sessions/5e5510b2", full, 200},
		{"session_absent", "/dashboard/sessions/none", full, 404},
		{"session_json", "/dashboard/sessions/5e5510a1.json", full, 200},
		{"result", "/dashboard/sessions/5e5510a1/results/k7m2", full, 200},
		{"result_gone", "/dashboard/sessions/5e5510a1/results/gone", full, 404},
		{"answers", "/dashboard/answers", pages(answersFromDocuments(), p), 200},
		{"answers_empty", "/dashboard/answers", empty, 200},
		{"answers_no_timeline", "/dashboard/answers", none, 200},
		{"tools", "/dashboard/tools", full, 200},
		{"tools_search", "/dashboard/tools?q=issues", full, 200},
		{"tools_empty", "/dashboard/tools", empty, 200},
		{"lists", "/dashboard/lists", full, 200},
		{"lists_empty", "/dashboard/lists", pages(m, &parts{lists: dashboard.Lists{Known: true}}), 200},
		{"lists_unknown", "/dashboard/lists", empty, 200},
		{"configuration", "/dashboard/configuration", full, 200},
		{"configuration_own", "/dashboard/configuration?own=1", full, 200},
		{"configuration_empty", "/dashboard/configuration?own=1", empty, 200},
		{"nothing", "/dashboard/no/such/page", full, 404},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := get(c.h, c.path)
			if w.Code != c.status {
				t.Fatalf("%d, want %d\n%s", w.Code, c.status, w.Body)
			}
			safe(t, w)
			text := w.Body.String()
			if strings.Contains(text, "hunter2") {
				t.Error("a secret is shown")
			}
			if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
				text = read(t, w.Body.Bytes())
			}
			golden(t, c.name, text)
		})
	}
}

// safe checks that a browser runs and shows nothing but what is embedded.
func safe(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	csp := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"} {
		if !strings.Contains(csp, want) {
			t.Errorf("policy %q lacks %s", csp, want)
		}
	}
	if strings.Contains(csp, "unsafe") || w.Header().Get("X-Frame-Options") != "DENY" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("headers: %v", w.Header())
	}
	if inline.MatchString(w.Body.String()) && strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("the page has what its policy forbids: %s", inline.FindString(w.Body.String()))
	}
}

var inline = regexp.MustCompile(`(?i)<[a-z]+[^>"']*(?:"[^"]*"[^>"']*)*\s(?:style|on[a-z]+)=|<script>|<script [^s]|<style|(?:src|href)="(?:https?:)?//`)

// read is the text of a page, a line for each block, with what a control says.
func read(t *testing.T, page []byte) string {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode {
			switch n.Data {
			case "head", "svg", "footer", "header":
				return
			case "h1", "h2", "h3", "p", "tr", "li", "div", "section", "form", "table", "pre", "nav", "summary", "caption", "article", "aside":
				b.WriteString("\n")
			case "th", "td", "dd", "a", "option", "label":
				b.WriteString(" ")
			case "input":
				for _, a := range n.Attr {
					if a.Key == "value" {
						b.WriteString("[" + a.Val + "]")
					}
				}
			}
		}
		for k := n.FirstChild; k != nil; k = k.NextSibling {
			walk(k)
		}
	}
	walk(root)
	var lines []string
	for l := range strings.SplitSeq(b.String(), "\n") {
		if l = strings.Join(strings.Fields(l), " "); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs (-update rewrites it): %v\n%s", file, err, got)
	}
}

func TestHostileTextStaysText(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	m, p := world()
	hostile(m, 100)
	bad := strings.Repeat("<script>alert(1)</script>\u202e\x1b[31m hunter2", 400)
	p.state.Servers = append(p.state.Servers, dashboard.Server{Name: bad, Status: "error", Reached: bad, Problem: bad, Do: bad, Said: []string{bad}, Refused: []dashboard.Refused{{Tool: bad, Why: bad}}})
	p.state.Tools = append(p.state.Tools, dashboard.Tool{Name: bad, Server: bad, Description: bad, Off: bad})
	p.cfg.Settings = append(p.cfg.Settings, dashboard.Setting{Path: bad, Value: bad, From: bad})
	p.cfg.Problems = append(p.cfg.Problems, dashboard.Problem{Code: "C1", Place: bad, Path: bad, Message: bad, Help: bad})
	p.cfg.Held, p.cfg.Refused = []string{bad}, bad
	p.kept["bad"] = dashboard.Kept{ID: bad, Server: bad, Tool: bad, By: bad, Original: content(bad), Summary: content(bad)}
	h := pages(m, p)
	id := url.PathEscape(`x"><script>`)
	span := url.QueryEscape(m.spans[`x"><script>`][3].ID)
	for _, path := range []string{"/dashboard/", "/dashboard/sessions/" + id, "/dashboard/sessions/" + id + "?span=" + span, "/dashboard/sessions/" + id + "/results/bad",
		"/dashboard/sessions/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/dashboard/answers", "/dashboard/tools", "/dashboard/configuration", "/dashboard/?q=%22%3E%3Cscript%3E" + strings.Repeat("W", 5000),
		"/dashboard/sessions/" + id + "?q=%22%3E%3Cscript%3E&kind=%22onload=&before=%22", "/dashboard/sessions/" + id + ".json"} {
		w := get(h, path)
		safe(t, w)
		text := w.Body.String()
		if strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") && (strings.Contains(text, "<script>") || strings.Contains(text, "<img src=x")) {
			t.Errorf("%s: markup passes", path)
		}
		for _, r := range []string{"\u202e", "\x1b", "\u2028", "hunter2"} {
			if strings.Contains(text, r) && !strings.HasSuffix(path, ".json") {
				t.Errorf("%s: %q is shown as it is", path, r)
			}
		}
		if strings.Contains(text, "hunter2") {
			t.Errorf("%s: a secret passes", path)
		}
		if strings.Contains(text, strings.Repeat("W", 5000)) && !strings.HasSuffix(path, ".json") {
			t.Errorf("%s: a name is shown whole", path)
		}
		if len(text) > 4<<20 && !strings.HasSuffix(path, ".json") {
			t.Errorf("%s: %d bytes", path, len(text))
		}
	}
}

func TestOnlyGET(t *testing.T) {
	m, p := world()
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
		w := httptest.NewRecorder()
		pages(m, p).ServeHTTP(w, httptest.NewRequest(method, "/dashboard/", nil))
		if w.Code != http.StatusMethodNotAllowed {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

func TestErrorsOfTheTimelineSayWhatToDo(t *testing.T) {
	m, p := world()
	m.err = errors.New("the store is damaged, password hunter2")
	for _, path := range []string{"/dashboard/", "/dashboard/tools"} {
		w := get(pages(m, p), path)
		if w.Code != 500 || !strings.Contains(w.Body.String(), "compactor doctor") || strings.Contains(w.Body.String(), "hunter2") {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

func TestOff(t *testing.T) {
	h := dashboard.New(dashboard.Options{Source: &parts{}, Enabled: func() bool { return false }})
	if w := get(h, "/dashboard/"); w.Code != 404 || !strings.Contains(w.Body.String(), "dashboard: enabled: true") {
		t.Error(w.Code, w.Body)
	}
}

func TestAssetsAreEmbedded(t *testing.T) {
	for path, kind := range map[string]string{"style.css": "text/css", "script.js": "javascript", "icon.svg": "image/svg+xml"} {
		w := get(pages(nil, &parts{}), "/dashboard/"+path)
		if w.Code != 200 || !strings.Contains(w.Header().Get("Content-Type"), kind) || strings.Contains(w.Body.String(), "http://") && path != "icon.svg" || strings.Contains(w.Body.String(), "https://") {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		safe(t, w)
	}
	if w := get(pages(nil, &parts{}), "/dashboard/assets/"); w.Code != 404 {
		t.Error("assets are listed:", w.Code)
	}
}

func TestPaging(t *testing.T) {
	m, p := world()
	one := m.sessions[0]
	m.sessions = nil
	for i := range 60 {
		s := one
		s.ID, s.Title = "s"+string(rune('A'+i)), "session "+string(rune('A'+i))
		m.sessions = append(m.sessions, s)
	}
	h, seen, path := pages(m, p), 0, "/dashboard/"
	older := regexp.MustCompile(`<a href="([^"]+)" rel="next">`)
	for range 3 {
		body := get(h, path).Body.String()
		seen += strings.Count(body, `id="session-`)
		if next := older.FindStringSubmatch(body); next != nil {
			path = html.UnescapeString(next[1])
		}
	}
	if seen != 60 {
		t.Errorf("%d of 60 sessions", seen)
	}
}

func TestALongSessionIsPaged(t *testing.T) {
	m, p := world()
	spans := m.spans["5e5510a1"][:5]
	var all []string
	m.spans["5e5510a1"] = nil
	for i := range 200 {
		for _, s := range spans {
			s.Trace = "t" + string(rune(0x4e00+i))
			s.ID, s.Parent = s.Trace+s.ID, s.Trace+s.Parent
			s.Started = s.Started.Add(time.Duration(i) * time.Minute)
			m.spans["5e5510a1"] = append(m.spans["5e5510a1"], s)
		}
	}
	next := regexp.MustCompile(`<a href="([^"]+)" rel="next">Earlier`)
	h, path := pages(m, p), "/dashboard/sessions/5e5510a1"
	for range 3 {
		body := get(h, path).Body.String()
		all = append(all, regexp.MustCompile(`id="span-[^"]+"`).FindAllString(body, -1)...)
		if m := next.FindStringSubmatch(body); m != nil {
			path = html.UnescapeString(m[1])
		}
	}
	if len(all) != 1000 {
		t.Errorf("%d of 1000 steps", len(all))
	}
}

// A request of ten thousand steps is paged too, and each step is on one page.
func TestALongRequestIsPaged(t *testing.T) {
	for _, trace := range []string{"t1", ""} {
		m, p := world()
		m.spans["5e5510a1"] = longRequest(trace, 10_000)
		h, path, seen := pages(m, p), "/dashboard/sessions/5e5510a1", map[string]bool{}
		next := regexp.MustCompile(`<a href="([^"]+)" rel="next">[0-9,]+ further step`)
		for pages := 0; path != "" && pages < 30; pages++ {
			w := get(h, path)
			body := w.Body.String()
			for _, id := range regexp.MustCompile(`id="span-[^"]+"`).FindAllString(body, -1) {
				seen[id] = true
			}
			if len(body) > 1<<20 {
				t.Errorf("%s: %d bytes", path, len(body))
			}
			path = ""
			if m := next.FindStringSubmatch(body); m != nil {
				path = html.UnescapeString(m[1])
			}
		}
		if len(seen) != 10_000 {
			t.Errorf("%q: %d of 10000 steps", trace, len(seen))
		}
		if row := get(h, "/dashboard/sessions/5e5510a1?of="+first(trace, "none")+"&from=4800&span=s4801").Body.String(); !strings.Contains(row, `aria-current="true"`) || !strings.Contains(row, "from=4800") {
			t.Errorf("%q: a step that is opened leaves its page", trace)
		}
	}
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func TestExportIsWhole(t *testing.T) {
	m, p := world()
	w := get(pages(m, p), "/dashboard/sessions/5e5510a1.json")
	var got struct {
		Session struct{ ID string }
		Spans   []json.RawMessage
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || got.Session.ID != "5e5510a1" || len(got.Spans) != len(m.spans["5e5510a1"]) {
		t.Error(err, got.Session.ID, len(got.Spans))
	}
	if name := w.Header().Get("Content-Disposition"); name != `attachment; filename="session-5e5510a1.json"` {
		t.Error(name)
	}
}

// Every byte of an original is on one of its pages, whatever it is made of.
func TestALongOriginalIsPaged(t *testing.T) {
	m, p := world()
	for name, text := range map[string]string{
		"lines": strings.Repeat("a line of a log that goes on\n", 9000) + "the end", "one line": strings.Repeat("é", 150_000) + "the end",
		"mixed": strings.Repeat(strings.Repeat("x", 70_000)+"\nünï\n", 4) + "the end",
	} {
		p.kept["long"] = dashboard.Kept{ID: "long", Original: content(text)}
		h, path, whole := pages(m, p), "/dashboard/sessions/5e5510a1/results/long", ""
		part := regexp.MustCompile(`(?s)role="group" aria-labelledby="original">(.*?)</pre>`)
		next := regexp.MustCompile(`<a href="([^"]+)" rel="next">Further`)
		for range 20 {
			body := get(h, path).Body.String()
			shown := html.UnescapeString(part.FindStringSubmatch(body)[1])
			if len(shown) > 66<<10 {
				t.Errorf("%s: a page of %d bytes", name, len(shown))
			}
			whole += shown
			to := next.FindStringSubmatch(body)
			if to == nil {
				break
			}
			path = html.UnescapeString(to[1])
		}
		if whole != text {
			t.Errorf("%s: %d bytes of %d are on pages", name, len(whole), len(text))
		}
	}
	for _, from := range []string{"-1", "x", "99999999999999999999", "100000000"} {
		if w := get(pages(m, p), "/dashboard/sessions/5e5510a1/results/long?from="+from); w.Code != 200 {
			t.Error(from, w.Code)
		}
	}
}
