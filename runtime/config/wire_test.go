package config

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// configurations are all that tests of this repository load, the wrong ones too.
func configurations(t testing.TB) map[string]string {
	t.Helper()
	out := map[string]string{"built-in": ""}
	for _, pattern := range []string{"testdata/mistakes/*.txtar", "../pipeline/plan/testdata/mistakes/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			for _, f := range ar.Files {
				put(t, dir, f.Name, f.Data)
			}
			out[filepath.Base(file)] = dir
		}
	}
	recorded, err := filepath.Abs("../../testdata/config")
	if err != nil {
		t.Fatal(err)
	}
	out["recorded"] = recorded
	out["shipped files copied"] = t.TempDir()
	err = fs.WalkDir(compactor.Defaults, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (name == "roles.cue" || strings.HasPrefix(name, "pipelines/")) {
			text, _ := fs.ReadFile(compactor.Defaults, name)
			put(t, out["shipped files copied"], name, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range strings.Split(string(readme), "```cue\n")[1:] {
		text, _, _ := strings.Cut(block, "```")
		dir := t.TempDir()
		put(t, dir, "readme.cue", []byte(text))
		put(t, dir, "lines.cue", []byte(strings.ReplaceAll("package compactor\nroles: locator: prompt: \"\"\"\n\tone\n\ttwo\n\t\"\"\"\n", "\n", "\r\n")))
		out["readme "+strconv.Itoa(i)] = dir
	}
	own := t.TempDir()
	put(t, own, "all.cue", []byte(handed))
	out["kinds of values"] = own
	return out
}

const handed = `package compactor
import "strings"
roles: locator: with: {
	int: 3, float: 3.0, big: 9223372036854775807, no: null, yes: true, list: [1, 2.5, "x", [], {}], "text with \" and ü": "input.question"
	none: {}, joined: strings.Join(["a", "b"], "")
}
toolRules: [{pattern: ["**"], enabled: false}, {pattern: ["a"], tags: ["t"]}]
servers: a: {command: "b", env: {}, tools: {}}
pipelines: kinds: {
	input: {
		// what is asked
		question: string & !=""
		n?:       int & >=0 & <=0
		f:        *0.5 | number
		e:        *"a" | "b"
		open: {[string]: int}
		list: [...{deep: {deeper: [...string]}}]
		word?: =~"^a"
	}
	stages: s: {builtin: "code.locate", when: "input.n == 0", with: {question: "input.question", n: 0}, onError: "fallback", fallback: {a: [0, 0.0, false, null]}}
	output: "s"
}
`

func put(t testing.TB, dir, name string, text []byte) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

func handedOver(t testing.TB, l Loaded) Loaded {
	t.Helper()
	data, err := l.Encode(compactor.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Decode(data, compactor.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestAConfigurationComesOverWhole holds what was handed over against what was
// loaded, in all that anybody reads of it.
func TestAConfigurationComesOverWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	for name, dir := range configurations(t) {
		t.Run(name, func(t *testing.T) {
			cfg, list, err := Load(context.Background(), Options{Defaults: compactor.Defaults, Layers: layersOf(dir)})
			if err != nil {
				t.Fatal(err)
			}
			got := handedOver(t, Loaded{Config: cfg, Diagnostics: list})
			if !reflect.DeepEqual(got.Diagnostics, list) {
				t.Errorf("diagnostics\n%v\nwere\n%v", got.Diagnostics, list)
			}
			if !bytes.Equal(Show(got.Config, nil), Show(cfg, nil)) {
				t.Error("config show prints something else")
			}
			sameConfig(t, got.Config, cfg)
			// The same directory as a project's, over one of the user's own.
			if cfg, list, err = Load(context.Background(), Options{Defaults: compactor.Defaults, Layers: projectOver(t, dir)}); err != nil {
				t.Fatal(err)
			}
			got = handedOver(t, Loaded{Config: cfg, Diagnostics: list})
			if !bytes.Equal(Show(got.Config, nil), Show(cfg, nil)) {
				t.Error("config show prints something else of a project's")
			}
			sameConfig(t, got.Config, cfg)
			sameConfig(t, got.Config.Base, cfg.Base)
		})
	}
}

func layersOf(dir string) []Layer {
	if dir == "" {
		return nil
	}
	return []Layer{{Dir: dir, Display: "shown"}}
}

func projectOver(t *testing.T, dir string) []Layer {
	t.Helper()
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "a.cue"), []byte("package compactor\n\nservers: mine: command: \"x\"\ntoolRules: [{pattern: [\"a\"], enabled: true}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	layers := []Layer{{Dir: own, Display: "own"}}
	if dir != "" {
		layers = append(layers, Layer{Dir: dir, Display: "shown", Project: true})
	}
	return layers
}

func sameConfig(t *testing.T, got, was *Config) {
	t.Helper()
	if (got == nil) != (was == nil) {
		t.Fatalf("%v, was %v", got, was)
	}
	if got == nil {
		return
	}
	a, b := *got, *was
	a.Source, b.Source, a.Base, b.Base = nil, nil, nil, nil
	if !reflect.DeepEqual(a, b) {
		t.Errorf("the configuration\n%+v\nwas\n%+v", a, b)
	}
	samePlaces(t, got.Source, was.Source)
}

func samePlaces(t *testing.T, got, was *Source) {
	t.Helper()
	if got.Hash() != was.Hash() || !reflect.DeepEqual(got.Files(), was.Files()) {
		t.Errorf("%s %v, was %s %v", got.Hash(), got.Files(), was.Hash(), was.Files())
	}
	for _, name := range was.Files() {
		if !bytes.Equal(got.Text(name), was.Text(name)) {
			t.Errorf("the text of %s", name)
		}
	}
	asked := 0
	ask := func(path []string) {
		asked++
		if g, w := got.At(path...), was.At(path...); g != w {
			t.Errorf("%v is at %v, was at %v", path, g, w)
		}
		if g, w := got.Origin(path...), was.Origin(path...); g != w {
			t.Errorf("%v is from %v, was from %v", path, g, w)
		}
		if g, w := got.InString(path, 1, 3), was.InString(path, 1, 3); g != w {
			t.Errorf("in %v: %v, was %v", path, g, w)
		}
	}
	var types func(s *schema.Schema, path []string)
	types = func(s *schema.Schema, path []string) {
		if s == nil {
			return
		}
		for _, f := range s.Fields {
			at := append(path[:len(path):len(path)], f.Name)
			ask(at)
			types(f.Schema, at)
		}
		types(s.Items, path)
	}
	var walk func(n *node, path []string)
	walk = func(n *node, path []string) {
		ask(path)
		ask(append(path[:len(path):len(path)], "nowhere"))
		for _, f := range n.fields {
			walk(f.value, append(path[:len(path):len(path)], f.name))
		}
		for i, item := range n.items {
			walk(item, append(path[:len(path):len(path)], strconv.Itoa(i)))
		}
		types(n.typ, path)
	}
	walk(was.tree, nil)
	if asked < 500 {
		t.Errorf("only %d places", asked)
	}
}

// TestEveryFieldOfADiagnosticComesOver fills all of them, those of later
// versions too.
func TestEveryFieldOfADiagnosticComesOver(t *testing.T) {
	var d diag.Diagnostic
	fillIn(reflect.ValueOf(&d).Elem())
	got := handedOver(t, Loaded{Diagnostics: diag.List{d, {}}, Err: os.ErrNotExist})
	if !reflect.DeepEqual(got.Diagnostics, diag.List{d, {}}) || got.Err == nil || got.Err.Error() != os.ErrNotExist.Error() || got.Config != nil {
		t.Errorf("%+v", got)
	}
}

// TestEveryFieldOfATypeComesOver does so for schemas.
func TestEveryFieldOfATypeComesOver(t *testing.T) {
	var s schema.Schema
	v := reflect.ValueOf(&s).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Type() == reflect.TypeFor[*schema.Schema]() {
			f.Set(reflect.ValueOf(&schema.Schema{Type: schema.Integer, Min: new(float64), MinLen: new(int), Fields: []schema.Field{}, Enum: []any{}}))
			continue
		}
		fillIn(v.Field(i))
	}
	s.Fields[0].Schema = &schema.Schema{Type: schema.String}
	s.Enum, s.Default = []any{nil, int64(1), 1.0, 1e300, "x", "\xff", true, []any{}}, map[string]any{"a": []any{map[string]any{}}}
	tree := &node{kind: structNode, fields: []nodeField{{"a", &node{kind: typeNode, typ: &s}}}}
	got := handedOver(t, Loaded{Config: &Config{Source: &Source{tree: tree}}}).Config.Source.tree.get("a")
	if got == nil || !reflect.DeepEqual(got.typ, &s) {
		t.Errorf("%+v", got)
	}
}

// fillIn sets a value to something that is not its zero.
func fillIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x" + v.Type().Name())
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Struct:
		for i := range v.NumField() {
			fillIn(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillIn(v.Index(0))
	case reflect.Pointer:
		if v.Type().Elem().Kind() != reflect.Struct {
			v.Set(reflect.New(v.Type().Elem()))
			fillIn(v.Elem())
		}
	}
}

func TestWhatIsTooLargeIsNotHandedOver(t *testing.T) {
	src := func(n *node) Loaded { return Loaded{Config: &Config{Source: &Source{tree: n}}} }
	wide := &node{kind: listNode}
	for range maxValues {
		wide.items = append(wide.items, &node{kind: scalarNode})
	}
	if _, err := src(wide).Encode(compactor.Defaults); err != ErrTooLarge {
		t.Errorf("wide: %v", err)
	}
	deep := &node{kind: listNode}
	for range maxNesting {
		deep = &node{kind: listNode, items: []*node{deep}}
	}
	if _, err := src(deep).Encode(compactor.Defaults); err != ErrTooDeep {
		t.Errorf("deep: %v", err)
	}
	types := &schema.Schema{}
	for range maxNesting {
		types = &schema.Schema{Type: schema.Array, Items: types}
	}
	if _, err := src(&node{kind: typeNode, typ: types}).Encode(compactor.Defaults); err != ErrTooDeep {
		t.Errorf("a type: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	typ := &schema.Schema{Fields: []schema.Field{{Name: "a", Schema: &schema.Schema{Enum: []any{1, nil}}}}}
	src := &file{name: "a.cue", text: []byte("a: 1"), side: written}
	tree := &node{kind: structNode, fields: []nodeField{{"t", &node{kind: typeNode, typ: typ}},
		{"a", &node{kind: scalarNode, scalar: int64(1), key: span{src, 0, 1}, value: span{src, 3, 4}, lit: "1"}}}}
	whole, err := Loaded{Config: &Config{Source: &Source{tree: tree, files: []*file{src}}}}.Encode(compactor.Defaults)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Decode(data, compactor.Defaults)
		if err == nil && l.Config == nil && l.Err == nil {
			t.Error("neither a configuration nor an error")
		}
	})
}

func BenchmarkHandover(b *testing.B) {
	cfg, list, err := Load(context.Background(), Options{Defaults: compactor.Defaults})
	if err != nil {
		b.Fatal(err)
	}
	l := Loaded{Config: cfg, Diagnostics: list}
	for b.Loop() {
		data, _ := l.Encode(compactor.Defaults)
		if _, err := Decode(data, compactor.Defaults); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(data)), "bytes")
	}
}

// TestOneTextAtManyPlacesIsNotCopied: a comprehension makes many values of one
// literal, which is sent once.
func TestOneTextAtManyPlacesIsNotCopied(t *testing.T) {
	f := &file{name: "a.cue", text: []byte(strings.Repeat("x", 1<<20)), side: written}
	tree := &node{kind: listNode}
	lit := string(f.text)
	for range 500 {
		tree.items = append(tree.items, &node{kind: scalarNode, scalar: "x", value: span{f, 0, 1 << 20}, lit: lit})
	}
	data, err := Loaded{Config: &Config{Source: &Source{tree: tree, files: []*file{f}}}}.Encode(compactor.Defaults)
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	l, err := Decode(data, compactor.Defaults)
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; err != nil || l.Config == nil || used > 64 {
		t.Errorf("%v, %d MiB for one of %d", err, used, len(f.text)>>20)
	}
}
