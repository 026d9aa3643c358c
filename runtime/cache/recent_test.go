package cache_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/cache"
)

func TestRecentIsBounded(t *testing.T) {
	r := cache.NewRecent[int](2, 3, time.Hour, time.Now)
	for i := range 5 {
		r.Add("a", i)
	}
	if got := r.List("a"); !slices.Equal(got, []int{4, 3, 2}) {
		t.Errorf("of five values %v are kept, want the last three, newest first", got)
	}
	r.Add("b", 1)
	r.List("a") // used after b
	r.Add("c", 1)
	if r.List("b") != nil || len(r.List("a")) != 3 || len(r.List("c")) != 1 || r.Len() != 2 {
		t.Errorf("a %v, b %v, c %v: want the session unused for longest to make room", r.List("a"), r.List("b"), r.List("c"))
	}
}

func TestRecentForgets(t *testing.T) {
	now := time.Unix(0, 0)
	r := cache.NewRecent[string](8, 8, time.Hour, func() time.Time { return now })
	r.Add("", "nobody's")
	r.Add("a", "x")
	r.Add("b", "y")
	if r.List("") != nil || r.Len() != 2 {
		t.Error("a value was kept for no session")
	}
	now = now.Add(50 * time.Minute)
	r.List("a")
	now = now.Add(50 * time.Minute)
	if got := r.List("a"); !slices.Equal(got, []string{"x"}) {
		t.Errorf("%v: what was asked for within the hour is gone", got)
	}
	if r.List("b") != nil || r.Len() != 1 {
		t.Error("what nobody asked for in an hour is still there")
	}
	r.Forget("a")
	if r.List("a") != nil {
		t.Error("a forgotten session is still there")
	}
}

func TestRecentTakesManyAtOnce(t *testing.T) {
	r := cache.NewRecent[int](4, 2, time.Hour, time.Now)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 200 {
				s := fmt.Sprint((i + n) % 6)
				r.Add(s, n)
				if got := r.List(s); len(got) > 2 {
					t.Errorf("%d values of one session", len(got))
				}
				r.Forget(fmt.Sprint(n % 6))
			}
		})
	}
	wg.Wait()
	if r.Len() > 4 {
		t.Errorf("%d sessions, want at most 4", r.Len())
	}
}
