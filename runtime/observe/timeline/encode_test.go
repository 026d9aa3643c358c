package timeline_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/observe/timeline"
)

// A field that is added to a span and not to its writing would be lost without a word.
func TestWhatIsWrittenOfASpanIsAllOfIt(t *testing.T) {
	at := time.Date(2026, 11, 2, 10, 0, 0, 123456789, time.UTC)
	var full timeline.Span
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case string:
			f.SetString("a \"word\"\n<\u2028\x00 ünd \\ " + v.Type().Field(i).Name)
		case bool:
			f.SetBool(true)
		case int, time.Duration:
			f.SetInt(int64(i) - 100)
		case time.Time:
			f.Set(reflect.ValueOf(at))
		case map[string]string:
			f.Set(reflect.ValueOf(map[string]string{"b\"": "1", "a": ""}))
		default:
			t.Fatalf("%s is a %s: write it in AppendJSON, and fill it here", v.Type().Field(i).Name, f.Type())
		}
	}
	want := []*timeline.Span{&full, {Kind: "request", Started: at}, {Kind: "cut", Message: "no \xff UTF-8", Started: at.In(time.FixedZone("", 3600))}}
	reference, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got, expected []timeline.Span
	if err := json.Unmarshal(timeline.AppendJSON(nil, want), &got); err != nil {
		t.Fatal(err)
	}
	_ = json.Unmarshal(reference, &expected)
	if !reflect.DeepEqual(got, expected) || !got[0].Started.Equal(at) || got[0].Attrs["b\""] != "1" {
		t.Errorf("%+v\nis not\n%+v", got, expected)
	}
	if list := string(timeline.AppendJSON(nil, nil)); list != "[]" {
		t.Error(list)
	}
}
