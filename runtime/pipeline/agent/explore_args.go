package agent

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/diag"
	"github.com/compactor-mcp/compactor/runtime/base/lazyregexp"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/catalog"
)

// Common mistakes of models in arguments are repaired silently if the meaning is clear:
// reporting them does not help, and costs a turn.

// otherNames maps argument names here to names they have elsewhere.
var otherNames = map[string][]string{
	"pattern": {"query", "regex", "regexp", "search", "q", "text", "keyword", "search_term"},
	"path":    {"file", "filename", "file_path", "filepath", "directory", "dir", "target_file", "relative_path"},
	"under":   {"path", "directory", "dir", "folder", "root", "file"},
	"name":    {"symbol", "identifier", "query", "function"},
	"glob":    {"include", "include_pattern", "files", "file_pattern", "glob_pattern", "type"},
	"from":    {"start", "start_line", "line_start", "from_line", "offset", "line"},
	"to":      {"end", "end_line", "line_end", "to_line"},
	"limit":   {"max_results", "head_limit", "max_count", "max"},
}

// chatter lists argument names that only carry comments.
var chatter = []string{"explanation", "reason", "thought", "description", "purpose", "comment", "rationale"}

// repairArguments makes the arguments of a call fit the tool's schema, or returns an error that describes their mistake.
func (e *toolLoop) repairArguments(t tool, c *call) (map[string]any, error) {
	if c.bad != "" {
		return nil, fmt.Errorf("%s", c.bad)
	}
	raw, err := renameArguments(c.raw, t.builtin.In)
	if err != nil {
		return nil, err
	}
	got, err := reply.Fit(raw, t.builtin.In)
	if err != nil {
		return nil, err
	}
	input := map[string]any{}
	for _, f := range t.builtin.In.Fields { // defaults need not be given
		if v, ok := got.Value[f.Name]; ok && (f.Required || !same(v, f.Schema.Default)) {
			input[f.Name] = e.repairPaths(f, v)
		}
	}
	return input, nil
}

func same(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) }

// renameArguments maps arguments to the names they have here. An unknown name is an error that
// suggests the nearest one.
func renameArguments(raw map[string]any, s *schema.Schema) (map[string]any, error) {
	out := map[string]any{}
	var other []string
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		if name := fieldNamed(key, s.Names()); name == key {
			out[name] = raw[key]
		} else if name != "" {
			if _, given := raw[name]; !given {
				out[name] = raw[key]
			}
		} else if !slices.Contains(chatter, strings.ToLower(key)) {
			other = append(other, key)
		}
	}
	for _, key := range other {
		name := ""
		for _, field := range s.Names() {
			if _, given := out[field]; !given && fieldNamed(key, otherNames[field]) != "" {
				name = field
				break
			}
		}
		if name == "" {
			text := "there is no argument " + safeName(key)
			if near := diag.Nearest(key, s.Names()); near != "" {
				text += "; did you mean " + near + "?"
			}
			return nil, fmt.Errorf("%s", text)
		}
		out[name] = raw[key]
	}
	return out, nil
}

// fieldNamed returns the name that equals key except for case and punctuation, or "".
func fieldNamed(key string, names []string) string {
	for _, n := range names {
		if bareName(n) == bareName(key) {
			return n
		}
	}
	return ""
}

// isPath lists the arguments that name a place of the tree.
var isPath = []string{"path", "under", "reference", "references", "component"}

// repairPaths repairs the paths in an argument.
func (e *toolLoop) repairPaths(f schema.Field, v any) any {
	if !slices.Contains(isPath, f.Name) {
		return v
	}
	switch v := v.(type) {
	case string:
		return repairPath(e.env, v)
	case []any:
		for i := range v {
			if s, ok := v[i].(string); ok {
				v[i] = repairPath(e.env, s)
			}
		}
	}
	return v
}

var lineTail = lazyregexp.New(`:\d+(?:[-:]\d+)?$`)

// repairPath returns a path as the tree has it. Models write paths that begin at the file
// system's root, at the repository's name, or at /src. A path that is found nowhere is
// returned unchanged, so that the tool reports it.
func repairPath(env *catalog.Env, asked string) string {
	if env.Roots == nil {
		return asked
	}
	p := strings.TrimSpace(asked)
	if !strings.Contains(p, "/") {
		p = strings.ReplaceAll(p, `\`, "/")
	}
	tail := lineTail.FindString(p)
	p = strings.TrimSuffix(p, tail)
	if p == "" || p == "/" || p == "." || strings.Contains(p, "..") {
		return strings.TrimPrefix(asked, "/")
	}
	for _, r := range env.Roots.Roots() { // the full path, as a tool elsewhere would show it
		if rest, ok := strings.CutPrefix(p, strings.TrimSuffix(r.Path(), "/")+"/"); ok {
			p = rest
		}
	}
	p = path.Clean(strings.TrimLeft(p, "/"))
	for rest, ok := p, true; ok; rest, ok = dropFirstDir(env, rest) {
		if at := existingRef(env, rest); at != "" {
			return at + tail
		}
	}
	return asked
}

// dropFirstDir returns a path without its first directory. Only a directory that stands for
// the whole tree may be removed if that leaves just the file name.
func dropFirstDir(env *catalog.Env, p string) (string, bool) {
	first, rest, ok := strings.Cut(p, "/")
	if !ok {
		return "", false
	}
	whole := []string{"src", "repo", "workspace", "app", "testbed", "code", "project"}
	for _, r := range env.Roots.Roots() {
		whole = append(whole, r.Name(), path.Base(r.Path()))
	}
	return rest, strings.Contains(rest, "/") || slices.Contains(whole, first)
}

// existingRef returns the reference path at which p exists, or "".
func existingRef(env *catalog.Env, p string) string {
	tries := []string{p}
	for _, r := range env.Roots.Roots() {
		tries = append(tries, env.Roots.Ref(r, p))
	}
	for _, try := range tries {
		root, rel, err := env.Roots.Resolve(try)
		if err != nil {
			continue
		}
		if _, err := root.Stat(rel); err == nil {
			return env.Roots.Ref(root, rel)
		}
	}
	return ""
}
