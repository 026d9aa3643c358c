package service_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/service"
	"github.com/compactor-mcp/compactor/runtime/base/clocktest"
	"github.com/compactor-mcp/compactor/runtime/observe/usage"
	"github.com/compactor-mcp/compactor/runtime/world/store"
)

// shop are six servers of ten tools.
func shop() map[string]string {
	out := map[string]string{}
	for _, server := range []string{"calendar", "files", "git", "mail", "orders", "tickets"} {
		var tools []string
		for _, verb := range []string{"close", "copy", "create", "delete", "get", "list", "move", "search", "send", "update"} {
			tools = append(tools, fmt.Sprintf(`{"name":"%s_%s","description":"%s one of %s","inputSchema":{"type":"object"}}`, verb, server, verb, server))
		}
		out[server] = strings.Join(tools, ",")
	}
	return out
}

// learning is a service over the shop that keeps what is used in a file.
func learning(t *testing.T, file, more string) (svc *service.Service, end func()) {
	t.Helper()
	return learningFrom(t, more, func(ctx context.Context) (usage.Log, error) {
		s, err := store.Open(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Usage(), nil
	})
}

func learningFrom(t *testing.T, more string, open func(context.Context) (usage.Log, error)) (svc *service.Service, end func()) {
	t.Helper()
	svc = newFleet(t, shop()).behind(t, `gateway: {surface: "proxy", selection: {max_tools: 12, room: 4`+more+`}}`)
	tracker := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: open})
	closing := svc.Track(tracker)
	ended := false
	end = func() {
		if !ended {
			_ = closing()
		}
		ended = true
	}
	t.Cleanup(end)
	return svc, end
}

// listed are the names of upstream tools that a client is listed.
func (f *face) listed() (names []string) {
	var list struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(f.ask("tools/list", `{}`), &list); err != nil {
		f.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if strings.Contains(tool.Name, "__") {
			names = append(names, tool.Name)
		}
	}
	return names
}

func (f *face) call(name string) { f.ask("tools/call", `{"name":"`+name+`","arguments":{}}`) }

func TestAListIsShortAndGrowsByWhatIsUsed(t *testing.T) {
	svc, _ := learning(t, filepath.Join(t.TempDir(), "u.db"), "")
	f := newFace(t, svc)
	first := f.listed()
	if len(first) > 12 || len(first) < 5 {
		t.Fatalf("a first list of %d: %q", len(first), first)
	}
	hidden := "tickets__search_tickets"
	if slices.Contains(first, hidden) {
		hidden = "tickets__update_tickets"
	}
	f.call(hidden) // it works all the same
	f.call(hidden)
	second := f.listed()
	if !slices.Contains(second, hidden) || len(second) > 12 {
		t.Errorf("the tool that is used is not on the list: %q", second)
	}
	if !slices.Equal(second[:len(first)], first) {
		t.Errorf("the list was not appended to:\n%q\n%q", first, second)
	}
	var meta int
	var list struct{ Tools []struct{ Name string } }
	_ = json.Unmarshal(f.ask("tools/list", `{}`), &list)
	for _, tool := range list.Tools {
		if tool.Name == "search_tools" || tool.Name == "execute_tool" {
			meta++
		}
	}
	if meta != 2 {
		t.Errorf("what is not listed cannot be found: %v", list.Tools)
	}
}

// What one run has seen is on the first list of a session of the next.
func TestWhatWasUsedIsListedAfterARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "u.db")
	for range 3 {
		svc, end := learning(t, file, "")
		f := newFace(t, svc)
		for _, tool := range []string{"orders__get_orders", "mail__send_mail", "tickets__close_tickets"} {
			f.call(tool)
		}
		end()
	}
	svc, _ := learning(t, file, "")
	first := awaitListed(t, svc, "orders__get_orders", "mail__send_mail", "tickets__close_tickets")
	if again := newFace(t, svc).listed(); !slices.Equal(again, first) {
		t.Errorf("a session that begins a little later has another list: %q, %q", first, again)
	}
}

// awaitListed waits until a session that begins is listed tools that an earlier run
// used: a list does not wait long for the file to be read. It returns the list.
func awaitListed(t *testing.T, svc *service.Service, tools ...string) (first []string) {
	t.Helper()
	clocktest.Until(t, fmt.Sprintf("a first list has %q", tools), func() bool {
		first = newFace(t, svc).listed()
		return !slices.ContainsFunc(tools, func(tool string) bool { return !slices.Contains(first, tool) })
	}, func() any { return first })
	return first
}

func TestStrategies(t *testing.T) {
	for _, c := range []struct {
		name, more string
		want       func(list []string) bool
	}{
		{"allowlist", `, strategy: "allowlist", tools: ["git__*", "send_mail"]`, func(l []string) bool { return len(l) == 11 && slices.Contains(l, "mail__send_mail") }},
		{"denylist", `, strategy: "denylist", tools: ["*/delete_*", "git__*"]`, func(l []string) bool { return len(l) == 45 && !slices.Contains(l, "mail__delete_mail") }},
		{"none", `, strategy: "none"`, func(l []string) bool { return len(l) == 60 }},
		{"pinned and unwanted", `, pinned: ["tickets/move_*"], unwanted: ["calendar__*"]`, func(l []string) bool {
			return slices.Contains(l, "tickets__move_tickets") && !slices.ContainsFunc(l, func(n string) bool { return strings.HasPrefix(n, "calendar") }) && len(l) <= 12
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			svc, _ := learning(t, filepath.Join(t.TempDir(), "u.db"), c.more)
			if list := newFace(t, svc).listed(); !c.want(list) {
				t.Errorf("%d: %q", len(list), list)
			}
		})
	}
}

// Lists wait for no disk: a file that cannot be opened, or not yet, leaves words and
// servers to go by.
func TestAListWithoutWhatWasLearnt(t *testing.T) {
	opened := make(chan struct{})
	for name, svc := range map[string]func(*testing.T) *service.Service{
		"no such file": func(t *testing.T) *service.Service {
			svc, _ := learning(t, filepath.Join(t.TempDir(), "no", "such", "\x00", "u.db"), "")
			return svc
		},
		"a slow disk": func(t *testing.T) *service.Service {
			svc, _ := learningFrom(t, "", func(context.Context) (usage.Log, error) { <-opened; return nil, nil })
			t.Cleanup(func() { close(opened) })
			return svc
		},
	} {
		t.Run(name, func(t *testing.T) {
			if list := newFace(t, svc(t)).listed(); len(list) == 0 || len(list) > 12 {
				t.Errorf("%q", list)
			}
		})
	}
}

// A session that begins after an edit has a first list by what it says.
func TestAFirstListFollowsTheConfiguration(t *testing.T) {
	f := newFleet(t, shop())
	section := func(more string) string {
		return `gateway: {surface: "proxy", selection: {max_tools: 12, room: 4` + more + `}}`
	}
	opt := options(t, f.config(section("")))
	svc := start(t, opt)
	svc.Gateway().DiscoverAll(t.Context())
	tracker := usage.New(usage.Options{Settings: func() usage.Settings { return usage.Settings{} }, Open: func(context.Context) (usage.Log, error) { return nil, nil }})
	defer svc.Track(tracker)()
	before := newFace(t, svc).listed()
	pinned := "tickets__update_tickets"
	if slices.Contains(before, pinned) {
		t.Fatalf("%q", before)
	}
	for _, text := range f.config(section(`, pinned: ["` + pinned + `"], unwanted: ["` + before[0] + `"]`)) {
		write(t, opt.Dir, text)
	}
	if list, err := svc.Reload(t.Context(), opt); err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	if after := newFace(t, svc).listed(); !slices.Contains(after, pinned) || slices.Contains(after, before[0]) {
		t.Errorf("%q, and before %q", after, before)
	}
}
