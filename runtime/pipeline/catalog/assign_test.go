package catalog

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
)

type assigned struct {
	Name   string             `json:"name"`
	Count  int                `json:"count,omitempty"`
	Small  int8               `json:"small"`
	Share  float64            `json:"share"`
	On     *bool              `json:"on"`
	List   []assigned         `json:"list"`
	Words  []string           `json:"words"`
	Map    map[string]float64 `json:"map"`
	Raw    json.RawMessage    `json:"raw"`
	Any    any                `json:"any"`
	Result *contract.Result   `json:"result"`
	At     time.Time          `json:"at"`
	Bytes  []byte             `json:"bytes"`
	hidden int                //lint:ignore U1000 a field that JSON does not see
}

// What is put into a struct without JSON is what JSON would put there, mistakes included.
func TestInputIsWhatJSONSays(t *testing.T) {
	for name, in := range map[string]map[string]any{
		"nothing": {}, "null": {"name": nil, "list": nil, "on": nil},
		"all": {"name": "n", "count": 3, "small": -7, "share": 2, "on": true, "list": []any{map[string]any{"name": "in"}, nil}, "words": []string{"a"}, "map": map[string]any{"a": 1, "b": .5},
			"raw": map[string]any{"n": 1.5}, "any": []any{true, "x"}, "result": map[string]any{"summary": "s"}, "at": "2026-01-02T03:04:05Z", "bytes": "YQ=="},
		"empty": {"list": []any{}, "words": []any{}, "map": map[string]any{}}, "nil list": {"list": []any(nil)}, "whole float": {"count": 3.0}, "fraction": {"count": 3.5},
		"too large": {"small": 300}, "unknown": {"nam": 1}, "unknown within": {"list": []any{map[string]any{"x": 1}}}, "capitals": {"NAME": "n"}, "broken": {"name": "a\xff"},
		"a number for a text": {"name": 1}, "a text for a list": {"words": "a"}, "NaN": {"share": math.NaN()}, "hidden": {"hidden": 1}, "bad result": {"result": map[string]any{"x": 1}},
		"number": {"share": json.Number("1.25"), "count": json.Number("7")},
	} {
		var want assigned
		raw, wrong := json.Marshal(in)
		if wrong == nil {
			wrong = decodeJSON(raw, &want, true)
		}
		got, err := Decode[assigned](in)
		if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
			t.Errorf("%s: %v, want %v", name, err, wrong)
		} else if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", name, got, want)
		}
	}
}

func TestAnInterfaceGetsTheValueItself(t *testing.T) {
	list := []any{1, "x"}
	got, err := Decode[assigned](map[string]any{"any": list, "count": int64(7)})
	if held, ok := got.Any.([]any); err != nil || !ok || &held[0] != &list[0] || got.Count != 7 {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []any{math.Inf(1), []any{math.NaN()}, map[string]any{"a": map[any]any{}}} {
		if got, err := Decode[assigned](map[string]any{"any": bad}); err == nil || got.Any != nil {
			t.Errorf("%v, %v: it has no JSON form", got.Any, err)
		}
	}
	if got, err := Decode[assigned](map[string]any{"any": []any{"a\xff", []string{"b"}}}); err != nil || !reflect.DeepEqual(got.Any, []any{"a\ufffd", []any{"b"}}) {
		t.Errorf("%q, %v: want what JSON says", got.Any, err)
	}
}

func FuzzInput(f *testing.F) {
	f.Add(`{"name":"n","list":[{"share":1.5,"words":["a"]}],"Map":{"a":1},"raw":[1],"any":{"b":2}}`)
	f.Add(`{"count":1e3,"small":-129,"on":null}`)
	f.Fuzz(func(t *testing.T, text string) {
		var in map[string]any
		if json.Unmarshal([]byte(text), &in) != nil {
			return
		}
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		if sizeOf(in) != len(raw) {
			t.Errorf("%d bytes, want %d: %s", sizeOf(in), len(raw), raw)
		}
		var want assigned
		wrong := decodeJSON(raw, &want, true)
		got, err := Decode[assigned](in)
		if (err == nil) != (wrong == nil) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v %v, want %+v %v", text, got, err, want, wrong)
		}
	})
}
