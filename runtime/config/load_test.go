package config_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
)

func load(t testing.TB, files map[string]string) (*config.Config, diag.List) {
	t.Helper()
	ar := &txtar.Archive{}
	for name, text := range files {
		ar.Files = append(ar.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	cfg, list, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: write(t, ar)}}})
	if err != nil {
		t.Fatal(err)
	}
	return cfg, list
}

func valid(t testing.TB, files map[string]string) *config.Config {
	t.Helper()
	cfg, list := load(t, files)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

func TestWhatTheUserWritesWins(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": `package compactor
		roles: analyzer: budget: time: "20s"
		roles: [string]: bounds: key_findings: entries: 2
		roles: whole: {purpose: "p", ground: "code.locate", prompt: "x"}
		roles: locator: {purpose: "p", ground: "code.locate", prompt: "x"}
		pipelines: research_codebase: stages: locate: {builtin: "code.scope", with: question: "input.question"}
		tools: ping: enabled: false
	`})
	if got := cfg.Roles["analyzer"]; got.Budget.Time != 20*time.Second || got.Budget.Files != 12 || got.Ground != "code.analyze" {
		t.Errorf("a leaf: %+v", got)
	}
	for _, name := range []string{"analyzer", "synthesizer", "whole"} {
		if got := cfg.Roles[name].Bounds["key_findings"].Entries; got != 2 {
			t.Errorf("a pattern: %s has %d findings", name, got)
		}
	}
	if got := cfg.Roles["locator"]; len(got.Tools) != 0 || got.Budget.Files != 0 {
		t.Errorf("a role written whole keeps parts of the shipped one: %+v", got)
	}
	for _, s := range cfg.Pipelines["research_codebase"].Stages {
		if s.Name == "locate" && (s.Role != "" || s.Builtin != "code.scope" || s.OnError != "continue") {
			t.Errorf("a stage that runs something else: %+v", s)
		}
	}
	if cfg.Tools["ping"].Enabled || !cfg.Tools["list_roots"].Enabled {
		t.Error("enabled")
	}
	if got := cfg.Source.Origin("roles", "analyzer", "budget", "time"); got != "a.cue:2:34" {
		t.Errorf("origin %s", got)
	}
	if got := cfg.Source.Origin("roles", "analyzer", "ground"); !strings.HasPrefix(got, "built-in roles.cue:") {
		t.Errorf("origin %s", got)
	}
	if got := cfg.Source.Origin("pool", "workers"); got != "default" {
		t.Errorf("origin %s", got)
	}
}

// A literal is merged as the rest is: who changes one member writes that alone.
func TestLiteralsOfAnInputAreMerged(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": `package compactor
		pipelines: research_codebase: stages: report: with: sections: {
			locator: worth: 9
			mine: doc: "x"
			analyzer: keep: findings: [7]
		}
	`})
	stages := cfg.Pipelines["research_codebase"].Stages
	with := stages[slices.IndexFunc(stages, func(s config.Stage) bool { return s.Name == "report" })].With
	got, _ := with["sections"].Literal.(map[string]any)
	locator, _ := got["locator"].(map[string]any)
	analyzer, _ := got["analyzer"].(map[string]any)
	if locator["worth"] != 9 || locator["counted"] != "found" || locator["always"] != true {
		t.Errorf("locator is %v", locator)
	}
	if d := cmp.Diff(map[string]any{"findings": []any{7}}, analyzer["keep"]); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]any{"doc": "x"}, got["mine"]); d != "" || got["thoughts"] == nil {
		t.Errorf("%s; %v", d, got)
	}
}

func TestSectionsNobodyWroteHaveTheirDefaults(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": "package compactor\n"})
	if cfg.Pool != (config.Pool{Workers: 4, Queue: 32, Deadline: 50 * time.Second}) || cfg.Sandbox.ScanTime != 10*time.Second || cfg.Sandbox.MaxFile != 4<<20 {
		t.Errorf("%+v %+v", cfg.Pool, cfg.Sandbox)
	}
}

func TestLog(t *testing.T) {
	if cfg := valid(t, map[string]string{"a.cue": "package compactor\n"}); cfg.Log != (config.Log{}) {
		t.Errorf("nobody said %+v", cfg.Log)
	}
	cfg := valid(t, map[string]string{"a.cue": "package compactor\nlog: {level: \"debug\", format: \"text\", file: \"x.log\"}\n"})
	if cfg.Log != (config.Log{Level: "debug", Format: "text", File: "x.log"}) {
		t.Errorf("%+v", cfg.Log)
	}
}

func TestCUEIsAtHand(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": `package compactor
		import "strings"
		let files = 9
		roles: {for r in ["locator", "analyzer"] {(r): budget: "files": files}}
		roots: code: [strings.Join(["a", "b"], "/")]
		pipelines: mine: {
			input: constraints?: #Constraints
			stages: a: {role: "locator", with: question: "'\(files)'"}
			output: "a"
		}
	`})
	if cfg.Roles["locator"].Budget.Files != 9 || cfg.Roles["analyzer"].Budget.Files != 9 || cfg.Roots["code"][0] != "a/b" {
		t.Errorf("%+v %v", cfg.Roles["locator"].Budget, cfg.Roots)
	}
	if cfg.Pipelines["mine"].Stages[0].With["question"].Expr != "'9'" || cfg.Pipelines["mine"].Input.Field("constraints") == nil {
		t.Errorf("%+v", cfg.Pipelines["mine"])
	}
}

func TestShippedFilesCopiedAreValid(t *testing.T) {
	files := map[string]string{}
	err := fs.WalkDir(compactor.Defaults, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || (path != "roles.cue" && filepath.Dir(path) != "pipelines") {
			return err
		}
		data, err := fs.ReadFile(compactor.Defaults, path)
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	valid(t, files)
}

func TestStarter(t *testing.T) {
	off := map[string]string{}
	on := map[string]string{}
	comment := regexp.MustCompile(`(?m)^// ((?:roots|pipelines|roles|redaction|sandbox|tools|artifacts): .*)$`)
	for name, text := range config.Starter() {
		off[name] = string(text)
		on[name] = comment.ReplaceAllString(string(text), "$1")
	}
	valid(t, off)
	cfg := valid(t, on)
	if len(cfg.Roots["thoughts"]) != 1 || cfg.Pipelines["research_codebase"].Budget.Files != 80 {
		t.Errorf("uncommented, it changes nothing: %v", cfg.Roots)
	}
	if cfg.Roles["reviewer"].Task != "free" {
		t.Error("it shows no role of one's own")
	}
}

func TestShowIsAConfiguration(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": "package compactor\n\nroles: locator: budget: files: 7\n"})
	text := string(config.Show(cfg, nil))
	if !strings.Contains(text, "// from a.cue:3:32") {
		t.Errorf("no origin in\n%s", text)
	}
	again := valid(t, map[string]string{"all.cue": text})
	if again.Roles["locator"].Budget.Files != 7 || len(again.Tools) != len(cfg.Tools) {
		t.Error("what is shown is not what is in force")
	}
}

// What a role takes and gives is shown as it is: read back it is the same.
func TestShownRoleIsTheSame(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": "package compactor\n" + wholeRole + "roles: reviewer: #output: {note: string | null, extra: [string]: int}\n"})
	text := string(config.Show(cfg, nil))
	again := valid(t, map[string]string{"all.cue": text})
	was, is := cfg.Roles["reviewer"], again.Roles["reviewer"]
	if was.Output.Line() != is.Output.Line() || was.Input.Line() != is.Input.Line() {
		t.Errorf("%s -> %s, was %s -> %s", is.Input.Line(), is.Output.Line(), was.Input.Line(), was.Output.Line())
	}
	was.Input, was.Output, is.Input, is.Output = nil, nil, nil, nil
	if d := cmp.Diff(was, is); d != "" {
		t.Error(d)
	}
}

// TestDocumentsAreValid loads every CUE block of the README.
func TestDocumentsAreValid(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```cue\n(.*?)```").FindAllStringSubmatch(string(text), -1)
	if len(blocks) == 0 {
		t.Fatal("no CUE block in the README")
	}
	for _, b := range blocks {
		valid(t, map[string]string{"readme.cue": b[1]})
	}
}

func TestDirectoriesThatAreNone(t *testing.T) {
	if _, _, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: filepath.Join(t.TempDir(), "gone")}}}); err == nil {
		t.Error("a directory that is not there was loaded")
	}
	_, list := load(t, map[string]string{"notes.txt": "x"})
	if list.HasErrors() || len(list) != 1 || list[0].Code != "C005" {
		t.Errorf("an empty directory: %v", list)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := config.Load(ctx, config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: t.TempDir()}}}); err == nil {
		t.Error("an ended context loads")
	}
}

func FuzzLoad(f *testing.F) {
	for _, s := range []string{
		"package compactor\n", "package compactor\nroles: locator: budget: files: 3\n", "roles: [string]: x: 1", "package compactor\nroles: {",
		"package compactor\npipelines: a: {stages: {b: {role: \"locator\", each: \"[1]\"}}, output: \"b\"}", "package compactor\nx: x + 1",
		"package compactor\nimport \"strings\"\nroots: code: [strings.Repeat(\"a\", 9)]", "package compactor\nroles: #Role", "\ufeffpackage compactor",
		"package compactor\ntools: a: {description: \"d\", pipeline: \"ping\", input: {a: [...{b: int | *3}]}}",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
		defer cancel()
		ar := &txtar.Archive{Files: []txtar.File{{Name: "a.cue", Data: []byte(text)}}}
		cfg, list, err := config.Load(ctx, config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: write(t, ar)}}})
		if err != nil {
			t.Fatal(err)
		}
		if cfg == nil {
			t.Fatal("no configuration")
		}
		for _, d := range list {
			if d.Range.File == "" || d.Message == "" {
				t.Errorf("diagnostic without a place or a message: %+v", d)
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	dir := write(b, &txtar.Archive{Files: []txtar.File{{Name: "a.cue", Data: []byte("package compactor\n\nroots: code: [\".\"]\nroles: analyzer: budget: time: \"20s\"\n")}}})
	for b.Loop() {
		if _, list, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}}); err != nil || list.HasErrors() {
			b.Fatal(err, list.Err())
		}
	}
}

// BenchmarkLoad500 is the figure of 50 roles and 500 stages.
func BenchmarkLoad500(b *testing.B) {
	dir := write(b, &txtar.Archive{Files: []txtar.File{{Name: "a.cue", Data: []byte(large(50, 10))}}})
	for b.Loop() {
		if _, list, err := config.Load(context.Background(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir}}}); err != nil || list.HasErrors() {
			b.Fatal(err, list.Err())
		}
	}
}

// large is a configuration of n roles and n pipelines with m stages each.
func large(n, m int) string {
	var t strings.Builder
	t.WriteString("package compactor\n")
	for i := range n {
		fmt.Fprintf(&t, "roles: role%d: {\n\tpurpose: \"role %d\"\n\tground: \"code.locate\"\n\tprompt: \"say where\"\n\ttools: [\"code.grep\", \"code.ls\"]\n\tbudget: {files: %d, time: \"10s\"}\n}\n", i, i, i+1)
		fmt.Fprintf(&t, "pipelines: pipe%d: {\n\t#input: question: string & !=\"\"\n\tstages: {\n", i)
		for j := range m {
			fmt.Fprintf(&t, "\t\ts%d: {role: \"role%d\", with: question: \"input.question\", timeout: \"5s\", onError: \"continue\"}\n", j, i)
		}
		t.WriteString("\t}\n\toutput: \"s0\"\n}\n")
	}
	return t.String()
}

func TestRoleIsReadWhole(t *testing.T) {
	cfg := valid(t, map[string]string{"a.cue": "package compactor\n" + wholeRole})
	r := cfg.Roles["reviewer"]
	if r.Task != "free" || r.Ground != "" || r.Input.Line() != "{text: string, most: int | *3}" || r.Output.Line() != `{risk: "low" | "high", findings: [...{quote: string, line?: int}]}` {
		t.Errorf("%+v", r)
	}
	for _, c := range []struct{ name, want string }{
		{"bounds", "map[findings:{0 3 0} risk:{20 0 0}]"},
		{"verify", "[{quotes [] 0 retry} {tokens [] 90 drop} {grounded [findings] 0 fallback}]"},
		{"fallback", "{code.locate map[limit:{ 3} question:{input.text <nil>}] { <nil>}  }"},
	} {
		got := map[string]any{"bounds": r.Bounds, "verify": r.Verify, "fallback": *r.Fallback}[c.name]
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// What a role says elsewhere adds to it, but for what stands in its model's place:
// that is one thing.
func TestRolesOfTwoLayers(t *testing.T) {
	first := write(t, &txtar.Archive{Files: []txtar.File{{Name: "a.cue", Data: []byte("package compactor\n" + wholeRole)}}})
	second := write(t, &txtar.Archive{Files: []txtar.File{{Name: "b.cue", Data: []byte(`package compactor
roles: reviewer: {
	bounds: findings: each: 80
	verify: {quotes: {fields: ["quote"]}, tokens: "drop"}
	fallback: {error: "NO_REVIEW", message: "none"}
}
roles: locator: {purpose: "p", prompt: "x"}
`)}}})
	cfg, list, err := config.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: first}, {Dir: second}}})
	if err != nil || list.HasErrors() {
		t.Fatal(err, list.Err())
	}
	r := cfg.Roles["reviewer"]
	if got := r.Bounds["findings"]; got != (config.Bound{Entries: 3, Each: 80}) {
		t.Errorf("bounds %+v", got)
	}
	if got := fmt.Sprint(r.Verify); got != "[{quotes [quote] 0 drop} {tokens [] 0 drop} {grounded [findings] 0 fallback}]" {
		t.Errorf("verify %s", got)
	}
	if f := r.Fallback; f.Builtin != "" || len(f.With) != 0 || f.Error != "NO_REVIEW" {
		t.Errorf("fallback %+v", f)
	}
	if l := cfg.Roles["locator"]; l.Ground != "code.locate" || l.Purpose != "p" || len(l.Tools) == 0 {
		t.Errorf("other words of a role take its builtin away: %+v", l)
	}
}
