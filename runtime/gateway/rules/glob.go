package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/glob"
)

// maxForms bounds what the groups of one pattern multiply to.
const maxForms = 256

// forms are a glob with *, ?, [ab], {a,b} and \ before a character that stands
// for itself, its groups written out.
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

// match holds a name in lower case against the glob.
func (f forms) match(name string) bool {
	return slices.ContainsFunc(f, func(p string) bool { return glob.Folded.Match(p, name) })
}

// fold is the form in which names are compared with globs.
func fold(s string) string { return strings.ToLower(s) }
