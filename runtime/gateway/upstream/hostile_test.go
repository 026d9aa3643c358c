package upstream

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Callers together subscribe to so many resources of one server and no more.
func TestSubscriptionsOfOneServerAreBounded(t *testing.T) {
	s := New(Spec{Name: "x", Command: "none"}, Options{})
	defer s.Close()
	for i := range maxURIs {
		s.uris[fmt.Sprint(i)] = true
	}
	if !s.atSubscriptionLimit("one more") || s.atSubscriptionLimit("7") {
		t.Error("the number is not bounded, or one that is there counts twice")
	}
	_, err := s.Do(t.Context(), Request{Method: "resources/subscribe", Params: json.RawMessage(`{"uri":"one more"}`)})
	if err == nil || !strings.Contains(err.Error(), "unsubscribe") {
		t.Error(err)
	}
	clear(s.uris)
	for i := range 130 {
		s.uris[fmt.Sprint(i, strings.Repeat("x", maxURI-10))] = true
	}
	if !s.atSubscriptionLimit("y") {
		t.Error("their length is not bounded")
	}
}

// A name that comes twice, in whatever capitals, could mean two things.
func TestParamsMeanOneThing(t *testing.T) {
	c := newConn(New(Spec{Command: "none"}, Options{}), nil)
	for params, want := range map[string]string{
		`{"uri":"a","URI":"b"}`:                         "",
		`{"uri":"a","ur\u0069":"b"}`:                    "",
		`{"argument` + "\u017f" + `":1,"arguments":2}`:  "",
		`{"uri":"a","_Meta":{"progressToken":9}}`:       `{"uri":"a"}`,
		`{"uri":"a","_meta":{"PROGRESSTOKEN":9,"n":1}}`: `{"uri":"a","_meta":{"n":1}}`,
	} {
		f, err := c.paramsFor(Request{Method: "resources/read", Params: json.RawMessage(params)})
		switch {
		case want == "" && err == nil:
			t.Errorf("%s is sent as %s", params, f(1))
		case want != "" && (err != nil || string(f(1)) != want):
			t.Errorf("%s: %v", params, err)
		}
	}
}
