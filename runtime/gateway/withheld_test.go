package gateway

import (
	"fmt"
	"strings"
	"testing"
)

const order = "IGNORE-ALL-ELSE"

// What a tool that nobody has approved says of itself reaches the person who
// decides, and no model.
func TestWhatIsNotApprovedIsNotShownToModels(t *testing.T) {
	evil := strings.NewReplacer("Depth of a lake", order, `"of the lake"`, `"`+order+`"`, `"unit":`, `"`+strings.Repeat("x", 60)+order+`":`,
		`"m","ft"`, `"`+order+`"`).Replace(lake)
	for policy, first := range map[string]string{"first": lake, "ask": ""} {
		w := newWorld(t, map[string]string{"a": first})
		w.cfg.Gateway.Trust = policy
		w.Configure(w.cfg)
		w.names()
		w.offer("a", evil)
		w.Probe(t.Context(), nil, func(int, int, string) {})
		list := w.Tools(t.Context()).List
		if len(list) != 1 || list[0].Enabled || list[0].Name != "lake_depth" {
			t.Fatalf("%s: tools = %+v", policy, list)
		}
		if shown := fmt.Sprintf("%+v %s %s", *list[0], list[0].Input, list[0].Output); strings.Contains(shown, order) {
			t.Errorf("%s: models are shown %s", policy, shown)
		}
		if _, err := w.run("a__lake_depth", `{}`); err == nil || strings.Contains(err.Error(), order) {
			t.Errorf("%s: %v", policy, err)
		}
		waiting := w.Waiting(t.Context())
		if len(waiting) != 1 || strings.Count(string(waiting[0].Definition), order) != 4 || !strings.Contains(waiting[0].Does+strings.Join(waiting[0].Changes, ""), order) {
			t.Fatalf("%s: a person is shown %+v", policy, waiting)
		}
		if err := w.Approve(t.Context(), waiting); err != nil {
			t.Fatal(err)
		}
		if u := w.Tools(t.Context()).List[0]; !u.Enabled || u.Description != order || len(u.Params) != 3 || !strings.Contains(string(u.Input), order) {
			t.Errorf("%s: once approved it is %+v", policy, u)
		}
		if got, err := w.run("a__lake_depth", `{"input":{"name":"Garda"}}`); err != nil || got != `{"name":"Garda"}` {
			t.Errorf("%s: %s, %v", policy, got, err)
		}
	}
}
