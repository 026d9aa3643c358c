package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// maxForms limits the number of forms that a pattern's groups expand to.
const maxForms = 256

// forms are a glob with *, ?, [ab], {a,b} and \ to escape a character, with its groups expanded.
type forms []string

func compileGlob(text string) (forms, error) {
	list, err := glob.Groups(text, maxForms)
	for i := 0; i < len(list) && err == nil; i++ {
		err = glob.Check(list[i])
	}
	if err != nil {
		return nil, fmt.Errorf("%q: %w", text, err)
	}
	return list, nil
}

// match reports whether a lower-case name matches the glob.
func (f forms) match(name string) bool {
	return slices.ContainsFunc(f, func(p string) bool { return glob.Folded.Match(p, name) })
}

// fold returns a name in the form that globs are compared with.
func fold(s string) string { return strings.ToLower(s) }
