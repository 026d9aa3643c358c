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

// Kinds of transport.
const (
	Stdio = "stdio" // a program, one message per line
	HTTP  = "http"  // streamable HTTP
	SSE   = "sse"   // HTTP with server-sent events, of 2024-11-05
)

// Protocol eras.
const (
	Handshake = "handshake" // initialize once, up to 2025-11-25
	Stateless = "stateless" // each request is self-contained, from 2026-07-28
)

// What a server may ask of its client, for Spec.Allow.
const (
	Sampling    = "sampling"
	Elicitation = "elicitation"
	Roots       = "roots"
)

// Spec says how a server is reached. It does not change after New.
type Spec struct {
	Name string // for errors, logs and health
	Kind string // Stdio, HTTP or SSE; "": stdio with a Command, else http, then sse if http is refused

	Command string
	Args    []string
	Env     map[string]string
	Dir     string
	Typed   string // the command line as a user may see and type it, without secrets; "": it is not shown

	URL     string
	Headers map[string]string // with expanded values

	Secrets []string // values in Args and URL that must not be shown; those of Env and Headers never are

	Era   string   // "": detected and remembered; Handshake or Stateless: forced
	Allow []string // of Sampling, Elicitation, Roots: passed to Request.Ask; others are refused

	StartTime   time.Duration // for start and handshake; 0: 30 s
	CallTime    time.Duration // for one request, since it last reported progress; 0: 60 s, negative: no limit
	MaxCallTime time.Duration // for one request in spite of progress; 0: 10 min; at least CallTime
	Idle        time.Duration // without a request, until the connection is closed; 0: 5 min, negative: never
	Connections int           // at once, each of which carries many requests; 0: see most
	MaxMessage  int64         // bytes of one message from the server; 0: 32 MiB

	most int // connections of one era at once, if more than Connections are needed to tell callers apart
}

// Program is a started server program.
type Program interface {
	Stdin() io.WriteCloser
	Stdout() io.Reader
	Done() <-chan struct{}          // closed when it has ended
	Exit() string                   // how it ended, in a few words
	Stderr() []string               // its last lines
	Stop(grace time.Duration) error // ends it and all that it started, by force after grace
}

// Starter starts the program of a Spec. ctx limits the start, not the program's life.
type Starter func(ctx context.Context, s Spec) (Program, error)

// Client identifies the client to servers.
type Client struct {
	Name, Version string
}

// Login provides the tokens that authorize requests to a URL.
type Login interface {
	// Token returns the token for the next request; "" if there is no login.
	Token(ctx context.Context) (string, error)
	// Renew returns a token to replace the one that the server refused; "" if there is no login.
	Renew(ctx context.Context, refused string) (string, error)
	// Lacks reports a scope that a request needed and its token does not have.
	Lacks(ctx context.Context, scope string)
	// Secrets returns values that must not be shown.
	Secrets() []string
}

// Options configure a Server.
type Options struct {
	Client Client
	Login  Login        // for servers with a URL; nil: no login is possible
	Start  Starter      // for stdio; nil: programs cannot be started
	Silent time.Time    // About.Silent of an earlier run, whose wait is not repeated for some days
	Starts *Starts      // in which starts of programs take turns; nil: no waiting
	May    func() error // asked before each start and connection, also after a loss; nil: always allowed
	Logger *slog.Logger // nil: no log
	// Changed is called with "tools", "resources" or "prompts" when that list may have changed, and with "resource:URI"
	// when a resource has. It runs on its own goroutine; changes during a call of it are merged.
	Changed func(what string)
	// State is called with each new state and, for a bad one, the problem. It must return at once and not call the
	// server. nil: not wanted.
	State func(state, problem string)
	// Log receives the log lines of the handshake era that belong to no request, in order and limited in number. It
	// runs on its own goroutine. nil: not wanted.
	Log func(LogLine)
}

const (
	defaultStart   = 30 * time.Second
	defaultCall    = 60 * time.Second
	defaultMost    = 10 * time.Minute
	defaultIdle    = 5 * time.Minute
	defaultMessage = 32 << 20

	maxAsked = 4 // callers at once, each with its own connection, if Connections is not set
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

// key returns a value that is equal for specs that reach the same server. It contains no readable secret.
func (s Spec) key() [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q %q", s.Kind, s.Command, s.Args, s.Dir, s.URL))
}
