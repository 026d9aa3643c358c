package selection

import (
	"cmp"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// method is a simple way to list the tools of a pool. learn is called before all else.
type method interface {
	name() string
	learn(train []Session, pool []string)
	begin()              // starts a session
	next(k int) []string // the k best tools after the calls so far
	called(tool string)
}

// predicted ranks tools by the blend, the prediction under test.
type predicted struct {
	blend   *predict.Blend
	model   *predict.Model
	catalog *predict.Catalog
	trace   *predict.Trace
}

func newPredicted(train []Session, pool []string, o Options) *predicted {
	return &predicted{blend: predict.NewBlend(o.Weights), model: learnModel(train, o), catalog: catalogOf(pool)}
}

func (p *predicted) startSession(s Session) { p.trace = predict.NewTrace(s.Start, s.Task) }

func (p *predicted) rank() *predict.Ranking {
	return p.blend.Rank(p.model, p.catalog, predict.Request{Trace: p.trace})
}

// learnModel returns a model of sessions.
func learnModel(train []Session, o Options) *predict.Model {
	m := predict.NewModel(o.HalfLife, predict.DefaultLimits)
	for _, s := range train {
		m.Learn(s.Start, s.Task, s.Tools)
	}
	return m
}

func catalogOf(pool []string) *predict.Catalog {
	tools := make([]predict.Tool, len(pool))
	for i, id := range pool {
		tools[i] = predict.ParseTool(id)
	}
	return predict.NewCatalog(tools)
}

func topTools(r *predict.Ranking, k int) []string {
	out := make([]string, 0, k)
	for _, t := range r.Tools[:min(k, len(r.Tools))] {
		out = append(out, t.Tool)
	}
	return out
}

// frequent shows the tools that were called most, whatever the session does.
type frequent struct {
	calls, sessions map[string]int
	byCalls         []string
	bySessions      []string
	started         bool
}

func (f *frequent) name() string { return "frequency" }

func (f *frequent) learn(train []Session, pool []string) {
	f.calls, f.sessions = map[string]int{}, map[string]int{}
	for _, s := range train {
		seen := map[string]bool{}
		for _, t := range s.Tools {
			f.calls[t]++
			if !seen[t] {
				seen[t] = true
				f.sessions[t]++
			}
		}
	}
	f.byCalls, f.bySessions = byCount(pool, f.calls), byCount(pool, f.sessions)
}

// byCount orders by count, then name.
func byCount(pool []string, count map[string]int) []string {
	out := slices.Clone(pool)
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(count[b]-count[a], cmp.Compare(a, b)) })
	return out
}

func (f *frequent) begin()        { f.started = false }
func (f *frequent) called(string) { f.started = true }

func (f *frequent) next(k int) []string {
	if !f.started {
		return f.bySessions[:min(k, len(f.bySessions))]
	}
	return f.byCalls[:min(k, len(f.byCalls))]
}

// together shows the tools of the sessions that used what this one used.
type together struct {
	frequent
	with map[string]map[string]int
	used []string
}

func (c *together) name() string { return "co-occurrence" }

func (c *together) learn(train []Session, pool []string) {
	c.frequent.learn(train, pool)
	c.with = map[string]map[string]int{}
	for _, s := range train {
		distinct := slices.Compact(slices.Sorted(slices.Values(s.Tools)))
		for _, a := range distinct {
			if c.with[a] == nil {
				c.with[a] = map[string]int{}
			}
			for _, b := range distinct {
				if a != b {
					c.with[a][b]++
				}
			}
		}
	}
}

func (c *together) begin() { c.frequent.begin(); c.used = nil }

func (c *together) called(tool string) {
	c.frequent.called(tool)
	if !slices.Contains(c.used, tool) {
		c.used = append(c.used, tool)
	}
}

func (c *together) next(k int) []string {
	if !c.started {
		return c.frequent.next(k)
	}
	all := 0
	for _, n := range c.calls {
		all += n
	}
	score := map[string]float64{}
	for _, a := range c.used {
		for t, n := range c.with[a] {
			score[t] += float64(n) / float64(c.sessions[a])
		}
	}
	for t := range score {
		score[t] += 1e-3 * float64(c.calls[t]) / float64(max(all, 1))
	}
	out := slices.Collect(maps.Keys(score))
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(a, b)) })
	for _, t := range c.byCalls {
		if _, scored := score[t]; !scored && len(out) < k {
			out = append(out, t)
		}
	}
	return out[:min(k, len(out))]
}
