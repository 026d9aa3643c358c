package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"

	"github.com/compactor-mcp/compactor/runtime/mcp/guard"
	"github.com/compactor-mcp/compactor/runtime/mcp/listen"
)

// Kinds of transport.
const (
	Stdio = "stdio" // newline-delimited JSON on In and Out
	HTTP  = "http"  // streamable HTTP over TCP
	Unix  = "unix"  // a unix socket: newline-delimited JSON and streamable HTTP, distinguished by the first byte
)

// DefaultAddr is where HTTP listens if no address is given.
const DefaultAddr = "127.0.0.1:7717"

// Path is where the protocol is served over HTTP.
const Path = "/mcp"

// Transport says how clients reach the server.
type Transport struct {
	Kind   string
	Listen string // HOST:PORT for HTTP, a path for Unix; empty: DefaultAddr or listen.DefaultSocket

	In  io.Reader // Stdio only; default: the process's own
	Out io.Writer

	Token   string       // access token over HTTP; required beyond loopback
	Remote  bool         // may listen beyond loopback
	Hosts   []string     // further names under which clients may address the server
	Origins []string     // web origins whose pages may call it, in addition to its own
	Also    http.Handler // serves the other paths, behind the same checks; nil for none
	// Refuse, if not nil, responds to rejected requests for the other paths.
	Refuse func(http.ResponseWriter, guard.Refusal)

	// Browser, if not nil, lets browsers in to Pages, and shows Locked to others.
	Browser       *guard.Browser
	Pages, Locked http.Handler

	Ready func(net.Addr) // called once the socket listens
}

// Serve runs one transport until ctx ends, and on stdio until the input does. It then returns nil, after the calls in
// flight were cancelled and answered. Errors of the address and of access are *listen.Error.
func (s *Server) Serve(ctx context.Context, t Transport) error {
	switch t.Kind {
	case Stdio:
		if t.In == nil {
			t.In = os.Stdin
		}
		if t.Out == nil {
			t.Out = os.Stdout
		}
		return s.ServeLines(ctx, t.In, t.Out)
	case HTTP:
		if t.Listen == "" {
			t.Listen = DefaultAddr
		}
		l, err := listen.TCP(ctx, t.Listen, t.Remote, t.Token != "")
		if err != nil {
			return err
		}
		return s.serveHTTP(ctx, listen.Limit(l, s.opt.MaxConns), t)
	case Unix:
		return s.serveUnix(ctx, t)
	}
	return fmt.Errorf("transport %q is not known; choose %s, %s or %s", t.Kind, Stdio, HTTP, Unix)
}

func (s *Server) serveUnix(ctx context.Context, t Transport) (err error) {
	if t.Listen == "" {
		if t.Listen, err = listen.DefaultSocket(); err != nil {
			return err
		}
	}
	l, err := listen.Unix(ctx, t.Listen)
	if err != nil {
		return err
	}
	lines := func(conn net.Conn) {
		defer conn.Close()
		if err := s.ServeLines(ctx, conn, conn); err != nil {
			s.log.Warn("a connection broke", "error", err)
		}
	}
	split := listen.Split(listen.Limit(l, s.opt.MaxConns), s.opt.HeaderTime, lines)
	defer split.Wait()
	return s.serveHTTP(ctx, split, t)
}

// serveHTTP serves l, which it closes, until ctx ends.
func (s *Server) serveHTTP(ctx context.Context, l net.Listener, t Transport) error {
	defer l.Close()
	remote := t.Kind == HTTP && !isLoopback(l.Addr())
	let := guard.Options{Token: t.Token, Remote: remote, Local: t.Kind == Unix, Hosts: t.Hosts, Origins: t.Origins, Refuse: t.refuseRequest}
	handler, err := s.guardHandlers(t.Also, let)
	if err != nil {
		return &listen.Error{What: err.Error(), Do: "set another token"}
	}
	if t.Browser != nil {
		handler = t.Browser.Beside(handler, s.guardPages(t.Pages, t.Token), t.Locked, let)
	}
	requests, cancel := context.WithCancel(context.Background())
	defer cancel()
	hs := &http.Server{
		Handler: bodyTimeout(s.bodies.boundBodies(handler, &s.quiet), s.opt.BodyTime), ReadHeaderTimeout: s.opt.HeaderTime, IdleTimeout: idleTime, MaxHeaderBytes: 32 << 10,
		BaseContext: func(net.Listener) context.Context { return requests },
		ErrorLog:    slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	if t.Ready != nil {
		t.Ready(l.Addr())
	}
	served := make(chan error, 1)
	go func() { served <- hs.Serve(l) }()
	select {
	case err = <-served: // the listener failed
		cancel()
		hs.Close()
	case <-ctx.Done():
		err = s.shutdown(hs, cancel)
		<-served
	}
	return err
}

// guardHandlers returns the protocol and the other paths. Those reveal all profiles, so profile tokens do not open them.
func (s *Server) guardHandlers(also http.Handler, let guard.Options) (http.Handler, error) {
	if also == nil {
		also = http.NotFoundHandler()
	}
	let.Holders = s.otherHolders()
	others, err := guard.New(also, let)
	if err != nil {
		return nil, err
	}
	let.Holders = s.backend.Holders()
	protocol, err := guard.New(s.Handler(), let)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == Path {
			protocol.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	}), err
}

// refuseRequest responds to a rejected request. Clients of the protocol get a line of text.
func (t Transport) refuseRequest(w http.ResponseWriter, r *http.Request, why guard.Refusal) bool {
	if t.Refuse == nil || r.URL.Path == Path {
		return false
	}
	t.Refuse(w, why)
	return true
}

// shutdown cancels the calls in flight and gives their responses time to be sent.
func (s *Server) shutdown(hs *http.Server, cancel context.CancelFunc) error {
	ctx, done := context.WithTimeout(context.Background(), s.opt.Grace)
	defer done()
	cancel()
	err := hs.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.log.Error("requests ignored their cancellation and were abandoned")
		return hs.Close()
	}
	return err
}

func isLoopback(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}
