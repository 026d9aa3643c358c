package reply

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"notes":[{"id":1,"note":"a"}]}`, "```json\n{'notes':{\"1\":\"x\"", "<think>x</think>{notes:[1,2,]}", `{"notes": [{"id": "1, "note": "the "a" b"}]}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, rung, err := JSON(s, choose)
		b, again, _ := JSON(s, choose)
		if rung != again || !reflect.DeepEqual(a, b) {
			t.Fatal("two readings differ")
		}
		if err != nil && (len(err.Error()) > 200 || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("long error %q", err)
		}
	})
}

// FuzzStrict holds that the reader takes exactly JSON for JSON, and means the
// same by it.
func FuzzStrict(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5e3,"x\u00e9\n",null,true,{}]}`, `{"a":"b","c":["d","e"]}`, `{"a" : "b" , "c":{"d":"e"} }`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(bound(s))
		if !strings.HasPrefix(s, "{") {
			return
		}
		o := readAt(s, 0)
		if o.deep {
			return
		}
		strict := !o.mended && o.end == len(s)
		if strict != json.Valid([]byte(s)) {
			t.Fatalf("strict is %v of %q", strict, s)
		}
		if !strict {
			return
		}
		var want any
		if json.Unmarshal([]byte(s), &want) != nil {
			return
		}
		got, err := json.Marshal(o.value.plain())
		if err != nil {
			t.Fatal(err)
		}
		var back any
		_ = json.Unmarshal(got, &back)
		if !reflect.DeepEqual(want, back) {
			t.Fatalf("%q became %s", s, got)
		}
	})
}

func FuzzCalls(f *testing.F) {
	for _, s := range []string{`<tool_call>{"name":"a","arguments":{}}</tool_call>`, `[TOOL_CALLS]a{"x":1}`, `<function=a><parameter=x>1</parameter></function>`, `a(x="1")`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, rest := Calls(s, []string{"a", "code_grep"})
		b, again := Calls(s, []string{"a", "code_grep"})
		if rest != again || !reflect.DeepEqual(a, b) {
			t.Fatal("two readings differ")
		}
		for _, c := range a {
			if c.Name != "a" && c.Name != "code_grep" {
				t.Fatalf("unknown %q", c.Name)
			}
		}
	})
}
