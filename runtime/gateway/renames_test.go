package gateway

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// A renamed tool is listed, found and called by its new name; whoever uses the old one
// is told the new one.
func TestARenamedTool(t *testing.T) {
	w := newWorld(t, map[string]string{"a": simple("read") + "," + simple("write") + "," + simple("taken") + "," + simple("x") + "," + simple("y"), "b": simple("read")})
	a := w.cfg.Servers["a"]
	a.Tools = map[string]config.ServerTool{"read": {Rename: "open_note"}, "write": {Rename: "taken"}, "x": {Rename: "y"}, "y": {Rename: "x"}, "gone": {Rename: "z"}}
	w.cfg.Servers["a"] = a
	w.Configure(w.cfg)
	got := w.names()
	slices.Sort(got)
	if want := "a__open_note a__taken a__write a__x a__y b__read"; strings.Join(got, " ") != want {
		t.Fatalf("listed %q, want %s", got, want)
	}
	ctx := t.Context()
	for name, want := range map[string]string{"a__open_note": "read", "open_note": "read", "a/open_note": "read", "A.OPEN_NOTE": "read", "b__read": "read", "a__x": "y", "a__y": "x", "taken": "taken", "a__write": "write"} {
		if got, err := w.For(Caller{}).Find(ctx, name, ""); err != nil || got.Name != want {
			t.Errorf("%s finds %+v, %v, want %s", name, got, err, want)
		}
	}
	for _, name := range []string{"a__read", "a/read", "A.Read"} {
		_, err := w.For(Caller{}).Find(ctx, name, "")
		if _, unlisted := w.Unlisted(name); err == nil || !strings.Contains(err.Error(), "it is called a__open_note here") || unlisted == nil || unlisted.Error() != err.Error() {
			t.Errorf("%s: %v, %v", name, err, unlisted)
		}
	}
	if u, err := w.For(Caller{}).Find(ctx, "read", ""); err != nil || u.Listed != "b__read" {
		t.Errorf("what one server alone has by that name: %+v, %v", u, err)
	}
	if u, _ := w.For(Caller{}).Find(ctx, "a__write", ""); u == nil || !slices.ContainsFunc(u.Flags, func(f string) bool { return strings.Contains(f, "another tool of a is called taken") }) {
		t.Errorf("that it was not renamed is not said: %+v", u)
	}
	if _, err := w.Call(ctx, "a__open_note", json.RawMessage(`{}`), Caller{}); err != nil {
		t.Error(err)
	}
	if log := strings.Join(w.log("a"), " "); !strings.Contains(log, "read") || strings.Contains(log, "open_note") {
		t.Errorf("the server was asked for: %s", log)
	}
	for _, l := range w.Listed() {
		if l.Name == "a__open_note" && (l.Tool != "read" || !strings.Contains(string(l.Definition), `"name":"a__open_note"`)) {
			t.Errorf("%+v", l)
		}
	}
	a.Tools = nil // a reload takes it back
	w.cfg.Servers["a"] = a
	w.Configure(w.cfg)
	if u, err := w.For(Caller{}).Find(ctx, "a__read", ""); err != nil || u.Listed != "a__read" {
		t.Errorf("%+v, %v", u, err)
	}
}
