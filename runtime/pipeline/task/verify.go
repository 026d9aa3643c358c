package task

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// Use is a check as a role uses it.
type Use struct {
	Check
	Fields []string // output fields, as Texts lists them
	Most   int      // tokens
	Fail   string   // Drop, Retry or Fallback
}

// Verdict is the result of checking a value.
type Verdict struct {
	Value   map[string]any // without dropped items
	Dropped int            // number of dropped items
	Retry   string         // message to the model if asking again is worthwhile; otherwise ""
	Failed  string         // the check that makes the value unusable, without quoting the model; "" if usable
}

// Verify checks a value of the schema out against what was shown. A text that fails is removed together with its list
// entry, or with its field if that is optional; otherwise the value is unusable.
func Verify(ctx context.Context, uses []Use, value map[string]any, out *schema.Schema, e *Evidence) Verdict {
	v := Verdict{Value: value}
	var told []string
	for _, u := range uses {
		w := walker{ctx: ctx, use: u, evidence: e}
		kept, gone := w.visit(v.Value, out, "")
		if len(w.problems) == 0 {
			continue
		}
		if u.Fail == Retry {
			told = append(told, w.problems...)
		}
		if v.Failed == "" && (gone || u.Fail == Fallback) {
			v.Failed = w.failed
		}
		v.Dropped += w.dropped
		if next, ok := kept.(map[string]any); ok && !gone {
			v.Value = next
		}
	}
	if len(told) > 0 {
		const most = 3 // a small model follows a few hints
		v.Retry = strings.Join(told[:min(len(told), most)], "; ")
	}
	return v
}

// walker walks a value for one check.
type walker struct {
	ctx      context.Context
	use      Use
	evidence *Evidence
	problems []string // quoting the model
	failed   string   // the first problem, without the quote
	dropped  int
}

// visit returns a value without what fails, and reports whether all of it must be removed.
func (w *walker) visit(v any, s *schema.Schema, path string) (kept any, gone bool) {
	if s == nil {
		s = &schema.Schema{}
	}
	switch v := v.(type) {
	case string:
		if !w.looksAt(path) {
			return v, false
		}
		if wrong := w.use.says(w.ctx, w.evidence, v, w.use.Most); wrong != "" {
			if w.failed == "" {
				w.failed = w.use.Name + " of " + path
			}
			w.problems = append(w.problems, fmt.Sprintf("%s: %q %s", path, contract.Shorten(v, 80), wrong))
			return nil, true
		}
	case []any:
		return w.visitList(v, s, path)
	case map[string]any:
		return w.visitObject(v, s, path)
	}
	return v, false
}

func (w *walker) visitList(list []any, s *schema.Schema, path string) (any, bool) {
	out := make([]any, 0, len(list))
	for _, e := range list {
		if kept, gone := w.visit(e, s.Items, path); gone {
			w.dropped++
		} else {
			out = append(out, kept)
		}
	}
	if s.MinLen != nil && len(out) < *s.MinLen && len(out) < len(list) {
		return nil, true
	}
	return out, false
}

func (w *walker) visitObject(m map[string]any, s *schema.Schema, path string) (any, bool) {
	out := make(map[string]any, len(m))
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		field, must, at := s.Open, false, name
		if f := s.Field(name); f != nil {
			field, must = f.Schema, f.Required
		}
		if path != "" {
			at = path + "." + name
		}
		kept, gone := w.visit(m[name], field, at)
		switch {
		case gone && must:
			return nil, true
		case gone:
			w.dropped++
		default:
			out[name] = kept
		}
	}
	return out, false
}

// looksAt reports whether the check applies to a field.
func (w *walker) looksAt(path string) bool {
	return slices.ContainsFunc(w.use.Fields, func(f string) bool { return path == f || strings.HasPrefix(path, f+".") })
}
