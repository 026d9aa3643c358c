package trust

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// roots are directories outside of the project, by the place that their names
// lead to.
func (j *judge) roots() {
	for _, kind := range sorted(j.cfg.Roots) {
		var far []string
		for _, dir := range j.cfg.Roots[kind] {
			if !slices.Contains(j.base.Roots[kind], dir) && !j.near(dir) {
				far = append(far, "reads "+Real(j.absolute(dir)))
			}
		}
		if len(far) > 0 {
			j.add("root", []string{"roots", kind}, far...)
		}
	}
}

// near reports whether a directory lies in the project, or in a root that the
// command line names.
func (j *judge) near(dir string) bool {
	real := Real(j.absolute(dir))
	return slices.ContainsFunc(append([]string{j.world.Project}, j.world.Roots...), func(d string) bool { return Within(real, Real(d)) })
}

// absolute is a path of the configuration as it is opened: relative to where
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
