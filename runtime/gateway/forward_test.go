package gateway

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
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
		g.changed("a", "resources")
		return resources("a:old")
	}}, Options{})
	for _, want := range []string{"a:old", "a:new", "a:new"} {
		if raw, err := g.Forward(t.Context(), "resources/list", nil, Caller{}); err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("got %s, %v; want %s", raw, err, want)
		}
	}
	g.changed("a", "resource:a:new") // says nothing of the list
	if _, err := g.Forward(t.Context(), "resources/list", nil, Caller{}); err != nil || asked.Load() != 2 {
		t.Errorf("asked %d times for the list, %v; want 2", asked.Load(), err)
	}
}

// A server that does not answer holds up the resources of others once, not each
// time.
func TestAServerThatListsNothingHoldsNobodyUp(t *testing.T) {
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
	g := newWeb(t, map[string]web{"well": answers(func() string { return resources("w:1") }),
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
	if took := time.Since(began); took > firstLook {
		t.Errorf("two reads took %s beside a server that is mute", took)
	}
}
