package service

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/compactor-mcp/compactor/runtime/mcp/server"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Whatever order the notes of stages and of upstream servers come in, progress
// grows; what needs no change has none.
func TestProgressOfStagesAndServersGrows(t *testing.T) {
	var sent []string
	m := newMeter(func(p server.Progress) { sent = append(sent, "own "+strconv.FormatFloat(p.Done, 'g', -1, 64)) },
		func(method string, params json.RawMessage) {
			sent = append(sent, strings.TrimPrefix(method, "notifications/")+" "+string(params))
		})
	server := func(params string) { m.passNote(progressNote, json.RawMessage(params)) }
	server(`{"progress":0, "total":2.50}`)
	server(`{"progress":1}`)
	m.noteStage(catalog.Progress{})
	m.noteStage(catalog.Progress{})
	server(`{"progress":2,"total":4,"message":"m"}`)
	server(`{"progress":3,"total":4}`)
	server(`{"progress":1,"total":2}`) // the next server
	server(`{"progress":"x"}`)
	m.passNote("notifications/message", json.RawMessage(`{"data":1}`))
	m.noteStage(catalog.Progress{})
	want := []string{`progress {"progress":0, "total":2.50}`, `progress {"progress":1}`, "own 2", "own 3", `progress {"progress":4,"total":6,"message":"m"}`,
		`progress {"progress":5,"total":6}`, `progress {"progress":6,"total":7}`, `message {"data":1}`, "own 7"}
	if strings.Join(sent, "\n") != strings.Join(want, "\n") {
		t.Errorf("sent\n%s\nnot\n%s", strings.Join(sent, "\n"), strings.Join(want, "\n"))
	}
}

// A client that sees nothing of a long call gives up on it.
func TestALongCallSaysThatItLives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var sent []string
		m := newMeter(func(p server.Progress) {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, strconv.FormatFloat(p.Done, 'g', -1, 64)+" "+p.Message)
		}, func(string, json.RawMessage) {})
		stop := m.startHeartbeat(t.Context())
		time.Sleep(15 * time.Second)
		m.passNote(progressNote, json.RawMessage(`{"progress":1}`)) // counts as a sign of life, and grows
		time.Sleep(14500 * time.Millisecond)
		stop()
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		if got := strings.Join(sent, "\n"); got != "1 still at work after 10s\n3 still at work after 25s" {
			t.Errorf("sent\n%s", got)
		}
	})
}
