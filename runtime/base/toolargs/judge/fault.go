package judge

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// Fault is one mistake and its place.
type Fault struct {
	Path    []string // names and indexes
	Message string
}

// faultsOf converts the library's tree of errors. It returns none if the schema is circular, which is its own mistake.
func faultsOf(e *jsonschema.ValidationError) []Fault {
	if isCircular(e) {
		return nil
	}
	found := collectFaults(e)
	slices.SortStableFunc(found, func(a, b Fault) int { // the library iterates over maps
		if c := slices.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Message, b.Message)
	})
	return slices.CompactFunc(found, func(a, b Fault) bool { return slices.Equal(a.Path, b.Path) && a.Message == b.Message })
}

func isCircular(e *jsonschema.ValidationError) bool {
	_, is := e.ErrorKind.(*kind.RefCycle)
	return is || slices.ContainsFunc(e.Causes, isCircular)
}

func collectFaults(e *jsonschema.ValidationError) []Fault {
	if _, ok := e.ErrorKind.(*kind.AnyOf); ok {
		return nearestFaults(e)
	}
	if len(e.Causes) == 0 {
		return leafFaults(e)
	}
	var out []Fault
	for _, c := range e.Causes {
		out = append(out, collectFaults(c)...)
	}
	return out
}

// nearestFaults returns the faults of the alternative that was probably meant: one for this type of value, with the fewest
// faults and the deepest. If all alternatives want another type, it names the types.
func nearestFaults(e *jsonschema.ValidationError) []Fault {
	var best, other []Fault
	var wants []string
	for _, c := range e.Causes {
		found := collectFaults(c)
		here := slices.ContainsFunc(found, func(f Fault) bool {
			return len(f.Path) == len(e.InstanceLocation) && strings.HasPrefix(f.Message, "must be ")
		})
		switch {
		case here:
			for _, f := range found {
				if want, ok := strings.CutPrefix(f.Message, "must be "); ok && !slices.Contains(wants, want) {
					wants = append(wants, want)
				}
			}
			other = found
		case best == nil || isCloser(found, best):
			best = found
		}
	}
	switch {
	case best != nil:
		return best
	case len(wants) == 0:
		return other
	}
	return []Fault{{slices.Clone(e.InstanceLocation), "must be " + strings.Join(wants, " or ")}}
}

// isCloser reports whether a has fewer faults than b, or deeper ones.
func isCloser(a, b []Fault) bool {
	if len(a) != len(b) {
		return len(a) < len(b)
	}
	return len(a) > 0 && len(a[0].Path) > len(b[0].Path)
}

// named is how many values of an enumeration are listed.
const named = 8

func leafFaults(e *jsonschema.ValidationError) []Fault {
	at := slices.Clone(e.InstanceLocation)
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		var out []Fault
		for _, name := range k.Missing {
			out = append(out, Fault{append(slices.Clone(at), name), "required"})
		}
		return out
	case *kind.Type:
		return []Fault{{at, "must be " + strings.Join(kindsOf(k.Want), " or ")}}
	case *kind.Enum:
		return []Fault{{at, "must be one of " + listValues(k.Want)}}
	case *kind.Const:
		return []Fault{{at, "must be " + listValues([]any{k.Want})}}
	case *kind.Minimum:
		return []Fault{{at, "must be at least " + formatNumber(k.Want)}}
	case *kind.Maximum:
		return []Fault{{at, "must be at most " + formatNumber(k.Want)}}
	case *kind.ExclusiveMinimum:
		return []Fault{{at, "must be above " + formatNumber(k.Want)}}
	case *kind.ExclusiveMaximum:
		return []Fault{{at, "must be below " + formatNumber(k.Want)}}
	case *kind.MinLength:
		return []Fault{{at, fmt.Sprintf("must have at least %d characters", k.Want)}}
	case *kind.MaxLength:
		return []Fault{{at, fmt.Sprintf("must have at most %d characters", k.Want)}}
	case *kind.MinItems:
		return []Fault{{at, fmt.Sprintf("must have at least %d items", k.Want)}}
	case *kind.MaxItems:
		return []Fault{{at, fmt.Sprintf("must have at most %d items", k.Want)}}
	}
	return []Fault{{at, "does not fit the schema"}}
}

func formatNumber(r *big.Rat) string {
	if r.IsInt() {
		return r.RatString()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func kindsOf(types []string) []string {
	words := map[string]string{"object": "an object", "array": "a list", "string": "a string", "number": "a number", "integer": "a whole number",
		"boolean": "true or false", "null": "null"}
	out := make([]string, len(types))
	for i, t := range types {
		out[i] = words[t]
	}
	return out
}

// listValues lists values; they come from the schema, not from the caller.
func listValues(values []any) string {
	var out []string
	for i, v := range values {
		if i == named {
			out = append(out, "...")
			break
		}
		text, ok := v.(string)
		if !ok {
			raw, _ := json.Marshal(v)
			text = string(raw)
		}
		if r := []rune(text); len(r) > 40 {
			text = string(r[:40]) + "..."
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}
