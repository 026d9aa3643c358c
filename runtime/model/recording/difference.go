package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
)

// before and after limit how many bytes of a value are shown on either side of a
// difference.
const (
	before = 20
	after  = 40
)

// firstDifference describes where two requests first differ, in the order of their
// canonical text, with both values around that point.
func firstDifference(recorded, asked []byte) string {
	a, okA := parseJSON(recorded)
	b, okB := parseJSON(asked)
	if !okA || !okB {
		return "the body: " + showSides(string(recorded), string(asked))
	}
	path, what, _ := findDifference("", a, b)
	return strings.TrimPrefix(path, ".") + ": " + what
}

// findDifference finds the first difference below path.
func findDifference(path string, a, b any) (string, string, bool) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			return differFields(path, a, b)
		}
	case []any:
		if b, ok := b.([]any); ok {
			return differItems(path, a, b)
		}
	case string:
		if b, ok := b.(string); ok {
			return path, showSides(a, b), a != b
		}
	}
	x, y := jsonText(a), jsonText(b)
	return rootOr(path), showSides(x, y), x != y
}

func differFields(path string, a, b map[string]any) (string, string, bool) {
	names := slices.Sorted(maps.Keys(a))
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		x, inA := a[name]
		y, inB := b[name]
		at := path + pathStep(name)
		switch {
		case !inA:
			return at, "recorded nothing, asked " + sanitize.Cut(jsonText(y), before+after), true
		case !inB:
			return at, "recorded " + sanitize.Cut(jsonText(x), before+after) + ", asked nothing", true
		}
		if at, what, found := findDifference(at, x, y); found {
			return at, what, true
		}
	}
	return "", "", false
}

func differItems(path string, a, b []any) (string, string, bool) {
	for i := range min(len(a), len(b)) {
		if at, what, found := findDifference(path+"["+strconv.Itoa(i)+"]", a[i], b[i]); found {
			return at, what, true
		}
	}
	if len(a) != len(b) {
		return rootOr(path), fmt.Sprintf("recorded %d items, asked %d", len(a), len(b)), true
	}
	return "", "", false
}

// pathStep formats one part of a path as in code.
func pathStep(name string) string {
	plain := func(r rune) bool {
		return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	if name == "" || strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) >= 0 {
		return "[" + strconv.Quote(name) + "]"
	}
	return "." + name
}

func rootOr(path string) string {
	if path == "" {
		return "the body"
	}
	return path
}

// showSides shows two texts around the first point where they differ.
func showSides(recorded, asked string) string {
	n := commonPrefix(recorded, asked)
	for n > 0 && n < len(recorded) && !utf8.RuneStart(recorded[n]) {
		n--
	}
	where := ""
	if n > before {
		where = fmt.Sprintf(" from byte %d", n)
	}
	return fmt.Sprintf("recorded %s, asked %s%s", quoteWindow(recorded, n), quoteWindow(asked, n), where)
}

// quoteWindow returns the part of a text around byte n, as one quoted line.
func quoteWindow(s string, n int) string {
	from, to := max(0, n-before), min(len(s), n+after)
	cut := strings.ToValidUTF8(s[from:to], "")
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(s) {
		cut += "…"
	}
	return strconv.Quote(cut)
}

func jsonText(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(out)
}

// leavesOf returns the values of a request by path; the whole body if it is not JSON.
func leavesOf(request []byte) map[string]string {
	out := map[string]string{}
	v, ok := parseJSON(request)
	if !ok {
		out[""] = string(request)
		return out
	}
	collectLeaves("", v, out)
	return out
}

func collectLeaves(path string, v any, out map[string]string) {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			collectLeaves(path+pathStep(name), x, out)
		}
	case []any:
		for i, x := range v {
			collectLeaves(path+"["+strconv.Itoa(i)+"]", x, out)
		}
	case string:
		out[path] = v
	default:
		out[path] = jsonText(v)
	}
}
