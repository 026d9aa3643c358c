package agent

import (
	"maps"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/sanitize"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/agent/reply"
	"github.com/compactor-mcp/compactor/runtime/pipeline/plan"
)

// boundResult cuts a result to the bounds of its role and notes each cut. A reference is
// kept whole or left out.
func boundResult(role *plan.Role, res *contract.Result) {
	if each := role.Bounds["references"].Bytes; each > 0 {
		res.References = slices.DeleteFunc(slices.Clone(res.References), func(ref string) bool { return len(ref) > each })
	}
	res.Bound(contract.Bounds{
		References: role.Bounds["references"].Entries, Findings: role.Bounds["key_findings"].Entries,
		Summary: role.Bounds["summary"].Bytes, Finding: role.Bounds["key_findings"].Bytes,
	})
	if most := role.Bounds["notes"].Bytes; most > 0 && res.Notes != nil {
		notes := contract.Shorten(*res.Notes, most)
		res.Notes = &notes
	}
}

// cleanOutput prepares a value to leave the role: without sequences that control a terminal or a model's template, masked
// by the role's own patterns, cut to its bounds.
func (r Runner) cleanOutput(role *plan.Role, value map[string]any) map[string]any {
	masking := len(role.Redaction) > 0 && r.Mask != nil
	clean, _ := mapTexts(value, role.Out, func(s string) string {
		s = sanitize.Text(s)
		if masking {
			s = r.Mask(role.Name, s)
		}
		return s
	}).(map[string]any)
	cut := maps.Clone(clean)
	for _, name := range role.Out.Names() {
		if v, ok := cut[name]; ok && name != "notes" {
			was := v
			if cut[name] = cutField(v, role.Bounds[name]); isCut(was, cut[name]) {
				addNote(role.Out, cut, name+" cut")
			}
		}
	}
	if s, ok := cut["notes"].(string); ok {
		cut["notes"] = contract.Shorten(s, role.Bounds["notes"].Bytes)
	}
	// A text that is cut may become shorter than its type allows; the type takes precedence then.
	if got, err := reply.Fit(cut, role.Out); err == nil {
		return got.Value
	}
	return clean
}

// isCut reports whether a text was cut or a list lost entries; cuts within entries do not count.
func isCut(was, is any) bool {
	switch was := was.(type) {
	case string:
		return was != is
	case []any:
		list, _ := is.([]any)
		return len(list) < len(was)
	}
	return false
}

// cutField cuts one field to its bound.
func cutField(v any, b plan.Bound) any {
	switch v := v.(type) {
	case string:
		return contract.Shorten(v, b.Bytes)
	case []any:
		if b.Entries > 0 && len(v) > b.Entries {
			v = v[:b.Entries]
		}
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapTexts(e, nil, func(s string) string { return contract.Shorten(s, b.Bytes) })
		}
		return out
	}
	return v
}

// mapTexts returns a copy of a value with change applied to every text, except for texts
// with an enumerated type.
func mapTexts(v any, s *schema.Schema, change func(string) string) any {
	if s == nil {
		s = &schema.Schema{}
	}
	switch v := v.(type) {
	case string:
		if len(s.Enum) > 0 {
			return v
		}
		return change(v)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = mapTexts(e, s.Items, change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, e := range v {
			of := s.Open
			if f := s.Field(name); f != nil {
				of = f.Schema
			}
			out[name] = mapTexts(e, of, change)
		}
		return out
	}
	return v
}

// maskResult applies the role's redaction patterns to its result; runtime/safety/egress
// applies those for all output.
func (r Runner) maskResult(role *plan.Role, res *contract.Result) {
	if r.Mask == nil {
		return
	}
	res.Summary = r.Mask(role.Name, res.Summary)
	for i, f := range res.KeyFindings {
		res.KeyFindings[i].Text = r.Mask(role.Name, f.Text)
	}
	if res.Notes != nil {
		notes := r.Mask(role.Name, *res.Notes)
		res.Notes = &notes
	}
}

// dropAdded removes from a result what checks dropped from its plain form, as far as the model
// had added it, and returns how much that was. What was found stays: a finding that fails
// only because of the model's note is restored.
func dropAdded(found, out contract.Result, plain map[string]any) (next contract.Result, dropped int) {
	left := func(name string) map[string]bool {
		m := map[string]bool{}
		list, _ := plain[name].([]any)
		for _, e := range list {
			s, _ := e.(string)
			m[s] = true
		}
		return m
	}
	refs, facts := left("references"), left("key_findings")
	next = out
	next.References, next.KeyFindings = nil, nil
	for _, ref := range out.References {
		if refs[ref] || slices.Contains(found.References, ref) {
			next.References = append(next.References, ref)
		} else {
			dropped++
		}
	}
	for _, f := range out.KeyFindings {
		if facts[f.Text] {
			next.KeyFindings = append(next.KeyFindings, f)
			continue
		}
		before := slices.IndexFunc(found.KeyFindings, func(b contract.Finding) bool { return strings.HasPrefix(f.Text, b.Text) })
		if before < 0 || found.KeyFindings[before].Text != f.Text {
			dropped++
		}
		if before >= 0 {
			next.KeyFindings = append(next.KeyFindings, found.KeyFindings[before])
		}
	}
	return next, dropped
}
