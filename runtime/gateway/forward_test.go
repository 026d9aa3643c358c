package gateway

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
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
