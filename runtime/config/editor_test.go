package config_test

import (
	"os"
	"path"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/config"
)

// wholeRole sets all that a role has of types, checks and fallbacks.
const wholeRole = `roles: reviewer: {
	purpose: "review"
	prompt:  "Review {{ input.text }}."
	task:    "free"
	#input: {text: string, most: int | *3}
	#output: {risk: "low" | "high", findings: [...{quote: string, line?: int}]}
	bounds: {findings: {entries: 3}, risk: 20}
	verify: {quotes: "retry", tokens: {most: 90}, grounded: {fields: ["findings"], fail: "fallback"}}
	fallback: {builtin: "code.locate", with: {question: "input.text", limit: 3}}
}
`

// With what init writes for editors CUE itself knows the fields, and requires none.
func TestEditor(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{name: "the starter", file: "compactor.cue", text: string(config.Starter()["compactor.cue"])},
		{name: "a part of a role", file: "a.cue", text: "package compactor\nroles: locator: budget: files: 7\n"},
		{name: "a definition by its name", file: "a.cue", text: "package compactor\nx: #Role & {purpose: \"p\"}\nroles: r: x\n"},
		{name: "an import", file: "a.cue", text: "package compactor\nimport \"compactor.local/schemas\"\nschemas.#Config\nroles: locator: prompt: \"p\"\n"},
		{name: "a pipeline", file: "pipelines/a.cue", text: "package compactor\npipelines: p: stages: a: {role: \"locator\", max: 8}\n"},
		{name: "a role of types", file: "a.cue", text: "package compactor\n" + wholeRole},
		{name: "an outcome that is none", file: "a.cue", text: "package compactor\nroles: r: verify: quotes: \"drp\"\n", want: "r.verify.quotes"},
		{name: "a bound that is none", file: "a.cue", text: "package compactor\nroles: r: bounds: x: each: -1\n", want: "r.bounds.x"},
		{name: "a misspelt field", file: "a.cue", text: "package compactor\nroles: locator: budget: filez: 7\n", want: "filez: field not allowed"},
		{name: "beyond a bound", file: "pipelines/a.cue", text: "package compactor\npipelines: p: stages: a: max: 0\n", want: "out of bound"},
		{name: "another kind", file: "a.cue", text: "package compactor\nservers: s: args: \"-y\"\n", want: "mismatched types"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, err := config.Editor(compactor.Defaults)
			if err != nil {
				t.Fatal(err)
			}
			said := ""
			if err := evaluated(t, files, c.file, c.text).Validate(cue.Concrete(false)); err != nil {
				said = errors.Details(err, nil)
			}
			if c.want == "" && said != "" || !strings.Contains(said, c.want) {
				t.Errorf("%q, want %q", said, c.want)
			}
		})
	}
}

// evaluated is a file of a configuration as CUE's own rules put it together with
// what lies beside it for editors.
func evaluated(t *testing.T, files map[string][]byte, name, text string) cue.Value {
	t.Helper()
	definitions := build.NewContext().NewInstance("", nil)
	for at, text := range files {
		if path.Dir(at) == config.EditorSchemas {
			add(t, definitions, at, text)
		}
	}
	inst := build.NewContext(build.Loader(func(_ token.Pos, path string) *build.Instance {
		if "cue.mod/pkg/"+path == config.EditorSchemas {
			return definitions
		}
		return nil
	})).NewInstance("", nil)
	for at, text := range map[string]any{config.EditorFile: files[config.EditorFile], name: text} {
		add(t, inst, at, text)
	}
	if err := inst.Complete(); err != nil {
		t.Fatal(err)
	}
	return cuecontext.New().BuildInstance(inst)
}

func add(t *testing.T, to *build.Instance, at string, text any) {
	t.Helper()
	file, err := parser.ParseFile(at, text, parser.ParseComments)
	if err == nil {
		err = to.AddSyntax(file)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A project may bring what it likes under these names: none of it is read.
func TestEditorFilesAreNotRead(t *testing.T) {
	hostile := "package compactor\n\nservers: evil: command: \"sh\"\n"
	for name, warns := range map[string]bool{config.EditorFile: true, "cue.mod/module.cue": false, config.EditorSchemas + "/role.cue": false,
		"cue.mod/usr/compactor.local/schemas/x.cue": false} {
		cfg, list := load(t, map[string]string{name: hostile, "a.cue": "package compactor\n"})
		if len(cfg.Servers) > 0 || list.HasErrors() || (len(list) > 0) != warns {
			t.Errorf("%s: %d servers, %v", name, len(cfg.Servers), list)
		}
	}
	files, err := config.Editor(compactor.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	more := string(files[config.EditorFile]) + strings.TrimPrefix(hostile, "package compactor")
	if cfg, list := load(t, map[string]string{config.EditorFile: more, "a.cue": "package compactor\n"}); len(cfg.Servers) > 0 || len(list) > 0 {
		t.Errorf("with the head of a written one: %d servers, %v", len(cfg.Servers), list)
	}
}

func TestStale(t *testing.T) {
	files, err := config.Editor(compactor.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	stale := func() string {
		names, err := config.Stale(compactor.Defaults, func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return text, nil
			}
			return nil, os.ErrNotExist
		})
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(names, " ")
	}
	if got := stale(); got != "" {
		t.Errorf("as written: %s", got)
	}
	files["cue.mod/module.cue"] = []byte("module: \"mine.example@v0\"\n")
	role := config.EditorSchemas + "/role.cue"
	files[role] = append(files[role], "// older"...)
	if got := stale(); got != role {
		t.Errorf("changed: %s", got)
	}
	clear(files)
	if got := stale(); got != "" {
		t.Errorf("none there: %s", got)
	}
}
