package config_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/config"
)

func TestPart(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": `package compactor

roles: locator: budget: files: 7
roles: analyzer: budget: files: 12
servers: github: {url: "https://example.com/mcp", headers: "X-A": "x"}
toolRules: [{pattern: ["a", "b"], enabled: false}]
`})
	lines := func(list []config.Setting, err error) string {
		var missing *config.Missing
		if errors.As(err, &missing) {
			return missing.Error()
		}
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, s := range list {
			cue, from := s.Line()
			out = append(out, cue+" // "+from)
		}
		return strings.Join(out, "\n")
	}
	for _, c := range []struct{ path, want string }{
		{"roles.locator.budget.files", "roles: locator: budget: files: 7 // from a.cue:3:32"},
		{"roles.locator.budget", "roles: locator: budget: files: 7 // from a.cue:3:32\nroles: locator: budget: time: \"20s\" // from built-in roles.cue:*"},
		{"servers.github.timeout", `servers: github: timeout: "60s" // default`},
		{`servers.github.headers."X-A"`, `servers: github: headers: "X-A": "x" // from a.cue:5:*`},
		{"toolRules[0].enabled", `toolRules: "0": enabled: false // from a.cue:6:44`},
		{"pipelines.ping.output", `pipelines: ping: output: * // from built-in pipelines/host.cue:*`},
		{"roles.locater.budget", "roles.locater.budget is not set; did you mean roles.locator.budget?"},
		{"roles.locater.nope", "roles.locater.nope is not set; did you mean roles.locator?"},
		{"gatewy", "gatewy is not set; did you mean gateway?"},
		{"servers.x", "servers.x is not set; in servers there are: github"},
		{"cache.memory.x", "cache.memory.x is not set; there is nothing below cache.memory"},
	} {
		got := lines(config.Part(cfg, c.path, nil))
		if before, after, part := strings.Cut(c.want, "*"); got != c.want && !(part && strings.HasPrefix(got, before) && strings.Contains(got, strings.TrimSuffix(after, "*"))) {
			t.Errorf("%s:\n%s\nwant\n%s", c.path, got, c.want)
		}
	}
	all, err := config.Part(cfg, "", nil)
	if err != nil || len(all) < 100 {
		t.Errorf("all: %d, %v", len(all), err)
	}
	base := valid(t, map[string]string{"a.cue": "package compactor\n"})
	got := lines(config.Differing(cfg, base, "", nil))
	for _, want := range []string{"budget: files: 7 // from a.cue:3:32, without it 30", `url: "https://example.com/mcp"`, "toolRules: ["} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "\n") + 1; n != 4 || strings.Contains(got, "analyzer") {
		t.Errorf("%d differ:\n%s", n, got)
	}
	if got := lines(config.Differing(base, base, "", nil)); got != "" {
		t.Errorf("nothing differs: %s", got)
	}
	masked, err := config.Part(cfg, "servers.github.headers", func(_, texts []string) []string { return make([]string, len(texts)) })
	if err != nil || len(masked) != 1 || masked[0].Value != "" {
		t.Errorf("masked: %v, %v", masked, err)
	}
}

func FuzzSplitPath(f *testing.F) {
	f.Add(`a."b.c"[0].d`)
	f.Add(`"`)
	f.Fuzz(func(t *testing.T, path string) {
		names := config.SplitPath(path)
		again := config.SplitPath(config.JoinPath(names...))
		if fmt.Sprint(len(names)) != fmt.Sprint(len(again)) {
			t.Errorf("%q: %q, then %q", path, names, again)
		}
	})
}
