package reply

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func FuzzJSON(f *testing.F) {
	for _, c := range replies {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, rung, err := JSON(s, choose)
		b, again, _ := JSON(s, choose)
		if rung != again || !reflect.DeepEqual(a, b) {
			t.Fatal("two readings differ")
		}
		if err == nil {
			if wrong := keeps(a, choose); wrong != nil {
				t.Fatalf("%s of %q: %v", marshal(t, a), s, wrong)
			}
			if again, rung, err := JSON(marshal(t, a), choose); err != nil || rung != Clean || !reflect.DeepEqual(a, again) {
				t.Fatalf("%s became %s, %s, %v", marshal(t, a), marshal(t, again), rung, err)
			}
		}
		if err != nil && (len(err.Error()) > 200 || strings.Contains(err.Error(), "\n")) {
			t.Fatalf("long error %q", err)
		}
	})
}

// FuzzStrict holds that the reader takes exactly JSON for JSON, and means the
// same by it.
func FuzzStrict(f *testing.F) {
	for _, c := range replies {
		f.Add(c.text)
	}
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
		got, err := json.Marshal(o.value.toValue())
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
	for _, c := range spoken {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, rest := Calls(s, tools)
		b, again := Calls(s, tools)
		if rest != again || !reflect.DeepEqual(a, b) {
			t.Fatal("two readings differ")
		}
		for _, c := range a {
			if !slices.Contains(tools, c.Name) || c.Arguments == nil {
				t.Fatalf("unknown %q", c.Name)
			}
		}
	})
}
