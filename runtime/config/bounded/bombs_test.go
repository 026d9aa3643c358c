package bounded_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/config"
	"github.com/compactor-mcp/compactor/runtime/config/bounded"
)

// tight are limits that make the short form short. With COMPACTOR_LONG=1 the
// tests hold the limits that commands have.
func tight(t testing.TB) bounded.Limits {
	if os.Getenv("COMPACTOR_LONG") != "" {
		return bounded.DefaultLimits
	}
	return bounded.Limits{CPU: 400 * time.Millisecond, Wall: time.Hour, Memory: 256 << 20}
}

// bombs are directories of configurations that would take all there is.
func bombs(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, err := filepath.Glob("testdata/bombs/*.cue")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".cue")] = directory(t, string(text))
	}
	for name, text := range map[string]string{
		"a long sum":        "pool: workers: " + strings.Repeat("1+", 400_000) + "1",
		"brackets":          "roots: code: " + strings.Repeat("[", 400_000) + strings.Repeat("]", 400_000),
		"parentheses":       "pool: workers: " + strings.Repeat("(", 450_000) + "1" + strings.Repeat(")", 450_000),
		"braces":            "tests: t: input: " + strings.Repeat("{a: ", 100_000) + "1" + strings.Repeat("}", 100_000),
		"signs":             "pool: workers: " + strings.Repeat("-", 900_000) + "1",
		"a large regex":     `roles: locator: prompt: =~"` + strings.Repeat("(a{999})|", 400) + `b" & "aaaa"`,
		"alternatives":      "pool: workers: " + strings.Repeat("1|", 300_000) + "1",
		"a text of nothing": `roles: locator: prompt: "` + strings.Repeat(`\("")`, 150_000) + `" & "a"`,
	} {
		out[name] = directory(t, "package compactor\n"+text+"\n")
	}
	many := directory(t, "package compactor\n_x: ["+strings.Repeat("1,", 500_000)+"1]\n")
	for i := 1; i < 1_000; i++ { // one text with as many names: a gigabyte to read, not to write
		if err := os.Link(filepath.Join(many, "f000.cue"), filepath.Join(many, fmt.Sprintf("f%03d.cue", i))); err != nil {
			t.Fatal(err)
		}
	}
	out["a thousand files"] = many
	return out
}

func directory(t testing.TB, texts ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%03d.cue", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestBombsEndWithADiagnostic loads each. The limits are the child's own, so that
// a busy machine makes no difference; the clock here only tells a hang.
func TestBombsEndWithADiagnostic(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	limits := tight(t)
	for name, dir := range bombs(t) {
		t.Run(name, func(t *testing.T) {
			cfg, list, err := bounded.Loader{Limits: limits}.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir, Display: "bomb"}}})
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%.150s", list.Err())
			if cfg == nil || len(cfg.Roles) == 0 {
				t.Error("no configuration stands in for it")
			}
			if name == "stages" { // it is the plan that refuses these
				if len(cfg.Pipelines["big"].Stages) != 1_000 && !list.HasErrors() {
					t.Error("neither stages nor a diagnostic")
				}
				return
			}
			if !list.HasErrors() {
				t.Fatal("no diagnostic")
			}
			for _, d := range list {
				if !strings.HasPrefix(d.Range.File, "bomb") || d.Message == "" {
					t.Errorf("%+v", d)
				}
			}
		})
	}
}

// TestTheCauseIsSaid holds the words for the limits that there are.
func TestTheCauseIsSaid(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		limits           bounded.Limits
	}{
		{"time", "import \"list\"\n_r: list.Range(0, 1000, 1)\nroots: code: [for a in _r for b in _r for c in _r {\"a\"}]", "more than 300ms of CPU time",
			bounded.Limits{CPU: 300 * time.Millisecond, Wall: time.Hour, Memory: 4 << 30}},
		{"memory", "import \"strings\"\nroles: locator: prompt: strings.Repeat(strings.Repeat(\"x\", 100000), 100000)", "more than 200 MiB of memory",
			bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 200 << 20}},
		{"stack", "pool: workers: " + strings.Repeat("1+", 400_000) + "1", "nested too deeply", bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 4 << 30}},
		{"clock", "roots: code: [\"\\(\".\")\"]", "longer than 1ms", bounded.Limits{CPU: time.Minute, Wall: time.Millisecond, Memory: 1 << 30}},
		{"values", "import \"list\"\nroles: {for i in list.Range(0, 9000, 1) {\"r\\(i)\": {purpose: \"p\", ground: \"code.locate\", prompt: \"x\"}}}", "more than 100000 values",
			bounded.Limits{CPU: time.Hour, Wall: time.Hour, Memory: 4 << 30}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := directory(t, "package compactor\n"+c.text+"\n")
			_, list, err := bounded.Loader{Limits: c.limits}.Load(t.Context(), config.Options{Defaults: compactor.Defaults, Layers: []config.Layer{{Dir: dir, Display: "bomb"}}})
			if err != nil || len(list) != 1 || list[0].Code != "C011" || list[0].Severity != diag.Error || !strings.Contains(list[0].Message, c.want) || list[0].Help == "" {
				t.Errorf("%+v, %v; want %s", list, err, c.want)
			}
		})
	}
}
