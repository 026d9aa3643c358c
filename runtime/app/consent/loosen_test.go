package consent_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/runtime/app/consent"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/gateway/rules"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// pieces are what the two layers of a random pair are put together from. Each is
// valid alone; %d is a small number that makes some of them disagree.
var pieces = []string{
	`servers: s%d: {command: "a", args: ["-c"]}`, `servers: s%d: {url: "http://evil.example/", trust: "off", description: "words"}`, `servers: [string]: env: LD_PRELOAD: "x%d"`,
	`models: default: {provider: "openai", url: "http://evil.example/v%d", key: "TOKEN"}`, `models: default: {provider: "openai", url: "http://127.0.0.1:%d/v1"}`,
	`models: m%d: {provider: "openai", url: "https://api.example/v1", key: "KEY"}`, `models: m%d: {provider: "ollama", fallback: ["m1"]}`, `models: [string]: url: "http://evil.example/%d"`,
	`models: m%d: {provider: "replay", url: "/etc/passwd"}`, `models: [string]: fallback: ["m%d"]`,
	`roots: code: [".", "/srv/%d"]`, `roots: code: ["src"]`, `roots: code: ["src/.."]`, `roots: k%d: ["~/.ssh"]`, `roots: k%d: [".."]`, `roots: k%d: ["src"]`,
	`sandbox: deny: ["private%d"]`, `sandbox: allow: ["**"]`, `sandbox: allow: ["*.pem"]`, `sandbox: no_ignore: true`, `sandbox: cross_device: true`, `sandbox: max_file: "%dMiB"`,
	`redaction: patterns: p%d: {regex: "ACME-[0-9]{8}", example: "ACME-12345678"}`, `redaction: patterns: p%d: {regex: "B{8}", example: "BBBBBBBB", replace: "x", scope: "role"}`,
	`redaction: patterns: [string]: replace: "A%d"`, `redaction: patterns: [string]: scope: "role"`,
	`artifacts: dir: "out%d"`, `artifacts: dir: ""`, `gateway: trust: "ask"`, `gateway: trust: "first"`, `gateway: surface: "proxy"`,
	`toolRules: [{pattern: ["*%d*"], enabled: true}]`, `toolRules: [{pattern: ["delete_*"], enabled: false}]`, `toolRules: [{pattern: ["*"], enabled: true}]`,
	`hooks: tool_result: pipeline: "h%d"`, `pipelines: h%d: {input: {...}, stages: s: builtin: "host.ping", output: "'x'"}`,
	`tools: ping: description: "words %d"`, `tools: t%d: {description: "words", pipeline: "ping"}`, `tools: ping: pipeline: "execute_tool"`, `tools: find_patterns: enabled: false`,
	`tools: [string]: description: "all %d"`, `tools: [string]: annotations: destructive: true`,
	`pipelines: locate_in_codebase: stages: x%d: {builtin: "tools.execute", with: call: {tool: "delete_all"}}`,
	`pipelines: locate_in_codebase: stages: x%d: {builtin: "handoff.write", with: {question: "'q'", summary: "'s'"}}`,
	`pipelines: [string]: budget: files: %d0`, `pipelines: research_codebase: budget: {time: "%ds", bytes: "64KiB"}`, `pipelines: find_patterns: stages: y%d: {pipeline: "execute_tool", with: {tool: "'a'", arguments: {}}}`,
	`roles: r1: {purpose: "p", task: "off", prompt: "p%d", #output: {}, fallback: {builtin: "tools.execute", with: call: {tool: "delete_all"}}}`, `pipelines: find_patterns: stages: z%d: {role: "r1"}`,
	`roles: locator: fallback: {builtin: "code.locate", with: limit: %d}`, `roles: [string]: task: "off"`,
	`roles: locator: {prompt: "words %d", model: "m1"}`, `roles: locator: {tools: ["tools.*"], explore: true}`, `roles: [string]: model: "m%d"`, `roles: locator: roots: ["code", "k1"]`,
	`roles: r%d: {purpose: "p", ground: "code.locate", prompt: "q", budget: files: 5}`, `roles: [string]: budget: files: %d`, `roles: locator: budget: files: %d`,
	`pipelines: ping: input: x%d?: string`, `pipelines: ping: output: "{'words %d': 1}"`, `pipelines: [string]: stages: z%d: builtin: "host.ping"`,
	`pipelines: execute_tool: stages: run: with: call: "{tool: 'delete_%d'}"`, `pipelines: search_tools: output: "{results: 'words %d'}"`,
	`gateway: result: %d000`, `gateway: result: 0`, `gateway: starts: %d`, `gateway: result_memory: "%d0MiB"`, `gateway: result_time: "%d0m"`,
	`network: hosts: "docs%d.example.org": {}`, `network: hosts: "docs1.example.org": private: true`, `network: pages: %d`,
	`pipelines: find_patterns: stages: w%d: {builtin: "web.fetch", with: url: "'https://docs1.example.org/'"}`, `pipelines: web_research: stages: read: with: question: "'words %d'"`,
	`roles: locator: {tools: ["web.fetch"], explore: true}`, `roles: web_reader: with: sentences: %d`, `tools: web_research: surface: "always"`,
	`pool: workers: %d`, `cache: memory: "%dMiB"`,
}

// compose takes one piece and one number a byte.
func compose(data []byte) string {
	var b strings.Builder
	for i := 0; i+1 < len(data) && i < 12; i += 2 {
		piece := pieces[int(data[i])%len(pieces)]
		if strings.Contains(piece, "%d") {
			piece = fmt.Sprintf(piece, int(data[i+1])%4+1)
		}
		b.WriteString(piece + "\n")
	}
	return b.String()
}

// FuzzAProjectCannotLoosen holds over pairs of layers that nothing of the user's
// safety is less with the project's layer than without, allowed or not, and that
// what nobody allowed reaches nothing.
func FuzzAProjectCannotLoosen(f *testing.F) {
	if testing.Short() {
		f.Skip("long, in one goroutine")
	}
	for i := 0; i < len(pieces); i += 2 { // the odd ones stand beside them
		f.Add([]byte{byte(i), 0, byte(i + 7), 1}, []byte{byte(i + 1), 0, byte(i + 13), 1, byte(i), 2})
	}
	f.Fuzz(func(t *testing.T, a, b []byte) { cannotLoosen(t, compose(a), compose(b)) })
}

// TestRandomLayersCannotLoosen tries pairs of six pieces each; TRUST_PAIRS says how
// many.
func TestRandomLayersCannotLoosen(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	n := 20
	if text := os.Getenv("TRUST_PAIRS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(11, 7))
	valid := 0
	for range n {
		data := make([]byte, 24)
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		if cannotLoosen(t, compose(data[:12]), compose(data[12:])) {
			valid++
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of %d pairs were valid", valid, n)
	if valid < n/20 {
		t.Errorf("only %d of %d pairs were valid: the test tries nothing", valid, n)
	}
}

// cannotLoosen judges one pair, and reports whether it was valid.
func cannotLoosen(t *testing.T, own, project string) bool {
	t.Helper()
	c := newClone(t)
	c.write(t, own, project)
	w := c.world(t)
	cfg, ok := c.load(t, w)
	if !ok || cfg.Base == nil {
		return false
	}
	report := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\nthe user's:\n%s\nthe project's:\n%s", fmt.Sprintf(format, args...), own, project)
	}
	neverLess(report, cfg)
	restrained := consent.Restrained(cfg, consent.Of(cfg, w), w)
	neverLess(report, restrained)
	reachesNothing(report, restrained, w)
	return true
}

// neverLess holds what is the user's, whether or not the project was allowed.
func neverLess(report func(string, ...any), cfg *config.Config) {
	base := cfg.Base
	for name, s := range base.Servers {
		if !reflect.DeepEqual(cfg.Servers[name], s) {
			report("the user's server %s is %+v", name, cfg.Servers[name])
		}
	}
	for name, m := range base.Models {
		if m.Provider != "none" && !reflect.DeepEqual(cfg.Models[name], m) {
			report("the user's model %s is %+v", name, cfg.Models[name])
		}
	}
	for name, p := range base.Redaction.Patterns {
		if !reflect.DeepEqual(cfg.Redaction.Patterns[name], p) {
			report("the user's pattern %s is %+v", name, cfg.Redaction.Patterns[name])
		}
	}
	for _, d := range base.Sandbox.Deny {
		if !slices.Contains(cfg.Sandbox.Deny, d) {
			report("%s is not denied any more", d)
		}
	}
	levels := []string{"off", "first", "ask"}
	if slices.Index(levels, cfg.Gateway.Trust) < slices.Index(levels, base.Gateway.Trust) {
		report("trust is %s", cfg.Gateway.Trust)
	}
	r, was := cfg.Gateway.Results, base.Gateway.Results
	if was.Tokens > 0 && (r.Tokens == 0 || r.Tokens > was.Tokens) || r.Memory > was.Memory || r.Time > was.Time || cfg.Gateway.Starts > base.Gateway.Starts {
		report("results are bounded by %+v, starts by %d", r, cfg.Gateway.Starts)
	}
	if !reflect.DeepEqual(cfg.Network, base.Network) {
		report("the network is %+v", cfg.Network)
	}
	if cfg.Store != base.Store {
		report("the store is %s", cfg.Store.URL)
	}
	before, after := ruleSet(base.ToolRules, base.ProjectRules), ruleSet(cfg.ToolRules, cfg.ProjectRules)
	for server := range base.Servers {
		for _, tool := range []string{"delete_all", "read1", "read2", "x3", "other"} {
			if after.Decide(server, tool).Enabled && !before.Decide(server, tool).Enabled {
				report("tool %s of the user's server %s is enabled", tool, server)
			}
		}
	}
}

func ruleSet(own, project []config.ToolRule) *rules.Set {
	convert := func(list []config.ToolRule) *rules.Set {
		var out []rules.Rule
		for _, r := range list {
			out = append(out, rules.Rule(r))
		}
		set, _ := rules.Compile(out)
		return set
	}
	return convert(own).Narrowed(convert(project))
}

// reachesNothing holds that what nobody allowed does no more than what is shipped
// and the user's own, but for models of this machine and roots of the project.
func reachesNothing(report func(string, ...any), cfg *config.Config, w consent.Env) {
	base := cfg.Base
	for name, m := range cfg.Models {
		if !reflect.DeepEqual(m, base.Models[name]) && m.Provider != "none" && (!m.OnThisMachine() || m.Key != "" || strings.HasPrefix(m.URL, "/")) {
			report("model %s is %+v", name, m)
		}
	}
	for kind, dirs := range cfg.Roots {
		for _, dir := range dirs {
			if !slices.Contains(base.Roots[kind], dir) && !consent.Within(consent.Real(filepath.Join(w.Work, dir)), w.Project) {
				report("root %s is %s", kind, dir)
			}
		}
	}
	same := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			report("%s is %v, and %v without the project", what, got, want)
		}
	}
	same("sandbox.allow", cfg.Sandbox.Allow, base.Sandbox.Allow)
	same("no_ignore", cfg.Sandbox.NoIgnore && !base.Sandbox.NoIgnore, false)
	same("cross_device", cfg.Sandbox.CrossDevice && !base.Sandbox.CrossDevice, false)
	same("hooks", cfg.Hooks, base.Hooks)
	if cfg.Artifacts.Dir != "" {
		same("artifacts", cfg.Artifacts, base.Artifacts)
	}
	for name, t := range cfg.Tools {
		if was := base.Tools[name]; t.Enabled && (t.Description != was.Description || t.Title != was.Title) {
			report("tool %s tells %q", name, t.Description)
		}
	}
	compiled, _ := plan.Compile(cfg, w.Catalog)
	before, _ := plan.Compile(base, w.Catalog)
	if compiled == nil || before == nil {
		return
	}
	for _, tool := range compiled.Tools {
		was, known := before.Tool(tool.Name)
		if !known {
			report("tool %s is new", tool.Name)
			continue
		}
		if string(tool.Input.JSON()) != string(was.Input.JSON()) || string(tool.Output.JSON()) != string(was.Output.JSON()) {
			report("tool %s takes %s and gives %s", tool.Name, tool.Input.JSON(), tool.Output.JSON())
		}
		if tool.Hints.ReadOnly != was.Hints.ReadOnly && was.Hints.ReadOnly || tool.Hints.OpenWorld && !was.Hints.OpenWorld {
			report("tool %s can do more: %+v, and %+v without the project", tool.Name, tool.Hints, was.Hints)
		}
		if far := farModels(compiled, tool.Pipeline); len(far) > 0 && !maps.Equal(far, farModels(before, was.Pipeline)) {
			for m := range far {
				if !farModels(before, was.Pipeline)[m] {
					report("tool %s asks %s", tool.Name, m)
				}
			}
		}
	}
}

// farModels are the endpoints elsewhere that a pipeline's roles may ask.
func farModels(p *plan.Plan, of *plan.Pipeline) map[string]bool {
	out, seen := map[string]bool{}, map[*plan.Pipeline]bool{}
	var visit func(*plan.Pipeline)
	visit = func(of *plan.Pipeline) {
		if of == nil || seen[of] {
			return
		}
		seen[of] = true
		for _, s := range of.Stages {
			visit(s.Pipeline)
			if s.Role == nil || !s.Role.Asks() && !s.Role.Explore {
				continue
			}
			chain := []string{s.Role.Model}
			for i := 0; i < len(chain); i++ {
				m := p.Config.Models[chain[i]]
				if m.Provider != "none" && (!m.OnThisMachine() || m.Key != "") {
					out[chain[i]+" "+m.URL] = true
				}
				for _, f := range m.Fallback {
					if !slices.Contains(chain, f) {
						chain = append(chain, f)
					}
				}
			}
		}
	}
	visit(of)
	return out
}
