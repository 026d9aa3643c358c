package judge

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
)

// rewriteSchema rebuilds the schema from the keywords that are checked. It accepts everything that the schema does: an
// omitted keyword only lets more through, and keywords that would invert this (not, if, oneOf) are dropped.
func rewriteSchema(schema json.RawMessage) (any, error) {
	root, err := decodeFloats(schema)
	if err != nil {
		return nil, err
	}
	if _, ok := root.(map[string]any); !ok {
		return nil, errors.New("schema: not an object")
	}
	r := &rewriter{root: root, old: oldDraft(root), names: map[string]string{}, defs: map[string]any{}}
	r.homeless = r.isRebased(root, 0)
	out := r.rewriteOne(root, nil, 0)
	if doc, ok := out.(map[string]any); ok && len(r.defs) > 0 {
		doc["$defs"] = r.defs
	}
	return out, nil
}

type rewriter struct {
	root     any
	old      bool              // a draft in which a reference excludes all other keywords
	homeless bool              // references have another base than the whole document
	anchors  map[string]any    // schemas by their anchor; nil before the first such reference
	names    map[string]string // of definitions, by reference
	defs     map[string]any
	nodes    int
}

type object = map[string]any

// spend reports whether that many more nodes are within the limit, and counts them if so. The rest is left out.
func (r *rewriter) spend(nodes int) bool {
	if r.nodes+nodes > maxNodes {
		return false
	}
	r.nodes += nodes
	return true
}

// anySchema returns the schema that accepts any value.
func anySchema() any { return object{} }

// rewriteOne rewrites one schema. filled are the arguments that have a default, if this schema is one of several for the
// same object.
func (r *rewriter) rewriteOne(v any, filled *defaults, depth int) any {
	in, ok := v.(object)
	if !ok || depth > maxDepth || !r.spend(1) {
		return anySchema()
	}
	out := object{}
	if ref, ok := in["$ref"].(string); ok {
		if name := r.defineTarget(ref, filled, depth); name != "" {
			out["$ref"] = "#/$defs/" + name
		}
		if r.old {
			return out
		}
	}
	filled = r.withDefaults(in, filled)
	r.copyValues(in, out)
	copyLimits(in, out)
	r.copyMembers(in, out, filled, depth)
	r.copyItems(in, out, depth)
	r.copyCombined(in, out, filled, depth)
	if in["nullable"] == true && len(out) > 0 {
		return object{"anyOf": []any{out, object{"type": "null"}}}
	}
	return out
}

// defineTarget rewrites the target of a reference, once, and returns its name; "" if the target is unknown.
func (r *rewriter) defineTarget(ref string, filled *defaults, depth int) string {
	key := filled.key() + ref
	if name, ok := r.names[key]; ok {
		return name
	}
	target, ok := r.resolveTarget(ref)
	if !ok {
		return ""
	}
	name := "r" + strconv.Itoa(len(r.names))
	r.names[key] = name
	r.defs[name] = anySchema() // also where the schema turns out too large
	r.defs[name] = r.rewriteOne(target, filled, depth+1)
	return name
}

// resolveTarget resolves a reference into the same document.
func (r *rewriter) resolveTarget(ref string) (any, bool) {
	parts, anchor, ok := brief.Parts(ref)
	if !ok || r.homeless {
		return nil, false
	}
	if anchor != "" {
		if r.anchors == nil {
			r.anchors = map[string]any{}
			r.readAnchors(r.root, 0)
		}
		at, ok := r.anchors[anchor]
		return at, ok && at != nil
	}
	at := r.root
	for _, part := range parts {
		switch v := at.(type) {
		case object:
			if at, ok = v[part]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			at = v[i]
		default:
			return nil, false
		}
	}
	return at, true
}

// readAnchors records the schemas that have an anchor, none for an anchor used twice.
func (r *rewriter) readAnchors(v any, depth int) {
	if depth > 4*maxDepth {
		return
	}
	switch v := v.(type) {
	case object:
		if name, ok := v["$anchor"].(string); ok {
			if _, twice := r.anchors[name]; twice {
				r.anchors[name] = nil
			} else {
				r.anchors[name] = v
			}
		}
		for name, m := range v {
			if !brief.IsData(name) {
				r.readAnchors(m, depth+1)
			}
		}
	case []any:
		for _, m := range v {
			r.readAnchors(m, depth+1)
		}
	}
}

// isRebased reports whether a schema within the document has its own ID, which changes what references mean.
func (r *rewriter) isRebased(v any, depth int) bool {
	switch v := v.(type) {
	case object:
		if id, ok := v["$id"].(string); ok && depth > 0 && id != "" {
			return true
		}
		for _, m := range v {
			if depth < 4*maxDepth && r.isRebased(m, depth+1) {
				return true
			}
		}
	case []any:
		for _, m := range v {
			if depth < 4*maxDepth && r.isRebased(m, depth+1) {
				return true
			}
		}
	}
	return false
}

func oldDraft(root any) bool {
	in, _ := root.(object)
	draft, _ := in["$schema"].(string)
	return strings.Contains(draft, "draft-0")
}
