package dashboard

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// Path is the path of the pages.
const Path = "/dashboard/"

// Options configure the pages.
type Options struct {
	Timeline timeline.Reader // nil: none is kept
	Source   Source
	Enabled  func() bool // called for each page; nil: always
	Version  string
	// Of describes the subject of the pages if it is not the server that sends them, such
	// as "the store, as no server runs".
	Of string
	// Unkept returns why sessions are only in memory for now, "" if they are kept; nil: unknown.
	Unkept func() string
	Now    func() time.Time // default time.Now
}

//go:embed pages/*.html
var pageFiles embed.FS

//go:embed assets
var assetFiles embed.FS

// dash serves the pages.
type dash struct {
	opt     Options
	now     func() time.Time
	streams chan struct{}
}

// maxStreams limits the pages with live updates at a time.
const maxStreams = 64

// New returns the handler of everything below Path.
func New(opt Options) http.Handler {
	d := &dash{opt: opt, now: opt.Now, streams: make(chan struct{}, maxStreams)}
	if d.now == nil {
		d.now = time.Now
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /dashboard", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, Path, http.StatusMovedPermanently) })
	mux.HandleFunc("GET /dashboard/{$}", d.serveOverview)
	mux.HandleFunc("GET /dashboard/live", d.serveLive)
	mux.HandleFunc("GET /dashboard/sessions/{id}", d.serveSession)
	mux.HandleFunc("GET /dashboard/sessions/{id}/live", d.serveLive)
	mux.HandleFunc("GET /dashboard/sessions/{id}/results/{result}", d.serveResult)
	mux.HandleFunc("GET /dashboard/answers", d.serveAnswers)
	mux.HandleFunc("GET /dashboard/tools", d.serveTools)
	mux.HandleFunc("GET /dashboard/lists", d.serveLists)
	mux.HandleFunc("GET /dashboard/configuration", d.serveConfiguration)
	mux.HandleFunc("GET /dashboard/", d.notFound)
	return d.getOnly(Assets(mux))
}

// Assets serves the stylesheet, the script and the icon, and passes other requests to
// next. The assets are not secret.
func Assets(next http.Handler) http.Handler {
	sub, _ := fs.Sub(assetFiles, "assets") // cannot fail: it is embedded
	files := http.StripPrefix(Path, http.FileServerFS(sub))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Protect(w.Header())
		switch r.URL.Path {
		case Path + "style.css", Path + "script.js", Path + "icon.svg":
			if r.Method == http.MethodGet || r.Method == http.MethodHead {
				files.ServeHTTP(w, r)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// Protect sets headers so that a browser runs and shows only what is embedded here, and
// does not embed the pages elsewhere.
func Protect(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// getOnly answers only GET, and nothing at all if the pages are off.
func (d *dash) getOnly(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		Protect(w.Header())
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "the dashboard changes nothing: only GET is served", http.StatusMethodNotAllowed)
		case d.opt.Enabled != nil && !d.opt.Enabled():
			http.Error(w, "the dashboard is off; turn it on with: dashboard: enabled: true", http.StatusNotFound)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// page has the fields common to all pages.
type page struct {
	Title   string
	At      string // current menu entry
	Live    string // address of its event stream; "" for none
	Of      string
	Version string
	Body    any
}

// templates returns the pages by name, each with the frame around it. They are parsed when one is
// first shown: most commands show none, and parsing takes a tenth of their start.
var templates = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, name := range []string{"overview", "session", "result", "answers", "tools", "lists", "configuration", "problem", "locked"} {
		t := template.New("frame.html").Funcs(functions)
		out[name] = template.Must(t.ParseFS(pageFiles, "pages/frame.html", "pages/"+name+".html"))
	}
	return out
})

// sendPage sends a page, completely or not at all.
func (d *dash) sendPage(w http.ResponseWriter, status int, name string, p page) {
	p.Of, p.Version = d.opt.Of, d.opt.Version
	var b bytes.Buffer
	if err := templates()[name].Execute(&b, p); err != nil {
		http.Error(w, "this page could not be made; please report it", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = b.WriteTo(w) // the client may have disconnected
}

// problem is an error with its remedy.
type problem struct{ What, Do string }

// sendProblem sends a page that describes what went wrong.
func (d *dash) sendProblem(w http.ResponseWriter, status int, what, do string) {
	d.sendPage(w, status, "problem", page{Title: http.StatusText(status), Body: problem{what, do}})
}

func (d *dash) notFound(w http.ResponseWriter, _ *http.Request) {
	d.sendProblem(w, http.StatusNotFound, "There is no such page.", "Begin at the sessions; everything is reached from there.")
}

// timelineError reports that the timeline cannot be read.
func (d *dash) timelineError(w http.ResponseWriter, err error) {
	d.sendProblem(w, http.StatusInternalServerError, "The timeline cannot be read: "+d.safeLine(err.Error(), 500), "See what is wrong with the store: compactor doctor")
}

// Locked returns the handler for browsers that are not let in.
func Locked(version string) http.Handler {
	d := &dash{opt: Options{Version: version}}
	return Assets(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		d.sendPage(w, http.StatusUnauthorized, "locked", page{Title: "Locked"})
	}))
}
