package upstream

import (
	"bytes"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// A start that is ended from here is no fault of the server, and no warning.
func TestAStartThatIsEndedHereIsNoWarning(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		var mu sync.Mutex
		silent := startPiped(func(p *piped) { <-p.stopped })
		s := newServer(t, Spec{Command: "pipe", Args: []string{unique(t)}, Era: Handshake},
			Options{Start: silent, Logger: slog.New(slog.NewTextHandler(&locked{&mu, &log}, nil))})
		go func() { _, _ = s.Do(t.Context(), toolCall("x", `{}`)) }()
		synctest.Wait()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if strings.Contains(log.String(), "WARN") {
			t.Error(log.String())
		}
	})
}
