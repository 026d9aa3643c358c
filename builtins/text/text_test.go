package text

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/compactor-mcp/compactor/builtins/text/compact"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// shelf is a catalog of the builtins of this package.
func shelf(t *testing.T) catalog.Catalog {
	t.Helper()
	c, err := catalog.Of(All()...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func run(t *testing.T, name string, in map[string]any) Out {
	t.Helper()
	b, ok := shelf(t).Get(name)
	if !ok {
		t.Fatalf("there is no builtin %s", name)
	}
	got, err := b.Run(t.Context(), &catalog.Env{}, in)
	if err != nil {
		t.Fatal(err)
	}
	return got.(Out)
}

// outputs are what real programs printed, by kind.
func outputs(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("compact/testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no outputs", err)
	}
	out := map[string]string{}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		kind, _, _ := strings.Cut(filepath.Base(f), "_")
		out[kind] = string(text)
	}
	return out
}

func TestEachKindHasABuiltin(t *testing.T) {
	for kind, text := range outputs(t) {
		t.Run(kind, func(t *testing.T) {
			bound := min(200, len(text)/8)
			found := run(t, "text.compact", map[string]any{"text": text, "tokens": bound})
			if found.Kind != kind {
				t.Errorf("text.compact reads it as %s", found.Kind)
			}
			named := run(t, "text."+kind, map[string]any{"text": text, "tokens": bound})
			if named != found {
				t.Errorf("text.%s gives something else:\n%s\n%s", kind, named.Text, found.Text)
			}
			if len(found.Text) > 4*bound || found.Whole || found.Original <= found.Tokens || found.Units <= 0 && kind != "html" {
				t.Errorf("%+v", found)
			}
			if bad := compact.Faithful(text, found.Text); len(bad) > 0 && kind != "html" {
				t.Errorf("not in the text: %q", bad)
			}
		})
	}
}

func TestAnyTextAsAnyKind(t *testing.T) {
	texts := outputs(t)
	texts["empty"] = ""
	texts["binary"] = strings.Repeat("\x00\x01\xff\xfe\x89PNG", 2000)
	texts["one line"] = strings.Repeat("x", 200_000)
	texts["deep"] = strings.Repeat(`[{"a":`, 50_000)
	for name, text := range texts {
		for _, b := range ofTexts() {
			v, err := b.Run(t.Context(), &catalog.Env{}, map[string]any{"text": text, "tokens": 100})
			if err != nil {
				t.Fatalf("%s of %s: %v", b.Name, name, err)
			}
			if out := v.(Out); len(out.Text) > 400 || out.Text == "" && text != "" && name != "binary" {
				t.Errorf("%s of %s: %d bytes: %q", b.Name, name, len(out.Text), out.Text)
			}
		}
	}
}

// ofTexts are the builtins that take a text.
func ofTexts() []catalog.Builtin {
	return slices.DeleteFunc(All(), func(b catalog.Builtin) bool { return b.In.Field("text") == nil })
}

func TestWhatFitsIsWhole(t *testing.T) {
	for _, b := range ofTexts() {
		v, err := b.Run(t.Context(), &catalog.Env{}, map[string]any{"text": "two words"})
		if err != nil {
			t.Fatal(err)
		}
		if out := v.(Out); out.Text != "two words" || !out.Whole || out.Tokens != 2 {
			t.Errorf("%s: %+v", b.Name, out)
		}
	}
}

func TestTheSubjectComesFirst(t *testing.T) {
	var lines []string
	for i := range 2000 {
		lines = append(lines, "The ship of the line "+strings.Repeat("sails on ", i%7)+"and nothing is seen.")
	}
	lines[1234] = "The lighthouse of Hanstholm was seen at noon."
	in := map[string]any{"text": strings.Join(lines, "\n"), "tokens": 100, "arguments": map[string]any{"query": "Hanstholm lighthouse"}}
	if got := run(t, "text.compact", in); !strings.Contains(got.Text, lines[1234]) {
		t.Error(got.Text)
	}
	in["tokens"] = 20
	b, _ := shelf(t).Get("text.compact")
	if _, err := b.Run(t.Context(), &catalog.Env{}, in); err == nil && len(run(t, "text.compact", in).Text) > 80 {
		t.Error("a bound below the least is taken and not kept")
	}
}

func TestNamesAreThoseOfKinds(t *testing.T) {
	names := shelf(t).Names()
	for _, want := range []string{"compact", "compiler", "diff", "hits", "html", "json", "listing", "log", "markdown", "prose", "source", "table", "tests", "trace", "tree"} {
		if !slices.Contains(names, "text."+want) {
			t.Errorf("text.%s is not in %v", want, names)
		}
	}
}
