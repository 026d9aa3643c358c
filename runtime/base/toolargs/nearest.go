package toolargs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/words"
)

// Nearest returns the name that word was meant to be, or "" if none is closer than about a third of the word.
// It is stricter than a hint, because the name may be substituted.
func Nearest(word string, names []string) string { return words.Nearest(word, names, len(word)/3) }

// nearestFree applies Nearest to the arguments that were not given.
func nearestFree(n *node, word string, given map[string]bool) string {
	var names []string
	for _, p := range n.props {
		if !given[p.name] {
			names = append(names, p.name)
		}
	}
	return Nearest(word, names)
}

// sameName returns the argument that differs from name only in case and in _ or -, if there is exactly one.
func sameName(n *node, name string) string {
	found := ""
	for _, p := range n.props {
		if bareName(p.name) == bareName(name) {
			if found != "" {
				return ""
			}
			found = p.name
		}
	}
	return found
}

func bareName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// onlyMissing returns the only required argument that was not given; "" if there is none or several. If
// lenient, those with a default do not count, since the server fills them in.
func onlyMissing(n *node, given map[string]bool, lenient bool) string {
	found := ""
	for _, name := range n.required {
		if !given[name] && (!lenient || !n.child(name).hasDefault()) {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// misses reports whether an argument is required but not given.
func (n *node) misses(name string, given map[string]bool) bool {
	return name != "" && slices.Contains(n.required, name) && !given[name] && !n.child(name).hasDefault()
}

func unknownMessage(n *node, near string, given map[string]bool) string {
	if near != "" {
		return "unknown argument; did you mean " + near + "?"
	}
	var free []string
	for _, p := range n.props {
		if !given[p.name] && len(free) < maxNames {
			free = append(free, p.name)
		}
	}
	if len(n.props) == 0 {
		return "unknown argument; this takes none"
	}
	if len(free) == 0 {
		return "unknown argument; leave it out"
	}
	return "unknown argument; not used so far: " + strings.Join(free, ", ")
}

// hintFor suggests the nearest value of an enumeration.
func (n *node) hintFor(raw json.RawMessage) string {
	if rawjson.Of(raw) != rawjson.String {
		return ""
	}
	var names []string
	for _, e := range n.enum {
		names = append(names, textOf(e))
	}
	if near := Nearest(textOf(raw), names); near != "" && len(names) > 1 {
		return "; did you mean " + near + "?"
	}
	return ""
}
