package service

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

const progressNote = "notifications/progress"

// meter keeps the progress of one call growing, as the protocol wants it: stages
// that run at once each count their own, and so does each upstream server.
type meter struct {
	send func(server.Progress)
	pass func(method string, params json.RawMessage) // of an upstream server's notes

	mu   sync.Mutex
	last float64 // sent; below 0 where nothing was
	base float64 // of the upstream server's count
	at   time.Time
}

// silence is how long a client that asked for progress is told nothing: many
// give up on a call at a minute without any.
const silence = 10 * time.Second

func newMeter(send func(server.Progress), pass func(string, json.RawMessage)) *meter {
	return &meter{send: send, pass: pass, last: -1, at: time.Now()}
}

// own sends a note of a stage.
func (m *meter) own(p catalog.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.step(p.Line())
}

func (m *meter) step(message string) {
	m.last, m.at = max(m.last, 0)+1, time.Now()
	m.send(server.Progress{Done: m.last, Message: message})
}

// beat says after each time of silence that the call still runs.
func (m *meter) beat(ctx context.Context) (stop context.CancelFunc) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		began, tick := time.Now(), time.NewTicker(silence/10)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			m.mu.Lock()
			if time.Since(m.at) >= silence {
				m.step("still at work after " + time.Since(began).Round(time.Second).String())
			}
			m.mu.Unlock()
		}
	}()
	return stop
}

// note passes on a note of an upstream server, unchanged unless its count lies
// behind what was sent.
func (m *meter) note(method string, params json.RawMessage) {
	if method != progressNote {
		m.pass(method, params)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var p struct {
		Progress *float64 `json:"progress"`
	}
	if json.Unmarshal(params, &p) != nil || p.Progress == nil {
		return // it says nothing
	}
	if m.base+*p.Progress <= m.last {
		m.base = m.last + 1 - *p.Progress
	}
	m.last, m.at = m.base+*p.Progress, time.Now()
	m.pass(method, raised(params, m.base))
}

// raised is a progress note with more done and, where it is said, more in all.
func raised(params json.RawMessage, by float64) json.RawMessage {
	members, err := rawjson.Members(params)
	if by == 0 || err != nil {
		return params
	}
	out := []byte{'{'}
	for i, x := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, rawjson.Quote(x.Name)...), ':')
		if n, err := strconv.ParseFloat(string(x.Value), 64); err == nil && (x.Name == "progress" || x.Name == "total") {
			out = strconv.AppendFloat(out, n+by, 'f', -1, 64)
			continue
		}
		out = append(out, x.Value...)
	}
	return append(out, '}')
}
