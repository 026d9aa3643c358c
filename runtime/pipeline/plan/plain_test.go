package plan

import (
	"encoding/json"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/compactor-mcp/compactor/runtime/base/contract"
	"github.com/compactor-mcp/compactor/runtime/base/schema"
	"github.com/compactor-mcp/compactor/runtime/pipeline/session"
)

type plainSample struct {
	Name    string             `json:"name"`
	Left    string             `json:"left,omitempty"`
	Skipped string             `json:"-"`
	Count   int64              `json:"count"`
	Small   uint8              `json:"small"`
	Share   float32            `json:"share"`
	Chance  float64            `json:"chance,omitempty"`
	List    []plainItem        `json:"list"`
	None    []string           `json:"none"`
	Map     map[string]float64 `json:"map,omitempty"`
	Raw     json.RawMessage    `json:"raw,omitempty"`
	Bytes   []byte             `json:"bytes"`
	Any     any                `json:"any"`
	Next    *plainSample       `json:"next,omitempty"`
	At      time.Time          `json:"at"`
	NoTag   time.Duration
	Zero    contract.Timing `json:"zero,omitzero"`
	Other   contract.Timing `json:"other,omitzero"`
	Word    plainWord       `json:"word"`
	Words   []plainWord     `json:"words"`
	hidden  int
}

// plainWord defines its text.
type plainWord struct{ text string }

func (w plainWord) MarshalText() ([]byte, error) { return []byte("<" + w.text + ">"), nil }

type plainItem struct {
	contract.Timing
	Own string `json:"own"`
}

// What is copied is what comes by way of JSON, for every schema.
func TestPlainIsWhatJSONSays(t *testing.T) {
	deep := any("x")
	for range 500 {
		deep = []any{deep}
	}
	values := map[string]any{
		"nothing": nil, "text": "a<b>\u2028", "broken text": "a\xffb", "whole": 7, "float": 1.5, "whole float": 3.0, "minus nought": math.Copysign(0, -1), "huge": 1e19, "huger": 1e300,
		"tiny": 1e-9, "edge": float64(1 << 62), "number": json.Number("12"), "odd number": json.Number("1e2"), "bool": true, "unsigned": uint64(math.MaxUint64), "nil list": []any(nil),
		"nil map": map[string]any(nil), "strings": []string{"a", "b"}, "ints by key": map[int]string{1: "a"}, "broken key": map[string]any{"a\xff": 1}, "deep": deep,
		"NaN": math.NaN(), "channel": make(chan int),
		"session": session.View{Conversation: []session.Call{{Tool: "t", Arguments: json.RawMessage(`{"n":1.0}`)}}, Used: map[string]int{"a": 1}},
		"result":  contract.Result{Summary: "s", KeyFindings: []contract.Finding{{Text: "f", Ref: "a.go:1"}}},
		"sample": plainSample{Name: "n", Skipped: "s", Count: 1 << 60, Small: 3, Share: 0.1, Chance: 2, List: []plainItem{{Own: "o"}}, Map: map[string]float64{"a": 1, "b": .5},
			Raw: json.RawMessage(`[1, 2.5]`), Bytes: []byte("xyz"), Any: map[string]any{"a": []int{1}}, Next: &plainSample{}, At: time.Unix(1, 0).UTC(), hidden: 1,
			Other: contract.Timing{StartedAt: 1}, Word: plainWord{"w"}, Words: []plainWord{{"a"}, {}}},
		"broken word": plainWord{"\xff"}, "no word": (*plainWord)(nil),
		"errors": map[string]any{"e": json.RawMessage(`{`)},
	}
	schemas := map[string]*schema.Schema{"none": nil, "any": {}, "number": {Type: schema.Number}, "integer": {Type: schema.Integer}, "list": {Type: schema.Array, Items: &schema.Schema{Type: schema.Number}},
		"object": {Type: schema.Object, Open: &schema.Schema{Type: schema.Number}, Fields: []schema.Field{{Name: "count", Schema: &schema.Schema{Type: schema.Number}}, {Name: "missing", Required: true, Schema: &schema.Schema{Type: schema.Array}}}}}
	for name, v := range values {
		for as, s := range schemas {
			var want any
			in := v
			if r, ok := v.(interface{ PlainForm() any }); ok {
				in = r.PlainForm()
			}
			want, wrong := viaJSON(in)
			if wrong == nil {
				want = fill(want, s)
			}
			got, err := Plain(v, s)
			if (err == nil) != (wrong == nil) || err != nil && err.Error() != wrong.Error() {
				t.Errorf("%s as %s: %v, want %v", name, as, err, wrong)
			} else if err == nil && !reflect.DeepEqual(want, got) {
				t.Errorf("%s as %s: %v, want %v", name, as, got, want)
			}
		}
	}
}

// What a stage is shown is its own: nothing that it does to it reaches who gave it.
func TestPlainIsACopy(t *testing.T) {
	in := map[string]any{"list": []any{map[string]any{"a": 1}}}
	out, err := Plain(in, &schema.Schema{})
	if err != nil {
		t.Fatal(err)
	}
	out.(map[string]any)["list"].([]any)[0].(map[string]any)["a"] = 2
	if in["list"].([]any)[0].(map[string]any)["a"] != 1 {
		t.Error("it is shared")
	}
}

// FuzzPlain gives any JSON as values of Go, decoded with and without exact numbers.
func FuzzPlain(f *testing.F) {
	f.Add(`{"a":[1,2.5,-0.0,1e400,"\ud800",null,true],"$inside":{}}`)
	f.Add(`[9223372036854775807,9223372036854775808,1e18,123456789012345678901234567890]`)
	f.Fuzz(func(t *testing.T, text string) {
		var v any
		if json.Unmarshal([]byte(text), &v) != nil {
			return
		}
		for _, s := range []*schema.Schema{nil, {Type: schema.Number}, {Type: schema.Array, Items: &schema.Schema{Type: schema.Number}}} {
			want, err := viaJSON(v)
			if err != nil {
				t.Fatal(err)
			}
			want = fill(want, s)
			if got, err := Plain(v, s); err != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("%s: %v, %v, want %v", text, err, got, want)
			}
		}
	})
}
