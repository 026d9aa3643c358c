package consent

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/config"
)

// addRoots adds directories that lie outside of the project after links are resolved.
func (j *judge) addRoots() {
	for _, kind := range sorted(j.cfg.Roots) {
		var far []string
		for _, dir := range j.cfg.Roots[kind] {
			if !slices.Contains(j.base.Roots[kind], dir) && !j.isNear(dir) {
				far = append(far, "reads "+Real(j.absolute(dir)))
			}
		}
		if len(far) > 0 {
			j.add("root", []string{"roots", kind}, far...)
		}
	}
}

// addCollections adds documents that lie outside of the project. That includes directories
// of a root kind that the user has declared for another purpose.
func (j *judge) addCollections() {
	for _, name := range sorted(j.cfg.Collections) {
		if _, mine := j.base.Collections[name]; mine {
			continue
		}
		var far []string
		for _, dir := range j.cfg.Collections[name].Roots {
			dirs, kind := j.cfg.Roots[dir]
			if !kind {
				dirs = []string{dir}
			}
			for _, dir := range dirs {
				if !j.isNear(dir) {
					far = append(far, "indexes "+Real(j.absolute(dir)))
				}
			}
		}
		far = append(far, j.sentToModels(j.cfg.Collections[name])...)
		if p := j.cfg.Collections[name].Static.Path; p != "" {
			far = append(far, j.farTables(p)...)
		}
		if len(far) > 0 {
			j.add("root", []string{"collections", name}, far...)
		}
	}
}

// sentToModels returns what a collection makes the user's own models read. The project's models are separate items.
func (j *judge) sentToModels(c config.Collection) (does []string) {
	for _, use := range []struct{ model, does string }{
		{c.Embeddings.Model, "sends its documents and what is asked to the model "},
		{c.Rerank.Model, "sends passages and what is asked to the model "},
	} {
		m, known := j.cfg.Models[use.model]
		if known && reflect.DeepEqual(m, j.base.Models[use.model]) && !isHarmless(m, j.world.Dir) {
			does = append(does, use.does+use.model)
		}
	}
	return does
}

// farTables returns the files of a word-vector table that lie outside of the project once links are resolved.
func (j *judge) farTables(path string) (does []string) {
	for _, name := range []string{"", "model.safetensors", "tokenizer.json"} {
		if file := filepath.Join(j.absolute(path), name); !j.isNear(file) && (name == "" || len(does) == 0) {
			does = append(does, "reads "+Real(file))
		}
	}
	return does
}

// isNear reports whether a directory lies in the project, or in a root named on the
// command line.
func (j *judge) isNear(dir string) bool {
	real := Real(j.absolute(dir))
	return slices.ContainsFunc(append([]string{j.world.Project}, j.world.Roots...), func(d string) bool { return Within(real, Real(d)) })
}

// absolute returns a path of the configuration as it will be opened: relative to where
// compactor is started.
func (j *judge) absolute(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(j.world.Work, path)
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

func quoteAll(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = quote(s)
	}
	return out
}
