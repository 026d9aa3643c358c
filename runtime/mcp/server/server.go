package server

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// Options of a Server. Zero values stand for the defaults given.
type Options struct {
	Name    string // of the server, as clients show it; required
	Title   string
	Version string

	Logger      *slog.Logger     // default: silent. Arguments, results and tokens are never logged.
	Events      *event.Stream    // of requests; nil: there are no readers
	ListTTL     time.Duration    // how long stateless clients may keep the tool list; default 1 min
	Grace       time.Duration    // what calls in flight get after end of input or stop; default 5 s
	MaxMessage  int              // bytes of one message; default 16 MiB
	MaxBodies   int              // bytes of all HTTP requests in flight, plus 32 KiB of each; default 2 messages
	MaxCalls    int              // calls in flight of one session; default 64
	MaxRequests int              // HTTP requests in flight, streams not counted; default 256
	MaxSessions int              // HTTP sessions of the handshake era; default 1024
	MaxConns    int              // connections of one listener; default 2048
	SessionIdle time.Duration    // an HTTP session unused for this long is forgotten; default 30 min
	Beat        time.Duration    // interval of signs of life on open HTTP streams; default 25 s
	HeaderTime  time.Duration    // time limit for an HTTP request's header; default 5 s
	BodyTime    time.Duration    // and its body; default 30 s
	Quiet       func()           // called when no request has run for QuietTime; default: nothing
	QuietTime   time.Duration    // default 10 s; open streams do not count as requests
	Now         func() time.Time // default time.Now
}

// Server serves one Backend. Several transports may run at once.
type Server struct {
	backend  Backend
	opt      Options
	log      *slog.Logger
	hub      hub
	sharer   SessionSharer // of the backend; may be nil
	sessions *sessions
	errands  *errands
	slots    chan struct{} // HTTP requests in flight
	bodies   *bodies       // and their bodies

	quiet      quiet
	refreshing sync.Mutex // held while faces are made and changed; taken before facing
	facing     sync.RWMutex
	faces      map[string]*face // by profile, those in use
	first      string           // the default profile, for clients without a request or a name
	changes    changes
	life       context.Context // ends with Close
	end        context.CancelFunc
	stop       []func()
}

// New makes a server and loads the backend's first surface. Close it after the last Serve has returned.
func New(b Backend, opt Options) (*Server, error) {
	if opt.Name == "" {
		return nil, errors.New("a server needs a name")
	}
	opt = opt.withDefaults()
	s := &Server{backend: b, opt: opt, log: opt.Logger, slots: make(chan struct{}, opt.MaxRequests), bodies: newBodies(opt.MaxBodies), faces: map[string]*face{}}
	s.life, s.end = context.WithCancel(context.Background())
	s.errands = newErrands(opt.MaxCalls)
	s.sessions = newSessions(opt, &s.hub, s.sessionEnded)
	if s.sharer = b.Sharer(); s.sharer != nil {
		s.stop = append(s.stop, s.sharer.OnEnded(s.sessions.remove))
	}
	// Registered before the first load, so that no change is missed in between.
	s.stop = append(s.stop, b.OnChange(s.onToolsChanged))
	s.stop = append(s.stop, b.OnNotice(s.passNotice))
	first, err := b.Profile(nil, "")
	if err == nil {
		s.first = first
		_, err = s.faceOf(first)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	s.quiet.watch(opt.Quiet, opt.QuietTime)
	return s, nil
}

// Close ends the registrations with the backend, and the requests that wait for their clients.
func (s *Server) Close() {
	if !s.errands.close(s.opt.Grace) {
		s.log.Error("requests ignored their cancellation and were abandoned")
	}
	s.quiet.close()
	for _, stop := range s.stop {
		stop()
	}
	s.end()
	s.changes.close()
}

// sessionEnded ends what waits for the session's client, and informs the backend.
func (s *Server) sessionEnded(id string) {
	s.errands.end(id, errEnded)
	s.backend.SessionEnded(id)
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	orDuration(&o.ListTTL, time.Minute)
	orDuration(&o.Grace, 5*time.Second)
	orDuration(&o.SessionIdle, 30*time.Minute)
	orDuration(&o.Beat, 25*time.Second)
	orDuration(&o.QuietTime, 10*time.Second)
	orDuration(&o.HeaderTime, 5*time.Second)
	orDuration(&o.BodyTime, 30*time.Second)
	orInt(&o.MaxMessage, 16<<20)
	orInt(&o.MaxBodies, 2*o.MaxMessage)
	orInt(&o.MaxCalls, 64)
	orInt(&o.MaxRequests, 256)
	orInt(&o.MaxSessions, 1024)
	orInt(&o.MaxConns, 2048)
	return o
}

func orDuration(d *time.Duration, standard time.Duration) {
	if *d <= 0 {
		*d = standard
	}
}

func orInt(i *int, standard int) {
	if *i <= 0 {
		*i = standard
	}
}
