package upstream

import (
	"fmt"
	"math/rand/v2"
	"time"
)

const (
	firstWait  = 500 * time.Millisecond
	maxWait    = 30 * time.Second
	openAfter  = 5   // consecutive failures
	waitJitter = 0.2 // fraction of a wait, so that many clients of one server do not return at once
)

// breaker counts consecutive failed starts and lost connections. Its owner guards it.
type breaker struct {
	failures int
	until    time.Time // no start before this time
}

func (b *breaker) fail(now time.Time) {
	b.failures++
	wait := maxWait
	if b.failures < 8 { // 0.5 s doubled six times exceeds the limit
		wait = min(maxWait, firstWait<<(b.failures-1))
	}
	wait += time.Duration(float64(wait) * waitJitter * (2*rand.Float64() - 1))
	b.until = now.Add(min(wait, maxWait))
}

func (b *breaker) success() { *b = breaker{} }

func (b *breaker) wait(now time.Time) time.Duration { return max(0, b.until.Sub(now)) }

// open reports whether calls are refused. After until, the next call is let through as a trial.
func (b *breaker) open(now time.Time) bool { return b.failures >= openAfter && now.Before(b.until) }

func (b *breaker) refusal(now time.Time) error {
	if !b.open(now) {
		return nil
	}
	return fmt.Errorf("failed %d times in a row; the next try is in %s", b.failures, b.wait(now).Round(100*time.Millisecond))
}
