package rawjson

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMembersKeepWhatDecodingLoses(t *testing.T) {
	text := ` {"id" : 9007199254740993, "ID":"x","a\u0062":[1,{"c":"]}"}], "id": null } `
	got, err := Members([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []Member{
		{"id", json.RawMessage("9007199254740993")},
		{"ID", json.RawMessage(`"x"`)},
		{"ab", json.RawMessage(`[1,{"c":"]}"}]`)},
		{"id", json.RawMessage("null")},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestItems(t *testing.T) {
	for text, want := range map[string][]string{
		`[]`:                 {},
		` [ ] `:              {},
		`[1, "a,]" ,{},[2]]`: {"1", `"a,]"`, "{}", "[2]"},
	} {
		items, err := Items([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		got := []string{}
		for _, item := range items {
			got = append(got, string(item))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(text, diff)
		}
	}
}

func TestCheckSaysWhere(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:          "",
		`{"a":1,}`:         "not valid json at byte 8",
		"{\"a\":\"\xff\"}": "not valid utf-8 at byte 6",
		``:                 "not valid json at byte 0",
		strings.Repeat("[", 20000) + strings.Repeat("]", 20000): "exceeded max depth",
	} {
		err := Check([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("Check(%.20q) = %v, want %q", text, err, want)
		}
	}
}

func TestDuplicate(t *testing.T) {
	for text, want := range map[string]string{
		`{"":1,"":2}`: `""`, `{"a":{"":1,"":2}}`: "a.",
		`{"a":1,"b":{"a":1}}`:                 "",
		`{"a":1,"\u0061":2}`:                  "a",
		`{"a":{"b":[{"c":1},{"c":1,"c":2}]}}`: "a.b[1].c",
		`["a","a"]`:                           "",
		`{"a":"b","b":"a"}`:                   "",
		`{"a":1,"A":2}`:                       "",
	} {
		if got := Duplicate([]byte(text)); got != want {
			t.Errorf("Duplicate(%s) = %q, want %q", text, got, want)
		}
	}
}

func TestQuoteKeepsMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"plain":  `"plain"`,
		"a<b>&c": `"a<b>&c"`,
		"a\n\"":  `"a\n\""`,
		"é":      `"é"`,
		"\xff":   `"\ufffd"`,
	} {
		if got := string(Quote(in)); got != want {
			t.Errorf("Quote(%q) = %s, want %s", in, got, want)
		}
	}
}

// FuzzWalk holds the walkers to encoding/json: what is valid is read to the same members, what is not never panics.
func FuzzWalk(f *testing.F) {
	for _, seed := range []string{`{}`, `[]`, `{"a":[{"b":"\\\""}],"a":-1.5e3}`, `{"a"`, `[1,`, `"x"`, `{"a":}`, ` [ null , true ] `} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		members, memberErr := Members(data)
		items, itemErr := Items(data)
		Duplicate(data)
		if Check(data) != nil {
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) == nil && object != nil {
			last := map[string]json.RawMessage{}
			for _, m := range members {
				last[m.Name] = m.Value
			}
			if memberErr != nil || !cmp.Equal(object, last, cmp.Comparer(func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })) {
				t.Fatalf("members of %s: %v, %v", data, members, memberErr)
			}
			if (Duplicate(data) == "") != (len(last) == len(members)) && len(last) != len(members) {
				t.Fatalf("duplicate in %s not seen", data)
			}
		}
		var array []json.RawMessage
		if json.Unmarshal(data, &array) == nil && array != nil && (itemErr != nil || len(array) != len(items)) {
			t.Fatalf("items of %s: %d, %v", data, len(items), itemErr)
		}
	})
}
