package toolargs

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
	"github.com/compactor-mcp/compactor/runtime/base/toolargs/brief"
)

// Schema is a compiled input schema. It is immutable and safe for concurrent use.
type Schema struct {
	root      *node
	signature string
}

// node is one schema object. A node without types accepts any value.
type node struct {
	types    []string // JSON Schema type names; empty accepts any
	props    []prop   // in the order of the schema
	required []string
	closed   bool  // additionalProperties is false
	open     bool  // additionalProperties is true or a schema
	items    *node // nil accepts any
	enum     []json.RawMessage
	pattern  *regexp.Regexp
	min, max *bound  // of a number
	length   [2]*int // of a string, in characters
	count    [2]*int // of a list
	unjudged bool    // has a keyword that this package does not know
	filled   bool    // has a default

	// What a node of a foreign schema may also be, used only for repairs.
	target *node   // of a reference
	alts   []*node // any of
	parts  []*node // all of
}

type prop struct {
	name string
	node *node
}

// bound keeps the number as written, for messages.
type bound struct {
	text      string
	value     float64
	exclusive bool
}

// beyond are the keywords that affect validity but are not checked here.
var beyond = map[string]bool{
	"$ref": true, "$dynamicRef": true, "anyOf": true, "oneOf": true, "allOf": true, "not": true, "if": true,
	"patternProperties": true, "propertyNames": true, "dependentSchemas": true, "dependentRequired": true,
	"prefixItems": true, "contains": true, "unevaluatedProperties": true, "unevaluatedItems": true,
}

// Compile reads a JSON schema. Empty text means the schema of a tool without arguments.
func Compile(schema json.RawMessage) (*Schema, error) {
	if len(schema) == 0 {
		schema = json.RawMessage(`{"type":"object","additionalProperties":false}`)
	}
	if err := rawjson.Check(schema); err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	c := &compiler{whole: schema, at: map[string]*node{}}
	root, err := c.compile(schema, 0)
	if err != nil {
		return nil, fmt.Errorf("input schema: %w", err)
	}
	if len(root.types) > 0 && !slices.Contains(root.types, "object") {
		return nil, fmt.Errorf("input schema: type is %s, a tool's arguments are an object", strings.Join(root.types, " or "))
	}
	return &Schema{root: root, signature: signatureOf(root)}, nil
}

// compiler reads one schema. Each reference is followed only once, so that one may lead into itself.
type compiler struct {
	whole json.RawMessage
	at    map[string]*node // by reference
	nodes int
}

// Limits of a schema, with each reference read once.
const (
	deepest  = 256
	maxNodes = 20_000
)

func (c *compiler) compile(schema json.RawMessage, depth int) (*node, error) {
	n := &node{}
	return n, c.compileInto(n, schema, depth)
}

func (c *compiler) compileInto(n *node, schema json.RawMessage, depth int) error {
	if c.nodes++; c.nodes > maxNodes || depth > deepest {
		return errors.New("too large or nested too deep")
	}
	switch rawjson.Of(schema) {
	case rawjson.Bool:
		return nil
	case rawjson.Object:
	default:
		return fmt.Errorf("a schema is an object, got %s", describeValue(schema))
	}
	members, err := rawjson.Members(schema)
	if err != nil {
		return err
	}
	for _, m := range members {
		if err := c.addKeyword(n, m.Name, m.Value, depth); err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	return nil
}

// addKeyword adds one keyword to the node. Values of the wrong shape are ignored, so that a slip of an upstream
// server does not make a working tool uncallable; only nested schemas must be readable.
func (c *compiler) addKeyword(n *node, name string, value json.RawMessage, depth int) error {
	switch name {
	case "type":
		n.types = typeNames(value)
	case "properties":
		return c.addProperties(n, value, depth)
	case "required":
		_ = json.Unmarshal(value, &n.required)
	case "additionalProperties":
		n.closed = string(value) == "false"
		n.open = !n.closed
	case "items":
		if rawjson.Of(value) == rawjson.Object {
			items, err := c.compile(value, depth+1)
			n.items = items
			return err
		}
	case "enum":
		n.enum, _ = rawjson.Items(value)
	case "const":
		n.enum = []json.RawMessage{value}
	case "default":
		n.filled = true
	default:
		n.setLimit(name, value)
		n.unjudged = n.unjudged || beyond[name]
		c.addCombined(n, name, value, depth)
	}
	return nil
}

func (c *compiler) addProperties(n *node, value json.RawMessage, depth int) error {
	members, err := rawjson.Members(value)
	if err != nil {
		return err
	}
	for _, m := range members {
		child, err := c.compile(m.Value, depth+1)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Name, err)
		}
		n.props = append(n.props, prop{m.Name, child})
	}
	return nil
}

// addCombined reads references, alternatives and parts. Mistakes in them are left to the tool.
func (c *compiler) addCombined(n *node, name string, value json.RawMessage, depth int) {
	switch name {
	case "$ref":
		ref, err := rawjson.Text(value)
		if err != nil {
			return
		}
		if n.target = c.at[ref]; n.target != nil {
			return
		}
		if schema := brief.Follow(c.whole, ref); schema != nil {
			n.target = &node{}
			c.at[ref] = n.target
			_ = c.compileInto(n.target, schema, depth+1)
		}
	case "anyOf", "oneOf", "allOf":
		items, _ := rawjson.Items(value)
		for _, it := range items {
			sub, err := c.compile(it, depth+1)
			switch {
			case err != nil:
			case name == "allOf":
				n.parts = append(n.parts, sub)
			default:
				n.alts = append(n.alts, sub)
			}
		}
	}
}

func (n *node) setLimit(name string, value json.RawMessage) {
	switch name {
	case "minimum", "exclusiveMinimum":
		n.min = newBound(value, name == "exclusiveMinimum", n.min)
	case "maximum", "exclusiveMaximum":
		n.max = newBound(value, name == "exclusiveMaximum", n.max)
	case "minLength":
		n.length[0] = wholeNumber(value)
	case "maxLength":
		n.length[1] = wholeNumber(value)
	case "minItems":
		n.count[0] = wholeNumber(value)
	case "maxItems":
		n.count[1] = wholeNumber(value)
	case "pattern":
		// ECMAScript patterns that RE2 cannot parse are left to the tool.
		if text, err := rawjson.Text(value); err == nil {
			n.pattern, _ = regexp.Compile(text)
		}
	}
}

func newBound(value json.RawMessage, exclusive bool, old *bound) *bound {
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return old
	}
	return &bound{text: string(value), value: f, exclusive: exclusive}
}

func wholeNumber(value json.RawMessage) *int {
	i, err := strconv.Atoi(string(value))
	if err != nil {
		return nil
	}
	return &i
}

func typeNames(value json.RawMessage) []string {
	if one, err := rawjson.Text(value); err == nil {
		return []string{one}
	}
	var many []string
	_ = json.Unmarshal(value, &many)
	return many
}

func (n *node) child(name string) *node {
	for _, p := range n.props {
		if p.name == name {
			return p.node
		}
	}
	return nil
}
