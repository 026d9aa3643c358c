package judge

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"
)

// chance writes schemas and arguments that come close to each other.
type chance struct{ *rand.Rand }

var names = []string{"a", "b", "c"}

func (c chance) schema(depth int) map[string]any {
	s := map[string]any{}
	if c.IntN(3) == 0 {
		s["default"] = c.value(2)
	}
	if c.IntN(12) == 0 {
		s["$ref"] = []string{"#", "#/$defs/a", "#/$defs/b", "#/properties/a", "#/$defs/none"}[c.IntN(5)]
	}
	if depth > 3 {
		return s
	}
	switch c.IntN(10) {
	case 0:
		s["type"] = []any{"string", "null"}
		s["enum"] = []any{"x", 1, nil}[:1+c.IntN(3)]
	case 1:
		s["type"], s["minimum"], s["exclusiveMaximum"] = "integer", c.IntN(3), 2+c.IntN(3)
	case 2:
		s["const"] = c.value(1)
	case 3:
		s["type"], s["minLength"], s["pattern"], s["format"] = "string", c.IntN(3), "^x", "uri"
	case 4:
		s["type"], s["items"], s["maxItems"], s["uniqueItems"] = "array", c.schema(depth+1), c.IntN(3), true
	case 5, 6:
		word := []string{"anyOf", "oneOf", "allOf"}[c.IntN(3)]
		s[word] = []any{c.schema(depth + 1), c.schema(depth + 1)}
	case 7:
		s["not"], s["if"], s["then"] = c.schema(depth+1), c.schema(depth+1), c.schema(depth+1)
	default:
		c.object(s, depth)
	}
	return s
}

func (c chance) object(s map[string]any, depth int) {
	props := map[string]any{}
	var required []any
	for _, name := range names {
		if c.IntN(3) > 0 {
			props[name] = c.schema(depth + 1)
		}
		if c.IntN(3) == 0 {
			required = append(required, name)
		}
	}
	s["type"], s["properties"] = "object", props
	if required != nil {
		s["required"] = required
	}
	switch c.IntN(4) {
	case 0:
		s["additionalProperties"] = false
	case 1:
		s["additionalProperties"] = c.schema(depth + 1)
	case 2:
		s["patternProperties"] = map[string]any{"^a": c.schema(depth + 1)}
	}
}

func (c chance) value(depth int) any {
	switch k := c.IntN(9); {
	case k < 3 && depth < 4:
		out := map[string]any{}
		for _, name := range append(names, "d") {
			if c.IntN(2) == 0 {
				out[name] = c.value(depth + 1)
			}
		}
		return out
	case k == 3 && depth < 4:
		return []any{c.value(depth + 1), c.value(depth + 1)}[:c.IntN(3)]
	case k == 4:
		return nil
	case k == 5:
		return c.IntN(2) == 0
	case k == 6:
		return []string{"", "x", "xy", "1"}[c.IntN(4)]
	}
	return []float64{0, 1, 2, 1.5}[c.IntN(4)]
}

// FuzzRandom: what a strict validator takes, once it demands nothing that has a default, is taken.
func FuzzRandom(f *testing.F) {
	if testing.Short() {
		f.Skip("long, in one goroutine")
	}
	for i := range uint64(100) { // more with go test -fuzz
		f.Add(i)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		c := chance{rand.New(rand.NewPCG(seed, 1))}
		s := map[string]any{"$defs": map[string]any{"a": c.schema(2), "b": c.schema(2)}}
		c.object(s, 0)
		if c.IntN(4) == 0 {
			s["$schema"] = "http://json-schema.org/draft-0" + strconv.Itoa(6+c.IntN(2)) + "/schema#"
		}
		schema, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		judge, err := Compile(schema)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		for range 20 {
			args, _ := json.Marshal(c.value(0))
			if found := judge.Check(args); len(found) > 0 && strictly(string(schema), string(args)) {
				t.Fatalf("%s: %s is refused: %s", schema, args, words(found))
			}
		}
	})
}
