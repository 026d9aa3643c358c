package rawjson_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/rawjson"
)

// Where Fields says that a type is plain, encoding/json writes the members that it
// lists and no others.
func TestFields(t *testing.T) {
	type Base struct{ A int }
	for name, c := range map[string]struct {
		of    any
		plain bool
		want  []rawjson.Field
	}{
		"tags": {struct {
			A int `json:"a"`
			B string
			_ int
			D bool `json:"d,omitempty"`
			E bool `json:"-"`
		}{D: true}, true, []rawjson.Field{{"a", 0, false, false}, {"B", 1, false, false}, {"d", 3, true, false}}},
		"none": {struct{}{}, true, nil},
		"zero": {struct {
			A Base `json:"a,omitzero"`
		}{Base{1}}, true, []rawjson.Field{{"a", 0, false, true}}},
		"zero by a method": {struct {
			A time.Time `json:"a,omitzero"`
		}{}, false, nil},
		"embedded": {struct{ Base }{}, false, nil},
		"as text": {struct {
			A int `json:"a,string"`
		}{}, false, nil},
		"no name": {struct {
			A int `json:"a b"`
		}{}, false, nil},
	} {
		list, plain := rawjson.Fields(reflect.TypeOf(c.of))
		if plain != c.plain || plain && !reflect.DeepEqual(list, c.want) {
			t.Errorf("%s: %v, plain %v", name, list, plain)
		}
		if !plain {
			continue
		}
		text, _ := json.Marshal(c.of)
		var members map[string]any
		if err := json.Unmarshal(text, &members); err != nil || len(members) != len(list) {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}
