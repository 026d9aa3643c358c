package tools

import (
	"context"
	"encoding/json"
	"time"

	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// PredictIn is a session, and the tools that could be listed to it.
type PredictIn struct {
	Tools    []Candidate        `json:"tools" doc:"that could be listed"`
	Calls    []PastCall         `json:"calls" doc:"of the session so far, oldest first" default:"[]"`
	Task     string             `json:"task,omitempty" doc:"what the session is for, in plain words"`
	Profile  string             `json:"profile,omitempty" doc:"whose use was learnt"`
	Client   string             `json:"client,omitempty" doc:"as it calls itself: what people marked for it holds over what they marked for all"`
	Pinned   []string           `json:"pinned" doc:"globs of tools that are always wanted" default:"[]"`
	Unwanted []string           `json:"unwanted" doc:"globs of tools that are not wanted" default:"[]"`
	Weights  map[string]float64 `json:"weights,omitempty" doc:"of the predictors by name; left out, those that were fitted on public logs"`
	Keep     []string           `json:"keep" doc:"names that are given back however unlikely they are" default:"[]"`
	Most     int                `json:"most" doc:"tools that are given back beside those; 0 for all" default:"0" min:"0"`
	Show     int                `json:"show" doc:"tools that will be listed; 0 where that is not known" default:"0" min:"0"`
}

// PastCall is a call of the session.
type PastCall struct {
	Tool      string          `json:"tool" doc:"name in the list of tools"`
	Server    string          `json:"server" doc:"whose tool it is; empty for none of an upstream server"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Outcome   string          `json:"outcome,omitempty"`
	Tokens    int             `json:"tokens,omitempty" doc:"of its result"`
}

// PredictOut lists the tools, the most wanted first.
type PredictOut struct {
	Stage  string   `json:"stage" doc:"what there was to go by: session, profile, spread (words and servers alone), or all where every tool fits"`
	Tools  []Chance `json:"tools" doc:"the most wanted first"`
	Learnt float64  `json:"learnt" doc:"sessions that this goes by, those of the past counting less"`
}

// Whole marks the value as never cut.
func (PredictOut) Whole() {}

// Chance is a tool with its prediction.
type Chance struct {
	Name   string  `json:"name" doc:"in the list of tools"`
	Chance float64 `json:"chance" doc:"0 to 1, that the session still wants it"`
	Tier   int     `json:"tier" doc:"0 used by the session, 1 pinned, 2 predicted, 3 not wanted" min:"0" max:"3"`
	Why    string  `json:"why,omitempty" doc:"what that rests on; of the first ones"`
	Tokens int     `json:"tokens,omitempty" doc:"of its definition, about"`
}

// explained is how many tools get an explanation: no one reads those of the rest.
const explained = 50

// Predict returns tools.predict, which orders tools by predicted use.
func Predict() catalog.Builtin {
	return catalog.New("tools.predict", "Order upstream tools by how likely the session still wants them, by what earlier sessions used", catalog.Learnt, predictTools).Lenient().Immediate()
}

func predictTools(ctx context.Context, env *catalog.Env, in PredictIn) (PredictOut, error) {
	set := newSet(in.Tools)
	weights := predict.Weights(in.Weights)
	if len(weights) == 0 {
		weights = predict.DefaultWeights
	}
	r := predict.Request{Trace: set.sessionTrace(in), Show: in.Show, Explain: explained, Feedback: set.collectFeedback(ctx, env, in)}
	ranking := set.rankTools(ctx, env, in.Profile, weights, r)
	out := PredictOut{Stage: string(ranking.Stage), Learnt: ranking.Learnt, Tools: make([]Chance, 0, len(ranking.Tools))}
	keep := make(map[string]bool, len(in.Keep))
	for _, name := range in.Keep {
		keep[name] = true
	}
	for i, t := range ranking.Tools {
		c := set.byID[t.Tool]
		if in.Most > 0 && i >= in.Most && !keep[c.Name] {
			continue
		}
		x := Chance{Name: c.Name, Chance: t.Chance, Tier: int(t.Tier), Tokens: c.Tokens}
		if i < explained {
			x.Why = ranking.Why(t.Tool)
		}
		out.Tools = append(out.Tools, x)
	}
	return out, nil
}

// set holds tools by their names and ids.
type set struct {
	tools  []predict.Tool
	byID   map[string]Candidate
	byName map[string]string // listed name to id
}

func newSet(list []Candidate) *set {
	s := &set{byID: make(map[string]Candidate, len(list)), byName: make(map[string]string, len(list))}
	for _, c := range list {
		t := predict.Tool{Server: c.Server, Name: c.ownName(), Description: c.Description}
		id := t.ID()
		if _, twice := s.byID[id]; twice {
			continue
		}
		s.tools = append(s.tools, t)
		s.byID[id], s.byName[c.Name] = c, id
	}
	return s
}

// sessionTrace returns the session's calls of these tools.
func (s *set) sessionTrace(in PredictIn) *predict.Trace {
	t := predict.NewTrace(time.Time{}, in.Task)
	for _, c := range in.Calls {
		if id, is := s.byName[c.Tool]; is && c.Server != "" {
			t.Add(id)
		}
	}
	return t
}

// collectFeedback returns what people said about tools: their marks override the configuration.
func (s *set) collectFeedback(ctx context.Context, env *catalog.Env, in PredictIn) map[string]predict.Feedback {
	out := map[string]predict.Feedback{}
	var marks map[string]bool
	if env.Usage != nil {
		marks = env.Usage.Feedback(ctx, in.Profile, in.Client)
	}
	for id, c := range s.byID {
		relevant, marked := marks[id]
		switch {
		case marked && relevant:
			out[id] = predict.Relevant
		case marked:
			out[id] = predict.Irrelevant
		case matchesAny(in.Pinned, c):
			out[id] = predict.Relevant
		case matchesAny(in.Unwanted, c):
			out[id] = predict.Irrelevant
		}
	}
	return out
}

// rankTools ranks by learnt usage or, if none is kept, by words and servers.
func (s *set) rankTools(ctx context.Context, env *catalog.Env, profile string, w predict.Weights, r predict.Request) *predict.Ranking {
	if env.Usage != nil {
		return env.Usage.Rank(ctx, profile, s.tools, w, r)
	}
	return predict.NewBlend(w).Rank(predict.NewModel(0, predict.DefaultLimits), predict.NewCatalog(s.tools), r)
}
