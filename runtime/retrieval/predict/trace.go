package predict

import (
	"slices"
	"strings"
	"time"
)

// maxOrder is the maximum number of calls before the next one that a chain looks at.
const maxOrder = 3

// maxUsed limits the distinct tools of a session that are learnt from and that a ranking looks at,
// to the latest ones.
const maxUsed = 64

// Trace records one session: the tools it used, in the order of their first use, and its last
// calls. It grows with the tools that are used, not with the calls.
type Trace struct {
	Start time.Time // when the session began; zero if unknown

	task  []string // stems of the words of the session's task
	used  []use    // in the order of the first use
	tail  []string // the last calls, repeats counted once; at most maxOrder
	calls int
	last  map[string]int // by tool: the number of its latest call
}

// use is the first use of a tool.
type use struct {
	tool string
	at   int // the number of the call, from 0
}

// NewTrace begins a session. task is its purpose, if known; the words of it are kept, each once, 64
// at most.
func NewTrace(start time.Time, task string) *Trace {
	return &Trace{Start: start, task: stems(task, maxTaskWords), last: map[string]int{}}
}

// Add appends a call. Its result does not matter: a call that failed was wanted, too.
func (t *Trace) Add(tool string) {
	tool = validName(tool)
	if _, seen := t.last[tool]; !seen {
		t.used = append(t.used, use{tool, t.calls})
	}
	t.last[tool] = t.calls
	t.calls++
	if len(t.tail) > 0 && t.tail[len(t.tail)-1] == tool {
		return
	}
	t.tail = append(t.tail, tool)
	if len(t.tail) > maxOrder {
		t.tail = slices.Delete(t.tail, 0, 1)
	}
}

// Calls returns the number of calls made.
func (t *Trace) Calls() int { return t.calls }

// Used reports whether a tool was called.
func (t *Trace) Used(tool string) bool { _, seen := t.last[validName(tool)]; return seen }

// validName returns a name in a form that JSON can hold.
func validName(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

// Tools returns the tools that were called, in the order of their first use.
func (t *Trace) Tools() []string {
	out := make([]string, len(t.used))
	for i, u := range t.used {
		out[i] = u.tool
	}
	return out
}

// recent returns the latest of the tools that were used, by first use.
func (t *Trace) recent() []use { return t.used[max(0, len(t.used)-maxUsed):] }

// ServerOf returns the server in the name of a tool, or "" for a name without a server.
func ServerOf(tool string) string {
	server, _, found := strings.Cut(tool, "/")
	if !found {
		return ""
	}
	return server
}

// byLastCall returns the latest of the tools that were used, the one called last first.
func (t *Trace) byLastCall() []string {
	out := make([]string, 0, len(t.used))
	for _, u := range t.used {
		out = append(out, u.tool)
	}
	slices.SortFunc(out, func(a, b string) int { return t.last[b] - t.last[a] })
	return out[:min(len(out), maxUsed)]
}
