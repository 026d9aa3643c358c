package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/dashboard"
	"github.com/compactor-mcp/compactor/runtime/dashboard/browsertest"
	"github.com/compactor-mcp/compactor/runtime/timeline"
)

func TestPagesAreAccessible(t *testing.T) {
	m, p := world()
	b := browsertest.Open(t)
	served := func(h http.Handler) *httptest.Server {
		s := httptest.NewServer(h)
		t.Cleanup(func() { s.CloseClientConnections(); s.Close() }) // pages that are open follow a stream
		return s
	}
	p.kept["cut"] = dashboard.Kept{ID: "cut", Tool: "read", Original: content("all of it"), OriginalTokens: 9000}
	full, empty := served(pages(m, p)), served(pages(&memory{}, &parts{}))
	hm, hp := world()
	hostile(hm, 30)
	bad := served(pages(hm, hp))
	id := url.PathEscape(`x"><script>`)
	session := full.URL + "/dashboard/sessions/5e5510a1"
	for _, c := range []struct{ name, at string }{
		{"overview", full.URL + "/dashboard/"}, {"session", session}, {"detail", session + "?span=b2"}, {"failed", session + "?span=c1"},
		{"result", session + "/results/k7m2"}, {"tools", full.URL + "/dashboard/tools"}, {"configuration", full.URL + "/dashboard/configuration?q=g"},
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

// TestByKeyboardAlone finds a summary, opens its original and comes back, without a
// pointer.
func TestByKeyboardAlone(t *testing.T) {
	b := browsertest.Open(t)
	m, p := world()
	srv := httptest.NewServer(pages(m, p))
	defer func() { srv.CloseClientConnections(); srv.Close() }()
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

// TestPictures takes those of the README.
func TestPictures(t *testing.T) {
	if os.Getenv("COMPACTOR_SHOTS") == "" {
		t.Skip("COMPACTOR_SHOTS names no directory")
	}
	m, p := world()
	m.spans["5e5510a1"] = slices.DeleteFunc(m.spans["5e5510a1"], func(s timeline.Span) bool { return s.Trace == "t4" || s.Trace == "" })
	for i := range 20 {
		m.savings = append(m.savings, timeline.Saving{From: now.Add(time.Duration(i-24) * 7 * time.Hour), Original: 3000 + i*i%7*1900, Given: 900 + i%3*300, Results: 1 + i%4})
	}
	b := browsertest.Open(t)
	srv := httptest.NewServer(pages(m, p))
	defer func() { srv.CloseClientConnections(); srv.Close() }()
	b.Size(1360, 860)
	for name, c := range map[string]struct{ path, scheme string }{"dashboard-session": {"/dashboard/sessions/5e5510a1?span=b2", "light"}, "dashboard-overview": {"/dashboard/", "dark"}} {
		b.Scheme(c.scheme)
		b.Go(srv.URL + c.path)
		b.Until(`document.querySelector("#live.is-live")`)
		b.Shot(name)
	}
}
