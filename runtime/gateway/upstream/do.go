package upstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Request is one request to a server.
type Request struct {
	Method string
	// Params are an object, or nil. Members of _meta are passed on, except those of the protocol and progressToken.
	Params json.RawMessage
	Header map[string]string // additional headers, on transports that have headers
	Time   time.Duration     // limit for this request; 0: Spec.CallTime, negative: no limit
	// Note receives the progress and log notes of this request in order, all before Do returns. nil: not wanted.
	Note func(Note)
	// Ask answers the server's requests during this one, as far as Spec.Allow permits. nil: they are refused.
	Ask func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	// Session is the client session that the request belongs to: Ask asks the same client for all requests of one
	// session. "": it belongs to no session.
	Session string
	// Rounds says that the caller speaks the stateless era and itself answers a result of type input_required, with a
	// further request. Such a result is returned unchanged if Spec.Allow permits all of it.
	Rounds bool
	// Offers are what the caller can be asked: of Sampling, Elicitation and Roots, and of their parts, such as
	// elicitation.url. A server of the stateless era, which learns this with each request, is told only these. nil: all
	// that Spec.Allow permits.
	Offers []string
	// LogLevel is the lowest level of log notes that the caller wants, also reported to servers of the stateless era.
	// "": none; a level in Params takes precedence.
	LogLevel string
	// Admit, if not nil, is called each time before the request is sent, with its connection. An error from it becomes
	// the request's: nothing was sent then.
	Admit func(ctx context.Context, at *Visit) error

	over       *conn  // the only connection it may use; nil: any
	progressed func() // called on progress; nil: not wanted
	need       need   // of that connection
}

// Do sends a request and returns the result as it came. Its errors are *RPCError, if the server reports failure;
// *Error; and the error of ctx if that was canceled. A request that was lost with its connection is not repeated,
// unless it had not been sent.
func (s *Server) Do(ctx context.Context, r Request) (json.RawMessage, error) {
	if result, err, done := s.handleSubscription(ctx, r); done {
		return result, err
	}
	return s.doCounted(ctx, r)
}

func (s *Server) doCounted(ctx context.Context, r Request) (json.RawMessage, error) {
	s.countRequest(1)
	defer s.countRequest(-1)
	result, err := s.doRetrying(ctx, r)
	if s.wantsHeaders(r, err) {
		if _, listErr := s.List(ctx, string(mcp.MethodToolsList), "tools"); listErr == nil {
			return s.doRetrying(ctx, r)
		}
	}
	return result, err
}

// wantsHeaders reports whether a call was refused because its tool wants arguments repeated in headers, which is only
// known once the tools were listed. A refused call did not run.
func (s *Server) wantsHeaders(r Request, err error) bool {
	var rpc *RPCError
	if r.Method != string(mcp.MethodToolsCall) || !errors.As(err, &rpc) || rpc.Code != mcp.HEADER_MISMATCH {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.toolsKnown
}

func (s *Server) doRetrying(ctx context.Context, r Request) (json.RawMessage, error) {
	sessions := 0
	for range maxTries - 1 {
		result, err := s.doOnce(ctx, r)
		if errors.Is(err, errSession) {
			sessions++
		}
		if !errors.Is(err, errNotSent) || r.over != nil || sessions > 1 { // a new session that is lost at once is no help
			return result, err
		}
	}
	return s.doOnce(ctx, r)
}

// timeOver is the cause when a request has used up its time.
type timeOver time.Duration

func (timeOver) Error() string { return "the call's time is over" }

// withLimits limits a request: by limit since it was sent or last reported progress, and by most for the whole call.
func (r *Request) withLimits(ctx context.Context, limit, most time.Duration) (timed context.Context, stop func()) {
	if limit <= 0 {
		return ctx, func() {}
	}
	timed, cancel := context.WithCancelCause(ctx)
	most = max(limit, most)
	end := time.Now().Add(most)
	timer := time.AfterFunc(limit, func() {
		if time.Now().Before(end) {
			cancel(timeOver(limit))
		} else {
			cancel(timeOver(most))
		}
	})
	r.progressed = func() {
		if timed.Err() == nil {
			timer.Reset(min(limit, time.Until(end)))
		}
	}
	return timed, func() {
		cancel(nil)
		timer.Stop()
	}
}

// endOf returns the error of a request's context; context.DeadlineExceeded if the request's own time was over.
func endOf(ctx context.Context) error {
	var over timeOver
	if errors.As(context.Cause(ctx), &over) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// maxTries limits the attempts of a request that was not sent.
const maxTries = 3

// doOnce sends a request over one connection. The clock starts once the server is up: a start has its own limit.
func (s *Server) doOnce(ctx context.Context, r Request) (json.RawMessage, error) {
	if ctx.Err() != nil {
		return nil, s.contextError(ctx)
	}
	c, err := r.over, error(nil)
	r.need = s.needOf(r)
	if c != nil {
		err = s.claim(c, r.need)
	} else {
		c, err = s.acquire(ctx, r.need)
	}
	if err != nil {
		return nil, err
	}
	defer s.release(c)
	defer s.removeLease(c, r.need)
	if err := r.askAdmission(ctx, c); err != nil {
		return nil, err
	}
	timed, stop := r.withLimits(ctx, cmp.Or(r.Time, s.spec.CallTime), s.spec.MaxCallTime)
	defer stop()
	began := time.Now()
	result, err := c.answerRounds(timed, r)
	s.noteEnd(began, err)
	return result, s.errorForCaller(ctx, timed, err)
}

// request sends one request of a caller.
func (c *conn) request(ctx context.Context, r Request) (json.RawMessage, error) {
	params, err := c.paramsFor(r)
	if err != nil {
		return nil, err
	}
	return c.exchange(ctx, request{method: r.Method, params: params, note: r.Note, progressed: r.progressed, ask: r.Ask, need: r.need, session: r.Session,
		header: c.headersFor(r.Method, r.Params, r.Header)})
}

// countRequest records that a request begins (1) or ends (-1).
func (s *Server) countRequest(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watch.inFlight += n
	if n > 0 {
		s.watch.calls++
	}
}

// noteEnd records how a request ended. Any answer, even one that reports failure, shows that the server works.
func (s *Server) noteEnd(began time.Time, err error) {
	var rpc *RPCError
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil, errors.As(err, &rpc):
		s.breaker.success()
		s.watch.took(time.Since(began))
	case errors.Is(err, context.Canceled), errors.Is(err, errNotSent), errors.Is(err, errParams):
	default:
		s.watch.faults++
	}
}

// errorForCaller returns an error in the form that a caller may see.
func (s *Server) errorForCaller(ctx, timed context.Context, err error) error {
	if err == nil {
		return nil
	}
	var (
		rpc    *RPCError
		bad    *useless
		own    *Error
		status *statusError
		over   timeOver
		ended  *unauthorized
	)
	fail := func(code, format string, args ...any) error {
		return &Error{Code: code, Server: s.spec.Name, Message: fmt.Sprintf(format, args...), Err: err}
	}
	switch {
	case errors.As(err, &rpc), errors.As(err, &own):
		return err
	case errors.As(context.Cause(timed), &over):
		return fail(CodeTimeout, "no answer within %s: the call was cancelled; ask for less, or allow it more time", time.Duration(over))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fail(CodeTimeout, "no answer in the time that was left: the call was cancelled")
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w", s.spec.Name, ctx.Err())
	case errors.As(err, &bad):
		return fail(CodeExecution, "%s: a fault of the server; other servers may answer", s.mask.line(bad.Error()))
	case errors.Is(err, errParams):
		return fail(CodeExecution, "%s", errParams)
	case errors.As(err, &status):
		return fail(CodeConnection, "%s", s.mask.line(status.Error()))
	case errors.As(err, &ended):
		return fail(CodeConnection, "%s", s.mask.line(ended.Error()))
	}
	s.mu.Lock()
	last := s.lastWords()
	s.mu.Unlock()
	if last != "" {
		last = fmt.Sprintf("; last line on stderr: %q", last)
	}
	if errors.Is(err, errNotSent) {
		return fail(CodeConnection, "connection lost before the request was sent: %s%s", s.mask.line(reasonText(err)), last)
	}
	return fail(CodeConnection, "connection lost during the call: %s%s; the call may have had its effect and is not repeated", s.mask.line(reasonText(err)), last)
}

// About returns what the server says of itself, and connects to it if necessary.
func (s *Server) About(ctx context.Context) (About, error) {
	c, err := s.acquire(ctx, need{})
	if err != nil {
		return About{}, err
	}
	defer s.release(c)
	return c.about, nil
}

// answerRounds repeats a request until the server has the input it needs: in the stateless era it asks in its results.
func (c *conn) answerRounds(ctx context.Context, r Request) (json.RawMessage, error) {
	params := r.Params
	for range maxRounds {
		r.Params = params
		result, err := c.request(ctx, r)
		if err != nil || rawjson.GetText(result, "resultType") != string(mcp.ResultTypeInputRequired) {
			return result, err
		}
		if !c.isStateless() { // a client of the stateless era would take it for a permitted question
			return nil, &useless{errors.New("its result asks for input, which its version of the protocol does in requests")}
		}
		if r.Rounds {
			if question, err := Question(result, c.server.spec.Allow); err == nil {
				return question, nil
			}
		}
		if params, err = c.provideInput(ctx, r, params, result); err != nil {
			return nil, err
		}
	}
	return nil, &useless{fmt.Errorf("the server still needs input after %d rounds", maxRounds)}
}
