package config

import (
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cuelang.org/go/cue"
	"cuelang.org/go/cue/build"
	"cuelang.org/go/cue/cuecontext"
	"cuelang.org/go/cue/errors"
	"cuelang.org/go/cue/parser"
	"cuelang.org/go/cue/token"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/compactor-mcp/compactor"
)

// oursAlone are the mistakes that CUE's own validation lets pass, and why.
var oursAlone = map[string]string{
	"cycle":           "CUE says so only of values that must be concrete, and part of a configuration need not be",
	"incomplete":      "the same",
	"missing_fields":  "the same: what the user leaves out is in the shipped part",
	"package_missing": "files are handed to CUE here without regard to their package",
	"package_other":   "the same",
	"regex":           "CUE does not compile a redaction pattern, nor try its example",
	"test_replies":    "paths of recordings are compared by where they lead",
	"type_cycle":      "a reference to itself is any value to CUE",
	"type_union":      "CUE has more types than a flat schema",

	"type_cycle_computed": "a reference to itself is any value to CUE",
}

// TestMistakesAreMistakesToCUE runs every golden mistake through CUE's own
// validation. Two validators that drift apart bless what the other refuses.
func TestMistakesAreMistakesToCUE(t *testing.T) {
	files, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	unused := maps.Clone(oursAlone)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".txtar")
		ar, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sources := map[string][]byte{}
		for _, part := range ar.Files {
			if strings.HasSuffix(part.Name, ".cue") {
				sources[part.Name] = part.Data
			}
		}
		delete(unused, name)
		switch said, why := validateByCUE(sources), oursAlone[name]; {
		case said == nil && why == "":
			t.Errorf("%s: CUE accepts it", name)
		case said != nil && why != "":
			t.Errorf("%s: listed as ours alone, but CUE says %v", name, errors.Details(said, nil))
		}
	}
	for name := range unused {
		t.Errorf("%s: no such mistake", name)
	}
}

// TestWhatIsValidIsValidToCUE runs what we accept through CUE's own validation.
func TestWhatIsValidIsValidToCUE(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	shipped := map[string][]byte{}
	err := fs.WalkDir(compactor.Defaults, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".cue") && (filepath.Dir(path) == "." || strings.HasPrefix(path, "pipelines/")) {
			shipped[path], err = fs.ReadFile(compactor.Defaults, path)
		}
		return err
	})
	if err != nil || len(shipped) < 5 {
		t.Fatal(len(shipped), err)
	}
	if err := validateByCUE(shipped); err != nil {
		t.Errorf("the shipped configuration: %s", errors.Details(err, nil))
	}
	accepted := 0
	for name, dir := range configurations(t) {
		if dir == "" {
			continue
		}
		_, list, err := Load(context.Background(), Options{Defaults: compactor.Defaults, Layers: []Layer{{Dir: dir}}})
		if err != nil {
			t.Fatal(err)
		}
		if list.HasErrors() {
			continue
		}
		accepted++
		sources := map[string][]byte{}
		files, _ := filepath.Glob(filepath.Join(dir, "*.cue"))
		for _, f := range files {
			if sources[f], err = os.ReadFile(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := validateByCUE(sources); err != nil {
			t.Errorf("%s: %s", name, errors.Details(err, nil))
		}
	}
	if accepted < 5 {
		t.Errorf("only %d configurations are accepted", accepted)
	}
}

// validateByCUE is CUE's own opinion of files of one package, held against #Config.
func validateByCUE(sources map[string][]byte) error {
	ctx := cuecontext.New()
	schemas := build.NewContext().NewInstance("", nil)
	schemas.ImportPath = "compactor.local/schemas"
	names, err := fs.Glob(compactor.Defaults, "schemas/*.cue")
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := fs.ReadFile(compactor.Defaults, name)
		if err != nil {
			return err
		}
		if err := addFile(schemas, name, text); err != nil {
			return err
		}
	}
	closed := ctx.BuildInstance(schemas).LookupPath(cue.ParsePath("#Config"))
	if err := closed.Err(); err != nil {
		return err
	}
	inst := build.NewContext(build.Loader(func(_ token.Pos, path string) *build.Instance {
		if path == schemas.ImportPath {
			return schemas
		}
		return nil
	})).NewInstance("", nil)
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		if err := addFile(inst, name, sources[name]); err != nil {
			return err
		}
	}
	if err := inst.Complete(); err != nil {
		return err
	}
	v := ctx.BuildInstance(inst)
	if err := v.Err(); err != nil {
		return err
	}
	return closed.Unify(v).Validate()
}

func addFile(to *build.Instance, name string, text any) error {
	file, err := parser.ParseFile(name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	return to.AddSyntax(file)
}
