package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/mark3labs/mcp-go/mcp"
)

// session is the state of one client: a connection, an HTTP session of the handshake era, or a single stateless HTTP
// request. It also implements the library's ClientSession, so that the library's handshake can fill it in.
type session struct {
	id    string
	max   int    // calls in flight
	asked *Asked // profile that its client requested; nil if none
	asks  asks
	news  *subscriber // of changes; nil for a single stateless request

	shared atomic.Bool // other servers may serve it too

	mu      sync.Mutex
	client  mcp.Implementation
	caps    mcp.ClientCapabilities
	said    Client                     // with the capabilities as declared in the handshake
	offers  map[string]json.RawMessage // the capabilities that requests to the client need
	level   mcp.LoggingLevel
	logs    bool // the client has asked for a level
	version string
	shown   []string // tools it was last shown or notified of; nil before
	as      Session  // the session it was shown them as
	at      *face    // the face it was shown
	ready   bool     // in the library's sense: a stateless request sets it too
	calls   map[string]context.CancelCauseFunc
}

// newID returns an id that cannot be guessed.
func newID() string { return rand.Text() }

func newSession(id string, maxCalls int) *session {
	return &session{id: id, max: maxCalls, level: mcp.LoggingLevelInfo}
}

// begin registers a request in flight. Its context ends when the client cancels the request; end must be called.
func (s *session) begin(ctx context.Context, i id) (_ context.Context, end func(), _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, running := s.calls[i.key]; running {
		return nil, nil, errRunning
	}
	if len(s.calls) >= s.max {
		return nil, nil, errBusy
	}
	if s.calls == nil {
		s.calls = map[string]context.CancelCauseFunc{}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	s.calls[i.key] = cancel
	return ctx, func() {
		s.mu.Lock()
		delete(s.calls, i.key)
		s.mu.Unlock()
		cancel(nil)
	}, nil
}

// isRunning reports whether the id belongs to a request in flight.
func (s *session) isRunning(i id) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, yes := s.calls[i.key]
	return yes
}

// cancel ends a request in flight for its client. An unknown id is not an error: the request may just have ended.
func (s *session) cancel(i id) {
	s.mu.Lock()
	cancel := s.calls[i.key]
	s.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

// cancelAll ends all requests in flight.
func (s *session) cancelAll(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.calls {
		cancel(cause)
	}
}

// Errors of begin.
var (
	errRunning = errors.New("the id belongs to a request that is still running")
	errBusy    = errors.New("too many requests are running")
)

// refusalAnswer answers a request that begin rejected. An id in use is not repeated: the client would take the response for
// that of its first request.
func refusalAnswer(err error, i id) (answer, id) {
	if errors.Is(err, errRunning) {
		return failed(invalidRequest("the id " + sanitize.OneLine(string(i.raw), maxWord) + " belongs to a request that is still running")), id{}
	}
	return failed(busyError()), i
}

// busyCode is in JSON-RPC's range for servers, outside the protocol's own part of it.
const busyCode = -32000

func busyError() *rpcError {
	return &rpcError{Code: busyCode, Message: CodeBusy + ": too many requests are running; wait for some to end and send it again"}
}

// maxDeclared limits the size of a client's capabilities that are kept, in bytes.
const maxDeclared = 64 << 10

// setCapabilities stores the handshake's capabilities as sent: the library's type keeps only those it knows.
func (s *session) setCapabilities(caps json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = Client{Name: sanitize.OneLine(s.client.Name, maxWord), Version: sanitize.OneLine(s.client.Version, maxWord), Capabilities: capabilityNames(caps)}
	if len(caps) <= maxDeclared && rawjson.Of(caps) == rawjson.Object {
		s.said.Declared = bytes.Clone(caps) // not the whole message
	}
	s.offers = asksOffered(s.said.Declared)
}

// declaredClient returns what the client said about itself in the handshake.
func (s *session) declaredClient() Client {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said
}

// offersAsks returns the capabilities that requests to the client need; nil if there are none. They do not change.
func (s *session) offersAsks() map[string]json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.offers
}

// The rest is the library's view of a session.

func (s *session) SessionID() string { return s.id }

// NotificationChannel returns nil, which never accepts a note: ours use the stream of the request they belong to.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return nil }

func (s *session) Initialize() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ready = true
}

func (s *session) Initialized() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ready
}

func (s *session) SetLogLevel(level mcp.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level, s.logs = level, true
}

// wantsLog reports whether the client has requested log notes of a level outside of its requests.
func (s *session) wantsLog(level mcp.LoggingLevel) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.logs && level.ShouldSendTo(s.level)
}

func (s *session) GetLogLevel() mcp.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

func (s *session) SetClientInfo(client mcp.Implementation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = client
}

func (s *session) GetClientInfo() mcp.Implementation {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.client
}

func (s *session) SetClientCapabilities(caps mcp.ClientCapabilities) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.caps = caps
}

func (s *session) GetClientCapabilities() mcp.ClientCapabilities {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.caps
}

func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}
