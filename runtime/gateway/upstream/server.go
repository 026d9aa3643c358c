package upstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// Server is one upstream server. All methods are safe for concurrent use.
type Server struct {
	spec Spec
	opt  Options
	mask *masker
	log  *slog.Logger
	web  *http.Client

	pingTime time.Duration
	logs     logs

	mu         sync.Mutex
	conns      []*conn
	starting   *start // the start under way; nil: none
	wanted     int    // callers waiting for it
	began      time.Time
	program    Program // of the start under way
	closed     bool
	about      *About // of the newest connection; nil: there was none
	breaker    breaker
	watch      watch
	params     map[string]*mcp.Tool // tools that want arguments in headers
	toolsKnown bool                 // they were listed
	told       map[string]bool      // pending change notifications
	telling    bool
	uris       map[string]bool // resources subscribed to
	stderr     []string        // of the last program that ended
	vacant     *start          // done when a connection has fewer callers; nil: no caller waits for that
	alone      time.Time       // no additional connection is started before this time, because one failed

	ctx    context.Context // of starts and of closing
	cancel context.CancelFunc
	work   sync.WaitGroup
}

// start is one attempt to connect, or to check whether a connection works, shared by all who wait for it.
type start struct {
	done chan struct{}
	err  error
	turn *startSlot // guarded by the server's mu; nil: not the start of a program, or still in back-off
}

// New returns a server. It opens no connection.
func New(s Spec, o Options) *Server {
	s = s.withDefaults()
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	server := &Server{spec: s, opt: o, mask: newMasker(s, o.Login), log: o.Logger.With("server", sanitize.OneLine(s.Name, maxLine)), web: newWeb(), pingTime: pingTime, logs: logs{give: o.Log},
		params: map[string]*mcp.Tool{}, told: map[string]bool{}, uris: map[string]bool{}}
	server.watch.since = time.Now()
	if age := time.Since(o.Silent); age >= 0 && age < silentFor {
		noteSilent(s, o.Silent)
		noteLack(s, Stateless, 0)
	}
	server.ctx, server.cancel = context.WithCancel(context.Background())
	return server
}

var errServerClosed = errors.New("it was closed here")

// beginStart starts one connection after the back-off, in the given era if one is wanted.
func (s *Server) beginStart(era string) {
	st := &start{done: make(chan struct{})}
	s.starting = st
	wait := s.breaker.wait(time.Now())
	s.work.Go(func() {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		var c *conn
		var err error
		select {
		case <-timer.C:
			c, err = s.inTurn(st, era)
		case <-s.ctx.Done():
			err = errServerClosed
		}
		s.finishStart(st, c, err)
	})
}

func (s *Server) finishStart(st *start, c *conn, err error) {
	s.mu.Lock()
	s.starting = nil
	if err == nil && s.closed {
		err = errServerClosed
	}
	if err == nil {
		select {
		case <-c.dead: // between the handshake and now
			err = c.reason
		default:
		}
	}
	again := false
	switch {
	case err == nil:
		again = s.about != nil && len(s.conns) == 0
		about := c.about
		s.about, s.conns = &about, append(s.conns, c)
		if len(s.conns) == 1 {
			s.watch.starts++
		}
		s.updateState()
		s.hold(c) // so that it is not closed as idle during the following steps
	case errors.Is(err, errUnspoken):
	case !s.closed:
		if len(s.conns) > 0 { // a program that may run only once is not at fault
			s.alone = time.Now().Add(aloneTime)
		} else {
			s.countFault(err)
		}
		st.err = s.unreachableError(err)
	default:
		st.err = s.unreachableError(errServerClosed)
	}
	ours := s.closed || s.ctx.Err() != nil // a start that we ended is not a fault
	s.mu.Unlock()
	if err != nil {
		if c != nil {
			c.close(err)
		}
		if !ours && !errors.Is(err, errUnspoken) {
			s.log.Warn("upstream does not start", "reason", s.mask.line(err.Error()))
		}
	} else {
		s.log.Info("upstream is ready", "era", c.about.Era, "version", sanitize.OneLine(c.about.ProtocolVersion, maxLine))
		s.watchChanges(c, again)
		s.release(c)
	}
	close(st.done)
}

// Unused reports whether the server is neither connected nor needed.
func (s *Server) Unused() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns) == 0 && s.starting == nil && s.watch.inFlight == 0 && len(s.uris) == 0
}

// hold keeps a connection from being closed as idle. The caller holds mu.
func (s *Server) hold(c *conn) {
	c.busy++
	if c.idle != nil {
		c.idle.Stop()
		c.idle = nil
	}
}

func (s *Server) release(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.busy--; c.busy > 0 || s.spec.Idle < 0 || s.closed || len(s.uris) > 0 || !slices.Contains(s.conns, c) {
		return
	}
	c.idle = time.AfterFunc(s.spec.Idle, func() { s.closeIdle(c) })
}

func (s *Server) closeIdle(c *conn) {
	s.mu.Lock()
	if c.busy > 0 || s.closed || len(s.uris) > 0 || !s.removeConn(c) {
		s.mu.Unlock()
		return
	}
	s.work.Add(1)
	s.mu.Unlock()
	defer s.work.Done()
	s.log.Info("upstream closed: idle")
	c.close(errClosed)
}

// removeConn removes a connection; false if it was not there. The caller holds mu.
func (s *Server) removeConn(c *conn) bool {
	i := slices.Index(s.conns, c)
	if i < 0 {
		return false
	}
	s.conns = slices.Delete(s.conns, i, i+1)
	s.keepStderr(c)
	s.updateState()
	return true
}

// handleLoss handles the end of a connection that was not closed here.
func (s *Server) handleLoss(c *conn, err error) {
	s.mu.Lock()
	if s.closed || !s.removeConn(c) { // or it is still in its handshake, which fails then
		s.mu.Unlock()
		return
	}
	if !errors.Is(err, errSession) {
		s.countFault(err)
	}
	s.work.Go(func() { c.close(err) })
	s.mu.Unlock()
	s.log.Warn("upstream was lost", "reason", s.mask.line(err.Error()))
}

// Close ends all connections and waits until their programs have ended. Calls under way fail.
func (s *Server) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		s.work.Wait()
		return nil
	}
	s.closed = true
	conns := s.conns
	s.conns = nil
	for _, c := range conns {
		if c.idle != nil {
			c.idle.Stop()
		}
		s.keepStderr(c)
	}
	s.mu.Unlock()
	s.cancel()
	var wg sync.WaitGroup
	for _, c := range conns {
		wg.Go(func() { c.close(errServerClosed) })
	}
	wg.Wait()
	s.work.Wait()
	s.web.CloseIdleConnections()
	return nil
}

// unreachableError returns the error of a failed connection, as a caller sees it. The caller holds mu.
func (s *Server) unreachableError(err error) *Error {
	message := "cannot be reached: " + s.mask.line(reasonText(err)+hint(err))
	if len(s.watch.noise) > 0 {
		message += fmt.Sprintf("; it wrote to stdout, where only messages belong: %q", s.watch.noise[0])
	}
	if last := s.lastWords(); last != "" {
		message += fmt.Sprintf("; last line on stderr: %q", last)
	}
	message += s.byHand(err)
	return &Error{Code: CodeConnection, Server: s.spec.Name, Message: message, Err: err}
}

// byHand returns advice on how to find out why a program ends without a reason.
func (s *Server) byHand(err error) string {
	var end *exited
	if !errors.As(err, &end) || s.spec.Typed == "" || !strings.HasSuffix(end.how, exitOK) && s.lastWords() != "" {
		return ""
	}
	return "; run it by hand to see what it does: " + s.mask.line(s.spec.Typed)
}

// exitOK ends the description of a program's exit if it reported no problem.
const exitOK = "status 0"

// refusedError returns the error of a call that the open circuit does not let through. The caller holds mu.
func (s *Server) refusedError(err error) *Error {
	message := err.Error()
	if s.watch.lastError != "" {
		message += "; the last failure: " + s.watch.lastError
	}
	if last := s.lastWords(); last != "" {
		message += fmt.Sprintf("; last line on stderr: %q", last)
	}
	return &Error{Code: CodeConnection, Server: s.spec.Name, Message: message, Err: err}
}

// contextError returns the error of a caller whose own context ended.
func (s *Server) contextError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &Error{Code: CodeTimeout, Server: s.spec.Name, Message: "not ready in time: try again, or allow it more time to start", Err: ctx.Err()}
	}
	return fmt.Errorf("%s: %w", s.spec.Name, ctx.Err())
}
