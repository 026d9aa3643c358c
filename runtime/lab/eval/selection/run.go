package selection

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Options say how a log is replayed.
type Options struct {
	Split    Split
	Folds    int   // at least 2, unless Train or Hold says what to learn from
	Shown    []int // lengths of lists
	Train    []Session
	Also     []Session // also learnt from, but never tested: of clients with other tools
	Hold     string    // source that is tested, and not learnt from
	Weights  predict.Weights
	HalfLife time.Duration
	Fit      bool // find weights in each part that is learnt from

	// List, if not nil, is called with each list that was predicted, best tool first and as long
	// as the greatest of Shown; step is how many calls the session had made.
	List func(session string, step int, tools []string) error
	// Progress, if not nil, is called for each session.
	Progress func(done, total int)
	// Now is a clock for the time that predictions take; if nil, it is not measured.
	Now func() time.Time
}

// part is a part of a log that is tested, with what is learnt for it.
type part struct{ train, also, test []Session }

// splitLog splits a log as the options say.
func (o Options) splitLog(log []Session) []part {
	switch {
	case o.Train != nil:
		return []part{{o.Train, o.Also, log}}
	case o.Hold != "":
		p := part{also: o.Also}
		for _, s := range log {
			if s.Source == o.Hold {
				p.test = append(p.test, s)
			} else {
				p.train = append(p.train, s)
			}
		}
		return []part{p}
	}
	out := make([]part, o.Folds)
	for _, s := range log {
		for f := range out {
			if s.foldOf(o.Split, o.Folds) == f {
				out[f].test = append(out[f].test, s)
			} else {
				out[f].train = append(out[f].train, s)
			}
		}
	}
	for _, s := range o.Also {
		for f := range out {
			if s.foldOf(o.Split, o.Folds) != f { // a task of theirs may be the one that is tested
				out[f].also = append(out[f].also, s)
			}
		}
	}
	return out
}

// Pool returns the tools of sessions, each once, sorted by name.
func Pool(lists ...[]Session) []string {
	set := map[string]bool{}
	for _, l := range lists {
		for _, s := range l {
			for _, t := range s.Tools {
				set[t] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(set))
}

// toolPool returns the tools that could be on a list: all that the logs name or, with Hold, those
// of the source that is held out, whose clients have no others.
func (o Options) toolPool(log []Session) []string {
	if o.Hold != "" {
		log = o.splitLog(log)[0].test
	}
	return Pool(log, o.Train)
}

// Replay predicts each session of a log call by call, from what was learnt from others.
func Replay(ctx context.Context, log []Session, o Options) (*Run, error) {
	parts, pool := o.splitLog(log), o.toolPool(log)
	run := &Run{Split: o.Split, Folds: len(parts), Shown: o.Shown, Pool: len(pool), Also: len(o.Also)}
	for _, length := range o.Shown {
		p := predict.DefaultPolicy
		p.Max, p.Min = length, min(p.Min, length)
		run.Kept = append(run.Kept, &Kept{Policy: p})
	}
	total, done := 0, 0
	for _, p := range parts {
		total += len(p.test)
	}
	for _, p := range parts {
		told := func(i int) {
			if o.Progress != nil {
				o.Progress(done+i, total)
			}
		}
		if err := run.testPart(ctx, p, pool, o, told); err != nil {
			return nil, err
		}
		done += len(p.test)
	}
	if o.Fit {
		run.Weights = run.Fitted[0]
		if len(parts) > 1 {
			run.Weights = Fit(log, o)
		}
	}
	return run, nil
}

// testPart learns from the training sessions of a part and plays its test sessions.
func (r *Run) testPart(ctx context.Context, p part, pool []string, o Options, told func(int)) error {
	o.Also = p.also
	if o.Fit {
		o.Weights = Fit(p.train, o)
		r.Fitted = append(r.Fitted, o.Weights)
	}
	simple := []method{&frequent{}, &together{}}
	for _, m := range simple {
		m.learn(slices.Concat(p.train, p.also), pool)
	}
	ours := newPredicted(slices.Concat(p.train, p.also), pool, o)
	for i, s := range p.test {
		told(i)
		for _, m := range simple {
			if err := r.playMethod(ctx, m, s); err != nil {
				return err
			}
		}
		if err := r.predictSession(ctx, ours, s, o); err != nil {
			return err
		}
	}
	return nil
}

// playMethod lists tools by a simple method before each call of a session.
func (r *Run) playMethod(ctx context.Context, m method, s Session) error {
	t := newTally(s, r.Shown)
	m.begin()
	for _, tool := range s.Tools {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.countCall(tool, m.next(slices.Max(r.Shown)))
		m.called(tool)
	}
	r.addSession(m.name(), s.Source, t)
	return nil
}

// predictSession ranks before each call of a session, and follows the kept lists.
func (r *Run) predictSession(ctx context.Context, p *predicted, s Session, o Options) error {
	t := newTally(s, r.Shown)
	p.startSession(s)
	keepers := make([]*keeper, len(r.Kept))
	for i, tool := range s.Tools {
		if err := ctx.Err(); err != nil {
			return err
		}
		ranking := r.timeRanking(o, p.rank)
		for n, k := range r.Kept {
			if i == 0 {
				keepers[n] = k.startSession(ranking, s.Tools)
			} else {
				keepers[n].updateList(ranking, DefaultPrompt.tokensBehind(i))
			}
			keepers[n].countCall(tool, i > 0, !p.trace.Used(tool))
		}
		list := topTools(ranking, slices.Max(r.Shown))
		if o.List != nil {
			if err := o.List(s.ID, i, list); err != nil {
				return err
			}
		}
		t.countCall(tool, list)
		p.trace.Add(tool)
	}
	for _, k := range keepers {
		k.addSession()
	}
	r.addSession("prediction", s.Source, t)
	return nil
}

// timeRanking runs a ranking and records its time, if there is a clock.
func (r *Run) timeRanking(o Options, rank func() *predict.Ranking) *predict.Ranking {
	if o.Now == nil {
		return rank()
	}
	start := o.Now()
	ranking := rank()
	r.times = append(r.times, o.Now().Sub(start))
	return ranking
}
