package toolargs

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/judge"
)

// UpstreamSchema is the input schema of a tool of another server, which checks the arguments again. It rejects only what
// certainly cannot work, and repairs only what would not work otherwise. It is immutable and safe for concurrent use.
type UpstreamSchema struct {
	schema *Schema       // nil if it cannot be read: nothing is repaired
	judge  *judge.Schema // nil if it cannot be compiled: everything passes
}

// CompileForeign reads a schema. An unreadable one checks nothing; the server itself will.
func CompileForeign(schema json.RawMessage) *UpstreamSchema {
	f := &UpstreamSchema{}
	if s, err := Compile(schema); err == nil {
		f.schema = s
	}
	if j, err := judge.Compile(schema); err == nil {
		f.judge = j
	}
	return f
}

// Check returns the arguments to send: unchanged if they may work, else repaired if the repair is unambiguous. The
// error is an *Error.
func (f *UpstreamSchema) Check(raw json.RawMessage) (json.RawMessage, error) {
	s := f.schema
	if s == nil {
		s = &Schema{root: &node{}, signature: "an object"}
	}
	c := &check{schema: s}
	given, ok := c.toObject(raw)
	if !ok {
		return nil, &Error{Problems: c.problems, Signature: s.signature}
	}
	if f.judge == nil {
		return given, nil
	}
	faults := f.certainFaults(given)
	if f.schema == nil {
		if len(faults) > 0 {
			return nil, &Error{Problems: wordFaults(faults), Signature: s.signature}
		}
		return given, nil
	}
	if out := repairValue(s.root, given, mends{names: true}); hasChanged(given, out) && f.fits(out) {
		return out, nil
	}
	if len(faults) == 0 {
		return given, nil
	}
	for _, object := range []json.RawMessage{given, unwrapLayers(s.root, given)} {
		if out := repairValue(s.root, object, mends{names: true, values: true}); f.fits(out) {
			return out, nil
		}
	}
	return nil, &Error{Problems: f.wordProblems(given, faults), Signature: s.signature}
}

// certainFaults returns what is certainly wrong. A schema that accepts no object at all cannot be one of arguments.
func (f *UpstreamSchema) certainFaults(object json.RawMessage) []judge.Fault {
	return slices.DeleteFunc(f.judge.Check(object), func(f judge.Fault) bool { return len(f.Path) == 0 })
}

func (f *UpstreamSchema) fits(object json.RawMessage) bool {
	return len(f.certainFaults(object)) == 0 && rawjson.Duplicate(object) == ""
}

// hasChanged reports whether two objects differ in more than the space between their members.
func hasChanged(a, b json.RawMessage) bool {
	var before, after bytes.Buffer
	return json.Compact(&before, a) != nil || json.Compact(&after, b) != nil || !bytes.Equal(before.Bytes(), after.Bytes())
}

// Mend returns replacements, which the schema accepts, for arguments that the server has rejected: it converts values
// to the expected types and renames near misses. It returns false if it has none.
func (f *UpstreamSchema) Mend(sent json.RawMessage) (json.RawMessage, bool) {
	if f.schema == nil || f.judge == nil {
		return nil, false
	}
	for _, object := range []json.RawMessage{sent, unwrapLayers(f.schema.root, sent)} {
		if out := repairValue(f.schema.root, object, mends{names: true, values: true, near: true}); hasChanged(sent, out) && f.fits(out) {
			return out, true
		}
	}
	return nil, false
}

// Hint returns a text that says what to send after the server has rejected the arguments.
func (f *UpstreamSchema) Hint() string {
	if f.schema == nil {
		return ""
	}
	return (&Error{Signature: f.schema.signature}).Hint()
}

// wordProblems returns what is wrong, as worded by Schema.Validate, plus what only the judge finds.
func (f *UpstreamSchema) wordProblems(object json.RawMessage, faults []judge.Fault) []Problem {
	c := &check{schema: f.schema, lenient: true}
	c.checkObject(f.schema.root, object, "")
	known := map[string]bool{}
	for _, p := range c.problems {
		known[argumentOf(p.Path)] = true
		known[p.For] = true
	}
	out := c.problems
	for _, p := range wordFaults(faults) {
		if !known[argumentOf(p.Path)] {
			out = append(out, p)
		}
	}
	return out
}

// argumentOf returns the argument that contains a path.
func argumentOf(path string) string {
	if i := strings.IndexAny(path, ".["); i > 0 {
		return path[:i]
	}
	return path
}

func wordFaults(faults []judge.Fault) []Problem {
	out := make([]Problem, len(faults))
	for i, f := range faults {
		path := ""
		for _, part := range f.Path {
			if isIndex(part) && path != "" {
				path += "[" + part + "]"
			} else {
				path = joinPath(path, safeName(part))
			}
		}
		if path == "" {
			path = "arguments"
		}
		out[i] = Problem{Path: path, Message: f.Message}
	}
	return out
}

func isIndex(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// unwrapLayers unwraps arguments from one or two extra layers, as small models write them, if the tool has no argument with
// that name.
func unwrapLayers(root *node, raw json.RawMessage) json.RawMessage {
	for range 2 {
		members, err := rawjson.Members(raw)
		if err != nil || len(members) != 1 || !slices.Contains(wrappers, members[0].Name) || root.findMember(members[0].Name) != nil || rawjson.Of(members[0].Value) != rawjson.Object {
			return raw
		}
		raw = members[0].Value
	}
	return raw
}
