package service_test

import (
	"encoding/json"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/event"
)

// What a session is about is told to the timeline, unless its user says no.
func TestQuestionsAreToldToTheTimeline(t *testing.T) {
	for cue, want := range map[string]string{"": "where is the pool built?", "timeline: questions: false": ""} {
		svc := start(t, options(t, map[string]string{"compactor.cue": "package compactor\n" + cue}))
		asked := ""
		stop := svc.Events().Observe(func(e event.Event) {
			if d, is := e.Detail.(event.Asked); is {
				asked = d.Question
			}
		}, event.Request)
		_, _ = svc.Invoke(t.Context(), service.Call{Tool: "research_codebase", Args: json.RawMessage(`{"question":"where is the pool built?"}`)})
		stop()
		if asked != want {
			t.Errorf("%s: %q", cue, asked)
		}
	}
}
