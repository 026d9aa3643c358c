package catalog

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// Catalog is a set of builtins by name.
type Catalog struct {
	byName map[string]Builtin
	names  []string
}

// Of makes a catalog of builtins. Two with the same name are a programming error.
func Of(list ...Builtin) (Catalog, error) {
	c := Catalog{byName: make(map[string]Builtin, len(list))}
	for _, b := range list {
		if _, twice := c.byName[b.Name]; twice {
			return Catalog{}, fmt.Errorf("builtin %s: declared twice", b.Name)
		}
		c.byName[b.Name] = b
		c.names = append(c.names, b.Name)
	}
	slices.Sort(c.names)
	return c, nil
}

// Get returns the builtin with the given name.
func (c Catalog) Get(name string) (Builtin, bool) {
	b, ok := c.byName[name]
	return b, ok
}

// Names lists all builtins, sorted.
func (c Catalog) Names() []string { return slices.Clone(c.names) }

// Match returns the builtins that match a name or a glob such as code.*.
func (c Catalog) Match(pattern string) []Builtin {
	var out []Builtin
	for _, n := range c.names {
		if ok, _ := path.Match(pattern, n); ok {
			out = append(out, c.byName[n])
		}
	}
	return out
}

// IsGlob reports whether a tool permission is a pattern rather than a name.
func IsGlob(pattern string) bool { return strings.ContainsAny(pattern, "*?[") }
