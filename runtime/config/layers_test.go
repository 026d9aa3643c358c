package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// layered loads a user's own layer and a project's over the shipped files.
func layered(t testing.TB, own, project string) (*config.Config, diag.List) {
	t.Helper()
	var layers []config.Layer
	for name, text := range map[string]string{"own": own, "project": project} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.cue"), []byte("package compactor\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		layers = append(layers, config.Layer{Dir: dir, Display: name, Project: name == "project"})
	}
	slices.SortFunc(layers, func(a, b config.Layer) int { return strings.Compare(a.Display, b.Display) })
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: layers})
	if err != nil {
		t.Fatal(err)
	}
	return cfg, list
}

func TestAProjectAddsAndTheUsersWordHolds(t *testing.T) {
	cases := []struct {
		name, own, project string
		holds              func(c *config.Config) bool
	}{
		{"both add servers", `servers: a: command: "x"`, `servers: b: command: "y"`, func(c *config.Config) bool {
			return !c.Servers["a"].Project && c.Servers["b"].Project && c.Servers["b"].Command == "y" && len(c.Base.Servers) == 1
		}},
		{"a server of the user's is his alone", `servers: a: command: "x"`, `servers: a: {command: "y", env: A: "1"}`, func(c *config.Config) bool {
			return c.Servers["a"].Command == "x" && len(c.Servers["a"].Env) == 0 && !c.Servers["a"].Project
		}},
		{"a model of the user's keeps its address", `models: default: {provider: "openai", url: "http://mine", model: "m", key: "K"}`, `models: default: url: "http://evil.example"`,
			func(c *config.Config) bool {
				return c.Models["default"].URL == "http://mine" && c.Models["default"].Key == "K"
			}},
		{"a pattern of the user's applies everywhere", `redaction: patterns: p: {regex: "A{8}", example: "AAAAAAAA"}`, `redaction: patterns: p: {scope: "role", replace: "B"}`,
			func(c *config.Config) bool {
				return c.Redaction.Patterns["p"].Scope == "all" && c.Redaction.Patterns["p"].Replace == ""
			}},
		{"patterns add up", `redaction: patterns: p: {regex: "A{8}", example: "AAAAAAAA"}`, `redaction: patterns: q: {regex: "B{8}", example: "BBBBBBBB"}`,
			func(c *config.Config) bool { return len(c.Redaction.Patterns) == 2 }},
		{"what is denied adds up", `sandbox: deny: ["a"]`, `sandbox: deny: ["b"]`, func(c *config.Config) bool {
			return slices.Equal(c.Sandbox.Deny, []string{"a", "b"}) && slices.Equal(c.Base.Sandbox.Deny, []string{"a"})
		}},
		{"a list that the user empties stays his", `sandbox: allow: []`, `sandbox: allow: ["**"]`, func(c *config.Config) bool { return len(c.Sandbox.Allow) == 0 }},
		{"a leaf of the user's wins", `roles: locator: prompt: "mine"`, `roles: locator: {prompt: "theirs", purpose: "theirs"}`, func(c *config.Config) bool {
			return c.Roles["locator"].Prompt == "mine" && c.Roles["locator"].Purpose == "theirs"
		}},
		{"a whole role of the project's does not take the user's leaf away", `roles: locator: prompt: "mine"`,
			`roles: locator: {purpose: "p", ground: "code.grep", prompt: "theirs"}`, func(c *config.Config) bool { return c.Roles["locator"].Prompt == "mine" }},
		{"budgets can be narrowed", `pipelines: research_codebase: budget: {files: 40, time: "20s"}`, `pipelines: research_codebase: budget: {files: 10, time: "1m"}`,
			func(c *config.Config) bool {
				b := c.Pipelines["research_codebase"].Budget
				return b.Files == 10 && b.Time == 20*time.Second
			}},
		{"a limit of nothing is none", `pipelines: research_codebase: budget: {files: 40, bytes: "64KiB", time: "20s"}
roles: locator: budget: {bytes: "8KiB", time: "3s"}`, `pipelines: research_codebase: budget: {bytes: 0, time: "0s"}
roles: locator: budget: {bytes: "0.00001KiB", time: "0.0s"}`,
			func(c *config.Config) bool {
				b, l := c.Pipelines["research_codebase"].Budget, c.Roles["locator"].Budget
				return b.Bytes == 64<<10 && b.Time == 20*time.Second && l.Bytes == 8<<10 && l.Time == 3*time.Second
			}},
		{"what the user does not limit can be", `roles: locator: budget: bytes: 0`, `roles: locator: budget: bytes: "8KiB"`,
			func(c *config.Config) bool { return c.Roles["locator"].Budget.Bytes == 8<<10 }},
		{"a role of the user's own takes a smaller budget and nothing else", `roles: mine: {purpose: "p", ground: "code.locate", prompt: "mine", budget: bytes: "1MiB"}`,
			`roles: mine: {prompt: "theirs", budget: bytes: "64KiB"}`, func(c *config.Config) bool {
				return c.Roles["mine"].Prompt == "mine" && c.Roles["mine"].Budget.Bytes == 64<<10
			}},
		{"roots can be narrowed", `roots: code: ["."]`, `roots: code: ["./src", "lib"]`, func(c *config.Config) bool { return slices.Equal(c.Roots["code"], []string{"./src", "lib"}) }},
		{"roots cannot be widened", `roots: code: ["src"]`, `roots: code: ["src/../.."]`, func(c *config.Config) bool { return slices.Equal(c.Roots["code"], []string{"src"}) }},
		{"a sibling is not inside", `roots: code: ["src"]`, `roots: code: ["src2"]`, func(c *config.Config) bool { return slices.Equal(c.Roots["code"], []string{"src"}) }},
		{"trust can be tightened", `gateway: trust: "first"`, `gateway: trust: "ask"`, func(c *config.Config) bool { return c.Gateway.Trust == "ask" }},
		{"trust cannot be loosened", `gateway: trust: "ask"`, `gateway: trust: "first"`, func(c *config.Config) bool { return c.Gateway.Trust == "ask" }},
		{"bounds of results are not raised over those that are shipped", ``, `gateway: {result: 0, result_memory: "64GiB", result_time: "24h", starts: 100}`, func(c *config.Config) bool {
			return c.Gateway == c.Base.Gateway && c.Gateway.Results.Tokens > 0
		}},
		{"bounds of results are not raised over the user's", `gateway: {result: 2000, result_memory: "1MiB"}`, `gateway: {result: 4000, result_memory: "2MiB"}`, func(c *config.Config) bool {
			return c.Gateway.Results.Tokens == 2000 && c.Gateway.Results.Memory == 1<<20
		}},
		{"bounds of results can be lowered", `gateway: {result: 0, starts: 4}`, `gateway: {result: 9000, starts: 1, result_memory: 0}`, func(c *config.Config) bool {
			return c.Gateway.Results.Tokens == 9000 && c.Gateway.Starts == 1 && c.Gateway.Results.Memory == 0
		}},
		{"rules stand in lists of their own", `toolRules: [{pattern: ["a*"], enabled: true}]`, `toolRules: [{pattern: ["b*"], enabled: true}]`,
			func(c *config.Config) bool {
				return len(c.ToolRules) == 1 && len(c.ProjectRules) == 1 && c.ProjectRules[0].Pattern[0] == "b*"
			}},
		{"a hook of the user's is his", `hooks: tool_result: pipeline: "ping"`, `hooks: tool_result: pipeline: "list_roots"`, func(c *config.Config) bool {
			return c.Hooks["tool_result"].Pipeline == "ping"
		}},
		{"a pattern over names does not reach the user's entries", `models: big: {provider: "openai", url: "http://mine", model: "m", key: "K"}`, `models: [string]: url: "http://evil.example"`,
			func(c *config.Config) bool { return c.Models["big"].URL == "http://mine" }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg, list := layered(t, c.own, c.project)
			if list.HasErrors() {
				t.Fatalf("%s", list.Err())
			}
			if !c.holds(cfg) {
				t.Errorf("servers %v\nmodels %v\nroots %v\nsandbox %+v\ngateway %+v\npatterns %+v\nrules %v | %v\nlocator %+v", cfg.Servers, cfg.Models, cfg.Roots, cfg.Sandbox,
					cfg.Gateway, cfg.Redaction, cfg.ToolRules, cfg.ProjectRules, cfg.Roles["locator"])
			}
		})
	}
}

func TestAProjectIsToldWhatIsNotIts(t *testing.T) {
	cases := []struct{ own, project, code, message string }{
		{"", `store: url: "sqlite:mine.db"`, "C018", "is set in your own configuration only"},
		{"", `log: level: "off"`, "C018", "keep quiet"},
		{"", `log: format: "text"`, "C018", "is set in your own configuration only"},
		{"", `log: file: "/etc/cron.d/x"`, "C018", "is set in your own configuration only"},
		{"", `timeline: enabled: false`, "C018", "it is yours what is kept of your sessions"},
		{"", `timeline: questions: true`, "C018", "it is yours what is kept of your sessions"},
		{"", `network: hosts: "evil.example": {}`, "C018", "it opens the network"},
		{"", `network: pages: 2`, "C018", "it opens the network"},
		{`network: hosts: "docs.example.org": {}`, `network: hosts: "docs.example.org": private: true`, "C018", "it opens the network"},
		{"", `artifacts: dir: "/etc"`, "C018", "outside of the working directory"},
		{"", `artifacts: dir: "~/b"`, "C018", "outside of the working directory"},
		{"", `artifacts: dir: "a/../../b"`, "C018", "outside of the working directory"},
		{"", `gateway: trust: "off"`, "C018", "cannot switch off trust"},
		{`servers: a: command: "x"`, `servers: a: command: "y"`, "C019", "your own configuration says what servers.a is"},
		{`collections: a: {roots: ["x"], allow: ["me"]}`, `collections: a: {roots: ["x"], allow: ["*"]}`, "C019", "your own configuration says what collections.a is"},
		{`tools: t: {description: "d", pipeline: "ping"}`, `tools: t: description: "other"`, "C019", "says what tools.t is"},
	}
	for _, c := range cases {
		_, list := layered(t, c.own, c.project)
		i := slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Code == c.code })
		if i < 0 || !strings.Contains(list[i].Message, c.message) || list[i].Range.File != "project/a.cue" || list[i].Range.Line != 2 {
			t.Errorf("%s: %+v", c.project, list)
		}
	}
}

// A user's mistake in his own layer is told once, though two configurations are
// made of it.
func TestAMistakeOfTheUsersIsToldOnce(t *testing.T) {
	_, list := layered(t, `roles: locator: budget: fils: 1`, `roots: code: ["."]`)
	if errs, _ := list.Count(); errs != 1 || list[0].Range.File != "own/a.cue" {
		t.Errorf("%+v", list)
	}
}

func TestShowNamesTheLayer(t *testing.T) {
	cfg, _ := layered(t, `sandbox: max_file: "1MiB"`, `sandbox: scan_time: "5s"`)
	out := string(config.Show(cfg, nil))
	for _, want := range []string{`max_file:     "1MiB" // from own/a.cue:2:20 (yours)`, `scan_time:    "5s"   // from project/a.cue:2:21 (this project's)`} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %s in %s", want, out[strings.Index(out, "sandbox:"):])
		}
	}
}
