package web

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/compactor-mcp/compactor/runtime/config"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open is a network with one host more than those that are given.
func open(hosts map[string]config.WebHost) config.Network {
	return config.Network{Hosts: hosts, MaxPage: 1 << 20, Timeout: 5 * time.Minute, Redirects: 3, Pages: 8}
}

func all(h config.WebHost) config.WebHost {
	if h.Paths == nil {
		h.Paths = []string{"/**"}
	}
	return h
}

// here serves on loopback, which its host is declared to be, and gives a reader and
// the address of the server.
func here(t *testing.T, handler http.HandlerFunc, change ...func(*config.Network)) (*Reader, string) {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	u, _ := url.Parse(s.URL)
	port, _ := strconv.Atoi(u.Port())
	cfg := open(map[string]config.WebHost{"127.0.0.1": all(config.WebHost{HTTP: true, Private: true, Ports: []int{port}})})
	for _, f := range change {
		f(&cfg)
	}
	rules, wrong := Compile(cfg)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return New(rules, Options{Version: "1"}).Reader(), s.URL
}

func TestAPageIsRead(t *testing.T) {
	var got http.Header
	r, at := here(t, func(w http.ResponseWriter, req *http.Request) {
		got = req.Header.Clone()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Set-Cookie", "a=b")
		fmt.Fprint(w, "<p>Hello</p>")
	})
	page, err := r.Get(t.Context(), at+"/docs/./a/../b#c")
	if err != nil || string(page.Body) != "<p>Hello</p>" || page.URL != at+"/docs/b" || page.Cut {
		t.Fatalf("%+v, %v", page, err)
	}
	if got.Get("User-Agent") != "compactor/1" || got.Get("Cookie") != "" || got.Get("Referer") != "" || got.Get("Authorization") != "" {
		t.Errorf("sent %v", got)
	}
	if again, _ := r.Get(t.Context(), at+"/docs/b"); again != page || r.Left() != 7 {
		t.Errorf("it was read again, %d left", r.Left())
	}
}

func TestWhatIsNotDeclaredIsNotAsked(t *testing.T) {
	var asked atomic.Int32
	r, at := here(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) }, func(n *config.Network) {
		h := n.Hosts["127.0.0.1"]
		h.Paths = []string{"/docs/**", "/a.html"}
		n.Hosts["127.0.0.1"] = h
		n.Hosts["docs.example.org"] = all(config.WebHost{})
	})
	for _, address := range []string{
		"http://evil.example/", "https://127.0.0.1.evil.example/", "https://docs.example.org.evil.example/", "https://evil.example/docs.example.org", "http://docs.example.org/", "https://docs.example.org:8443/", "https://user:key@docs.example.org/",
		"https://docs.example.org@evil.example/", "ftp://docs.example.org/", "file:///etc/passwd", "javascript:alert(1)", "https:docs.example.org", "//docs.example.org", "docs.example.org", "",
		"https://127.0.0.1/docs/", "http://127.0.0.1:1/docs/", "http://localhost:1/", "http://[::1]/", "http://2130706433/", "https://dócs.example.org/", "https://docs.example.org%2eevil.example/", "https://docs.example.org/" + strings.Repeat("a", maxAddress), "http://docs.example.org\r\nHost: x/",
		at + "/other", at + "/docs/../other", at + "/docs/%2e%2e/other", at + "/docs/..%2fother", at + "/docs/%5c..%5cother", at + "/docs/..;/other", at + "/docs//../../other", at + "/a.html/b", at + "/", at + "/docsx", at + `/docs\..\other`, at + "/docs/%252e%252e/other",
	} {
		if page, err := r.Get(t.Context(), address); page != nil || err == nil || err.(*Error).Code() != "WEB_REFUSED" {
			t.Errorf("%s: %v, %v", address, page, err)
		}
	}
	if asked.Load() != 0 || r.Left() != 8 {
		t.Errorf("asked %d times, %d pages left", asked.Load(), r.Left())
	}
	for _, address := range []string{at + "/docs/", at + "/docs", at + "/docs/a/b", at + "/a.html", at + "/docs/a?x=1"} {
		if _, err := r.Get(t.Context(), address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestRedirectsLeadToDeclaredHostsOnly(t *testing.T) {
	for to, want := range map[string]string{
		"/end": "",
		"http://169.254.169.254/latest/meta-data/": "not a host that network.hosts names",
		"https://evil.example/":                    "not a host that network.hosts names",
		"//evil.example/":                          "not a host that network.hosts names",
		"http://localhost/":                        "not a host that network.hosts names",
		"http://127.0.0.1:1/":                      "port 1 of 127.0.0.1 is not open",
		"file:///etc/passwd":                       "not an address of a page",
		"gopher://127.0.0.1/":                      "not an address of a page",
		"http://u:p@127.0.0.1/":                    "user name or password",
		"/loop":                                    "redirects more than 3 times",
		"http://%zz/":                              "not an address",
	} {
		r, at := here(t, func(w http.ResponseWriter, req *http.Request) {
			switch req.URL.Path {
			case "/end":
				fmt.Fprint(w, "the end")
			case "/loop":
				http.Redirect(w, req, "/loop?"+req.URL.RawQuery+"x", http.StatusFound)
			default:
				w.Header().Set("Location", to)
				w.WriteHeader(http.StatusMovedPermanently)
			}
		})
		page, err := r.Get(t.Context(), at+"/begin")
		if want == "" {
			if err != nil || page.URL != at+"/end" {
				t.Errorf("%s: %v, %v", to, page, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", to, err)
		}
	}
}

// names answers questions for addresses: by name, each question the next of a list.
func names(t *testing.T, of map[string][]string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	t.Cleanup(func() { conn.Close(); wg.Wait() })
	asked := map[string]int{}
	wg.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) == 0 {
				continue
			}
			q := m.Questions[0]
			m.Response, m.Additionals = true, nil
			name := strings.TrimSuffix(q.Name.String(), ".")
			if of[name] == nil {
				m.RCode = dnsmessage.RCodeNameError
			}
			if list := of[name]; q.Type == dnsmessage.TypeA && len(list) > 0 {
				ip := net.ParseIP(list[min(asked[name], len(list)-1)]).To4()
				asked[name]++
				m.Answers = []dnsmessage.Resource{{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}, Body: &dnsmessage.AResource{A: [4]byte(ip)}}}
			}
			if out, err := m.Pack(); err == nil {
				_, _ = conn.WriteTo(out, from)
			}
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func TestANameThatLeadsNearIsRefused(t *testing.T) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); fmt.Fprint(w, "secret") }))
	defer s.Close()
	u, _ := url.Parse(s.URL)
	port, _ := strconv.Atoi(u.Port())
	resolver := names(t, map[string][]string{
		"here.example": {"127.0.0.1"}, "lan.example": {"10.1.2.3"}, "cloud.example": {"169.254.169.254"}, "mine.example": {"127.0.0.1"}, "minecloud.example": {"169.254.169.254"},
		// looked at once, it is public; looked at again, it is this machine
		"rebinds.example": {"93.184.216.34", "127.0.0.1"},
	})
	hosts := map[string]config.WebHost{}
	for _, name := range []string{"here.example", "lan.example", "cloud.example", "mine.example", "minecloud.example", "rebinds.example", "nowhere.example"} {
		hosts[name] = all(config.WebHost{HTTP: true, Ports: []int{port}, Private: strings.HasPrefix(name, "mine")})
	}
	cfg := open(hosts)
	cfg.Pages = 20
	rules, wrong := Compile(cfg)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	if addresses, err := resolver.LookupHost(t.Context(), "rebinds.example"); err != nil || !slices.Contains(addresses, "93.184.216.34") {
		t.Fatal(addresses, err)
	}
	r := New(rules, Options{Resolver: resolver}).Reader()
	for name, want := range map[string]string{
		"here.example": "on this machine; private: true", "lan.example": "on a local network; private: true", "cloud.example": "where nothing is read",
		"minecloud.example": "where nothing is read", "rebinds.example": "on this machine", "nowhere.example": "no such host",
	} {
		if _, err := r.Get(t.Context(), fmt.Sprintf("http://%s:%d/", name, port)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if asked.Load() != 0 {
		t.Error("it was asked all the same")
	}
	if page, err := r.Get(t.Context(), fmt.Sprintf("http://mine.example:%d/", port)); err != nil || string(page.Body) != "secret" {
		t.Errorf("a host that is declared to be here: %v", err)
	}
}

func TestPagesAreBounded(t *testing.T) {
	var sent atomic.Int64
	bomb := func() []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		for range 32 {
			_, _ = z.Write(make([]byte, 1<<20))
		}
		_ = z.Close()
		return b.Bytes()
	}()
	r, at := here(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		switch req.URL.Path {
		case "/large":
			chunk := bytes.Repeat([]byte("x"), 64<<10)
			for range 200 << 20 / len(chunk) {
				n, err := w.Write(chunk)
				sent.Add(int64(n))
				if err != nil {
					return
				}
			}
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb)
		case "/header":
			for i := range 100 {
				w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("y", 4_000))
			}
		case "/broken":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write([]byte("no gzip"))
		case "/short":
			w.Header().Set("Content-Length", "1000")
			_, _ = w.Write([]byte("x"))
		case "/brotli":
			w.Header().Set("Content-Encoding", "br")
		case "/zip":
			w.Header().Set("Content-Type", "application/zip")
		case "/sniffed":
			w.Header()["Content-Type"] = nil
			_, _ = w.Write([]byte("\x7fELF\x00\x01\x02"))
		case "/missing":
			w.WriteHeader(http.StatusNotFound)
		case "/nothing":
			w.WriteHeader(http.StatusNoContent)
		}
	}, func(n *config.Network) { n.Timeout, n.Pages = 5*time.Minute, 20 })
	for path, want := range map[string]string{
		"/header": "cannot be read", "/broken": "cannot be read", "/short": "cannot be read", "/brotli": "packed as br", "/zip": "application/zip, which is not text",
		"/sniffed": "application/octet-stream, which is not text", "/missing": "status 404", "/nothing": "status 204",
	} {
		if page, err := r.Get(t.Context(), at+path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v", path, page, err)
		}
	}
	for _, path := range []string{"/large", "/bomb"} {
		page, err := r.Get(t.Context(), at+path)
		if err != nil || !page.Cut || len(page.Body) != 1<<20 {
			t.Fatalf("%s: %v", path, err)
		}
	}
	if sent.Load() > 50<<20 {
		t.Errorf("%d bytes were taken", sent.Load())
	}
}

// TestAPageThatNeverEndsIsGivenUp has a server that sends a byte at a time.
func TestAPageThatNeverEndsIsGivenUp(t *testing.T) {
	r, at := here(t, func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		drops := time.NewTicker(20 * time.Millisecond)
		defer drops.Stop()
		for {
			if _, err := w.Write([]byte("x")); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
			select {
			case <-req.Context().Done():
				return
			case <-drops.C:
			}
		}
	}, func(n *config.Network) { n.Timeout = 300 * time.Millisecond })
	if page, err := r.Get(t.Context(), at+"/"); err == nil || !strings.Contains(err.Error(), "took longer than 300ms") {
		t.Errorf("%v, %v", page, err)
	}
}

func TestACallReadsSoManyPagesAndEachOnce(t *testing.T) {
	var asked atomic.Int32
	r, at := here(t, func(w http.ResponseWriter, _ *http.Request) { asked.Add(1); fmt.Fprint(w, "text") }, func(n *config.Network) { n.Pages = 3 })
	var wg sync.WaitGroup
	for i := range 24 {
		wg.Go(func() {
			if _, err := r.Get(t.Context(), fmt.Sprintf("%s/%d", at, i%3)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if _, err := r.Get(t.Context(), at+"/4"); err == nil || !strings.Contains(err.Error(), "network.pages") || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
}

func TestCancelling(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, at := here(t, func(w http.ResponseWriter, req *http.Request) {
		cancel()
		<-req.Context().Done()
	})
	if _, err := r.Get(ctx, at+"/"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTLSIsHeld(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "text") }))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	u, _ := url.Parse(s.URL)
	port, _ := strconv.Atoi(u.Port())
	rules, _ := Compile(open(map[string]config.WebHost{"127.0.0.1": all(config.WebHost{Private: true, Ports: []int{port}})}))
	if _, err := New(rules, Options{}).Reader().Get(t.Context(), s.URL); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate of nobody's: %v", err)
	}
	pool := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if _, err := New(rules, Options{Roots: pool}).Reader().Get(t.Context(), s.URL); err != nil {
		t.Error(err)
	}
}

func TestAddressesInAText(t *testing.T) {
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": all(config.WebHost{})}))
	for text, want := range map[string][]string{
		"what does https://docs.example.org/a say?":                         {"https://docs.example.org/a"},
		"see (https://docs.example.org/a_(b)), please.":                     {"https://docs.example.org/a_(b)"},
		"HTTPS://DOCS.example.org:443/A#frag and <https://x.example/b?c=d>": {"https://docs.example.org/A", "https://x.example/b?c=d"},
		"on docs.example.org, how":                                          {"https://docs.example.org/"},
		"docs.example.org/guide.html says":                                  {"https://docs.example.org/guide.html"},
		"other.example.org/guide.html says":                                 nil,
		"[link](https://docs.example.org/a)":                                {"https://docs.example.org/a"},
		"twice https://docs.example.org/a https://docs.example.org/a":       {"https://docs.example.org/a"},
		"nothing here": nil,
	} {
		if got := rules.findAddresses(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := rules.findAddresses(strings.Repeat("https://a.example/x ", 3) + strings.Repeat("y", 1<<20)); len(got) != 1 {
		t.Error(len(got))
	}
}

func TestLinks(t *testing.T) {
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": {Paths: []string{"/docs/**"}}}))
	for href, want := range map[string]string{
		"b": "https://docs.example.org/docs/b", "/docs/c#x": "https://docs.example.org/docs/c", "../docs/d": "https://docs.example.org/docs/d", "//docs.example.org/docs/e": "https://docs.example.org/docs/e",
		"/other": "", "../../x": "", "?delete=1": "", "/docs/logout?now": "", "https://evil.example/": "", "http://docs.example.org/docs/": "", "mailto:a@b": "", "javascript:alert(1)": "", "data:text/html,x": "", "%zz": "",
	} {
		if got := rules.resolveLink("https://docs.example.org/docs/a", href); got != want {
			t.Errorf("%s: %s", href, got)
		}
	}
}

func TestReferences(t *testing.T) {
	r, at := here(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "text") })
	page, err := r.Get(t.Context(), at+"/a:12")
	if err != nil {
		t.Fatal(err)
	}
	ref := r.Cite(page, "b c")
	if ref != at+"/a:12#b%20c" {
		t.Error(ref)
	}
	plain := r.Cite(page, "")
	if plain != at+"/a%3A12" {
		t.Error(plain)
	}
	for _, s := range []string{ref, plain} {
		if _, err := r.Lines(t.Context(), s); err != nil {
			t.Error(err)
		}
	}
	for _, s := range []string{at + "/b", ref + "d", "https://evil.example/", "", "a.go"} {
		if _, err := r.Lines(t.Context(), s); err == nil {
			t.Errorf("%q can be cited", s)
		}
	}
}

func TestCompileSaysWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		host config.WebHost
		at   string
		path string
	}{
		"a.example":       {config.WebHost{Paths: []string{"/[a"}}, "not a valid glob", "hosts a.example paths 0"},
		"b.example":       {all(config.WebHost{Start: []string{"https://b.example/", "https://c.example/"}}), "not a host", "hosts b.example start 1"},
		"d.example":       {all(config.WebHost{Start: []string{"http://d.example/"}}), "not https", "hosts d.example start 0"},
		"127.0.0.1":       {all(config.WebHost{}), "on this machine", "hosts 127.0.0.1"},
		"10.0.0.1":        {all(config.WebHost{}), "on a local network", "hosts 10.0.0.1"},
		"169.254.169.254": {all(config.WebHost{Private: true}), "reserved or metadata address", "hosts 169.254.169.254"},
	} {
		_, wrong := Compile(open(map[string]config.WebHost{name: c.host}))
		if len(wrong) != 1 || !strings.Contains(wrong[0].Message, c.at) || strings.Join(wrong[0].Path, " ") != c.path || wrong[0].Help == "" {
			t.Errorf("%s: %+v", name, wrong)
		}
	}
	if rules, wrong := Compile(config.Network{}); rules != nil || wrong != nil || New(rules, Options{}) != nil || New(rules, Options{}).Reader() != nil {
		t.Error("something is open that nobody opened")
	}
}

func FuzzAddress(f *testing.F) {
	for _, s := range []string{"https://docs.example.org/a", "http://docs.example.org:80", "https://docs.example.org:443/a/../b%2fc", "see docs.example.org/x.", "https://[::1]:1/%zz?#", "//docs.example.org/%2e%2e/"} {
		f.Add(s, "b")
	}
	rules, _ := Compile(open(map[string]config.WebHost{"docs.example.org": {Paths: []string{"/docs/**"}}}))
	f.Fuzz(func(t *testing.T, text, href string) {
		check := func(address string) {
			u, err := parseAddress(address)
			if err != nil || rules.checkAddress(u) != nil {
				return
			}
			if u.Host != "docs.example.org" || u.Scheme != "https" || u.User != nil || !strings.HasPrefix(u.Path+"/", "/docs/") {
				t.Errorf("%q may be read as %s", address, u)
			}
			if again, err := parseAddress(u.String()); err != nil || again.String() != u.String() {
				t.Errorf("%q is %s, which is %v", address, u, again)
			}
		}
		check(text)
		for _, address := range rules.findAddresses(text) {
			check(address)
		}
		if to := rules.resolveLink("https://docs.example.org/docs/a", href); to != "" {
			check(to)
			if !strings.HasPrefix(to, "https://docs.example.org/docs") {
				t.Errorf("%q leads to %s", href, to)
			}
		}
	})
}
