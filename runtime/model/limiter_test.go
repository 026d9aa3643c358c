package model

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// server is an endpoint of the tests.
type server struct {
	info  Info
	chat  func(ctx context.Context) (*Reply, error) // nil pauses
	pause func()
	infos atomic.Int32
	chats atomic.Int32
	busy  atomic.Int32
	most  atomic.Int32
}

func (s *server) Chat(ctx context.Context, _ Request, _ func(Delta)) (*Reply, error) {
	s.chats.Add(1)
	n := s.busy.Add(1)
	defer s.busy.Add(-1)
	for m := s.most.Load(); n > m && !s.most.CompareAndSwap(m, n); m = s.most.Load() {
	}
	if s.chat == nil {
		s.pause()
		return &Reply{Content: "x"}, nil
	}
	return s.chat(ctx)
}

func (s *server) Embed(context.Context, []string) ([][]float32, error) { return nil, nil }

func (s *server) Info(context.Context) (Info, error) {
	s.infos.Add(1)
	if s.pause != nil {
		s.pause()
	}
	return s.info, nil
}

func TestLimiterLetsAsManyThroughAsTheServerTakes(t *testing.T) {
	for name, c := range map[string]struct {
		info     Info
		parallel int
		want     int32
	}{
		"it says nothing":         {Info{}, 0, 1},
		"it says three":           {Info{Slots: 3}, 0, 3},
		"configured":              {Info{Slots: 3}, 2, 2},
		"four share a window":     {Info{Slots: 4, Window: 8192, Shared: true}, 0, 2},
		"four share a small one":  {Info{Slots: 4, Window: 4096, Shared: true}, 0, 1},
		"configured over sharing": {Info{Slots: 4, Window: 4096, Shared: true}, 4, 4},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &server{info: c.info, pause: func() { time.Sleep(time.Second) }}
				g := NewLimiter("m", s, c.parallel, 0)
				var wg sync.WaitGroup
				for range 8 {
					wg.Go(func() {
						if _, err := g.Info(t.Context()); err != nil {
							t.Error(err)
						}
						if _, err := g.Chat(t.Context(), Request{}, nil); err != nil {
							t.Error(err)
						}
					})
				}
				wg.Wait()
				if got := s.most.Load(); got != c.want {
					t.Errorf("%d at once, want %d", got, c.want)
				}
				if n := s.infos.Load(); n != 1 {
					t.Errorf("%d requests for what one answers", n)
				}
			})
		})
	}
}

// A server that is down is asked once, then after 2 s, 4 s, 8 s and at most a
// minute; it answers again as soon as it is there.
func TestLimiterLeavesADeadServerAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := true
		s := &server{chat: func(context.Context) (*Reply, error) {
			if down {
				return nil, &Error{Kind: Unreachable, Message: "connection refused"}
			}
			return &Reply{Content: "x"}, nil
		}}
		g := NewLimiter("m", s, 1, 0)
		start := time.Now()
		var asked []time.Duration
		for time.Since(start) < 5*time.Minute {
			before := s.chats.Load()
			_, err := g.Chat(t.Context(), Request{}, nil)
			if !Is(err, Unreachable) || !strings.Contains(err.Error(), "connection refused") {
				t.Fatalf("error %v", err)
			}
			if s.chats.Load() > before {
				asked = append(asked, time.Since(start).Round(time.Second))
			}
			time.Sleep(500 * time.Millisecond)
		}
		want := []time.Duration{0, 2, 6, 14, 30, 62, 122, 182, 242}
		if len(asked) != len(want) {
			t.Fatalf("asked at %v", asked)
		}
		for i := range want {
			if asked[i] != want[i]*time.Second {
				t.Fatalf("asked at %v", asked)
			}
		}
		down = false
		time.Sleep(time.Minute)
		if _, err := g.Chat(t.Context(), Request{}, nil); err != nil {
			t.Fatal(err)
		}
	})
}

// A server that wants to be left alone for longer is.
func TestLimiterHeedsRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{chat: func(context.Context) (*Reply, error) {
			return nil, &Error{Kind: Busy, Message: "full", After: 30 * time.Second}
		}}
		g := NewLimiter("m", s, 1, 0)
		_, _ = g.Chat(t.Context(), Request{}, nil)
		time.Sleep(29 * time.Second)
		_, _ = g.Chat(t.Context(), Request{}, nil)
		if n := s.chats.Load(); n != 1 {
			t.Fatalf("asked %d times within 29 s", n)
		}
		time.Sleep(2 * time.Second)
		_, _ = g.Chat(t.Context(), Request{}, nil)
		if n := s.chats.Load(); n != 2 {
			t.Fatalf("asked %d times after 31 s", n)
		}
	})
}

// One that never answers costs its first caller the time, and no second one.
func TestLimiterOfAServerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{chat: func(ctx context.Context) (*Reply, error) { <-ctx.Done(); return nil, ctx.Err() }}
		g := NewLimiter("m", s, 1, 0)
		for i, want := range []time.Duration{5 * time.Second, 0} {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			start := time.Now()
			_, err := g.Chat(ctx, Request{}, nil)
			if err == nil || time.Since(start) != want {
				t.Errorf("call %d: %v after %v, want %v", i, err, time.Since(start), want)
			}
			cancel()
		}
	})
}

// Who waits for a slot leaves when the time is over.
func TestLimiterDoesNotHoldWhoWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{chat: func(context.Context) (*Reply, error) { time.Sleep(time.Minute); return &Reply{Content: "x"}, nil }}
		g := NewLimiter("m", s, 1, 0)
		go func() { _, _ = g.Chat(t.Context(), Request{}, nil) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := g.Chat(ctx, Request{}, nil); !Is(err, Busy) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		time.Sleep(2 * time.Minute)
	})
}

// What a server counts above the estimate, later prompts are cut by.
func TestLimiterLearnsHowAServerCounts(t *testing.T) {
	req := Request{Messages: []Message{{Role: User, Content: strings.Repeat("where is it? ", 100)}}}
	est := EstimateRequest(req)
	s := &server{chat: func(context.Context) (*Reply, error) { return &Reply{Content: "x", Usage: Usage{In: 2 * est}}, nil }}
	g := NewLimiter("m", s, 1, 0)
	if _, err := g.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if got := g.Estimate(req); got < 2*est {
		t.Errorf("estimate %d after the server counted %d", got, 2*est)
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name       string
		info       Info
		configured int
		want       int
	}{
		{"loaded", Info{Window: 8192}, 0, 8192},
		{"loaded, configured smaller", Info{Window: 8192}, 4096, 4096},
		{"loaded, configured larger", Info{Window: 4096}, 32768, 4096},
		{"unknown", Info{}, 0, DefaultWindow},
		{"unknown, configured", Info{}, 16384, 16384},
		{"not loaded, trained for less", Info{Limit: 2048}, 0, 2048},
		{"shared", Info{Window: 16384, Slots: 4, Shared: true}, 0, 4096},
	} {
		if got := NewLimiter("m", nil, 0, c.configured).Window(c.info); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestChain(t *testing.T) {
	limiters := []*Limiter{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	l := &Chain{Limiters: limiters}
	for _, c := range []struct {
		name  string
		errs  map[string]error
		tried string
		code  string
	}{
		{"the first", nil, "a", ""},
		{"the second, for the first is down", map[string]error{"a": &Error{Kind: Unreachable}}, "ab", ""},
		{"all down: the first's error", map[string]error{"a": &Error{Kind: Unreachable}, "b": &Error{Kind: NotFound}, "c": &Error{Kind: Busy}}, "abc", Unreachable},
		{"a recording that lacks it is told", map[string]error{"a": &Error{Kind: Unrecorded}}, "a", Unrecorded},
		{"what is no model's fault is no other's matter", map[string]error{"a": errors.New("budget")}, "a", "other"},
	} {
		tried := ""
		err := l.Try(t.Context(), func(g *Limiter) error { tried += g.Name; return c.errs[g.Name] })
		var e *Error
		code := ""
		if errors.As(err, &e) {
			code = e.Kind
		} else if err != nil {
			code = "other"
		}
		if tried != c.tried || code != c.code {
			t.Errorf("%s: tried %s, error %v", c.name, tried, err)
		}
	}
}
