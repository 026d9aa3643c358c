package task

import (
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/sanitize/fence"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

const freeRules = fence.Rule + `
Say nothing that the data does not show. ` + objectRules

// freeTask returns the task that makes whatever output the role defines from its prompt and input.
func freeTask() Task {
	return Task{Name: "free", Doc: "make the role's own output of its prompt and its input", Asked: "question",
		Rules: freeRules, TokensIn: 6000, TokensOut: 900, Form: &Form{
			Put: putFree,
			Apply: func(c *Case, _ Question, reply map[string]any) (map[string]any, int, bool) {
				return c.fit(reply, nil, 0, len(reply) > 0)
			},
		}}
}

func putFree(c *Case, room int) Question {
	form := "Form: " + Example(c.Out)
	room -= Roughly(form, freeRules)
	found := ""
	if len(c.Candidates) > 0 {
		shown := strings.Join(Pack(c.Candidates, room/2), "\n")
		found = shown
		room -= Roughly(found)
	}
	text, shown := c.writeLead(room, c.writeFields)
	if found != "" {
		text += "\n\nFound:\n" + fence.Wrap(found, shown)
		shown += "\n" + found
	}
	return Question{Text: strings.TrimSpace(text) + "\n\n" + form, Shape: c.Out, Shown: shown, Count: len(c.Candidates)}
}

// writeFields writes the inputs by name, each value in its share of the room.
func (c *Case) writeFields(room int) (text, shown string) {
	var names []string
	for _, name := range c.In.Names() {
		if v, ok := c.Input[name]; ok && v != nil {
			names = append(names, name)
		}
	}
	var lines, values []string
	for i, name := range names {
		value := Cut(TextOf(c.Input[name]), room/(len(names)-i))
		line := name + ": " + fence.Value(value, name)
		room -= Roughly(line) - 48
		lines, values = append(lines, strings.TrimRight(line, "\n")), append(values, value)
	}
	return strings.Join(lines, "\n"), strings.Join(values, "\n")
}

// Example returns one example of a schema's values, to show their form.
func Example(s *schema.Schema) string {
	var b strings.Builder
	example(&b, s)
	return b.String()
}

func example(b *strings.Builder, s *schema.Schema) {
	switch {
	case s == nil:
		b.WriteString(blank)
		return
	case len(s.Enum) > 0:
		b.WriteString(writeChoices(s.Enum))
		return
	}
	switch s.Type {
	case schema.Object:
		b.WriteString("{")
		for i, f := range s.Fields {
			if i > 0 {
				b.WriteString(", ")
			}
			name, _ := json.Marshal(f.Name)
			b.Write(name)
			b.WriteString(": ")
			example(b, f.Schema)
		}
		b.WriteString("}")
	case schema.Array:
		b.WriteString("[")
		example(b, s.Items)
		b.WriteString("]")
	case schema.Integer, schema.Number:
		b.WriteString("1")
	case schema.Boolean:
		b.WriteString("true")
	default:
		b.WriteString(`"` + blank + `"`)
	}
}

// writeChoices writes the allowed values of a field: texts joined into one, because a model
// that is shown only the first tends to take it.
func writeChoices(enum []any) string {
	var texts []string
	for _, e := range enum {
		if s, ok := e.(string); ok {
			texts = append(texts, s)
		}
	}
	one := enum[0]
	if len(texts) == len(enum) && len(texts) <= maxChoices {
		one = strings.Join(texts, "|")
	}
	data, err := json.Marshal(one)
	if err != nil {
		return `"…"`
	}
	return string(data)
}

// maxChoices limits the values that a form lists; the schema of a reply has all.
const maxChoices = 12
