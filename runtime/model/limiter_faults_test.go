package model

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A server that counts no tokens does not keep an old pace alive.
func TestPaceThatIsNotMeasuredIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		usage := Usage{In: 100, Out: 100, First: time.Second, Total: 2 * time.Second}
		s := &server{chat: func(context.Context) (*Reply, error) { return &Reply{Content: "x", Usage: usage}, nil }}
		g := NewLimiter("m", s, 1, 0)
		ask := func() {
			if _, err := g.Chat(t.Context(), Request{}, nil); err != nil {
				t.Fatal(err)
			}
		}
		ask()
		if g.Pace().In == 0 {
			t.Fatal("no pace")
		}
		usage = Usage{}
		for range 10 {
			time.Sleep(time.Minute)
			ask()
		}
		if p := g.Pace(); p != (Pace{}) {
			t.Errorf("ten minutes later it is still taken for %+v", p)
		}
	})
}

// An adapter that breaks on what a server says of itself ends no process, and
// leaves none waiting.
func TestInfoThatBreaks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := NewLimiter("m", breaks{}, 1, 0)
		if _, err := g.Info(t.Context()); !Is(err, Broken) {
			t.Errorf("error %v", err)
		}
	})
}

type breaks struct{ Endpoint }

func (breaks) Info(context.Context) (Info, error) { panic("index out of range") }

// A key that was meant for an encrypted address is not sent over an open one.
func TestRedirectsStayEncrypted(t *testing.T) {
	for from, want := range map[string]bool{"https://models.example/v1": false, "http://models.example/v1": true} {
		first := httptest.NewRequest(http.MethodGet, from, nil)
		next := httptest.NewRequest(http.MethodGet, "http://models.example/v2", nil)
		if err := NewClient().CheckRedirect(next, []*http.Request{first}); (err == nil) != want {
			t.Errorf("from %s: %v", from, err)
		}
	}
}
