package task

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/compactor-mcp/compactor/runtime/base/schema"
)

// blank marks a text to be filled in, in a form.
const blank = "…"

// Said returns a reply without the blanks of the form that were copied instead of filled
// in, and their number: they are removed from lists and set to null elsewhere. It returns
// nil for a reply that only repeats the form.
func Said(reply map[string]any, shape *schema.Schema) (map[string]any, int) {
	said, blanks := removeBlanks(reply)
	if blanks > 0 && sameJSON(reply, Example(shape)) {
		return nil, blanks
	}
	out, _ := said.(map[string]any)
	return out, blanks
}

func removeBlanks(v any) (out any, blanks int) {
	switch v := v.(type) {
	case string:
		if s := strings.TrimSpace(v); s == blank || s == "..." {
			return nil, 1
		}
	case []any:
		kept := make([]any, 0, len(v))
		for _, e := range v {
			e, n := removeBlanks(e)
			if blanks += n; n == 0 || e != nil {
				kept = append(kept, e)
			}
		}
		return kept, blanks
	case map[string]any:
		kept := make(map[string]any, len(v))
		for k, e := range v {
			e, n := removeBlanks(e)
			kept[k] = e
			blanks += n
		}
		return kept, blanks
	}
	return v, 0
}

// sameJSON reports whether v equals the JSON value in text.
func sameJSON(v any, text string) bool {
	var other any
	if json.Unmarshal([]byte(text), &other) != nil {
		return false
	}
	one, err := json.Marshal(v)
	two, wrong := json.Marshal(other)
	return err == nil && wrong == nil && bytes.Equal(one, two)
}
