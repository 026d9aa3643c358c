package upstream

import (
	"encoding/json"
	"sync"
	"time"
)

// LogLine is a log note of the server that belongs to no request of a caller.
type LogLine struct {
	Params json.RawMessage // an object, as it came
	Left   int             // lines left out since the one before, as too many or too long
}

// Bounds of log lines outside of requests: they go to every client that wants them, and a server must not flood those.
const (
	maxLogLine = 16 << 10 // bytes
	logBurst   = 50       // lines at once
	logRate    = 10       // lines a second
)

// logs hands log lines on in the order they came, on a goroutine of its own.
type logs struct {
	give func(LogLine) // nil: nobody wants them

	mu    sync.Mutex
	queue []LogLine
	busy  bool // somebody hands on
	spent float64
	last  time.Time
	left  int
}

// add takes a line over, or leaves it out. It returns at once.
func (l *logs) add(params json.RawMessage) {
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
	l.queue = append(l.queue, LogLine{append(json.RawMessage(nil), params...), l.left})
	l.left = 0
	if !l.busy {
		l.busy = true
		go l.hand()
	}
}

func (l *logs) hand() {
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

// logged finds out whom a log line belongs to: the request whose stream it came on, or the only one there is whose caller
// wants notes. With several it is nobody's, for one caller must not see what is another's; with none it is everybody's.
// In the stateless era there are none but those of requests.
func (c *conn) logged(m message, via *call) {
	wanted := 0
	if via == nil {
		c.mu.Lock()
		for _, call := range c.calls {
			if call.notes != nil {
				via, wanted = call, wanted+1
			}
		}
		c.mu.Unlock()
	}
	switch {
	case wanted > 1:
	case via != nil && via.notes != nil:
		via.notes.add(Note{m.method, m.params})
	case !c.modern():
		c.server.logs.add(m.params)
	}
}
