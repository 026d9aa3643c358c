package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/server/rawjson"
)

// maxSaid bounds what is repeated of a refusal, in bytes: the way out has to fit behind it.
const maxSaid = 120

// statusError is an HTTP status that is no answer.
type statusError struct {
	code   int
	server string
	said   string        // what came with it, in short and without secrets; "" for nothing of use
	after  time.Duration // that it asks to wait; 0: it does not
	sent   bool          // an Authorization header
	tls    bool          // it says that it wants https
}

func (e *statusError) Error() string {
	out := strings.TrimSpace(fmt.Sprintf("it answered HTTP %d %s", e.code, http.StatusText(e.code)))
	if e.said != "" {
		out += " (" + e.said + ")"
	}
	return out + e.wayOut()
}

// mayBeOlder reports whether the server may be one of HTTP with server-sent events, which takes no POST at its URL.
func (e *statusError) mayBeOlder() bool {
	switch e.code {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests:
		return false
	}
	return e.code/100 == 4 && !e.tls
}

func (e *statusError) wayOut() string {
	switch {
	case e.tls:
		return ": it wants https; write https:// in servers." + e.server + ".url"
	case e.code == http.StatusUnauthorized && !e.sent:
		return `: set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden && e.sent:
		return ": is the Authorization header in servers." + e.server + " right, and still valid?"
	case e.code == http.StatusForbidden:
		return `: if it wants a key, set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	case e.code == http.StatusNotFound, e.code == http.StatusMethodNotAllowed, e.code == http.StatusNotImplemented:
		return ": see whether its url is right; those of MCP servers often end in /mcp or /sse"
	case e.after > 0:
		return fmt.Sprintf(": it asks to wait %s before the next try", e.after.Round(time.Second))
	case e.code == http.StatusTooManyRequests:
		return ": wait before the next try, or ask less often"
	case e.code >= 500:
		return ": the fault is on its side; its own log may say more"
	}
	return ""
}

// statusOf is the error of a refusal with its body.
func (w *web) statusOf(r *http.Response, body []byte) *statusError {
	e := &statusError{code: r.StatusCode, server: oneLine(w.spec.Name), after: retryAfter(r.Header.Get("Retry-After"), time.Now())}
	for name := range w.spec.Headers {
		e.sent = e.sent || strings.EqualFold(name, "Authorization")
	}
	e.tls = r.StatusCode == http.StatusBadRequest && r.TLS == nil && wantsTLS(string(body))
	if said := newMasker(w.spec).line(reasonIn(body)); said != "" {
		e.said = strconv.Quote(shorten(said, maxSaid))
	} else if mediaType(r) == "text/html" {
		e.said = "a web page"
	}
	return e
}

// refusal reads the body of a response with a status that says no, as far as it may give a reason.
func refusal(r *http.Response) []byte {
	kind := mediaType(r)
	if kind != "application/json" && !strings.HasSuffix(kind, "+json") && (r.StatusCode != http.StatusBadRequest || kind == "text/event-stream") {
		return nil
	}
	body, err := readBody(r, maxRefusal)
	if err != nil {
		return nil
	}
	return body
}

// wantsTLS knows the answers of Go's server, nginx and Apache to plain HTTP on a port for HTTPS.
func wantsTLS(body string) bool {
	for _, text := range []string{"HTTP request to an HTTPS server", "HTTP request was sent to HTTPS port", "speaking plain HTTP to an SSL-enabled server port"} {
		if strings.Contains(body, text) {
			return true
		}
	}
	return false
}

// reasonIn is the reason that a JSON body gives, in the members that OAuth, problem details and usual frameworks use.
// Any other text may hold what must not be shown.
func reasonIn(body []byte) string {
	if check(body) != nil || rawjson.Of(body) != rawjson.Object {
		return ""
	}
	if inner := member(body, "error"); rawjson.Of(inner) == rawjson.Object {
		body = inner
	}
	name := cmp.Or(text(body, "error"), text(body, "title"))
	more := cmp.Or(text(body, "error_description"), text(body, "message"), text(body, "detail"))
	if name == "" || more == "" || name == more {
		return cmp.Or(name, more)
	}
	return name + ": " + more
}

// retryAfter reads the header of that name: seconds, or a date. 0: it says nothing of use.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "..."
}

// noStream is the error of an answer where a stream of events was wanted.
func (w *web) noStream(r *http.Response) error {
	if r.StatusCode/100 == 2 {
		return fmt.Errorf("it opened no stream of events: %w", wrongType(mediaType(r)))
	}
	return w.statusOf(r, refusal(r))
}

// wrongType is the error of an answer that is none by its content type.
func wrongType(kind string) error {
	switch kind {
	case "text/html":
		return errors.New("it is a web page: is there a login before it, or no MCP server at its url?")
	case "":
		return errors.New("it has no content type: is its url right?")
	}
	return fmt.Errorf("it is of type %q: is its url right?", oneLine(kind))
}
