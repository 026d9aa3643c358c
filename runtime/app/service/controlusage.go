package service

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compactor-mcp/compactor/runtime/app/api"
	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/glob"
	"github.com/compactor-mcp/compactor/runtime/gateway"
	"github.com/compactor-mcp/compactor/runtime/gateway/selection"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// activeTracker returns the tracker, or nil if usage is not kept.
func (c Controller) activeTracker() *usage.Tracker {
	if c.Snapshot().Plan.Config.Usage.Off {
		return nil
	}
	return c.tracker.Load()
}

// unreadableProblem returns the problem for a log that cannot be read.
func (c Controller) unreadableProblem(err error) error {
	return api.NewProblem(api.Unreadable, "what is kept of sessions cannot be read: "+c.Snapshot().Egress.Line(err.Error()), "see: compactor doctor")
}

// tracked is a session with its calls.
type tracked struct {
	usage.Session
	calls []usage.Call
}

// Sessions returns sessions, newest first: those with a call, and open ones without a
// call so far.
func (c Controller) Sessions(ctx context.Context, most int, before string) (*api.Sessions, error) {
	from, err := placeOf(before)
	if err != nil {
		return nil, err
	}
	t := c.activeTracker()
	out := &api.Sessions{Kept: t != nil, Sessions: []api.Session{}}
	if t == nil {
		return out, nil
	}
	var list []tracked
	seen := map[string]bool{}
	if err := t.Newest(ctx, from, most+1, func(s usage.Session, calls []usage.Call) error {
		list, seen[s.ID] = append(list, tracked{s, calls}), true
		return ctx.Err()
	}); err != nil {
		return nil, c.unreadableProblem(err)
	}
	for _, s := range t.Open() {
		if !seen[s.ID] && (from == usage.Place{} || s.Place().Before(from)) {
			list = append(list, tracked{s, nil})
		}
	}
	slices.SortFunc(list, func(a, b tracked) int {
		if a.Place().Before(b.Place()) {
			return 1
		}
		return -1
	})
	if len(list) > most {
		list = list[:most]
		out.Next = placeText(list[most-1].Place())
	}
	n := namers{c: c, by: map[string]namer{}}
	for _, s := range list {
		out.Sessions = append(out.Sessions, c.sessionJSON(n.namerOf(s.Profile), s.Session, s.calls))
	}
	return out, nil
}

// placeText formats a place as the cursor of the next page.
func placeText(p usage.Place) string { return strconv.FormatInt(p.At.UnixMilli(), 36) + "." + p.ID }

// placeOf parses a cursor from placeText; "" is the beginning.
func placeOf(text string) (usage.Place, error) {
	if text == "" {
		return usage.Place{}, nil
	}
	at, id, is := strings.Cut(text, ".")
	ms, err := strconv.ParseInt(at, 36, 64)
	if !is || err != nil || ms <= 0 {
		return usage.Place{}, api.NewProblem(api.BadRequest, "parameter before names no place among the sessions", "give next of the page before, as it came")
	}
	return usage.Place{At: time.UnixMilli(ms).UTC(), ID: id}, nil
}

// Session returns a session with its calls.
func (c Controller) Session(ctx context.Context, id string) (*api.SessionDetail, error) {
	s, calls, err := c.findSession(ctx, id)
	if err != nil {
		return nil, err
	}
	n := c.newNamer(s.Profile)
	var available []string
	if t := c.activeTracker(); t != nil && s.Catalog != "" {
		if available, err = t.Catalog(ctx, s.Catalog); err != nil {
			return nil, c.unreadableProblem(err)
		}
	}
	out := &api.SessionDetail{Session: c.sessionJSON(n, s, calls), List: []api.Call{}, Available: n.namesOf(available)}
	slices.Sort(out.Available)
	for _, x := range calls {
		out.List = append(out.List, api.Call{Number: x.Number, Tool: n.nameOf(x.Name()), At: x.At, ElapsedMS: millis(x.Elapsed), OK: x.OK, Hidden: x.Hidden, Arguments: x.Arguments})
	}
	return out, nil
}

// findSession returns a stored session with its calls.
func (c Controller) findSession(ctx context.Context, id string) (usage.Session, []usage.Call, error) {
	err := usage.ErrNoSession
	if t := c.activeTracker(); t != nil {
		var s usage.Session
		var calls []usage.Call
		if s, calls, err = t.Session(ctx, id); err == nil {
			return s, calls, nil
		}
	}
	if !errors.Is(err, usage.ErrNoSession) {
		return usage.Session{}, nil, c.unreadableProblem(err)
	}
	return usage.Session{}, nil, api.NewProblem(api.SessionUnknown, "no session is kept under this id", "GET /sessions says which there are")
}

// namer maps tools to the names by which clients call them.
type namer struct {
	line   func(string) string
	listed map[string]string // by "server/tool"
}

// newNamer returns the names of the tools in a profile.
func (c Controller) newNamer(profile string) namer {
	n := namer{c.Snapshot().Egress.Line, map[string]string{}}
	for _, t := range c.gatewayOf(profile).Listed() {
		n.listed[t.Server+"/"+t.Tool] = t.Name
	}
	return n
}

// namers holds the namers of profiles, each created when first needed.
type namers struct {
	c  Controller
	by map[string]namer
}

func (n namers) namerOf(profile string) namer {
	if _, is := n.by[profile]; !is {
		n.by[profile] = n.c.newNamer(profile)
	}
	return n.by[profile]
}

// nameOf returns the name of a tool. A tool that no longer exists keeps its id, "server/tool".
func (n namer) nameOf(id string) string {
	if name, ok := n.listed[id]; ok {
		return name
	}
	return n.line(id)
}

func (n namer) namesOf(ids []string) []string {
	out := []string{}
	for _, id := range ids {
		out = append(out, n.nameOf(id))
	}
	return out
}

// sessionJSON converts a session for the API.
func (c Controller) sessionJSON(n namer, s usage.Session, calls []usage.Call) api.Session {
	out := api.Session{ID: s.ID, Client: n.line(s.Client), Version: n.line(s.Version), Era: s.Era, Profile: n.line(s.Profile), Live: c.liveSession(s.ID) != nil, Started: s.Started, Ended: s.Ended, Offered: s.Offered,
		Shown: n.namesOf(s.Shown), Calls: len(calls), Tools: []string{}, Missed: []string{}}
	seen := map[string]bool{}
	for _, x := range calls {
		if !x.OK {
			out.Failed++
		}
		if id := x.Name(); !seen[id] {
			seen[id] = true
			out.Tools = append(out.Tools, n.nameOf(id))
			if x.Hidden {
				out.Missed = append(out.Missed, n.nameOf(id))
			}
		}
	}
	return out
}

// liveSession returns the session if it is open in this process, or nil.
func (c Controller) liveSession(id string) *session.Session {
	if t := c.activeTracker(); t != nil {
		if told, ok := t.Live(id); ok {
			return c.sessions.Get(told.ID)
		}
	}
	return nil
}

// Predictions ranks the tools for a session by its calls so far, and returns the list that it would get now.
func (c Controller) Predictions(ctx context.Context, id string, most int) (*api.Predictions, error) {
	s, calls, err := c.findSession(ctx, id)
	if err != nil {
		return nil, err
	}
	tools, n, live := c.gatewayOf(s.Profile).Listed(), c.newNamer(s.Profile), c.liveSession(id)
	out := &api.Predictions{Session: id, Profile: n.line(s.Profile), Live: live != nil, Of: len(tools), Tools: []api.Prediction{}, List: n.namesOf(s.Shown)}
	if live != nil {
		out.List = c.wouldList(ctx, live, tools)
	}
	ranking := c.rank(ctx, s, calls, tools, most)
	out.Stage = string(ranking.Stage)
	for i, r := range ranking.Tools {
		if i == most {
			break
		}
		name := n.nameOf(r.Tool)
		out.Tools = append(out.Tools, api.Prediction{Tool: name, Server: predict.ServerOf(r.Tool), Chance: min(1, r.Chance), Tier: tiers[r.Tier], Why: ranking.Why(r.Tool), Listed: slices.Contains(out.List, name)})
	}
	return out, nil
}

// tiers maps tiers to their names in the API.
var tiers = map[predict.Tier]string{predict.Used: "used", predict.Pinned: "pinned", predict.Predicted: "predicted", predict.Dismissed: "unwanted"}

// wouldList runs the hook as the next tools/list of the session does.
func (c Controller) wouldList(ctx context.Context, live *session.Session, tools []gateway.Listed) []string {
	out := []string{}
	if !c.Snapshot().ofProfile(live.Identity().Profile).Plan.Config.Gateway.Proxies() {
		return out
	}
	for _, t := range c.chooseTools(ctx, live, tools) {
		out = append(out, t.Name)
	}
	return out
}

func (c Controller) rank(ctx context.Context, s usage.Session, calls []usage.Call, tools []gateway.Listed, explain int) *predict.Ranking {
	trace := predict.NewTrace(s.Started, "")
	for _, x := range calls {
		trace.Add(x.Name())
	}
	list := make([]predict.Tool, len(tools))
	for i, t := range tools {
		list[i] = predict.Tool{Server: t.Server, Name: t.Tool, Description: t.Description}
	}
	weights, r := predict.DefaultWeights, predict.Request{Trace: trace, Now: time.Now(), Explain: explain, Feedback: c.toolFeedback(s, tools)}
	if set := c.Snapshot().ofProfile(s.Profile).Plan.Config.Gateway.Selection; set != nil {
		if r.Show = set.Max; len(set.Weights) > 0 {
			weights = set.Weights
		}
	}
	if l := c.learner.Load(); l != nil {
		return l.Rank(ctx, s.Profile, list, weights, r)
	}
	return predict.NewBlend(weights).Rank(predict.NewModel(0, predict.DefaultLimits), predict.NewCatalog(list), r)
}

// toolFeedback returns the relevance of tools as people stated it: their marks override the configuration.
func (c Controller) toolFeedback(s usage.Session, tools []gateway.Listed) map[string]predict.Feedback {
	out := map[string]predict.Feedback{}
	if set := c.Snapshot().ofProfile(s.Profile).Plan.Config.Gateway.Selection; set != nil {
		for _, t := range tools {
			switch {
			case matchesTool(set.Pinned, t):
				out[t.Server+"/"+t.Tool] = predict.Relevant
			case matchesTool(set.Unwanted, t):
				out[t.Server+"/"+t.Tool] = predict.Irrelevant
			}
		}
	}
	for id, relevant := range selection.Marks(c.Learning(), s.Profile, func(profile string) map[string]bool { return usage.FeedbackOf(c.Marks(), profile, s.Client) }) {
		out[id] = predict.Irrelevant
		if relevant {
			out[id] = predict.Relevant
		}
	}
	return out
}

func matchesTool(patterns []string, t gateway.Listed) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		return slices.ContainsFunc([]string{t.Name, t.Tool, t.Server + "/" + t.Tool}, func(name string) bool { return glob.Folded.Match(p, strings.ToLower(name)) })
	})
}

// Override stores a person's statement about the relevance of a tool.
func (c Controller) Override(ctx context.Context, o api.Override) (*api.Overridden, error) {
	if o.Profile == "" {
		o.Profile = c.Service.Profile()
	} else if err := c.checkServed(o.Profile, "mark it with: compactor predictions mark --profile "+o.Profile); err != nil {
		return nil, err
	}
	err := c.Service.Override(ctx, o.Profile, o.Client, o.Tool, o.Relevant)
	var named *contract.Error
	switch {
	case err == nil:
		return &api.Overridden{Tool: o.Tool, Relevant: o.Relevant, Profile: o.Profile, Client: o.Client}, nil
	case errors.As(err, &named):
		return nil, api.NewProblem(named.Code, c.Snapshot().Egress.Line(named.Message), "GET /tools says what there is")
	case errors.Is(err, usage.ErrNotKept):
		return nil, api.NewProblem(api.UsageOff, err.Error(), "keep it with: usage: enabled: true")
	case errors.Is(err, usage.ErrNoClient):
		return nil, api.NewProblem(api.UsageOff, err.Error(), "or keep digests of clients with: usage: clients: \"hash\"")
	}
	return nil, api.NewProblem(api.Unreadable, "it cannot be kept: "+c.Snapshot().Egress.Line(err.Error()), "see: compactor doctor")
}

// checkServed returns an error if no client here has this profile. do is the remedy for a
// profile that the configuration has.
func (c Controller) checkServed(profile, do string) error {
	snap := c.Snapshot()
	there := snap.Plan.Config.Profiles
	switch _, is := there[profile]; {
	case profile == c.Service.Profile() || is && snap.servesProfile(profile):
		return nil
	case !is:
		return c.noProfile(profile, slices.Sorted(maps.Keys(there)))
	}
	return api.NewProblem(api.ProfileUnknown, "no client is served with the profile "+profile+" here", do)
}

// noProfile returns the error for an unknown profile name.
func (c Controller) noProfile(name string, there []string) error {
	do := "leave it out: the configuration has no profiles"
	if near := diag.Nearest(name, there); near != "" {
		do = "did you mean " + near + "?"
	} else if len(there) > 0 {
		do = "there are: " + strings.Join(there, ", ")
	}
	return api.NewProblem(api.ProfileUnknown, "no profile is called "+c.Snapshot().Egress.Line(name), do)
}

// Stats returns the recorded usage of an upstream tool, in all sessions or in the sessions of a profile.
func (c Controller) Stats(ctx context.Context, name, profile string) (*api.Stats, error) {
	t, err := c.toolOf(name, profile)
	if err != nil {
		return nil, err
	}
	tracker := c.activeTracker()
	if tracker == nil {
		return nil, api.NewProblem(api.UsageOff, "nothing is kept of the use of tools", "keep it with: usage: enabled: true")
	}
	var of *string
	if profile != "" {
		of = &profile
	}
	u, err := tracker.ToolUse(ctx, t.Server, t.Tool, of)
	if err != nil {
		return nil, c.unreadableProblem(err)
	}
	out := &api.Stats{Tool: t.Name, Server: t.Server, Calls: u.Calls, Succeeded: u.Calls - u.Failed, Failed: u.Failed, HiddenCalls: u.Hidden,
		Shown: u.Shown, Used: u.Used, ShownUsed: u.ShownUsed, Sessions: u.Sessions, Durations: durationsOf(u.Took)}
	if u.Calls > 0 {
		out.First, out.Last = &u.First, &u.Last
	}
	out.With = c.usedWith(ctx, t, profile)
	return out, nil
}

// maxWith limits the tools returned by usedWith.
const maxWith = 50

// usedWith returns the tools that were used in the same sessions as t.
func (c Controller) usedWith(ctx context.Context, t gateway.Listed, profile string) []api.With {
	out := []api.With{}
	l := c.learner.Load()
	if l == nil {
		return out
	}
	profile = cmp.Or(profile, c.Service.Profile())
	n := c.newNamer(profile)
	list := l.With(ctx, profile, predict.Tool{Server: t.Server, Name: t.Tool}.ID())
	for _, w := range list[:min(len(list), maxWith)] {
		x := api.With{Tool: n.nameOf(w.Tool), Count: roundHundredths(w.Count), After: roundHundredths(w.After), Distance: roundHundredths(w.Distance)}
		if !w.Last.IsZero() {
			x.Last = &w.Last
		}
		out = append(out, x)
	}
	return out
}

func roundHundredths(x float64) float64 { return math.Round(100*x) / 100 }

func durationsOf(took []time.Duration) *api.Durations {
	if len(took) == 0 {
		return nil
	}
	slices.Sort(took)
	sum := time.Duration(0)
	for _, d := range took {
		sum += d
	}
	at := func(share float64) float64 { return millis(took[int(math.Ceil(share*float64(len(took))))-1]) }
	return &api.Durations{MeanMS: millis(sum / time.Duration(len(took))), P50MS: at(0.5), P95MS: at(0.95), MaxMS: millis(took[len(took)-1])}
}

func millis(d time.Duration) float64 { return float64(max(0, d).Microseconds()) / 1000 }
