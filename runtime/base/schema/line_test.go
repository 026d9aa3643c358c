package schema

import "testing"

func TestLine(t *testing.T) {
	text := &Schema{Type: String}
	deep := text
	for range deepest + 1 {
		deep = &Schema{Type: Object, Fields: []Field{{Name: "a", Required: true, Schema: deep}}}
	}
	for want, s := range map[string]*Schema{
		"_":                             nil,
		"string":                        text,
		"string | null":                 {Type: String, Nullable: true},
		`"low" | "high"`:                {Type: String, Enum: []any{"low", "high"}},
		"int | *5":                      {Type: Integer, Default: 5},
		"[...{}]":                       {Type: Array, Items: &Schema{Type: Object}},
		"{a: {a: {a: {…}}}}":            deep,
		"{a: number, [string]: string}": {Type: Object, Fields: []Field{{Name: "a", Required: true, Schema: &Schema{Type: Number}}}, Open: text},
		"[...{…}]":                      {Type: Array, Items: &Schema{Type: Object, Fields: make([]Field, widest+1)}},
		"{a?: _, b: bool | *false}": {Type: Object, Fields: []Field{{Name: "a", Schema: &Schema{}},
			{Name: "b", Schema: &Schema{Type: Boolean, Default: false}}}},
	} {
		if got := s.Line(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
