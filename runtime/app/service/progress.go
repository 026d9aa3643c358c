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

// meter keeps the progress of a call increasing, as the protocol requires: concurrent
// stages each count on their own, and so does each upstream server.
type meter struct {
	send func(server.Progress)
	pass func(method string, params json.RawMessage) // passes on notes of upstream servers

	mu   sync.Mutex
	last float64 // last count sent; below 0 if none was
	base float64 // offset added to the upstream server's count
	at   time.Time
}

// silence is the longest time without a note for a client that asked for progress: many
// clients give up on a call after a minute without any.
const silence = 10 * time.Second

func newMeter(send func(server.Progress), pass func(string, json.RawMessage)) *meter {
	return &meter{send: send, pass: pass, last: -1, at: time.Now()}
}

// noteStage sends a note of a stage.
func (m *meter) noteStage(p catalog.Progress) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.step(p.Line())
}

// end waits for a note under way; none is sent after it.
func (m *meter) end() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.send = func(server.Progress) {}
}

func (m *meter) step(message string) {
	m.last, m.at = max(m.last, 0)+1, time.Now()
	m.send(server.Progress{Done: m.last, Message: message})
}

// startHeartbeat reports after each interval of silence that the call is still running.
func (m *meter) startHeartbeat(ctx context.Context) (stop context.CancelFunc) {
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

// passNote passes on a note of an upstream server. It raises the count of a progress note that is not above the last one.
func (m *meter) passNote(method string, params json.RawMessage) {
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
		return // carries no progress
	}
	if m.base+*p.Progress <= m.last {
		m.base = m.last + 1 - *p.Progress
	}
	m.last, m.at = m.base+*p.Progress, time.Now()
	m.pass(method, raiseProgress(params, m.base))
}

// raiseProgress returns a progress note with by added to its progress and, if present, its total.
func raiseProgress(params json.RawMessage, by float64) json.RawMessage {
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
