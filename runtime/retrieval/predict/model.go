package predict

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"
)

// Limits bound a model. The least counted entries go first, then the least recently seen. A limit
// of 0 means the one in DefaultLimits.
type Limits struct {
	Tools    int // distinct tools
	Pairs    int // ordered pairs of tools that were used together
	Contexts int // followers in chains of calls
	Words    int // tools under words of tasks
}

// DefaultLimits take about 30 MB at most.
var DefaultLimits = Limits{Tools: 2000, Pairs: 40_000, Contexts: 40_000, Words: 20_000}

func (l Limits) orDefault() Limits {
	l.Tools = cmp.Or(max(0, l.Tools), DefaultLimits.Tools)
	l.Pairs = cmp.Or(max(0, l.Pairs), DefaultLimits.Pairs)
	l.Contexts = cmp.Or(max(0, l.Contexts), DefaultLimits.Contexts)
	l.Words = cmp.Or(max(0, l.Words), DefaultLimits.Words)
	return l
}

// Model is what was learnt from sessions: decayed counts, no session itself. It may be
// read by many goroutines, but not while one of them writes.
type Model struct {
	limits   Limits
	halfLife time.Duration // 0: nothing fades
	landmark time.Time     // the moment at which an observation weighs 1
	latest   time.Time     // the start of the latest session seen

	sessions float64
	tools    interner
	uses     []toolUse // by tool
	servers  interner

	after    table[int32]       // tool → tools first used later in the session
	chains   table[context]     // last calls → the next one that differs
	moves    table[int32]       // server → server of the next new tool
	words    table[string]      // word of a task → tools
	asked    map[string]float64 // word of a task → sessions
	stays    float64            // new tools from the server of the previous call
	switches float64            // new tools from another server
}

// toolUse records how often a tool was used.
type toolUse struct {
	sessions float64 // sessions that used it
	calls    float64
	last     int64 // Unix seconds, 0 if unknown
}

// context is the last calls of a session, the latest first, as numbers of tools; -1
// for none.
type context [maxOrder]int32

// NewModel returns a model that has learnt nothing. After a half-life a session counts
// half as much; 0 means that nothing fades.
func NewModel(halfLife time.Duration, limits Limits) *Model {
	return &Model{limits: limits.orDefault(), halfLife: max(0, halfLife), after: newTable[int32](), chains: newTable[context](),
		moves: newTable[int32](), words: newTable[string](), asked: map[string]float64{}}
}

// SetHalfLife changes the half-life from the latest session on.
func (m *Model) SetHalfLife(d time.Duration) {
	if d = max(0, d); d == m.halfLife {
		return
	}
	m.rebase(m.latest)
	m.halfLife = d
}

// Observe learns that the session of the trace calls tool next, and adds the call to the trace.
func (m *Model) Observe(t *Trace, tool string) {
	tool = validName(tool)
	weight, at := m.observationWeight(t.Start)
	if t.calls == 0 {
		m.sessions += weight
		for _, w := range t.task {
			m.asked[w] += weight
		}
	}
	fresh := !t.Used(tool)
	id := m.countCall(tool, weight, at, fresh)
	m.addToChains(t, tool, id, weight, at)
	if fresh {
		m.addFirstUse(t, tool, id, weight, at)
	}
	t.Add(tool)
	m.trim()
}

// Learn observes a whole session.
func (m *Model) Learn(start time.Time, task string, tools []string) {
	t := NewTrace(start, task)
	for _, tool := range tools {
		m.Observe(t, tool)
	}
}

// countCall adds a call of a tool and returns the number of the tool.
func (m *Model) countCall(tool string, weight float64, at int64, fresh bool) int32 {
	id := m.tools.add(tool)
	if int(id) == len(m.uses) {
		m.uses = append(m.uses, toolUse{})
	}
	u := &m.uses[id]
	u.calls += weight
	u.last = max(u.last, at)
	if fresh {
		u.sessions += weight
	}
	return id
}

// addToChains adds the call to the chains that lead to it. A repeated call of the same tool is not a
// step: that tool is on the list.
func (m *Model) addToChains(t *Trace, tool string, id int32, weight float64, at int64) {
	if n := len(t.tail); n > 0 && t.tail[n-1] == tool {
		return
	}
	c := context{-1, -1, -1}
	for i := range t.tail {
		before, known := m.tools.find(t.tail[len(t.tail)-1-i])
		if !known { // the model was trimmed since
			return
		}
		c[i] = before
		m.chains.put(c, id, cell{weight, 0, at})
	}
}

// addFirstUse adds the first use of a tool to the counts of its companions, task words and server.
func (m *Model) addFirstUse(t *Trace, tool string, id int32, weight float64, at int64) {
	for _, u := range t.recent() {
		from, known := m.tools.find(u.tool)
		if known {
			m.after.put(from, id, cell{weight, weight * float64(t.calls-u.at), at})
		}
	}
	for _, w := range t.task {
		m.words.put(w, id, cell{weight, 0, at})
	}
	server := m.servers.add(ServerOf(tool))
	if len(t.tail) == 0 {
		return
	}
	before := m.servers.add(ServerOf(t.tail[len(t.tail)-1]))
	m.moves.put(before, server, cell{weight, 0, at})
	if before == server {
		m.stays += weight
	} else {
		m.switches += weight
	}
}

// observationWeight returns the weight of an observation in a session, and the start of the session in Unix seconds.
//
// Decay is forward (Cormode, Shkapenyuk, Srivastava, Xu: Forward Decay, ICDE 2009): a later session weighs
// more, so that existing counts need no update as time passes.
func (m *Model) observationWeight(start time.Time) (weight float64, unix int64) {
	if start = start.UTC(); start.IsZero() || start.Year() < 1 || start.Year() > 9999 {
		start = m.latest
	}
	if start.IsZero() {
		return 1, 0
	}
	if m.landmark.IsZero() {
		m.landmark = start
	}
	if start.After(m.latest) {
		m.latest = start
	}
	if m.halfLives(start) > maxHalfLives {
		m.rebase(start)
	}
	return math.Exp2(m.halfLives(start)), start.Unix()
}

// halfLives returns the number of half-lives from the landmark to a moment.
func (m *Model) halfLives(at time.Time) float64 {
	if m.halfLife == 0 || at.IsZero() || m.landmark.IsZero() {
		return 0
	}
	return (float64(at.Unix()-m.landmark.Unix()) + float64(at.Nanosecond()-m.landmark.Nanosecond())/1e9) / m.halfLife.Seconds()
}

// maxHalfLives limits the growth of weights, as a power of two.
const maxHalfLives = 64

// rebase moves the landmark before weights grow too large for a number.
func (m *Model) rebase(to time.Time) {
	m.scale(math.Exp2(-m.halfLives(to)))
	m.landmark = to
}

func (m *Model) scale(by float64) {
	m.sessions *= by
	m.stays *= by
	m.switches *= by
	for i := range m.uses {
		m.uses[i].sessions *= by
		m.uses[i].calls *= by
	}
	for w := range m.asked {
		m.asked[w] *= by
	}
	m.after.scale(by)
	m.chains.scale(by)
	m.moves.scale(by)
	m.words.scale(by)
}

// fade returns the factor that turns counts into sessions at a moment.
func (m *Model) fade(now time.Time) float64 {
	if now.IsZero() {
		now = m.latest
	}
	return math.Exp2(-m.halfLives(now))
}

// Sessions returns the number of sessions learnt, older ones counting less.
func (m *Model) Sessions(now time.Time) float64 { return m.sessions * m.fade(now) }

// Use describes how a tool was used.
type Use struct {
	Sessions float64   // sessions that used it, older ones counting less
	Calls    float64   // calls, counted likewise
	Last     time.Time // start of the latest of these sessions; zero if unknown
}

// Use returns how a tool was used, or the zero Use for an unknown tool.
func (m *Model) Use(tool string, now time.Time) Use {
	id, ok := m.tools.find(validName(tool))
	if !ok {
		return Use{}
	}
	u, fade := m.uses[id], m.fade(now)
	return Use{Sessions: u.sessions * fade, Calls: u.calls * fade, Last: timeOf(u.last)}
}

// timeOf converts Unix seconds to a time; 0 means unknown.
func timeOf(unix int64) time.Time {
	if unix == 0 {
		return time.Time{}
	}
	return time.Unix(unix, 0).UTC()
}

// Cooccurrence is how two tools were used together: B was first used after A.
type Cooccurrence struct {
	A, B     string
	Count    float64   // sessions, older ones counting less
	Distance float64   // calls between their first uses, on average
	Last     time.Time // zero if unknown
}

// Cooccurrences lists the tools that were used together, sorted by names.
func (m *Model) Cooccurrences(now time.Time) []Cooccurrence {
	fade := m.fade(now)
	var out []Cooccurrence
	for _, a := range slices.Sorted(maps.Keys(m.after.rows)) {
		for b, c := range m.after.rows[a].to {
			out = append(out, Cooccurrence{m.tools.names[a], m.tools.names[b], c.count * fade, c.distance / c.count, timeOf(c.last)})
		}
	}
	slices.SortFunc(out, func(x, y Cooccurrence) int { return compareStrings(x.A, y.A, x.B, y.B) })
	return out
}
