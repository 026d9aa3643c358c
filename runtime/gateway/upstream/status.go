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

// maxSaid limits the quoted part of a refusal, in bytes: the advice has to fit behind it.
const maxSaid = 120

// statusError is an HTTP status that is not an answer.
type statusError struct {
	code   int
	server string
	said   string        // the reason given, shortened and without secrets; "" if there is no useful one
	after  time.Duration // requested wait; 0: none
	sent   bool          // an Authorization header from the configuration was sent
	login  bool          // a login is possible
	token  bool          // the token of a login was sent
	scope  string        // the scope it requires; "" if not given
	tls    bool          // it says that the server requires https
}

func (e *statusError) Error() string {
	out := strings.TrimSpace(fmt.Sprintf("HTTP %d %s", e.code, http.StatusText(e.code)))
	if e.said != "" {
		out += " (" + e.said + ")"
	}
	return out + e.wayOut()
}

// mayBeOlder reports whether the server may use HTTP with server-sent events, which takes no POST at its URL.
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

// loginWith is the command for logging in, before the name of the server.
const loginWith = "compactor servers login "

// logIn returns the advice for a refusal if a login is possible.
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

// wantsLogin reports whether a login can fix an error.
func wantsLogin(err error) bool {
	var ended *unauthorized
	var status *statusError
	return errors.As(err, &ended) || errors.As(err, &status) && status.login && (status.code == http.StatusUnauthorized || status.code == http.StatusForbidden)
}

// wantedScope matches the scope of a challenge for bearer tokens.
var wantedScope = lazyregexp.New(`(?i)\bbearer\b.*\bscope="([^"]*)"`)

// lackingScope returns the scope that a refused request needed, or "" if not given.
func lackingScope(r *http.Response) string {
	if r.StatusCode != http.StatusForbidden {
		return ""
	}
	m := wantedScope.FindStringSubmatch(r.Header.Get("WWW-Authenticate"))
	if m == nil {
		return ""
	}
	return m[1]
}

// statusOf returns the error of a refusal with its body.
func (w *web) statusOf(r *http.Response, body []byte) *statusError {
	e := &statusError{code: r.StatusCode, server: sanitize.OneLine(w.spec.Name, maxLine), after: retryAfter(r.Header.Get("Retry-After"), time.Now())}
	for name := range w.spec.Headers {
		e.sent = e.sent || strings.EqualFold(name, "Authorization")
	}
	e.login = w.login != nil && !e.sent
	e.token = e.login && r.Request.Header.Get("Authorization") != ""
	e.scope = sanitize.OneLine(lackingScope(r), maxSaid)
	e.tls = r.StatusCode == http.StatusBadRequest && r.TLS == nil && wantsTLS(string(body))
	if said := newMasker(w.spec, w.login).line(reasonIn(body)); said != "" {
		e.said = strconv.Quote(sanitize.OneLine(said, maxSaid))
	} else if mediaType(r) == "text/html" {
		e.said = "a web page"
	}
	return e
}

// readRefusal reads the body of a response with an error status, if it may give a reason.
func readRefusal(r *http.Response) []byte {
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

// wantsTLS recognizes the answers of Go's server, nginx and Apache to plain HTTP on an HTTPS port.
func wantsTLS(body string) bool {
	for _, text := range []string{"HTTP request to an HTTPS server", "HTTP request was sent to HTTPS port", "speaking plain HTTP to an SSL-enabled server port"} {
		if strings.Contains(body, text) {
			return true
		}
	}
	return false
}

// reasonIn returns the reason in a JSON body, from the members that OAuth, problem details and common frameworks use.
// Any other text may contain secrets.
func reasonIn(body []byte) string {
	if checkMessage(body) != nil || rawjson.Of(body) != rawjson.Object {
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

// retryAfter reads the header of that name: seconds, or a date. 0: no useful value.
func retryAfter(value string, now time.Time) time.Duration {
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}

// noStream returns the error of a response that is not the expected event stream.
func (w *web) noStream(r *http.Response) error {
	if r.StatusCode/100 == 2 {
		return fmt.Errorf("no event stream: %w", wrongType(mediaType(r)))
	}
	return w.statusOf(r, readRefusal(r))
}

// wrongType returns the error for a response whose content type is neither JSON nor an event stream.
func wrongType(kind string) error {
	switch kind {
	case "text/html":
		return errors.New("HTML instead of MCP: the url may be wrong, or require a login")
	case "":
		return errors.New("no content type: check the url")
	}
	return fmt.Errorf("content type %q instead of MCP: check the url", sanitize.OneLine(kind, maxLine))
}
