package selection

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Limits of a Learner.
const (
	maxProfiles = 64
	maxTraces   = 1024 // sessions whose calls are followed
	maxWaiting  = 4096 // queued calls; further ones are not learned before the next start
	readAtMost  = 20_000
	readFor     = 200 * time.Millisecond // limits a request's wait for the log; a list makes two requests
)

// Source is the log of earlier sessions, such as the Tracker of runtime/observe/usage.
type Source interface {
	Read(ctx context.Context, since time.Time, calls int, do func(usage.Session, []usage.Call) error) error
	Watch(fn func(usage.Session, usage.Call))
	Since(ctx context.Context, at usage.Position, do func(usage.Session, []usage.Call) error) error
	Feedback(profile, client string) map[string]bool
}

// Options configure a Learner.
type Options struct {
	Learning func() map[string]Learning // by profile; "" is the default. The result may change
	Say      func(message string)
	Now      func() time.Time
}

// Learner has a model for each profile. It is safe for concurrent use.
type Learner struct {
	opt   Options
	from  Source
	calls chan heard
	end   context.CancelFunc
	life  context.Context
	work  sync.WaitGroup
	begin sync.Once
	read  chan struct{} // closed when the log has been learned

	started atomic.Bool
	again   chan chan<- struct{} // requests learning the log again; the value is nil if no caller waits

	mu       sync.RWMutex
	known    *known
	catalogs catalogs
	firsts   firsts
}

// heard is a reported call.
type heard struct {
	session usage.Session
	call    usage.Call
}

// New returns a learner. It reads nothing before the first request.
func New(from Source, opt Options) *Learner {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Say == nil {
		opt.Say = func(string) {}
	}
	if opt.Learning == nil {
		opt.Learning = func() map[string]Learning { return nil }
	}
	l := &Learner{opt: opt, from: from, calls: make(chan heard, maxWaiting), read: make(chan struct{}), again: make(chan chan<- struct{}, 1)}
	l.known = l.emptyKnown()
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// start reads the log, and follows calls from then on.
func (l *Learner) start() {
	l.begin.Do(func() {
		l.started.Store(true)
		l.from.Watch(func(s usage.Session, c usage.Call) {
			select {
			case l.calls <- heard{s, c}:
			default: // it is logged, and learned after the next start
			}
		})
		l.work.Go(l.run)
	})
}

func (l *Learner) run() {
	l.mu.Lock()
	l.known = l.emptyKnown() // the configuration may have changed
	l.mu.Unlock()
	elsewhere := newFollower(l)
	defer elsewhere.next.Stop()
	err := l.readLog(l.known)
	if elsewhere.unread = err != nil && !errors.Is(err, usage.ErrUnkept); elsewhere.unread && l.life.Err() == nil {
		l.opt.Say("what earlier sessions used cannot be read, so lists of tools go by what is seen from now on: " + err.Error())
	}
	close(l.read)
	for {
		select {
		case h := <-l.calls:
			l.mu.Lock()
			l.known.observe(h.session, h.call, l.opt.Now())
			l.mu.Unlock()
		case done := <-l.again:
			l.relearn()
			if done != nil {
				close(done)
			}
		case <-elsewhere.next.C:
			elsewhere.readNew()
		case <-l.life.Done():
			return
		}
	}
}

// emptyKnown returns an empty state with the current settings.
func (l *Learner) emptyKnown() *known {
	return newKnown(l.opt.Learning())
}

// readLog reads the log. Parts that cannot be read remain unknown.
func (l *Learner) readLog(to *known) error {
	return l.from.Read(l.life, time.Time{}, readAtMost, func(s usage.Session, calls []usage.Call) error { return l.observe(to, s, calls) })
}

func (l *Learner) observe(to *known, s usage.Session, calls []usage.Call) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range calls {
		to.observe(s, c, l.opt.Now())
	}
	return l.life.Err()
}

// Rank orders tools for a session, the best first. It waits a moment for the log. The ranking is independent of later
// learning: it explains as many tools as the request asks for.
func (l *Learner) Rank(ctx context.Context, profile string, tools []predict.Tool, w predict.Weights, r predict.Request) *predict.Ranking {
	l.awaitRead(ctx)
	c := l.catalogs.of(tools)
	blend := predict.NewBlend(w)
	if r.Now.IsZero() {
		r.Now = l.opt.Now()
	}
	l.mu.RLock()
	defer l.mu.RUnlock()
	m := l.known.profiles[profile]
	if m == nil {
		m = predict.NewModel(0, predict.DefaultLimits)
	}
	out := blend.Rank(m, c, r)
	out.Detach(r.Explain)
	return out
}

// With lists the tools that sessions of a profile used together with a tool ("server/tool"), the most frequent first.
// It waits a moment for the log.
func (l *Learner) With(ctx context.Context, profile, tool string) []predict.Companion {
	l.awaitRead(ctx)
	now := l.opt.Now()
	l.mu.RLock()
	defer l.mu.RUnlock()
	if m := l.known.profiles[profile]; m != nil {
		return m.With(tool, now)
	}
	return nil
}

// Feedback returns people's marks on tools, by "server/tool": those of a profile, and of one of its clients if known.
// It waits a moment for the log.
func (l *Learner) Feedback(ctx context.Context, profile, client string) map[string]bool {
	l.awaitRead(ctx)
	return Marks(l.opt.Learning(), profile, func(profile string) map[string]bool { return l.from.Feedback(profile, client) })
}

// Marks returns the marks of a profile, by "server/tool", which override those of the profiles that it learns from;
// among these the first has precedence.
func Marks(how map[string]Learning, profile string, of func(profile string) map[string]bool) map[string]bool {
	from := how[profile].From
	if len(from) == 0 {
		return of(profile)
	}
	out := map[string]bool{}
	for _, other := range slices.Backward(from) {
		maps.Copy(out, of(other))
	}
	maps.Copy(out, of(profile))
	return out
}

// awaitRead waits a moment for the log.
func (l *Learner) awaitRead(ctx context.Context) {
	l.start()
	wait, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	select {
	case <-l.read:
	case <-wait.Done():
	}
}

// sessions returns the number of sessions learned in a profile, with older ones counting less.
func (l *Learner) sessions(profile string, now time.Time) float64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if m := l.known.profiles[profile]; m != nil {
		return m.Sessions(now)
	}
	return 0
}

// hasRead reports whether the log has been learned.
func (l *Learner) hasRead() bool {
	select {
	case <-l.read:
		return true
	default:
		return false
	}
}

// Close stops reading and following.
func (l *Learner) Close() {
	l.begin.Do(func() {}) // nothing starts from here on
	l.end()
	l.work.Wait()
}
