package usage

import (
	"fmt"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/lang/symbols"
	"github.com/compactor-mcp/compactor/runtime/retrieval/coderank"
)

// DescribeUsers returns a finding on where a definition is certainly used, or that it is not used
// if nothing else in the tree has its name.
func DescribeUsers(all []Callers, d symbols.Def, name, ref string, most int) (string, []string) {
	for _, c := range all {
		if c.Name != d.Name || (c.Ref != "" && c.Ref != ref) {
			continue
		}
		verb, calls := "used", d.Kind.IsCallable()
		if calls {
			verb = "called"
		}
		switch {
		case c.Total == 0 && (c.Named > 0 || c.Definers > 1 || calledByOthers(d, ref)):
			return "", nil
		case c.Total == 0:
			return strings.TrimSuffix(c.Denial, "."), nil
		case calls && c.Total == c.Values:
			verb = "used" // passed as a value, or a property
		}
		var parts, refs []string
		for _, u := range c.Uses {
			if calls && u.Value != (verb == "used") {
				continue
			}
			part := u.Ref
			if u.In != "" {
				part += " (`" + u.In + "`)"
			}
			parts = append(parts, part)
			refs = append(refs, u.Ref)
			if len(parts) == most {
				break
			}
		}
		if len(parts) == 0 {
			return "", nil
		}
		text := fmt.Sprintf("`%s` is %s from %s", name, verb, strings.Join(parts, ", "))
		if more := c.Total - len(parts); more > 0 {
			text += fmt.Sprintf(" and %d more", more)
			if c.Tests > 0 {
				text += fmt.Sprintf(" (%d in tests)", c.Tests)
			}
		}
		return text, refs[:min(len(refs), 2)]
	}
	return "", nil
}

// calledByOthers reports whether a runtime or a test runner calls the function, so that missing
// calls in the tree mean nothing.
func calledByOthers(d symbols.Def, ref string) bool {
	return d.Name == "main" || d.Name == "init" || strings.HasPrefix(d.Name, "__") || coderank.BucketOf(contract.ParseReference(ref).Path, nil) == coderank.Test
}
