package judge

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// defaults are the arguments that have a default; nil means none.
type defaults struct {
	names map[string]bool
	sum   string // hash of the names: equal for equal names
}

// sharedNames is how many names inherited from above cost as much as a schema: each part of an object has them all.
const sharedNames = 16

func (d *defaults) has(name string) bool { return d != nil && d.names[name] }

func (d *defaults) key() string {
	if d == nil {
		return ""
	}
	return d.sum
}

// withDefaults adds the members that have a default, here or in a part.
func (r *rewriter) withDefaults(in object, above *defaults) *defaults {
	own := map[string]bool{}
	r.collectDefaults(in, own, 0)
	maps.DeleteFunc(own, func(name string, _ bool) bool { return above.has(name) })
	if len(own) == 0 {
		return above
	}
	if above != nil {
		r.nodes += len(above.names) / sharedNames
		maps.Copy(own, above.names)
	}
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(own)) {
		fmt.Fprintf(h, "%d %s", len(name), name)
	}
	return &defaults{own, string(h.Sum(nil))}
}

func (r *rewriter) collectDefaults(in object, into map[string]bool, depth int) {
	props, _ := in["properties"].(object)
	for name, p := range props {
		if r.hasDefault(p) {
			into[name] = true
		}
	}
	parts, _ := in["allOf"].([]any)
	for _, p := range parts {
		if part, ok := p.(object); ok && depth < 3 {
			r.collectDefaults(part, into, depth+1)
		}
	}
}
