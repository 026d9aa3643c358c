package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// callback is the path on this machine that an authorization server sends the browser back to.
const callback = "/callback"

// receiver waits for the browser to return.
type receiver struct {
	listener net.Listener // the socket for the redirect
	server   *http.Server
	redirect string
	state    string
	answers  chan url.Values
}

// newReceiver listens on this machine, on the first of ports that is free.
func newReceiver(state string, ports ...int) (*receiver, error) {
	var listener net.Listener
	var err error
	for _, port := range ports {
		if listener, err = net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			break
		}
	}
	if err != nil {
		return nil, fmt.Errorf("nothing can listen for the browser to come back: %w", err)
	}
	r := &receiver{listener: listener, state: state, redirect: "http://" + listener.Addr().String() + callback, answers: make(chan url.Values, 1)}
	r.server = &http.Server{Handler: http.HandlerFunc(r.serve), ReadHeaderTimeout: 10 * time.Second, WriteTimeout: 10 * time.Second, MaxHeaderBytes: 32 << 10}
	go func() { _ = r.server.Serve(listener) }()
	return r, nil
}

func (r *receiver) close() {
	ctx, stop := context.WithTimeout(context.Background(), time.Second) // for the page that tells the user
	defer stop()
	if r.server.Shutdown(ctx) != nil {
		_ = r.server.Close()
	}
}

const page = `<!doctype html><meta charset="utf-8"><title>compactor</title><p>%s</p>`

func (r *receiver) serve(w http.ResponseWriter, q *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	if q.URL.Path != callback || q.Method != http.MethodGet || "http://"+q.Host+callback != r.redirect {
		http.Error(w, "There is nothing here.", http.StatusNotFound)
		return
	}
	if !r.takeAnswer(q.URL.Query()) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, page, "This is not the answer to the login that compactor waits for.")
		return
	}
	fmt.Fprintf(w, page, "compactor has the answer. You can close this page; the terminal says how it ended.")
}

// takeAnswer passes on the first answer that belongs to this login.
func (r *receiver) takeAnswer(answer url.Values) bool {
	if !answersState(answer, r.state) {
		return false
	}
	select {
	case r.answers <- answer:
	default:
	}
	return true
}

// answersState reports whether an answer belongs to the login with this state. Others may be an attempt to log the user in
// as someone else.
func answersState(answer url.Values, state string) bool {
	return len(answer["state"]) == 1 && subtle.ConstantTimeCompare([]byte(answer.Get("state")), []byte(state)) == 1
}

var errForeign = errors.New("that is not the answer to this login: paste the whole address that the browser was sent to")

// takePasted takes an answer that the user copied from the browser's address bar.
func (r *receiver) takePasted(line string) error {
	u, err := url.Parse(strings.TrimSpace(line))
	if err != nil || !r.takeAnswer(u.Query()) {
		return errForeign
	}
	return nil
}

// codeIn returns the code of a positive answer, if it came from the issuer that was asked (RFC 9207).
func (a *authority) codeIn(answer url.Values) (string, error) {
	issuer := answer.Get("iss")
	switch {
	case len(answer["iss"]) > 1, issuer != "" && issuer != a.Issuer:
		return "", fmt.Errorf("the answer is from %s, and %s was asked: somebody mixes up logins, and the code was not used", describeURL(issuer), describeURL(a.Issuer))
	case issuer == "" && a.SaysIssuer:
		return "", fmt.Errorf("the answer does not say that it is from %s, which promises to say so: the code was not used", describeURL(a.Issuer))
	case answer.Get("error") != "":
		return "", &refusal{who: placeOf(a.AuthorizationEndpoint), code: sanitize.OneLine(answer.Get("error"), maxSaid), said: sanitize.OneLine(answer.Get("error_description"), maxSaid)}
	case answer.Get("code") == "" || len(answer["code"]) > 1:
		return "", errors.New("the answer holds no code")
	}
	return answer.Get("code"), nil
}
