package upstream

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// LogLine is a log note of the server that belongs to no request of a caller.
type LogLine struct {
	Params  json.RawMessage // an object, as it came
	Left    int             // lines dropped since the previous one, because they were too many or too long
	Session string          // the only session it can be about; "" if there was none yet
}

// Limits of log lines outside of requests: they can go to all clients, which a server must not be able to flood.
const (
	maxLogLine = 16 << 10 // bytes
	logBurst   = 50       // lines at once
	logRate    = 10       // lines per second
)

// logs passes log lines on in order, on its own goroutine.
type logs struct {
	give func(LogLine) // nil: not wanted

	mu    sync.Mutex
	queue []LogLine
	busy  bool // a goroutine is passing lines on
	spent float64
	last  time.Time
	left  int
}

// add queues a line, or drops it. It returns at once.
func (l *logs) add(params json.RawMessage, session string) {
	if l.give == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	l.spent = max(0, l.spent-logRate*now.Sub(l.last).Seconds())
	l.last = now
	if l.spent > logBurst-1 || len(l.queue) >= logBurst || len(params) > maxLogLine {
		l.left++
		return
	}
	l.spent++
	l.queue = append(l.queue, LogLine{append(json.RawMessage(nil), params...), l.left, session})
	l.left = 0
	if !l.busy {
		l.busy = true
		go l.deliverQueue()
	}
}

func (l *logs) deliverQueue() {
	for {
		l.mu.Lock()
		if len(l.queue) == 0 {
			l.busy = false
			l.mu.Unlock()
			return
		}
		queue := l.queue
		l.queue = nil
		l.mu.Unlock()
		for _, line := range queue {
			l.give(line)
		}
	}
}

// lateLines is how long a log line may still be about a request that has ended or was abandoned.
const lateLines = time.Minute

// users are the sessions whose requests a connection has carried. conn.mu guards them.
type users struct {
	ended [2]use         // the last ended requests of the two most recent sessions
	left  map[string]use // abandoned, unanswered requests by id
	full  time.Time      // when there were too many of them to be recorded
}

// use is an ended request.
type use struct {
	user string
	at   time.Time
}

// noteEnded records that a request has ended, or was abandoned.
func (u *users) noteEnded(c *call, now time.Time) {
	ended := use{c.userOf(), now}
	if u.ended[0].user != ended.user {
		u.ended[1] = u.ended[0]
	}
	u.ended[0] = ended
	if !c.left || c.late {
		return
	}
	maps.DeleteFunc(u.left, func(_ string, one use) bool { return now.Sub(one.at) > lateLines })
	switch {
	case len(u.left) >= maxLeft:
		u.full = now
	case u.left == nil:
		u.left = map[string]use{c.key: ended}
	default:
		u.left[c.key] = ended
	}
}

// userOf returns the user of a request: its session or, without one, the request itself.
func (c *call) userOf() string { return cmp.Or(c.session, "request "+c.key) }

// isUse reports whether a request is a session's own, about which a server may log.
func isUse(method string) bool {
	return mayBeAsked(method) || method == string(mcp.MethodResourcesSubscribe) || method == string(mcp.MethodResourcesUnsubscribe)
}

// likelyUser returns the user whose requests a log line that names none is about, and the newest of them under way. The user
// is "" if there was none so far; known is false if it could be one of several. A late line, after the answer to one
// session's request and during another's, cannot be distinguished from the latter's.
func (c *conn) likelyUser(now time.Time) (user string, newest *call, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	u := &c.users
	recent := func(at time.Time) bool { return !at.IsZero() && now.Sub(at) <= lateLines }
	if known = !recent(u.full); !known {
		return "", nil, false
	}
	add := func(other string) {
		known = known && (user == "" || user == other)
		user = other
	}
	for _, call := range c.calls {
		if isUse(call.method) {
			add(call.userOf())
			if newest == nil || call.id > newest.id {
				newest = call
			}
		}
	}
	for _, left := range u.left {
		if recent(left.at) {
			add(left.user)
		}
	}
	if newest != nil {
		return user, newest, known
	}
	for _, last := range u.ended {
		if recent(last.at) {
			add(last.user)
		}
	}
	if user == "" {
		user = u.ended[0].user
		known = u.ended[1].user == ""
	}
	return user, nil, known
}

// handleLog passes on a log line: to the request whose stream it came on, else to the only session it can be about, during
// its calls or afterwards, and to all before the first call. A line that can be about several sessions is dropped, as
// none may see another's. In the stateless era all lines come on streams of requests.
func (c *conn) handleLog(m message, via *call) {
	if via != nil {
		via.notes.add(Note{m.method, m.params})
		return
	}
	user, newest, known := c.likelyUser(time.Now())
	switch {
	case !known:
	case newest != nil:
		newest.notes.add(Note{m.method, m.params})
	case !c.isStateless() && !strings.HasPrefix(user, "request "): // whose caller can no longer be reached
		c.server.logs.add(m.params, user)
	}
}
