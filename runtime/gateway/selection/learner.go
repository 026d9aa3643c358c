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

// Bounds and times of a Learner.
const (
	maxProfiles = 64
	maxTraces   = 1024 // sessions that calls are followed of
	maxWaiting  = 4096 // calls; more are not learnt before the next start
	readAtMost  = 20_000
	readFor     = 200 * time.Millisecond // that who asks waits for what was kept; a list asks twice
)

// Source is what was kept of earlier sessions. runtime/observe/usage's Tracker is one.
type Source interface {
	Read(ctx context.Context, since time.Time, calls int, do func(usage.Session, []usage.Call) error) error
	Watch(fn func(usage.Session, usage.Call))
	Since(ctx context.Context, at usage.Position, do func(usage.Session, []usage.Call) error) error
	Feedback(profile, client string) map[string]bool
}

// Options of a Learner.
type Options struct {
	Learning func() map[string]Learning // by profile; that of "" holds for all that are not there. May change
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
	read  chan struct{} // closed when what was kept is learnt

	started atomic.Bool
	again   chan chan<- struct{} // asks for what was kept to be learnt anew; nil where nobody waits

	mu       sync.RWMutex
	known    *known
	catalogs catalogs
	firsts   firsts
}

// heard is a call that was told.
type heard struct {
	session usage.Session
	call    usage.Call
}

// New makes a learner. It reads nothing before it is asked.
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
	l.known = l.nothing()
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// start reads what was kept, and follows the calls from then on.
func (l *Learner) start() {
	l.begin.Do(func() {
		l.started.Store(true)
		l.from.Watch(func(s usage.Session, c usage.Call) {
			select {
			case l.calls <- heard{s, c}:
			default: // it is kept, and learnt after the next start
			}
		})
		l.work.Go(l.run)
	})
}

func (l *Learner) run() {
	l.mu.Lock()
	l.known = l.nothing() // the configuration may be another since
	l.mu.Unlock()
	elsewhere := newFollower(l)
	defer elsewhere.next.Stop()
	err := l.learn(l.known)
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
			elsewhere.look()
		case <-l.life.Done():
			return
		}
	}
}

// nothing is what is known before anything was read.
func (l *Learner) nothing() *known {
	return newKnown(l.opt.Learning())
}

// learn reads what was kept. What cannot be read is not known.
func (l *Learner) learn(to *known) error {
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

// Rank orders tools for a session, the best first. It waits a moment for what was kept.
// The ranking is detached from what is learnt meanwhile: as many tools are explained as
// the request says.
func (l *Learner) Rank(ctx context.Context, profile string, tools []predict.Tool, w predict.Weights, r predict.Request) *predict.Ranking {
	l.await(ctx)
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

// With lists what the sessions of a profile used together with a tool ("server/tool"), the
// most frequent first. It waits a moment for what was kept.
func (l *Learner) With(ctx context.Context, profile, tool string) []predict.Companion {
	l.await(ctx)
	now := l.opt.Now()
	l.mu.RLock()
	defer l.mu.RUnlock()
	if m := l.known.profiles[profile]; m != nil {
		return m.With(tool, now)
	}
	return nil
}

// Feedback is what people said of tools, by "server/tool": those of a profile, and of one
// client of it where that is known. It waits a moment for what was kept.
func (l *Learner) Feedback(ctx context.Context, profile, client string) map[string]bool {
	l.await(ctx)
	return Marks(l.opt.Learning(), profile, func(profile string) map[string]bool { return l.from.Feedback(profile, client) })
}

// Marks are those of a profile, by "server/tool", over those of the profiles that it
// learns from: of these the first counts.
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

// await waits a moment for what was kept.
func (l *Learner) await(ctx context.Context) {
	l.start()
	wait, cancel := context.WithTimeout(ctx, readFor)
	defer cancel()
	select {
	case <-l.read:
	case <-wait.Done():
	}
}

// sessions is how many were learnt in a profile, those of the past counting less.
func (l *Learner) sessions(profile string, now time.Time) float64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	if m := l.known.profiles[profile]; m != nil {
		return m.Sessions(now)
	}
	return 0
}

// knows reports whether what was kept is learnt.
func (l *Learner) knows() bool {
	select {
	case <-l.read:
		return true
	default:
		return false
	}
}

// Close ends the reading and following.
func (l *Learner) Close() {
	l.begin.Do(func() {}) // nothing begins from here on
	l.end()
	l.work.Wait()
}
