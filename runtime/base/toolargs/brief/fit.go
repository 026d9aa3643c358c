package brief

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// measure limits the parts of a schema that Fit keeps.
type measure struct {
	values    int // of one enumeration
	text      int // bytes of one description
	depth     int // nested objects
	arguments int // of one object
}

// measures are tried one after another until the schema fits.
var measures = []measure{{200, 600, 8, 200}, {40, 240, 5, 60}, {12, 120, 3, 40}, {8, 80, 2, 24}, {5, 60, 1, 16}, {3, 0, 1, 8}}

const (
	maxLeft  = 12  // notes about omissions
	maxLevel = 256 // nested schemas
)

// Fit returns as much of the schema as fits, and describes what it leaves out: values of long enumerations, members of
// deeply nested objects, ends of descriptions, and arguments beyond the first, starting with those not required.
func Fit(schema json.RawMessage, fits func(string) bool) (kept json.RawMessage, left []string) {
	schema = rawjson.Line(schema)
	if fits(string(schema)) {
		return schema, nil
	}
	for _, m := range measures {
		c := cutter{measure: m}
		if kept = c.cutSchema(schema, "", 0); fits(string(kept)) {
			return kept, c.leftNotes()
		}
	}
	return json.RawMessage(`{"type":"object"}`), []string{"the whole schema: it is too long in all its parts"}
}

// cutter reduces a schema to what its measure allows.
type cutter struct {
	measure
	left  []string
	texts int // descriptions, examples and the like that were cut or left out
	level int // nesting level of the current schema
}

// cutSchema cuts the schema of the argument at a path, which is inside depth objects.
func (c *cutter) cutSchema(raw json.RawMessage, at string, depth int) json.RawMessage {
	c.level++
	defer func() { c.level-- }()
	if rawjson.Of(raw) != rawjson.Object || c.level > maxLevel {
		return raw
	}
	members, _ := rawjson.Members(raw)
	f := fields(members)
	required := requiredOf(f)
	keeps := c.chooseMembers(f.get("properties"), required, depth)
	return rawjson.Rewrite(raw, func(name string, value json.RawMessage) json.RawMessage {
		switch {
		case name == "enum":
			return c.cutList(value, at, "value")
		case name == "properties":
			return c.cutMembers(value, at, "argument", depth, keeps)
		case name == "required":
			return onlyKept(value, required, keeps)
		case HoldsNamed(name):
			return c.cutMembers(value, at, "definition", depth, c.chooseMembers(value, nil, depth))
		case HoldsSchemas(name):
			return c.cutBelow(name, value, at, depth)
		case name == "description":
			return c.shortenText(value)
		case len(value) > max(c.text, len(`"object"`)) && name != "type" && name != "$ref" && name != "const":
			c.texts++
			return nil
		}
		return value
	})
}

// cutBelow cuts the schema, or each of the list of schemas, that a keyword holds.
func (c *cutter) cutBelow(keyword string, value json.RawMessage, at string, depth int) json.RawMessage {
	if strings.HasSuffix(strings.ToLower(keyword), "items") {
		at += "[]"
	}
	if rawjson.Of(value) != rawjson.Array {
		return c.cutSchema(value, at, depth)
	}
	items, err := rawjson.Items(c.cutList(value, at, "alternative"))
	if err != nil {
		return value
	}
	for i, it := range items {
		items[i] = c.cutSchema(it, at, depth)
	}
	return rawjson.List(items)
}

// chooseMembers returns the members of an object to keep; nil means all.
func (c *cutter) chooseMembers(props json.RawMessage, required []string, depth int) map[string]bool {
	members, err := rawjson.Members(props)
	if err != nil || depth < c.depth && len(members) <= c.arguments {
		return nil
	}
	keeps := map[string]bool{}
	if depth >= c.depth {
		return keeps
	}
	needed := make(map[string]bool, len(required))
	for _, name := range required {
		needed[name] = true
	}
	for _, wanted := range []bool{true, false} {
		for _, m := range members {
			if len(keeps) < c.arguments && needed[m.Name] == wanted {
				keeps[m.Name] = true
			}
		}
	}
	return keeps
}

// cutMembers cuts the schemas of an object's members and leaves out those that are not kept.
func (c *cutter) cutMembers(value json.RawMessage, at, noun string, depth int, keeps map[string]bool) json.RawMessage {
	all, gone := 0, 0
	out := rawjson.Rewrite(value, func(name string, value json.RawMessage) json.RawMessage {
		if all++; keeps != nil && !keeps[name] {
			gone++
			return nil
		}
		return c.cutSchema(value, strings.TrimPrefix(at+"."+clipWord(name), "."), depth+1)
	})
	if gone == 0 {
		return out
	}
	if c.noteLeft(at, gone, all, noun); gone == all {
		return nil
	}
	return out
}

// onlyKept returns a list of names without those that are not kept.
func onlyKept(value json.RawMessage, required []string, keeps map[string]bool) json.RawMessage {
	if keeps == nil {
		return value
	}
	required = slices.DeleteFunc(required, func(name string) bool { return !keeps[name] })
	if len(required) == 0 {
		return nil
	}
	list, _ := rawjson.Marshal(required)
	return list
}

// cutList returns a list cut to the allowed number of items.
func (c *cutter) cutList(value json.RawMessage, at, noun string) json.RawMessage {
	items, err := rawjson.Items(value)
	if err != nil || len(items) <= c.values {
		return value
	}
	c.noteLeft(at, len(items)-c.values, len(items), noun)
	return rawjson.List(items[:c.values])
}

func (c *cutter) shortenText(value json.RawMessage) json.RawMessage {
	text, err := rawjson.Text(value)
	if err != nil || len(text) <= c.text {
		return value
	}
	c.texts++
	if text = contract.Shorten(text, c.text); c.text == 0 || text == "" {
		return nil
	}
	return rawjson.Quote(text)
}

// noteLeft notes how many of the parts of an argument were left out.
func (c *cutter) noteLeft(at string, left, all int, noun string) {
	if at == "" {
		at = "the whole"
	}
	c.left = append(c.left, fmt.Sprintf("%s: %d of %d %ss", at, left, all, noun))
}

func (c *cutter) leftNotes() []string {
	out := c.left
	if len(out) > maxLeft {
		out = append(out[:maxLeft:maxLeft], fmt.Sprintf("parts of %d more", len(out)-maxLeft))
	}
	if c.texts > 0 {
		out = append(out, fmt.Sprintf("%d long texts, or their ends", c.texts))
	}
	return out
}

// maxSteps limits how many lists Property looks into.
const maxSteps = 64

// Property returns the schema of an argument by its path, such as "filter.tags" or "rows[].name", or nil.
func Property(schema json.RawMessage, path string) json.RawMessage {
	w := newWriter(schema)
	rest := strings.ReplaceAll(path, "[]", "")
	for range maxSteps {
		l := list{writer: w, at: map[string]int{}}
		l.addParams(schema, 0)
		found := ""
		for _, p := range l.all {
			if (rest == p.Name || strings.HasPrefix(rest, p.Name+".")) && len(p.Name) >= len(found) && p.Name != "" {
				found, schema = p.Name, p.Schema
			}
		}
		f := w.resolveMembers(schema)
		switch items := f.get("items"); {
		case found == rest && found != "":
			return rawjson.Join(f)
		case found != "":
			rest = rest[len(found)+1:]
		case rawjson.Of(items) == rawjson.Object:
			schema = items
		default:
			return nil
		}
	}
	return nil
}
