package toolargs

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Validate compiles the schema and checks raw against it; see Schema.Validate. Callers that check often should keep the
// compiled schema.
func Validate(schema json.RawMessage, raw json.RawMessage) (json.RawMessage, error) {
	s, err := Compile(schema)
	if err != nil {
		return nil, err
	}
	return s.Validate(raw)
}

// Validate returns the arguments as an object that fits the schema, with unambiguous repairs; members keep their order
// and numbers their digits. Missing, null and empty arguments become the empty object. The error is an *Error.
func (s *Schema) Validate(raw json.RawMessage) (json.RawMessage, error) {
	c := &check{schema: s}
	object, ok := c.toObject(raw)
	if ok {
		object = c.checkObject(s.root, object, "")
	}
	if len(c.problems) > 0 {
		return nil, &Error{Problems: c.problems, Signature: s.signature}
	}
	return object, nil
}

// check is one validation in progress.
type check struct {
	schema   *Schema
	problems []Problem
	lenient  bool // report only what certainly cannot work
}

func (c *check) addProblem(path, message string) {
	c.problems = append(c.problems, Problem{Path: path, Message: message})
}

// toObject converts what was sent to a JSON object without duplicate names.
func (c *check) toObject(raw json.RawMessage) (json.RawMessage, bool) {
	if len(strings.TrimSpace(string(raw))) == 0 {
		return json.RawMessage("{}"), true
	}
	if err := rawjson.Check(raw); err != nil {
		c.addProblem("arguments", err.Error())
		return nil, false
	}
	for range 3 { // nesting deeper than text in text in text has never been seen
		if rawjson.Of(raw) != rawjson.String {
			break
		}
		raw = c.fromText(raw)
	}
	switch rawjson.Of(raw) {
	case rawjson.Null:
		return json.RawMessage("{}"), true
	case rawjson.Object:
	default:
		c.addProblem("arguments", "must be an object, got "+describeValue(raw))
		return nil, false
	}
	if path := rawjson.Duplicate(raw); path != "" {
		c.addProblem(safeName(path), "given twice")
		return nil, false
	}
	return c.unwrap(raw), true
}

// checkObject checks the members of an object and returns it repaired.
func (c *check) checkObject(n *node, raw json.RawMessage, path string) json.RawMessage {
	members, err := rawjson.Members(raw)
	if err != nil {
		c.addProblem(path, err.Error())
		return raw
	}
	given := make(map[string]bool, len(members))
	for _, m := range members {
		given[m.Name] = true
	}
	var out []rawjson.Member
	excused := map[string]bool{} // required names for which an unknown argument was probably meant
	for _, m := range members {
		child := n.child(m.Name)
		if child == nil {
			name, keep := c.resolveUnknown(n, m.Name, given, excused, path)
			if !keep {
				continue
			}
			m.Name, child = name, n.child(name)
			given[name] = true
		}
		if m, keep := c.checkMember(n, child, m, path); keep {
			out = append(out, m)
		}
	}
	c.reportMissing(n, out, excused, path)
	return joinMembers(out)
}

// checkMember checks one value; keep is false for a null or an empty text that means "not given".
func (c *check) checkMember(n, child *node, m rawjson.Member, path string) (_ rawjson.Member, keep bool) {
	if child == nil {
		return m, true
	}
	if rawjson.Of(m.Value) == rawjson.Null && !child.takesNull() || n.omits(m) {
		return m, false
	}
	m.Value = c.checkValue(child, m.Value, joinPath(path, m.Name))
	return m, true
}

// resolveUnknown handles a name that the schema does not have: it returns the declared name that was meant, the name itself if
// the schema is open, or reports a problem.
func (c *check) resolveUnknown(n *node, name string, given, excused map[string]bool, path string) (_ string, keep bool) {
	if n.unjudged || n.open {
		return name, true
	}
	if same := sameName(n, name); same != "" && !given[same] {
		return same, true
	}
	near := nearestFree(n, name, given)
	if near == "" && !n.closed && !c.lenient {
		return name, true
	}
	if near == "" {
		near = onlyMissing(n, given, c.lenient)
	}
	if c.lenient && !n.misses(near, given) {
		return name, true
	}
	excused[near] = true
	c.problems = append(c.problems, Problem{joinPath(path, safeName(name)), unknownMessage(n, near, given), argumentOf(joinPath(path, near))})
	return "", false
}

func (c *check) reportMissing(n *node, have []rawjson.Member, excused map[string]bool, path string) {
	for _, name := range n.required {
		if child := n.child(name); excused[name] || c.lenient && child.hasDefault() {
			continue
		}
		if slices.ContainsFunc(have, func(m rawjson.Member) bool { return m.Name == name }) {
			continue
		}
		message := "required"
		if child := n.child(name); child != nil {
			message += ", " + child.describeType()
		}
		c.addProblem(joinPath(path, name), message)
	}
}

// checkValue checks one value against its node and returns it repaired.
func (c *check) checkValue(n *node, raw json.RawMessage, path string) json.RawMessage {
	if n.unjudged {
		return raw
	}
	mended, ok := repairType(n, raw)
	if !ok {
		c.addProblem(path, "must be "+n.describeType()+", got "+describeValue(raw)+n.hintFor(raw))
		return raw
	}
	switch rawjson.Of(mended) {
	case rawjson.Object:
		return c.checkObject(n, mended, path)
	case rawjson.Array:
		return c.checkList(n, mended, path)
	}
	if !n.withinBounds(mended, c.lenient) {
		c.addProblem(path, "must be "+n.describeType()+", got "+describeValue(mended))
	}
	return mended
}

func (c *check) checkList(n *node, raw json.RawMessage, path string) json.RawMessage {
	items, err := rawjson.Items(raw)
	if err != nil {
		c.addProblem(path, err.Error())
		return raw
	}
	if !n.countFits(len(items)) {
		c.addProblem(path, "must be "+n.describeType()+", got "+describeValue(raw))
		return raw
	}
	if n.items == nil {
		return raw
	}
	out := []byte("[")
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, c.checkValue(n.items, item, path+"["+itoa(i)+"]")...)
	}
	return append(out, ']')
}

func joinMembers(members []rawjson.Member) json.RawMessage {
	out := []byte("{")
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, rawjson.Quote(m.Name)...)
		out = append(out, ':')
		out = append(out, m.Value...)
	}
	return append(out, '}')
}

func joinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
