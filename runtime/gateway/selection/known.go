package selection

import (
	"slices"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/retrieval/predict"
)

// Learning says how a profile learns.
type Learning struct {
	HalfLife time.Duration // after which a session counts half
	From     []string      // other profiles whose sessions and marks count here too
}

// known is what was learned.
type known struct {
	how      map[string]Learning // by profile; "" is the default
	profiles map[string]*predict.Model
	traces   map[string]*trace // by session
}

func newKnown(how map[string]Learning) *known {
	return &known{how: how, profiles: map[string]*predict.Model{}, traces: map[string]*trace{}}
}

// trace is a session being followed.
type trace struct {
	start time.Time
	by    map[string]*predict.Trace // as seen by each profile
	last  int                       // number of its last learned call
	used  time.Time
}

// observe learns one call, in the session's profile and in those that learn from it. A call that was already read is
// ignored.
func (k *known) observe(s usage.Session, c usage.Call, now time.Time) {
	t := k.traces[s.ID]
	if t == nil {
		if len(k.traces) >= maxTraces {
			k.forget()
		}
		t = &trace{start: s.Started, by: map[string]*predict.Trace{}}
		k.traces[s.ID] = t
	}
	t.used = now
	if c.Number <= t.last {
		return
	}
	t.last = c.Number
	k.learn(s.Profile, t, c.Name())
	for profile, how := range k.how {
		if profile != s.Profile && slices.Contains(how.From, s.Profile) {
			k.learn(profile, t, c.Name())
		}
	}
}

func (k *known) learn(profile string, t *trace, tool string) {
	if t.by[profile] == nil {
		t.by[profile] = predict.NewTrace(t.start, "")
	}
	k.model(profile).Observe(t.by[profile], tool)
}

// forget drops the least recently used session.
func (k *known) forget() {
	first := ""
	for id, t := range k.traces {
		if first == "" || t.used.Before(k.traces[first].used) {
			first = id
		}
	}
	delete(k.traces, first)
}

// learningOf returns how a profile learns.
func (k *known) learningOf(profile string) Learning {
	if how, is := k.how[profile]; is {
		return how
	}
	return k.how[""]
}

// model returns the model of a profile, a new one if it has none.
func (k *known) model(profile string) *predict.Model {
	m := k.profiles[profile]
	if m == nil {
		m = predict.NewModel(k.learningOf(profile).HalfLife, predict.DefaultLimits)
		if len(k.profiles) < maxProfiles {
			k.profiles[profile] = m
		}
	}
	return m
}

// applySettings applies new settings to the learned state: sessions that were never logged cannot be read again.
func (k *known) applySettings(how map[string]Learning) {
	k.how = how
	for profile, m := range k.profiles {
		m.SetHalfLife(k.learningOf(profile).HalfLife)
	}
}
