package upstream

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"
)

// The kinds of transport.
const (
	Stdio = "stdio" // a program, one message a line
	HTTP  = "http"  // streamable HTTP
	SSE   = "sse"   // HTTP with server-sent events, of 2024-11-05
)

// The protocol eras.
const (
	Handshake = "handshake" // initialize once, up to 2025-11-25
	Stateless = "stateless" // each request says all, from 2026-07-28
)

// What a server may ask of its client, for Spec.Allow.
const (
	Sampling    = "sampling"
	Elicitation = "elicitation"
	Roots       = "roots"
)

// Spec says how one server is reached. It is not changed after New.
type Spec struct {
	Name string // for errors, logs and health
	Kind string // Stdio, HTTP or SSE; "": stdio with a Command, else http, then sse when http is refused

	Command string
	Args    []string
	Env     map[string]string
	Dir     string
	Typed   string // the command line as a person may see and type it, without secrets; "": it is not shown

	URL     string
	Headers map[string]string // with their values, expanded

	Secrets []string // values in Args and URL that must not be shown; those of Env and Headers never are

	Era   string   // "": found out and remembered; Handshake or Stateless: forced
	Allow []string // of Sampling, Elicitation, Roots: passed on to Request.Ask; the rest is refused

	StartTime   time.Duration // for start and handshake; 0: 30 s
	CallTime    time.Duration // for one request, since it last reported progress; 0: 60 s, negative: no limit
	MaxCallTime time.Duration // for one request however much it reports; 0: 10 min, less than CallTime: as long as that
	Idle        time.Duration // without a request, until the connection is closed; 0: 5 min, negative: never
	Connections int           // at once, each of which carries many requests; 0: see most
	MaxMessage  int64         // bytes of one message from the server; 0: 32 MiB

	most int // connections of one era at once, where callers need more than Connections to be told apart
}

// Program is a started server program.
type Program interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Done() <-chan struct{}          // closed when it has ended
	Exit() string                   // how it ended, in a few words
	Stderr() []string               // its last lines
	Stop(grace time.Duration) error // ends it with all it started, by force after grace
}

// Starter starts the program of a Spec. ctx bounds the start, not the program's life.
type Starter func(ctx context.Context, s Spec) (Program, error)

// Client is who asks, as servers are told.
type Client struct {
	Name, Version string
}

// Login gives the tokens that authorize requests to a URL.
type Login interface {
	// Token is the one for the next request; "" where nobody has logged in.
	Token(ctx context.Context) (string, error)
	// Renew gives another one than that which the server refused; "" where nobody has logged in.
	Renew(ctx context.Context, refused string) (string, error)
	// Lacks is told the scope that a request needed and its token does not have.
	Lacks(ctx context.Context, scope string)
	// Secrets are values that must not be shown.
	Secrets() []string
}

// Options configure a Server.
type Options struct {
	Client Client
	Login  Login        // for servers with a URL; nil: none is possible
	Start  Starter      // for stdio; nil: programs cannot be started
	Silent time.Time    // About.Silent of an earlier run, whose wait is not repeated for some days
	Starts *Starts      // in which starts of programs take turns; nil: none waits
	May    func() error // asked before each start and connection, also those after a loss; nil: it always may
	Logger *slog.Logger // nil: no log
	// Changed is told "tools", "resources" or "prompts" when that list may be another, and "resource:URI" when a
	// resource is. It runs on a goroutine of its own; changes that come meanwhile are told once.
	Changed func(what string)
	// State is told each new state and, where it is a bad one, what is wrong. It must return at once and call nothing
	// of the server. nil: nobody wants it.
	State func(state, problem string)
	// Log is given the log lines of the handshake era that belong to no request, in order and not too many of them. It
	// runs on a goroutine of its own. nil: nobody wants them.
	Log func(LogLine)
}

const (
	defaultStart   = 30 * time.Second
	defaultCall    = 60 * time.Second
	defaultMost    = 10 * time.Minute
	defaultIdle    = 5 * time.Minute
	defaultMessage = 32 << 20

	maxAsked = 4 // callers at once, each with a connection of its own, where nothing is said of connections
)

func (s Spec) withDefaults() Spec {
	if s.Kind == "" && s.Command != "" {
		s.Kind = Stdio
	}
	if s.StartTime <= 0 {
		s.StartTime = defaultStart
	}
	if s.CallTime == 0 {
		s.CallTime = defaultCall
	}
	if s.MaxCallTime <= 0 {
		s.MaxCallTime = defaultMost
	}
	if s.Idle == 0 {
		s.Idle = defaultIdle
	}
	if s.MaxMessage <= 0 {
		s.MaxMessage = defaultMessage
	}
	s.most = s.Connections
	if s.Connections <= 0 {
		s.Connections, s.most = 1, 1
		if len(s.Allow) > 0 {
			s.most = maxAsked
		}
	}
	return s
}

func (s Spec) allows(what string) bool { return slices.Contains(s.Allow, what) }

// key is equal for specs that reach the same server. It holds no secret in a readable form.
func (s Spec) key() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", s.Kind, s.Command, s.Args, s.Dir, s.URL))
}
