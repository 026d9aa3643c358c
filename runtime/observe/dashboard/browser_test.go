package dashboard_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard"
	"github.com/compactor-mcp/compactor/runtime/observe/dashboard/browsertest"
)

// serveTo serves pages to a browser that outlives the server: a page that is open
// follows a stream, and comes again when that ends.
func serveTo(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := httptest.NewUnstartedServer(h)
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Start()
	t.Cleanup(func() { cancel(); s.CloseClientConnections(); s.Close() })
	return s
}

func TestPagesAreAccessible(t *testing.T) {
	m, p := world()
	b := browsertest.Open(t)
	served := func(h http.Handler) *httptest.Server { return serveTo(t, h) }
	p.kept["cut"] = dashboard.Kept{ID: "cut", Tool: "read", Original: content("all of it"), OriginalTokens: 9000}
	full, empty := served(pages(m, p)), served(pages(&memory{}, &parts{}))
	hm, hp := world()
	hostile(hm, 30)
	bad := served(pages(hm, hp))
	id := url.PathEscape(`x"><script>`)
	session := full.URL + "/dashboard/sessions/5e5510a1"
	for _, c := range []struct{ name, at string }{
		{"overview", full.URL + "/dashboard/"}, {"session", session}, {"detail", session + "?span=b2"}, {"failed", session + "?span=c1"},
		{"result", session + "/results/k7m2"}, {"answers", served(pages(answersFromDocuments(), p)).URL + "/dashboard/answers"}, {"tools", full.URL + "/dashboard/tools"}, {"lists", full.URL + "/dashboard/lists"}, {"lists_empty", empty.URL + "/dashboard/lists"}, {"configuration", full.URL + "/dashboard/configuration?q=g"},
		{"locked", served(dashboard.Locked("v1")).URL + "/dashboard/"}, {"cut", session + "/results/cut"},
		{"nothing", full.URL + "/dashboard/none"}, {"overview_empty", empty.URL + "/dashboard/"}, {"tools_empty", empty.URL + "/dashboard/tools"},
		{"hostile", bad.URL + "/dashboard/sessions/" + id + "?span=" + url.QueryEscape(`3"><script>`)}, {"hostile_overview", bad.URL + "/dashboard/"},
	} {
		for _, s := range []string{"light", "dark"} {
			b.Scheme(s)
			b.Go(c.at)
			b.Accessible(c.name + ", " + s)
			b.Fits(c.name)
			b.Shot(c.name + "_" + s)
		}
		b.Size(390, 800)
		b.Fits(c.name + " on a telephone")
		b.Shot(c.name + "_small")
		b.Size(1440, 1000)
	}
}

// A session of ten thousand steps can be read, live and by the keyboard.
func TestALongSessionInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	m, p := world()
	m.spans["5e5510a1"] = longRequest("t1", 10_000)
	srv := serveTo(t, pages(m, p))
	b.Go(srv.URL + "/dashboard/sessions/5e5510a1")
	b.Until(`document.querySelector("#live.is-live")`)
	b.Keys("End", "Enter")
	b.Until(`document.activeElement.id === "detail-head"`)
	b.Keys("Escape")
	b.Until(`document.activeElement.id === "span-s399"`)
	b.Says(`document.querySelector("nav.paging a[rel=next]").focus()`)
	b.Keys("Enter")
	b.Until(`document.getElementById("span-s400") && !document.getElementById("span-s399") && document.querySelector("#live.is-live")`)
	b.Keys("ArrowDown", "Enter")
	b.Until(`document.activeElement.id === "detail-head" && location.search.includes("from=400")`)
	b.Size(390, 800)
	b.Fits("ten thousand steps")
}

// An update that was asked for before a detail was opened, and comes after, takes nothing
// away: it is of another address.
func TestALateUpdateInABrowser(t *testing.T) {
	b := browsertest.Open(t)
	var asked atomic.Bool
	answer := make(chan bool)
	release := sync.OnceFunc(func() { close(answer) })
	defer release()
	m, p := world()
	inner := pages(m, p)
	srv := serveTo(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Sec-Fetch-Dest") == "empty" && r.URL.Path == "/dashboard/sessions/5e5510a1" && r.URL.RawQuery == "" {
			asked.Store(true)
			<-answer
		}
		inner.ServeHTTP(w, r)
	}))
	b.Go(srv.URL + "/dashboard/sessions/5e5510a1")
	clocktest.Until(t, "an update is asked for", asked.Load)
	b.Keys("Home", "Enter")
	b.Until(`document.activeElement.id === "detail-head"`)
	release()
	b.Until(`performance.getEntriesByType("resource").filter(r => r.name.endsWith("?span=d1")).length === 2`)
	b.Until(`document.activeElement.id === "detail-head"`)
}

// TestByKeyboardAlone finds a summary, opens its original and comes back, without a
// pointer.
func TestByKeyboardAlone(t *testing.T) {
	b := browsertest.Open(t)
	m, p := world()
	srv := serveTo(t, pages(m, p))
	b.Go(srv.URL + "/dashboard/")
	b.Until(`document.querySelector("#live.is-live")`)
	b.Keys("ArrowDown", "Enter")
	b.Until(`document.getElementById("timeline") && document.querySelector("#live.is-live")`)
	b.Keys("/")
	b.Until(`document.activeElement.id === "q"`)
	b.Keys("Backspace", "g", "i", "t", "h", "u", "b", "Enter") // the driver types the slash whatever became of it
	b.Until(`location.search.includes("q=github") && document.getElementById("result-k7m2")`)
	b.Until(`document.querySelector("#live.is-live")`)
	b.Keys("End", "Enter") // the last row is its summary's
	b.Until(`document.getElementById("original") && document.body.innerText.includes("last line of it")`)
	b.Keys("Escape")
	b.Until(`document.getElementById("timeline") && document.querySelector("#live.is-live")`)
	b.Keys("Home", "Enter")
	b.Until(`document.activeElement.id === "detail-head"`)
	b.Keys("Escape")
	b.Until(`document.activeElement.classList.contains("row") && !location.search.includes("span=")`)
}
