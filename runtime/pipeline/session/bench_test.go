package session

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// fill makes a session as large as its client can.
func fill(s *Session, i int) {
	for j := range maxUsed {
		s.Add(Call{Tool: fmt.Sprintf("server%d__tool%d%s", i, j, strings.Repeat("n", 100)), Server: "server", Outcome: OK,
			Arguments: json.RawMessage(fmt.Sprintf(`{"text":"%d %s"}`, j, strings.Repeat("x", 300)))})
	}
	for j := range maxQuestions {
		s.RecordQuestion(fmt.Sprint(j, strings.Repeat("q", maxQuestion)), json.RawMessage(`{"references":[]}`), nil)
	}
	names := make([]string, maxShown)
	for j := range names {
		names[j] = "a name that all sessions share"
	}
	s.SetListedTools(names, false)
}

// memory is what each of many sessions takes that hold as much as they can, in
// bytes.
func memory(many int) float64 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	store := newStore(many)
	for i := range many {
		fill(store.Open(Who{ID: fmt.Sprint(i), Client: Client{"client", "1"}, Era: Handshake}), i)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(store)
	return float64(after.HeapAlloc)/float64(many) - float64(before.HeapAlloc)/float64(many)
}

func BenchmarkFiveHundredSessions(b *testing.B) {
	var each float64
	for b.Loop() {
		each = memory(500)
	}
	b.ReportMetric(each, "B/session")
}

func TestASessionTakesLessThan100kB(t *testing.T) {
	if each := memory(50); each > 100_000 {
		t.Errorf("%.0f bytes each", each)
	}
}

func BenchmarkView(b *testing.B) {
	s := NewStore().Open(Who{ID: "a"})
	fill(s, 0)
	for b.Loop() {
		_ = s.View(nil)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := NewStore().Open(Who{ID: "a"})
	for b.Loop() {
		s.Add(Call{Tool: "server__tool", Server: "server", Arguments: json.RawMessage(`{"query":"where is the pool built?","limit":5}`), Outcome: OK, Tokens: 100})
	}
}
