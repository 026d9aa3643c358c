package gateway

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// resources is a list with one resource.
func resources(uri string) string { return `{"resources":[{"uri":"` + uri + `","name":"r"}]}` }

// What is announced while a list is on its way makes that list old.
func TestAListThatChangesOnItsWayIsNotKept(t *testing.T) {
	var g *Gateway
	var asked atomic.Int32
	g = newWeb(t, map[string]web{"a": func(method string, _ json.RawMessage) string {
		switch {
		case method != "resources/list":
			return ""
		case asked.Add(1) > 1:
			return resources("a:new")
		}
		g.handleChange("a", "resources")
		return resources("a:old")
	}}, Options{})
	for _, want := range []string{"a:old", "a:new", "a:new"} {
		if raw, err := g.Forward(t.Context(), "resources/list", nil, Caller{}); err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
	}
	g.handleChange("a", "resource:a:new") // says nothing of the list
	if _, err := g.Forward(t.Context(), "resources/list", nil, Caller{}); err != nil || asked.Load() != 2 {
		t.Errorf("asked %d times for the list, %v; want 2", asked.Load(), err)
	}
}

// A server that does not answer holds up the resources of others once, not each
// time.
func TestAServerThatListsNothingHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stop := make(chan struct{})
		answers := func(list func() string) web {
			return func(method string, _ json.RawMessage) string {
				switch method {
				case "resources/list":
					return list()
				case "resources/read":
					return `{"contents":[]}`
				}
				return ""
			}
		}
		g := newNear(t, map[string]web{"well": answers(func() string { return resources("w:1") }),
			"mute": answers(func() string { <-stop; return resources("m:1") })}, Options{})
		t.Cleanup(func() { close(stop) })
		read := func() {
			if raw, err := g.Forward(t.Context(), "resources/read", json.RawMessage(`{"uri":"w:1"}`), Caller{}); err != nil || string(raw) != `{"contents":[]}` {
				t.Fatalf("%s, %v", raw, err)
			}
		}
		read()
		began := time.Now()
		read()
		read()
		if took := time.Since(began); took > 0 {
			t.Errorf("two reads took %s beside a server that is mute", took)
		}
	})
}

// A server that does not stop announcing changes makes no storm of notes, and
// its last change is told.
func TestManyChangesOfListsAreFewNotes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told, updates atomic.Int32
		g := newNear(t, map[string]web{"a": func(string, json.RawMessage) string { return "" }}, Options{Notice: func(n Notice) {
			if n.URI == "a:1" {
				updates.Add(1)
				return
			}
			told.Add(1)
		}})
		for range 2000 {
			g.handleChange("a", "resources")
		}
		time.Sleep(3 * quiet)
		if n := told.Load(); n != 1 {
			t.Errorf("2000 changes at once were told %d times, want once", n)
		}
		g.subscribed.add(resourceAt{"a", "a:1"}, "s")
		g.handleChange("a", "resource:a:1")
		if updates.Load() != 1 {
			t.Error("an update of a resource was not told at once")
		}
	})
}

// What a slow server has is told when it is there: who listed before was given
// the others' alone, and does not ask again unasked.
func TestWhatASlowServerListsIsToldWhenItIsThere(t *testing.T) {
	for _, slow := range []string{"initialize", "resources/list"} {
		t.Run(slow, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := make(chan struct{})
				told := make(chan string, 100)
				g := newNear(t, map[string]web{
					"quick": func(method string, _ json.RawMessage) string {
						if method == "resources/list" {
							return resources("q:1")
						}
						return ""
					},
					"slow": func(method string, _ json.RawMessage) string {
						if method == slow {
							<-start
						}
						if method == "resources/list" {
							return resources("s:1")
						}
						return ""
					}}, Options{Notice: func(n Notice) { told <- n.Server + " " + n.List }})
				release := sync.OnceFunc(func() { close(start) })
				t.Cleanup(release)
				list := func(want bool) {
					t.Helper()
					raw, err := g.Forward(t.Context(), "resources/list", nil, Caller{})
					if err != nil || !strings.Contains(string(raw), "q:1") || strings.Contains(string(raw), "s:1") != want {
						t.Fatalf("%s, %v; want s:1: %v", raw, err, want)
					}
				}
				list(false)
				release()
				if got := <-told; got != "slow resources" {
					t.Errorf("told of %s", got)
				}
				list(true)
			})
		})
	}
}
