package tools

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// SettleIn is a ranking, and the list that the session was shown before.
type SettleIn struct {
	Tools   []Chance   `json:"tools" doc:"the most wanted first, as tools.predict gives them"`
	Names   []string   `json:"names" doc:"of all tools there are; left out, those of tools" default:"[]"`
	Shown   []string   `json:"shown" doc:"names that the session was last listed, in their order; empty for none" default:"[]"`
	Calls   []PastCall `json:"calls" doc:"of the session so far: what its model has read behind the list" default:"[]"`
	Profile string     `json:"profile,omitempty" doc:"whose sessions share a first list"`
	Learnt  float64    `json:"learnt" doc:"sessions that the ranking goes by, as tools.predict gives them; left out, all that are known by now" default:"-1"`
	Client  string     `json:"client,omitempty" doc:"as it calls itself: one that people marked tools for has a first list of its own"`
	Min     int        `json:"min" doc:"tools of a list at least" default:"5" min:"0"`
	Max     int        `json:"max" doc:"tools of a list at most; what the session used stays all the same" default:"20" min:"1"`
	Room    int        `json:"room" doc:"places of a first list that are left free for what the session turns out to want" default:"0" min:"0"`
	Miss    float64    `json:"miss" doc:"tokens that it costs to find and run a tool that is not listed" default:"5000" min:"0"`
	Cached  float64    `json:"cached" doc:"chance that the model had read the prompt and reads it again for the change alone; 0 for a client that sends it anew" default:"1" min:"0" max:"1"`
}

// SettleOut is the new list.
type SettleOut struct {
	Tools   []string `json:"tools" doc:"names to be listed, in their order"`
	Added   []string `json:"added,omitempty" doc:"that were not on the last list"`
	Dropped []string `json:"dropped,omitempty" doc:"that were on it"`
	Why     string   `json:"why" doc:"why the list is another, or stays"`
}

// Whole marks the value as never cut.
func (SettleOut) Whole() {}

// Settle returns tools.settle, which decides the list of tools of a session.
func Settle() catalog.Builtin {
	return catalog.New("tools.settle", "Decide the list of tools of a session: a first one, and a change only where it is worth that the model reads its prompt again",
		catalog.Learnt, func(ctx context.Context, env *catalog.Env, in SettleIn) (SettleOut, error) {
			return newSettling(env, in).decide(ctx), nil
		}).Lenient().Immediate()
}

// settling is one decision.
type settling struct {
	env    *catalog.Env
	in     SettleIn
	policy predict.Policy
	rank   *predict.Ranking
	tokens map[string]int // by name
}

func newSettling(env *catalog.Env, in SettleIn) *settling {
	s := &settling{env: env, in: in, policy: predict.DefaultPolicy, rank: &predict.Ranking{}, tokens: map[string]int{}}
	s.policy.Min, s.policy.Max, s.policy.Room, s.policy.Miss, s.policy.Cached = in.Min, in.Max, in.Room, in.Miss, in.Cached
	for _, t := range in.Tools {
		s.rank.Tools = append(s.rank.Tools, predict.Ranked{Tool: t.Name, Tier: predict.Tier(t.Tier), Chance: t.Chance})
		s.tokens[t.Name] = t.Tokens
	}
	return s
}

func (s *settling) tokensOf(name string) int { return s.tokens[name] }

func (s *settling) decide(ctx context.Context) SettleOut {
	shown := s.stillThere()
	if len(shown) == 0 {
		list := s.firstList(ctx)
		return SettleOut{Tools: list, Added: list, Why: fmt.Sprintf("a first list, %d of %d tools", len(list), max(len(s.in.Tools), len(s.in.Names)))}
	}
	d := s.policy.Next(shown, s.rank, s.promptTokens(), s.tokensOf)
	return SettleOut{Tools: d.List, Added: d.Added, Dropped: d.Dropped, Why: d.Why}
}

// stillThere returns the tools that were shown and still exist.
func (s *settling) stillThere() (out []string) {
	for _, name := range s.in.Shown {
		if _, is := s.tokens[name]; is && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// firstList returns the list that a session begins with. Sessions of one kind begin with the same list
// for a while, to share the cached prompt of their model.
func (s *settling) firstList(ctx context.Context) []string {
	list := func() []string { return s.policy.First(s.rank, s.tokensOf) }
	if s.env.Usage == nil || slices.ContainsFunc(s.in.Tools, func(t Chance) bool { return predict.Tier(t.Tier) == predict.Used }) {
		return list()
	}
	names := slices.Clone(s.in.Names)
	if len(names) == 0 {
		names = slices.Collect(maps.Keys(s.tokens))
	}
	slices.Sort(names)
	kind := fmt.Sprint(s.in.Min, s.in.Max, s.in.Room, s.in.Miss, s.env.Usage.Feedback(ctx, s.in.Profile, s.in.Client))
	return s.env.Usage.First(s.in.Profile, kind, names, s.in.Learnt, list)
}

// promptTokens returns the approximate number of tokens after the list in the model's prompt, as far as
// they are visible here: results and the overhead of each call.
func (s *settling) promptTokens() (n int) {
	for _, c := range s.in.Calls {
		n += session.PerCall + max(0, c.Tokens)
	}
	return cmp.Or(n, session.PerCall)
}
