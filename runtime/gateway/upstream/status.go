package upstream

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// maxSaid bounds what is repeated of a refusal, in bytes: the way out has to fit behind it.
const maxSaid = 120

// statusError is an HTTP status that is no answer.
type statusError struct {
	code   int
	server string
	said   string        // what came with it, in short and without secrets; "" for nothing of use
	after  time.Duration // that it asks to wait; 0: it does not
	sent   bool          // an Authorization header of the configuration
	login  bool          // a login is possible
	token  bool          // that of a login was sent
	scope  string        // that it wants, as it says; "" for not said
	tls    bool          // it says that the server wants https
}

func (e *statusError) Error() string {
	out := strings.TrimSpace(fmt.Sprintf("HTTP %d %s", e.code, http.StatusText(e.code)))
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
	if e.login && !e.tls {
		if out := e.logIn(); out != "" {
			return out
		}
	}
	switch {
	case e.tls:
		return ": the server wants https; write https:// in servers." + e.server + ".url"
	case e.code == http.StatusUnauthorized && !e.sent:
		return `: set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	case e.code == http.StatusUnauthorized, e.code == http.StatusForbidden && e.sent:
		return ": is the Authorization header in servers." + e.server + " right, and still valid?"
	case e.code == http.StatusForbidden:
		return `: if it wants a key, set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	case e.code == http.StatusNotFound, e.code == http.StatusMethodNotAllowed, e.code == http.StatusNotImplemented:
		return ": see whether its url is right; those of MCP servers often end in /mcp or /sse"
	case e.after > 0:
		return fmt.Sprintf(": the server asks to wait %s before the next try", e.after.Round(time.Second))
	case e.code == http.StatusTooManyRequests:
		return ": wait before the next try, or ask less often"
	case e.code >= 500:
		return ": the fault is the server's; its log may say more"
	}
	return ""
}

// loginWith is the command by which a person logs in, before the name of the server.
const loginWith = "compactor servers login "

// logIn is the way out of a refusal where a login is possible.
func (e *statusError) logIn() string {
	switch {
	case e.code == http.StatusUnauthorized && e.token:
		return ": it refuses the token of its login; log in again with: " + loginWith + e.server
	case e.code == http.StatusUnauthorized:
		return ": log in with: " + loginWith + e.server + `; if it wants a key, set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	case e.code == http.StatusForbidden && e.token && e.scope != "":
		return fmt.Sprintf(": its login does not allow that; log in again with: %s%s, which asks for what it wants unless oauth: scopes says otherwise: %q", loginWith, e.server, e.scope)
	case e.code == http.StatusForbidden && e.token:
		return ": permission denied for the logged-in account; log in with another one: " + loginWith + e.server
	case e.code == http.StatusForbidden:
		return ": if it wants a login: " + loginWith + e.server + `; if it wants a key, set headers: Authorization: "Bearer ${TOKEN}" in servers.` + e.server
	}
	return ""
}

// wantsLogin reports whether an error is one that a login mends.
func wantsLogin(err error) bool {
	var ended *unauthorized
	var status *statusError
	return errors.As(err, &ended) || errors.As(err, &status) && status.login && (status.code == http.StatusUnauthorized || status.code == http.StatusForbidden)
}

// wantedScope reads the scope of a challenge for bearer tokens.
var wantedScope = lazyregexp.New(`(?i)\bbearer\b.*\bscope="([^"]*)"`)

// lacking is the scope that a refused request needed, "" for not said.
func lacking(r *http.Response) string {
	if r.StatusCode != http.StatusForbidden {
		return ""
	}
	m := wantedScope.FindStringSubmatch(r.Header.Get("WWW-Authenticate"))
	if m == nil {
		return ""
	}
	return m[1]
}

// statusOf is the error of a refusal with its body.
func (w *web) statusOf(r *http.Response, body []byte) *statusError {
	e := &statusError{code: r.StatusCode, server: sanitize.OneLine(w.spec.Name, maxLine), after: retryAfter(r.Header.Get("Retry-After"), time.Now())}
	for name := range w.spec.Headers {
		e.sent = e.sent || strings.EqualFold(name, "Authorization")
	}
	e.login = w.login != nil && !e.sent
	e.token = e.login && r.Request.Header.Get("Authorization") != ""
	e.scope = sanitize.OneLine(lacking(r), maxSaid)
	e.tls = r.StatusCode == http.StatusBadRequest && r.TLS == nil && wantsTLS(string(body))
	if said := newMasker(w.spec, w.login).line(reasonIn(body)); said != "" {
		e.said = strconv.Quote(sanitize.OneLine(said, maxSaid))
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
	if inner := rawjson.Get(body, "error"); rawjson.Of(inner) == rawjson.Object {
		body = inner
	}
	name := cmp.Or(rawjson.GetText(body, "error"), rawjson.GetText(body, "title"))
	more := cmp.Or(rawjson.GetText(body, "error_description"), rawjson.GetText(body, "message"), rawjson.GetText(body, "detail"))
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

// noStream is the error of an answer where a stream of events was wanted.
func (w *web) noStream(r *http.Response) error {
	if r.StatusCode/100 == 2 {
		return fmt.Errorf("no event stream: %w", wrongType(mediaType(r)))
	}
	return w.statusOf(r, refusal(r))
}

// wrongType is the error of an answer that is none by its content type.
func wrongType(kind string) error {
	switch kind {
	case "text/html":
		return errors.New("HTML instead of MCP: the url may be wrong, or require a login")
	case "":
		return errors.New("no content type: check the url")
	}
	return fmt.Errorf("content type %q instead of MCP: check the url", sanitize.OneLine(kind, maxLine))
}
