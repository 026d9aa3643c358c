package plan

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

func TestReadsConversation(t *testing.T) {
	for source, want := range map[string]bool{
		"session.questions":                                   false,
		"session?.questions[0].question":                      false,
		"session['client'].name + session.era":                false,
		"'session.conversation'":                              false,
		"input.session":                                       false,
		"any(session.shown, # == 'x')":                        false,
		"session.conversation":                                true,
		"session?.conversation":                               true,
		"session.questions ?? session.conversation":           true,
		"session['conver' + 'sation']":                        true,
		"session[input.question]":                             true,
		"toJSON(session)":                                     true,
		"let s = session; s.conversation":                     true,
		"get(session, 'conversation')":                        true,
		"session | values()":                                  true,
		"$env.session.conversation":                           true,
		"$env['session'].questions":                           true,
		"any([$env], .session.conversation != nil)":           true,
		"map([session], #.conversation)":                      true,
		"{a: [session.questions, {b: session.conversation}]}": true,
	} {
		if got := ReadsConversation(source); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
}

// A member that the session gets is one of those that are looked at, until it is
// said of it that it tells nothing.
func TestMembersOfTheSessionAreKnown(t *testing.T) {
	var told []string
	view := reflect.TypeFor[session.View]()
	for i := range view.NumField() {
		name, _, _ := strings.Cut(view.Field(i).Tag.Get("json"), ",")
		if !slices.Contains(plainOfSession, name) {
			told = append(told, name)
		}
	}
	if !slices.Equal(told, []string{"conversation"}) || len(plainOfSession) != view.NumField()-1 {
		t.Errorf("%q tell what tools were given, and %q do not", told, plainOfSession)
	}
}
