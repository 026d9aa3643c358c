package gateway

import (
	"regexp"
	"strings"
	"testing"
)

// Whatever servers call their tools, they are listed under names that the APIs of models take, and called by their own.
func TestListedNamesAreTaken(t *testing.T) {
	own := []string{"calendar.read", "ns/sub", "ctx:get", strings.Repeat("x", 80), "获取天气", "имя", "get天气", "release prod", "größe", "a.b", "a_b", "a/b"}
	var tools []string
	for _, name := range own {
		tools = append(tools, simple(name))
	}
	w := newWorld(t, map[string]string{"s": strings.Join(tools, ","), "github.com-upstash-context7-mcp": simple("calendar.read") + "," + simple("名前")})
	taken := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	names := w.names()
	if len(names) != len(own)+2 {
		t.Fatalf("listed are %q", names)
	}
	ran := map[string]bool{}
	for _, l := range w.Listed() {
		if !taken.MatchString(l.Name) {
			t.Errorf("%s is listed as %s", l.Tool, l.Name)
		}
		if _, err := w.run(l.Name, `{}`); err != nil {
			t.Errorf("%s: %v", l.Name, err)
		}
		for _, line := range w.log(l.Server) {
			ran[l.Server+" "+strings.TrimSuffix(strings.TrimPrefix(line, "call "), " {}")] = true
		}
		if l.Tool == "a_b" && l.Name != "s__a_b" {
			t.Errorf("its own name is taken from it: %s", l.Name)
		}
	}
	for _, name := range own {
		if !ran["s "+name] {
			t.Errorf("%s was not run under its own name: %v", name, ran)
		}
		if _, err := w.run("s__"+name, `{}`); err != nil {
			t.Errorf("s__%s: %v", name, err)
		}
	}
}

// The names of tools stay the same when another of their server comes or goes, and no server gets one under another's
// prefix, which without its dots may be the same.
func TestNamesWithoutDotsAreNobodyElses(t *testing.T) {
	w := newWorld(t, map[string]string{"s": simple("a.b") + "," + simple("имя"), "x.y": simple("pay"), "x_y": simple("get")})
	listed := func() map[string]string {
		w.names()
		out := map[string]string{}
		for _, l := range w.Listed() {
			out[l.Server+" "+l.Tool] = l.Name
		}
		return out
	}
	before := listed()
	if before["x_y get"] != "x_y__get" || before["x.y pay"] == "x_y__pay" || !strings.HasPrefix(before["x.y pay"], "x_y__pay_") {
		t.Errorf("of one prefix are %v", before)
	}
	w.offer("s", simple("тоже")+","+simple("имя"))
	if _, err := w.Restart(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if after := listed(); after["s имя"] != before["s имя"] {
		t.Errorf("%v became %v", before, after)
	}
}
